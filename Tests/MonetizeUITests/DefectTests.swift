// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizePaywalls
import MonetizeSimulator
import MonetizeTesting
import MonetizeUI
import SwiftUI
import Testing

/// The mistakes of the second Magical Stories seed: each shown with a few lines of the seed's way, which fail, and with ours, which pass.
@Suite("Defects of the seeds' views", .timeLimit(.minutes(30)))
@MainActor struct DefectTests {
  private let monthly: ProductID = "com.magicalstories.premium.monthly"
  private let yearly: ProductID = "com.magicalstories.premium.yearly"
  private var premium: some View { Text("Themes").gated(by: "customThemes") }

  @Test("DEF-S1: a price in the code is wrong in another storefront; the paywall has the store's own text")
  func prices() async throws {
    let seed = ["com.magicalstories.premium.monthly": "$8.99"]
    let stage = try await Stage(catalog: Stage.catalog("magical-stories")) { device in
      ScriptedStore(device) { "\($0.price.amountText.replacingOccurrences(of: ".", with: ",")) €" }
    }
    let host = stage.show(premium)
    _ = await stage.tap("Custom themes, locked, Create custom story themes", in: host)
    await stage.passGate(host)
    #expect(host.texts.contains("8,99 €") && !host.texts.contains { $0.contains("$") })
    #expect(!host.texts.contains(seed[monthly.rawValue] ?? ""), "the seed's text")
  }

  @Test("DEF-S2: free, monthly and yearly are not all states; each state of a plan has words of its own")
  func states() throws {
    enum SeedStatus: String { case free, active, expired }
    #expect(ProductState.allCases.compactMap { SeedStatus(rawValue: $0.rawValue) }.count < ProductState.allCases.count, "the seed's states")
    let catalog = try Stage.catalog("magical-stories")
    let (start, day) = (Stage.start, 86400.0)
    func bought(_ change: (inout StoreTransaction) -> Void = { _ in }) -> Fact {
      var transaction = StoreTransaction(id: "1", productID: monthly, purchaseDate: start - 5 * day, expirationDate: start + 20 * day)
      change(&transaction)
      return .transaction(transaction)
    }
    func status(_ facts: [Fact], answered: Bool = true) -> String {
      let snapshot = Snapshot(
        of: CustomerState(facts), catalog: catalog, situation: Situation(store: answered ? .answered : .waiting), at: start)
      guard let summary = snapshot.summary(of: "premium") else { return "" }
      let screen = SubscriptionScreen(summary, in: catalog, zone: .init(secondsFromGMT: 0) ?? .current)
      return [screen.plan, screen.status].compactMap { $0 }.joined(separator: ": ")
    }
    let pending = Fact.pending(PendingPurchase(productID: monthly, since: start - 60, lapses: start + day, revision: Revision(start - 60)))
    let texts = [
      status([], answered: false), status([]), status([pending]), status([bought()]),
      status([bought { $0.expirationDate = start - day }]),
      status([bought { $0.revocation = .init(date: start - 3600) }]),
    ]
    #expect(Set(texts).count == texts.count, "\(texts)")
  }

  @Test("DEF-S3, HEAT-24: a first value of `free` flashes a lock at a payer; unknown shows neither the plan nor a lock")
  func firstValue() async throws {
    struct SeedView: View {
      @State private var isPremium = false
      var body: some View { Text(isPremium ? "Themes" : "Upgrade to Premium") }
    }
    #expect(ViewHost(SeedView()).texts == ["Upgrade to Premium"], "the seed's first frame, for a payer too")
    let stage = try await Stage(catalog: Stage.catalog("magical-stories"), owns: [monthly], isAnswered: false)
    let host = stage.show(
      VStack {
        premium; SubscriptionSettings("premium")
      })
    var seen: Set<String> = []
    seen.formUnion(host.texts)
    await stage.monetizer.start()
    await stage.settle()
    seen.formUnion(host.texts)
    #expect(!seen.contains("Free") && !seen.contains("Unlock") && host.texts.contains("Themes"))
  }

  @Test("DEF-S4: a flag for a product that is not sold outranks everything; access comes from what the catalog sells")
  func deadFlag() async throws {
    func seed(hasLifetimeAccess: Bool, isActive: Bool) -> Bool { hasLifetimeAccess || isActive }
    #expect(seed(hasLifetimeAccess: true, isActive: false), "the seed's flag opens what was never bought")
    let stage = try await Stage("magical-stories")
    for product in stage.catalog.products { #expect(product.subscription != nil) }
    let refused = try? await stage.monetizer.purchase("com.magicalstories.lifetime", pass: nil)
    #expect(refused == nil && stage.show(premium).texts.contains("Unlock"))
  }

  @Test("DEF-S6: four counters disagree, and one that does not know Premium blocks payers; meter, gate, decision and work agree")
  func counters() async throws {
    struct SeedTracker {
      var used = 0
      var canGenerateStory: Bool { used < 3 }
    }
    #expect(SeedTracker(used: 3).canGenerateStory == false, "the seed's form, for a payer too")
    let payer = try await Stage(catalog: Stage.catalog("magical-stories"), owns: [yearly])
    for _ in 0..<5 { _ = try await payer.monetizer.spend("story") }
    #expect(
      payer.show(
        VStack {
          UsageMeterView("story"); Text("Form").gated(by: "story")
        }
      ).texts == ["Form"])
    let free = try await Stage("magical-stories")
    for used in 0...3 {
      let host = free.show(
        VStack {
          UsageMeterView("story"); Text("Form").gated(by: "story")
        })
      #expect(host.texts.contains("Stories this month: \(used)/3") && host.texts.contains("Form") == (used < 3))
      #expect(free.monetizer.decision(for: "story").remaining == 3 - used)
      if used < 3 { _ = try await free.monetizer.spend("story") }
    }
  }

  @Test("DEF-S7: with a wait between check and count five quick taps with one story left make five; here they make one")
  func race() async throws {
    final class SeedForm {
      var (left, made) = (1, 0)
      func tap() async {
        guard left > 0 else { return }
        await Task.yield()
        made += 1
        left -= 1
      }
    }
    let seed = SeedForm()
    let taps = (0..<5).map { _ in Task { await seed.tap() } }
    for tap in taps { await tap.value }
    #expect(seed.made > 1, "the seed makes more than is left")

    struct Form: View {
      @Gate("story") private var story
      let make: @MainActor () -> Void
      var body: some View {
        Button("Create") {
          Task {
            _ = await $story.perform {
              await Task.yield()
              make()
            }
          }
        }
      }
    }
    let stage = try await Stage("magical-stories")
    for _ in 0..<2 { _ = try await stage.monetizer.spend("story") }
    var made = 0
    let host = stage.show(Form { made += 1 })
    for _ in 0..<5 { host.tap("Create") }
    await stage.settle()
    #expect(made == 1)
  }

  @Test("DEF-S10, MAGIC-18: a fallback that is kept and never called is dead; ours is called, in place of the paywall")
  func fallback() async throws {
    struct SeedGate: View {
      let fallbackAction: () -> Void
      @State private var showsPaywall = false
      var body: some View { Button("Unlock") { showsPaywall = true } }
    }
    var seedCalls = 0
    ViewHost(SeedGate { seedCalls += 1 }).tap("Unlock")
    #expect(seedCalls == 0, "the seed's fallback")
    let stage = try await Stage("magical-stories")
    var calls = 0
    let host = stage.show(FeatureGate("customThemes", fallback: { calls += 1 }) { Text("Themes") })
    #expect(await stage.tap("Custom themes, locked, Create custom story themes", in: host))
    #expect(calls == 1 && !host.hasSheet)
  }

  @Test("DEF-S12: a period that begins at each launch is unlimited use; a relaunch keeps what was used")
  func relaunch() async throws {
    struct SeedUsage {
      var used = 0
      var periodStart = Date()
    }
    #expect(SeedUsage().used == 0, "the seed after a relaunch")
    let catalog = try Stage.catalog("magical-stories")
    let (storage, clock) = (MemoryStorage(), TestClock(Stage.start))
    func launch() -> Monetizer {
      Monetizer.testing(catalog, clock: clock) { $0.storage = storage }
    }
    for _ in 0..<2 { _ = try await launch().spend("story") }
    let host = ViewHost(UsageMeterView("story").monetizer(MonetizerModel(launch())))
    #expect(host.texts.contains("Stories this month: 2/3"))
  }

  @Test("DEF-S13: a reset by a background task happens twice or never; a period that is computed when it is read needs none")
  func reset() async throws {
    final class SeedManager {
      var used = 3
      func backgroundReset() { used = 0 }
    }
    let seed = SeedManager()
    seed.backgroundReset()
    #expect(seed.used == 0, "the seed's task, run before the month is over, gives three more")
    let stage = try await Stage("magical-stories")
    for _ in 0..<3 { _ = try await stage.monetizer.spend("story") }
    let host = stage.show(UsageMeterView("story"))
    #expect(host.texts.contains("Stories this month: 3/3"))
    await stage.store.advance(to: Date(timeIntervalSince1970: 1_775_001_600 - 1))  // 2026-03-31T23:59:59Z
    await stage.settle()
    #expect(host.texts.contains("Stories this month: 3/3"))
    await stage.store.advance(by: 1)
    await stage.settle()
    #expect(host.texts.contains("Stories this month: 0/3"))
  }

  @Test("DEF-S14: on the device's clock each turn forward and back refills; here turning the clock back refills nothing")
  func clock() async throws {
    var (seedMonth, seedLeft, seedMade) = (3, 3, 0)
    for month in [3, 4, 3, 4, 3, 4] {
      if month != seedMonth { (seedMonth, seedLeft) = (month, 3) }
      seedMade += seedLeft
      seedLeft = 0
    }
    #expect(seedMade == 18, "the seed's stories")
    let stage = try await Stage("magical-stories")
    var made = 0
    for month in [nil, 1, nil, 1, nil, 1] as [Int?] {
      try await stage.store.setClock(month.map { _ in Stage.start + 32 * 86400 }, device: stage.device.id)
      for _ in 0..<3 where (try? await stage.monetizer.spend("story")) != nil { made += 1 }
    }
    #expect(made <= 6, "\(made)")
  }

  @Test("DEF-S15: a saved `hasActiveSubscription` outlives a refund; the gate closes with it")
  func savedFlag() async throws {
    struct SeedProfile { var hasActiveSubscription = false }
    var profile = SeedProfile()
    profile.hasActiveSubscription = true
    let stage = try await Stage(catalog: Stage.catalog("magical-stories"), owns: [monthly])
    let host = stage.show(premium)
    #expect(host.texts == ["Themes"])
    try await stage.store.refund(monthly)
    await stage.settle()
    #expect(profile.hasActiveSubscription, "the seed's flag, after the refund")
    #expect(!host.texts.contains("Themes") && host.texts.contains("Unlock"))
  }

  @Test("DEF-S16: a purchase as a Bool cannot tell waiting from cancelled; the screens differ")
  func outcome() async throws {
    func seed(_ outcome: PurchaseOutcome) -> Bool { if case .completed = outcome { true } else { false } }
    #expect(seed(.pending) == seed(.cancelled), "the seed's answer")
    var screens: [[String]] = []
    for sheet in [Sheet.askToBuy, .cancel, .unverified] {
      let stage = try await Stage("heatlab")
      let host = stage.show(Text("Insights").gated(by: "aiInsights"))
      _ = await stage.tap("AI insights, locked", in: host)
      stage.device.nextSheet = sheet
      _ = await stage.tap("Subscribe", in: host)
      screens.append(host.texts)
    }
    #expect(Set(screens).count == 3)
    #expect(screens[0].contains { $0.hasPrefix("Waiting for approval") })
    #expect(screens[2].contains("The purchase could not be verified, and unlocked nothing."))
  }

  @Test("DEF-S17: the seed's list leaves out restore, renewal and the price after the trial; the paywall has them, and the links")
  func required() async throws {
    let seed = ["Headline", "Benefits", "Monthly $8.99", "Yearly $89.99", "Subscribe", "Terms"]
    #expect(!seed.contains { $0.contains("Restore") || $0.contains("Renews") || $0.contains("then") }, "the seed's list")
    let stage = try await Stage("magical-stories")
    let host = stage.show(premium)
    _ = await stage.tap("Custom themes, locked, Create custom story themes", in: host)
    await stage.passGate(host)
    #expect(host.control("Restore Purchases") != nil && host.control("Privacy Policy") != nil && host.control("Terms of Use") != nil)
    #expect(host.texts.contains("7 days free, then $89.99 per year"))
    #expect(host.texts.contains("Renews automatically at $89.99 per year until cancelled."))
    #expect(host.texts.contains { $0.hasPrefix("Cancel at any time") })
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizePaywalls
import MonetizeSimulator
import SwiftUI
import Testing

@testable import MonetizeUI

@Suite("What a person does in the views", .timeLimit(.minutes(30)))
@MainActor struct FlowTests {
  private let pack: ProductID = "com.example.mazes.pack.denny"
  private let monthly: ProductID = "com.heatlab.pro.monthly"

  /// A feature that a subscription opens, and the price of the preselected one.
  private struct Sold: Sendable {
    let app: String
    let feature: FeatureID
    let title: String
    let price: String
    let button: String
    var isGated = false

    static let heatlab = Sold(app: "heatlab", feature: "aiInsights", title: "AI insights", price: "$39.99", button: "Subscribe")
    static let magicalStories = Sold(
      app: "magical-stories", feature: "customThemes", title: "Custom themes", price: "$89.99", button: "Start Free Trial", isGated: true)
  }

  @Test(
    "MAZE-13, MAZE-16, MAGIC-52: a tap on a locked story asks a parent, then sells; the purchase closes the paywall and opens every story")
  func purchase() async throws {
    let stage = try await Stage("maze-packs")
    var played: [ItemPath] = []
    let host = stage.show(ItemGrid("story.play", in: "denny", part: "easy") { played.append($0) })
    #expect(await stage.tap("4, locked", in: host))
    #expect(host.texts.contains("For Grown-Ups") && stage.device.calls["purchase"] == 0)
    await stage.passGate(host)
    #expect(host.texts.contains("All of Denny's Stories"))
    #expect(await stage.tap("Buy", in: host))
    #expect(!host.hasSheet && stage.monetizer.allows("story.play"))
    #expect(host.controls.allSatisfy { !$0.spoken.contains("locked") } && host.controls.count == 20)
    #expect(await stage.tap("20", in: host) && played == ["denny/20/easy"])
  }

  @Test("The gate stands before a restore, and before a link, also after its pass was used up by the purchase")
  func gateInside() async throws {
    let stage = try await Stage("maze-packs")
    let host = stage.show(Text("Story").gated(by: "story.play", item: "denny/4"))
    #expect(await stage.tap("Stories, locked", in: host))
    await stage.passGate(host)
    stage.device.nextSheet = .cancel
    #expect(await stage.tap("Buy", in: host))
    #expect(host.texts.contains("All of Denny's Stories"), "a cancellation leaves the paywall as it was")
    #expect(await stage.tap("Restore Purchases", in: host))
    #expect(host.texts.contains("For Grown-Ups") && stage.device.calls["synchronize"] == 0)
    await stage.passGate(host)
    #expect(stage.device.calls["synchronize"] == 1 && host.texts.contains("There are no purchases to restore."))
    #expect(await stage.tap("Privacy Policy", in: host) && stage.opened.isEmpty)
    await stage.passGate(host)
    #expect(stage.opened == ["https://example.com/mazes/privacy"])
  }

  @Test("Three wrong answers close the gate, and nothing is sold; so does swiping it away. The next tap asks again")
  func gateFails() async throws {
    let stage = try await Stage("maze-packs")
    let host = stage.show(Text("Story").gated(by: "story.play", item: "denny/4"))
    #expect(await stage.tap("Stories, locked", in: host))
    for _ in 0..<3 { await stage.passGate(host, right: false) }
    #expect(!host.hasSheet)
    for _ in 0..<3 {
      #expect(await stage.tap("Stories, locked", in: host))
      #expect(host.hasSheet, "a paywall that was closed can be opened again")
      host.swipeDown()
      await stage.settle()
      #expect(!host.hasSheet)
    }
    #expect(stage.device.calls["purchase"] == 0)
  }

  @Test(
    "DOZZI-15, MAGIC-10: two taps on the purchase button are one call to the store, and the button is disabled while the sheet is up",
    arguments: [Sold.heatlab, .magicalStories])
  private func twoTaps(_ sold: Sold) async throws {
    var scripted: ScriptedStore?
    let stage = try await Stage(catalog: Stage.catalog(sold.app)) {
      let store = ScriptedStore($0)
      scripted = store
      return store
    }
    let store = try #require(scripted)
    let host = stage.show(Text("Content").gated(by: sold.feature))
    #expect(await stage.tap("\(sold.title), locked", in: host))
    if sold.isGated { await stage.passGate(host) }
    store.hold()
    let first = try #require(host.control(sold.button)?.action)
    first()
    first()
    await stage.settle()
    #expect(host.texts.contains("Waiting for the store…") && host.control(sold.button)?.isDisabled == true)
    #expect(host.control("Restore Purchases")?.isDisabled == true && host.control("Not Now")?.isDisabled == false)
    store.letGo()
    await stage.settle()
    #expect(stage.device.calls["purchase"] == 1 && host.texts == ["Content"])
  }

  @Test("DOZZI-16: a restore that found something, nothing, or failed has three different messages")
  func restoring() async throws {
    var messages: [String] = []
    func restore(_ stage: Stage) async -> ViewHost {
      let host = stage.show(RestoreButton())
      #expect(await stage.tap("Restore Purchases", in: host))
      await stage.passGate(host)
      messages.append(host.texts.last ?? "")
      return host
    }
    _ = await restore(try await Stage("dozzi", owns: ["com.dozzi.unlimited_stories"]))
    _ = await restore(try await Stage("dozzi"))
    let offline = try await Stage("dozzi")
    try await offline.store.setNetwork(.offline)
    _ = await restore(offline)
    #expect(
      messages == [
        "Your purchases are restored.", "There are no purchases to restore.",
        "Your purchases could not be restored. Check your connection and try again.",
      ])
  }

  @Test("HEAT-24: before the store's first answer a tap opens neither content nor paywall, and a subscriber never sees a lock")
  func unknown() async throws {
    let stage = try await Stage("heatlab", owns: [monthly], isAnswered: false)
    let host = stage.show(Text("Insights").gated(by: "aiInsights"))
    var shown: Set<String> = Set(host.texts)
    #expect(host.texts == ["AI insights", "Checking your purchases…"] && host.controls.isEmpty)
    await stage.monetizer.start()
    for _ in 0..<200 {
      shown.formUnion(host.texts)
      await Task.yield()
    }
    #expect(host.texts == ["Insights"] && !shown.contains("Unlock") && !host.hasSheet)
  }

  @Test("A purchase that waits for a parent is a state of the gate; the approval opens it by itself, a refusal closes it")
  func askToBuy() async throws {
    let stage = try await Stage("heatlab")
    let host = stage.show(Text("Insights").gated(by: "aiInsights"))
    await stage.store.setAskToBuy(true)
    #expect(await stage.tap("AI insights, locked", in: host))
    #expect(await stage.tap("Subscribe", in: host))
    #expect(host.texts.contains { $0.hasPrefix("Waiting for approval") } && host.control("Subscribe")?.isDisabled == true)
    #expect(await stage.tap("Not Now", in: host) && !host.hasSheet)
    #expect(host.controls.isEmpty && host.texts.contains { $0.hasPrefix("Waiting for approval") })
    try await stage.store.approve("com.heatlab.pro.annual")
    await stage.settle()
    #expect(host.texts == ["Insights"])
  }

  @Test("A request without an answer lapses while the app is open: the store is asked, and the lock returns by itself")
  func lapsedRequest() async throws {
    let stage = try await Stage("heatlab")
    let host = stage.show(Text("Insights").gated(by: "aiInsights"))
    await stage.store.setAskToBuy(true)
    #expect(await stage.tap("AI insights, locked", in: host))
    #expect(await stage.tap("Subscribe", in: host))
    #expect(await stage.tap("Not Now", in: host) && host.controls.isEmpty)
    await stage.store.advance(by: 86401)
    await stage.settle()
    #expect(host.controls.map(\.spoken) == ["AI insights, locked"])
  }

  @Test(
    "MAGIC-10: offline the paywall shows it and asks again on a tap; no price is shown and nothing can be bought",
    arguments: [Sold.heatlab, .magicalStories])
  private func offline(_ sold: Sold) async throws {
    let unreachable = "The store could not be reached. Check your connection and try again."
    let stage = try await Stage(sold.app)
    let host = stage.show(Text("Content").gated(by: sold.feature))
    try await stage.store.setNetwork(.offline)
    #expect(await stage.tap("\(sold.title), locked", in: host))
    if sold.isGated { await stage.passGate(host) }
    await stage.store.advance(by: 10)
    await stage.settle()
    #expect(host.texts.contains(unreachable))
    #expect(host.control("Subscribe")?.isDisabled == true && !host.texts.contains { $0.contains("$") })
    try await stage.store.setNetwork(.online)
    #expect(await stage.tap("Try Again", in: host))
    #expect(host.control(sold.button)?.isDisabled == false && host.texts.contains(sold.price) && !host.texts.contains(unreachable))
  }

  @Test("The chosen plan is the one that is bought; a screen reader announces which is chosen")
  func choice() async throws {
    let stage = try await Stage("heatlab")
    let host = stage.show(Text("Insights").gated(by: "aiInsights"))
    #expect(await stage.tap("AI insights, locked", in: host))
    func chosen() -> [String] { host.controls.filter { $0.traits.contains("selected") }.map(\.spoken) }
    #expect(chosen() == ["Heatlab Pro Annual, $39.99 per year, $3.34 per month, Save 33%"])
    #expect(await stage.tap("Heatlab Pro Monthly", in: host))
    #expect(chosen() == ["Heatlab Pro Monthly, $4.99 per month"])
    #expect(host.texts.contains("Renews automatically at $4.99 per month until cancelled."))
    #expect(await stage.tap("Subscribe", in: host))
    #expect(stage.monetizer.snapshot.status(of: monthly)?.isOwned == true)
  }

  @Test("The button of a customer who has left buys with the win-back offer that the paywall shows")
  func winBack() async throws {
    let stage = try await Stage(
      catalog: Stage.catalog("heatlab") {
        $0.replacingOccurrences(
          of: #"{ "type": "introductory", "mode": "freeTrial", "period": "P7D", "enabled": false }"#,
          with:
            #"{ "type": "winBack", "id": "back", "mode": "payUpFront", "period": "P3M", "price": { "amount": "4.50", "currency": "USD" } }"#
        )
      }, owns: [monthly])
    let host = stage.show(Text("Insights").gated(by: "aiInsights"))
    await stage.store.advance(by: Period(months: 2))
    try await stage.store.setAutoRenew(false)
    await stage.store.advance(by: Period(months: 3))
    await stage.settle()
    #expect(await stage.tap("AI insights, locked", in: host))
    #expect(await stage.tap("Heatlab Pro Monthly", in: host) && host.texts.contains("3 months for $4.50, then $4.99 per month"))
    #expect(await stage.tap("Subscribe", in: host))
    let bought = stage.monetizer.state.transactions.values.max { $0.purchaseDate < $1.purchaseDate }
    #expect(bought?.offer?.type == .winBack && bought?.price?.amountText == "4.50" && host.texts == ["Insights"])
  }

  @Test("A purchase on another device closes a paywall that is open, and an access that ends brings the lock back")
  func elsewhere() async throws {
    let stage = try await Stage("heatlab")
    let host = stage.show(Text("Insights").gated(by: "aiInsights"))
    #expect(await stage.tap("AI insights, locked", in: host) && host.hasSheet)
    _ = try await stage.store.device("tablet").purchase(PurchaseRequest(monthly))
    await stage.settle()
    #expect(!host.hasSheet && host.texts == ["Insights"])
    try await stage.store.refund(monthly)
    await stage.settle()
    #expect(host.controls.map(\.spoken) == ["AI insights, locked"])
  }

  @Test("DOZZI-23, MAGIC-30: work that a limit counts runs while something is left, then leads to the paywall; declining unlocks nothing")
  func performing() async throws {
    let stage = try await Stage("heatlab", owns: [])
    _ = stage
    let stories = try await Stage("magical-stories")
    var made = 0
    let host = stories.show(StoryButton { made += 1 })
    for _ in 0..<5 {
      #expect(await stories.tap("Create", in: host))
      if host.hasSheet { await stories.passGate(host) }
      if host.hasSheet { #expect(await stories.tap("Maybe Later", in: host)) }
    }
    #expect(made == 3 && !host.hasSheet && stories.monetizer.decision(for: "story").remaining == 0)
  }

  @Test("Work that runs leaves the other buttons alive, and its end does not close a paywall that another tap opened")
  func workBesidePaywall() async throws {
    let stage = try await Stage("magical-stories")
    let presenter = Presenter()
    let (end, ends) = AsyncStream.makeStream(of: Void.self)
    let host = stage.show(Text("Map").modifier(PaywallSheet(presenter)))
    let work = Task {
      await presenter.perform(stage.monetizer, "story", item: nil, key: nil) { for await _ in end {} }
    }
    await stage.settle()
    let tap = Task { await presenter.open(stage.monetizer, AccessRequest("growthPathCollections")) }
    await stage.settle()
    #expect(host.texts.contains("For Grown-Ups"))
    await stage.passGate(host)
    await tap.value
    let shown = presenter.sheet?.id
    #expect(shown != nil)
    ends.finish()
    _ = await work.value
    #expect(presenter.sheet?.id == shown, "the paywall stays")
  }

  @Test("A style of the app's own draws the same screen, and its taps do the same")
  func style() async throws {
    let stage = try await Stage("heatlab")
    let host = stage.show(Text("Insights").gated(by: "aiInsights").paywallStyle(PlainStyle()))
    #expect(await stage.tap("AI insights, locked", in: host))
    #expect(host.texts.contains("Plain: Heatlab Pro"))
    #expect(await stage.tap("Subscribe", in: host))
    #expect(host.texts == ["Insights"])
  }

  @Test(
    "HEAT-28, MAGIC-64: settings restore, open the App Store's list and support, show plans; without a monetizer they show nothing"
  )
  func settings() async throws {
    let stage = try await Stage("heatlab", owns: [monthly])
    let host = stage.show(List { SubscriptionSettings("pro") })
    #expect(await stage.tap("Manage Subscription", in: host))
    #expect(stage.opened == ["https://apps.apple.com/account/subscriptions"])
    #expect(await stage.tap("Restore Purchases", in: host) && host.texts.contains("Your purchases are restored."))
    #expect(await stage.tap("Help and Feedback", in: host) && stage.opened.last == "https://heatlab.example/support")
    let kids = try await Stage("magical-stories")
    let behindGate = kids.show(List { SubscriptionSettings("premium") })
    #expect(await kids.tap("Help and Feedback", in: behindGate) && kids.opened.isEmpty && behindGate.texts.contains("For Grown-Ups"))
    let free = try await Stage("heatlab")
    let plans = free.show(List { SubscriptionSettings("pro") })
    #expect(await free.tap("See Plans", in: plans) && plans.texts.contains("Heatlab Pro"))
    let alone = ViewHost(
      VStack {
        SubscriptionSettings("pro"); Text("Insights").gated(by: "aiInsights"); UsageMeterView("story"); RestoreButton()
      })
    #expect(alone.texts.isEmpty && alone.controls.isEmpty)
  }

  @Test("MAGIC-35, MAGIC-37, MAGIC-38: the onboarding goes page by page, continues after a kill, sells at its end, and ends once")
  func onboarding() async throws {
    let stage = try await Stage("magical-stories")
    var exits: [String?] = []
    let view = OnboardingView { place in
      if place.id == "firstStoryCreation/theme" { Text("Friendship") }
    } onEnd: {
      exits.append($0)
    }
    let host = stage.show(view)
    await stage.settle()
    #expect(host.texts.contains("Welcome to Magical Stories") && host.control("Skip") != nil)
    #expect(await stage.tap("Continue", in: host))
    #expect(host.texts.contains("AI-Powered Storytelling") && host.texts.contains("2/5"))
    #expect(await stage.tap("Skip", in: host))
    #expect(stage.monetizer.onboarding.place?.id == "featureShowcase" && host.control("Skip") == nil)
    for _ in 0..<2 { #expect(await stage.tap("Continue", in: host)) }
    #expect(host.texts.contains("Friendship"), "the app's own part of a place")
    // Another view of the same app continues at the same place.
    let again = stage.show(OnboardingView { exits.append($0) })
    await stage.settle()
    #expect(stage.monetizer.onboarding.place?.id == "firstStoryCreation/theme" && again.control("Continue") != nil)
    for _ in 0..<4 { #expect(await stage.tap("Continue", in: host)) }
    #expect(await stage.tap("Unlock More Features", in: host))
    await stage.passGate(host)
    #expect(host.hasSheet && stage.monetizer.onboarding.place?.id == "resultsCelebration", "a paywall leads nowhere")
    #expect(await stage.tap("Start Free Trial", in: host))
    #expect(await stage.tap("Continue to App", in: host))
    #expect(host.texts.contains("Perfect for families with multiple children") && exits.isEmpty)
    #expect(await stage.tap("Continue", in: host))
    #expect(exits.contains("mainApp") && host.control("Continue") == nil, "a subscriber never sees the offer")
    #expect(LabelTests.mistakes(host.tree) == [])
  }
}

private struct StoryButton: View {
  @Gate("story") private var story
  let make: @MainActor () -> Void

  var body: some View {
    Button("Create") { Task { _ = await $story.perform { make() } } }
  }
}

private struct PlainStyle: PaywallStyle {
  func makeBody(configuration: Configuration) -> some View {
    VStack {
      Text("Plain: \(configuration.screen.headline ?? "")")
      ForEach(configuration.screen.actions) { action in
        Button(action.label) { configuration.perform(action.id) }.disabled(!action.isEnabled)
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Heatlab
import MagicalStories
import Monetize
import MonetizeSimulator
import Stages
import Testing

/// A thread-safe counter.
private final class Counter: Sendable {
  private let stream = AsyncStream.makeStream(of: Void.self)
  func call() { stream.continuation.yield() }
  func count() async -> Int {
    stream.continuation.finish()
    return await stream.stream.reduce(0) { count, _ in count + 1 }
  }
}

extension Monetizer.Opening {
  fileprivate var isContent: Bool { if case .content = self { true } else { false } }
}

@Suite(.timeLimit(.minutes(30)))
struct FeatureGateTests {
  @Test("MAGIC-18: locked with its own message; a tap leads through the gate to the feature's paywall; then it is open")
  func paywall() async throws {
    let stage = try await MagicFile.stage()
    let gate = FeatureGate(.growthPathCollections, for: stage.monetizer)
    #expect(gate.access.paywall?.placement == .featureRestricted && gate.message == "Access developmental story collections")
    guard case .paywall(let paywall, let pass) = await gate.tap() else {
      Issue.record("The tap led to no paywall.")
      return
    }
    #expect(paywall.placement == .featureRestricted && paywall.request?.feature == .growthPathCollections)
    _ = try await stage.monetizer.purchase(.yearly, pass: pass)
    #expect(gate.access.isOpen)
    #expect(await gate.tap()?.isContent == true)
  }

  @Test("MAGIC-18, DEF-S10: a fallback is called once, instead of the paywall, and not for an open feature") func fallback()
    async throws
  {
    let stage = try await MagicFile.stage()
    let calls = Counter()
    let gate = FeatureGate(.growthPathCollections, for: stage.monetizer) { calls.call() }
    #expect(await gate.tap() == nil)
    try await stage.buy(.monthly)
    #expect(await gate.tap()?.isContent == true)
    #expect(await calls.count() == 1)
  }

  @Test("MAGIC-18, DEF-S3, DEF-H1: before the store's answer there is no lock, no paywall and no fallback") func unknown() async throws {
    let stage = Stage(try MagicFile.catalog())
    let calls = Counter()
    let gate = FeatureGate(.customThemes, for: stage.monetizer) { calls.call() }
    guard case .waiting(let decision) = gate.access else {
      Issue.record("It waits for nothing.")
      return
    }
    #expect(decision.reason == .unknown && gate.access.paywall == nil)
    guard case .denied(let denied) = await gate.tap() else {
      Issue.record("The tap led somewhere.")
      return
    }
    #expect(denied.reason == .unknown)
    #expect(await calls.count() == 0)
  }

  @Test("MAGIC-66: a child who cannot pass the gate sees nothing") func child() async throws {
    let stage = try await MagicFile.stage(gateOpens: false)
    #expect(await FeatureGate(.customThemes, for: stage.monetizer).tap() == .gateFailed)
  }

  @Test("DEF-S5, AMB-25, AMB-26, MAGIC-06: each of the seed's names is one of eight features, and all eight are closed for free")
  func oneVocabulary() async throws {
    let stage = try await MagicFile.stage()
    let seed: [FeatureID] = [
      "growthCollections", "unlimitedGeneration", "multipleProfiles", "priorityGeneration", "advancedAnalytics", "unlimitedStories",
      "advancedIllustrations",
    ]
    for name in seed + MagicFile.premiumFeatures {
      let feature = try #require(stage.catalog.feature(name), "\(name)")
      #expect(MagicFile.premiumFeatures.contains(feature.id) && !stage.monetizer.allows(name))
    }
    try await stage.buy(.monthly)
    for name in seed + MagicFile.premiumFeatures { #expect(stage.monetizer.allows(name)) }
    // An undeclared name opens nothing.
    #expect(!stage.monetizer.allows("growthPaths") && stage.monetizer.decision(for: "growthPaths").reason == .unknownFeature)
  }
}

@Suite(.timeLimit(.minutes(30)))
struct MagicCatalogTests {
  @Test("MAGIC-01: two plans of one group and level, with decimal prices") func plans() throws {
    let catalog = try MagicFile.catalog()
    #expect(catalog.products.map(\.id) == [.monthly, .yearly])
    #expect(catalog.products.map { $0.price?.amountText } == ["8.99", "89.99"])
    #expect(catalog.products.compactMap { $0.subscription?.period.description } == ["P1M", "P1Y"])
    #expect(Set(catalog.products.compactMap { $0.subscription.map { "\($0.group) \($0.level)" } }).count == 1)
  }

  @Test(
    "MAGIC-16, MAGIC-51: in each state the view of a premium feature and the outcome of its use match the signed table",
    arguments: ProductState.allCases)
  func nineStates(_ state: ProductState) async throws {
    let stage = try #require(try await Stage.at(state, of: .monthly, in: MagicFile.catalog()))
    let expected: String =
      switch state {
      case .trial, .active, .grace: "open"
      case .unknown: "waiting unknown"
      case .pending: "waiting pending"
      case .never, .billingRetry, .expired, .revoked: "offer featureRestricted"
      }
    for feature in MagicFile.premiumFeatures {
      let shown =
        switch stage.monetizer.access(to: feature) {
        case .open: "open"
        case .offer(let paywall, _): "offer \(paywall.placement)"
        case .waiting(let decision): "waiting \(decision.reason)"
        case .closed(let decision): "closed \(decision.reason)"
        }
      let used =
        switch await stage.monetizer.perform(feature, {}) {
        case .done: "open"
        case .paywall(let paywall, _): "offer \(paywall.placement)"
        case .waiting(let decision): "waiting \(decision.reason)"
        case .closed(let decision): "closed \(decision.reason)"
        case .failed, .gateFailed: "failed"
        }
      #expect(shown == expected && used == expected, "\(feature)")
    }
  }

  @Test("MAGIC-03: six benefits in order, each with a feature") func benefits() throws {
    let benefits = try #require(try MagicFile.catalog().paywall(.default)?.benefits)
    #expect(
      benefits.map(\.title) == [
        "Unlimited story generation", "Growth Path Collections", "Advanced illustration features", "Multiple child profiles",
        "Parental controls & analytics", "Priority generation speed",
      ])
    #expect(benefits.allSatisfy { $0.features?.isEmpty == false })
  }

  @Test("MAGIC-07: five free features with their texts, which contain the limit's number") func freeTexts() throws {
    let catalog = try MagicFile.catalog()
    let ids: [FeatureID] = ["basicStoryGeneration", "storyLibrary", "basicReading", "singleChildProfile", "basicSettings"]
    #expect(
      ids.map { catalog.feature($0)?.description } == [
        "Generate {limit} stories per month", "Access your story library", "Read stories with standard features", "One child profile",
        "Basic parental controls",
      ])
    let free = Snapshot(of: CustomerState(), catalog: catalog, at: Stage.start)
    #expect(ids.allSatisfy(free.allows) && free.description(of: ids[0]) == "Generate 3 stories per month")
    let five = try Catalog(json: Stage.json("magical-stories", ("\"story\": 3", "\"story\": 5")))
    #expect(Snapshot(of: CustomerState(), catalog: five, at: Stage.start).description(of: ids[0]) == "Generate 5 stories per month")
  }

  @Test("MAGIC-08: eight premium features, each with its message") func messages() throws {
    let catalog = try MagicFile.catalog()
    #expect(
      MagicFile.premiumFeatures.map { catalog.feature($0)?.unlockMessage } == [
        "Create unlimited magical stories", "Access developmental story collections", "Add profiles for all your children",
        "Get premium visual consistency", "Skip the wait with priority generation", "Read stories without internet",
        "Track your child's reading progress", "Create custom story themes",
      ])
    let free = Snapshot(of: CustomerState(), catalog: catalog, at: Stage.start)
    for feature in MagicFile.premiumFeatures {
      #expect(free.access(to: feature).paywall?.definition.headline == catalog.feature(feature)?.unlockMessage)
    }
  }

  @Test("MAGIC-15, DEF-S2, DEF-S4: a gift for ever, not a flag: it opens all, owns nothing, and can be revoked") func gift()
    async throws
  {
    let stage = try await MagicFile.stage()
    await stage.monetizer.give([.premium], id: "lifetime")
    #expect(MagicFile.premiumFeatures.allSatisfy(stage.monetizer.allows))
    #expect(stage.monetizer.snapshot.products.allSatisfy { !$0.isOwned })
    #expect(stage.monetizer.snapshot.summary(of: .premium)?.isGift == true)
    await stage.monetizer.takeBack(gift: "lifetime")
    #expect(!MagicFile.premiumFeatures.contains(where: stage.monetizer.allows))
  }

  @Test("DEF-S15, XC-08: the stored fact is a transaction with its end, not a flag, and the store's next update replaces it") func noFlag()
    async throws
  {
    let storage = MemoryStorage()
    let stage = try await MagicFile.stage(storage: storage)
    try await stage.buy(.monthly)
    let text = storage.load().records.map { String(decoding: $0, as: UTF8.self) }.joined()
    for flag in ["hasActiveSubscription", "isPremium", "isActive", "lifetime"] { #expect(!text.contains(flag)) }
    try await stage.store.refund(.monthly, customer: "ann")
    let next = Stage(try MagicFile.catalog(), store: stage.store, storage: storage)
    await next.monetizer.start()
    #expect(!next.monetizer.allows(.customThemes))
    // A copy of an old file gives no Premium after the paid period.
    await stage.store.advance(by: Period(years: 1))
    #expect(!Stage(try MagicFile.catalog(), store: stage.store, storage: storage).monetizer.allows(.customThemes))
  }

  @Test("DEF-S16, MAGIC-11: a pending, a cancelled and a failed purchase are three outcomes, and none is Premium")
  func outcomes() async throws {
    let stage = try await MagicFile.stage()
    #expect(try await stage.buy(.monthly, .cancel) == .cancelled)
    #expect(try await stage.buy(.monthly, .unverified) == .unverified)
    try stage.store.setError("purchase", StoreError(.notAllowed), times: 1)
    #expect(try await stage.buy(.monthly) == .failed(StoreError(.notAllowed)))
    #expect(try await stage.buy(.monthly, .askToBuy) == .pending)
    #expect(!stage.monetizer.allows(.customThemes))
    try await stage.store.approve(.monthly, customer: "ann")
    #expect(stage.monetizer.allows(.customThemes))
  }

  @Test("MAGIC-12: a purchase of another app, or of another account, opens nothing") func foreign() throws {
    let catalog = try MagicFile.catalog()
    func allows(app: String, account: String?) -> Bool {
      let transaction = StoreTransaction(
        id: "1", productID: .monthly, purchaseDate: Stage.start, expirationDate: Stage.start + 86400, appID: app, account: account)
      let situation = Situation(account: "ann")
      let snapshot = Snapshot(of: CustomerState([.transaction(transaction)]), catalog: catalog, situation: situation, at: Stage.start)
      return snapshot.allows(.customThemes)
    }
    #expect(allows(app: "com.magicalstories", account: "ann") && allows(app: "com.magicalstories", account: nil))
    #expect(!allows(app: "com.other", account: "ann") && !allows(app: "com.magicalstories", account: "bob"))
  }

  @Test("DEF-S1, DEF-X2: the shown price is the store's text; the file's price is only a reference") func prices() async throws {
    let stage = try await MagicFile.stage()
    try await stage.store.setPrice(.monthly, Money(amount: 9.49, currency: "USD"))
    let shown = try await stage.monetizer.storeProducts()
    #expect(shown.map(\.displayPrice) == ["$9.49", "$89.99"])
    #expect(stage.catalog.product(.monthly)?.price?.amountText == "8.99")
  }
}

@Suite(.timeLimit(.minutes(30)))
struct RemoteConfigurationTests {
  private static func overlay(_ id: String, percent: Int = 100, _ patch: String) throws -> Overlay {
    try Overlay(json: Data(#"{ "id": "\#(id)", "percent": \#(percent), "patch": \#(patch) }"#.utf8))
  }

  @Test("MAGIC-49: at 10 percent, always the same 900 to 1,100 of 10,000 customers see monetization; the others have everything free")
  func softLaunch() throws {
    let free = try MagicFile.catalog(("\"schemaVersion\": 1,", "\"schemaVersion\": 1, \"monetization\": \"off\","))
    let ten = try Self.overlay("soft-launch", percent: 10, #"{ "monetization": "on" }"#)
    let twenty = try Self.overlay("soft-launch", percent: 20, #"{ "monetization": "on" }"#)
    let units = (0..<10_000).map { "customer-\($0)" }
    let inside = units.filter(ten.includes)
    #expect((900...1100).contains(inside.count) && inside == units.filter(ten.includes))
    #expect(inside.allSatisfy(twenty.includes))
    for unit in [inside.first, units.first { !ten.includes($0) }].compactMap({ $0 }) {
      let monetizer = Monetizer(catalog: free) { $0.startsByItself = false }
      try monetizer.apply([ten], for: unit)
      #expect(MagicFile.premiumFeatures.allSatisfy { monetizer.allows($0) != ten.includes(unit) })
    }
  }

  @Test("MAGIC-48: after a rollback nothing is counted or sold; after the next rollout the earlier count is back") func rollback()
    async throws
  {
    let stage = try await MagicFile.stage()
    let service = StoryService(Generator(), for: stage.monetizer)
    for number in 0..<2 { _ = try await service.generate(StoryIdea(id: "\(number)")) }
    try stage.monetizer.apply([Self.overlay("off", #"{ "monetization": "off" }"#)])
    for number in 10..<30 { _ = try await service.generate(StoryIdea(id: "\(number)")) }
    #expect(UsageIndicator(stage.monetizer.snapshot) == nil)
    for feature in MagicFile.premiumFeatures { #expect(await FeatureGate(feature, for: stage.monetizer).tap()?.isContent == true) }
    try stage.monetizer.apply([])
    #expect(UsageIndicator(stage.monetizer.snapshot)?.text == "Stories this month: 2/3")
  }

  @Test("MAGIC-47: malformed configuration changes nothing, and no configuration changes paid content") func refused() async throws {
    let stage = try await MagicFile.stage()
    #expect(throws: CatalogError.self) { try Overlay(json: Data("{ \"id\": ".utf8)) }
    #expect(throws: CatalogError.self) { try Self.overlay("x", #"{ "entitlements": { "premium": null } }"#) }
    #expect(throws: CatalogError.self) { try Self.overlay("x", #"{ "features": { "customThemes": null } }"#) }
    let wrong = try Self.overlay("x", #"{ "freeTier": { "grants": { "story": -1 } } }"#)
    let before = stage.monetizer.snapshot
    #expect(throws: CatalogError.self) { try stage.monetizer.apply([wrong]) }
    #expect(stage.monetizer.snapshot == before)
    try stage.monetizer.apply([Self.overlay("five", #"{ "freeTier": { "grants": { "story": 5 } } }"#)])
    #expect(stage.monetizer.decision(for: .story).remaining == 5)
  }
}

/// Two apps, one framework, one process.
@Suite(.timeLimit(.minutes(30)))
struct TwoAppsTests {
  @Test("CARD-10, DEF-X7: two apps in one process share no purchases and no uses") func apart()
    async throws
  {
    let stories = try await MagicFile.stage()
    let workouts = Stage(try Catalog(json: Stage.json("heatlab")))
    await workouts.monetizer.start()
    try await stories.buy(.monthly)
    try await stories.monetizer.spend(.story)
    #expect(stories.monetizer.snapshot.allowsNewCollection && !HeatlabPro(workouts.monetizer).isPro)
    try await workouts.buy("com.heatlab.pro.annual")
    #expect(HeatlabPro(workouts.monetizer).isPro)
    try await stories.store.expire(.monthly, customer: "ann")
    #expect(HeatlabPro(workouts.monetizer).isPro && !stories.monetizer.snapshot.allowsNewCollection)
    #expect(workouts.monetizer.state.usage != stories.monetizer.state.usage)
  }

  @Test("DEF-X6: the file defines the free tier: one app resets each month, and time opens nothing in another") func files()
    async throws
  {
    let stories = try await MagicFile.stage()
    for _ in 0..<3 { try await stories.monetizer.spend(.story) }
    let mazes = Stage(try Catalog(json: Stage.json("maze-packs")))
    await mazes.monetizer.start()
    for stage in [stories, mazes] { await stage.store.advance(by: Period(months: 1)) }
    #expect(stories.monetizer.decision(for: .story).remaining == 3)
    #expect(!mazes.monetizer.decision(for: "story.play", item: "denny/4").isAllowed)
  }

  @Test("DEF-X8, HEAT-48: a purchase needs no account") func noAccount() async throws {
    let workouts = Stage(try Catalog(json: Stage.json("heatlab")))
    await workouts.monetizer.start()
    #expect(try await workouts.buy("com.heatlab.pro.monthly").name == "completed")
    #expect(workouts.monetizer.snapshot.situation.account == nil && HeatlabPro(workouts.monetizer).isPro)
  }
}

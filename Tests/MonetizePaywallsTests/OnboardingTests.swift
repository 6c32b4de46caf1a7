// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizePaywalls
import MonetizeSimulator
import Testing

/// The first start of Magical Stories, as a value and over the simulated store.
@Suite("Onboarding", .timeLimit(.minutes(30)))
struct OnboardingTests {
  private let names = ["welcome", "featureShowcase", "firstStoryCreation", "resultsCelebration", "premiumPreview", "trialOffer"]

  private func flow(_ entitled: Bool = false) throws -> OnboardingFlow {
    OnboardingFlow(try Screens.catalog("magical-stories").onboarding) { _ in entitled }
  }

  /// Completes places until one of a step is reached.
  private func go(_ flow: inout OnboardingFlow, to step: String) {
    while let place = flow.place, place.step.id != step { flow.complete(place.id) }
  }

  @Test("MAGIC-33: the six steps, in order") func order() throws {
    #expect(try flow().steps.map(\.id) == names)
  }

  @Test("MAGIC-34: the trial offer leads to the main app, accepted or declined; after the results an upgrade is shown") func exits() throws
  {
    var flow = try flow()
    go(&flow, to: "trialOffer")
    #expect(flow.place?.step.placement == "onboarding" && flow.exit == "mainApp")
    flow.complete("trialOffer")
    #expect(flow.isOver && flow.exit == "mainApp" && flow.outcome(of: "trialOffer") == .completed)
    #expect(flow.steps.map(\.id).drop { $0 != "resultsCelebration" }.dropFirst().first == "premiumPreview")
  }

  @Test("MAGIC-48: while nothing is sold, no step and no button opens a paywall") func nothingSold() throws {
    let flow = OnboardingFlow(try Screens.catalog("magical-stories").onboarding, sells: false)
    #expect(flow.steps.map(\.id) == names.dropLast() && flow.exit == "mainApp")
    #expect(flow.steps.allSatisfy { $0.placement == nil && $0.actions.allSatisfy { $0.placement == nil } })
    #expect(flow.steps.first { $0.id == "resultsCelebration" }?.actions.map(\.id) == ["continue"])
  }

  @Test("MAGIC-35: five pages with titles and progress, and each can be skipped") func welcome() throws {
    let pages = try flow().places.prefix(5)
    #expect(pages.map { $0.page?.id } == ["welcome", "aiPowered", "personalized", "developmental", "illustrations"])
    let titles = ["Welcome to Magical Stories", "AI-Powered Storytelling", "Personalized for Your Child", "Growth Path Collections"]
    #expect(pages.map { $0.page?.title } == titles + ["Beautiful Illustrations"])
    #expect(pages.map(\.progress) == [0.2, 0.4, 0.6, 0.8, 1])
    for place in pages {
      var flow = try flow()
      while let current = flow.place, current != place { flow.complete(current.id) }
      #expect(flow.skip(place.id) && flow.outcome(of: "welcome") == .skipped && flow.place?.step.id == "featureShowcase")
    }
    var flow = try flow()
    go(&flow, to: "featureShowcase")
    #expect(!flow.skip("featureShowcase") && flow.outcome(of: "welcome") == .completed, "a step that is not skippable")
  }

  @Test("MAGIC-36: the guided first story starts with its defaults and uses one story") func firstStory() throws {
    let step = try #require(flow().steps.first { $0.id == "firstStoryCreation" })
    #expect(step.pages.map(\.id) == ["childInfo", "theme", "character", "generating", "completed"] && step.spends == "story")
    #expect(step.defaults == ["age": 5, "theme": "Friendship", "character": "Brave Bear"])
  }

  @Test("MAGIC-37: the results have two buttons; the second opens the paywall of the onboarding and leads nowhere") func results() throws {
    var flow = try flow()
    go(&flow, to: "resultsCelebration")
    let actions = try #require(flow.place?.step.actions)
    #expect(actions.map(\.title) == ["Continue to App", "Unlock More Features"] && actions[1].placement == "onboarding")
    #expect(!flow.take("unlock", at: "resultsCelebration") && flow.place?.step.id == "resultsCelebration")
    #expect(flow.take("continue", at: "resultsCelebration") && flow.place?.step.id == "premiumPreview")
  }

  @Test("MAGIC-38: four teasers with their texts, each of a feature that money opens") func teasers() throws {
    let catalog = try Screens.catalog("magical-stories")
    let teasers = try #require(catalog.onboarding.first { $0.id == "premiumPreview" }?.teasers)
    #expect(
      teasers.map(\.text) == [
        "Help your child develop emotional intelligence with themed story sets",
        "Create as many magical adventures as your imagination allows",
        "Perfect for families with multiple children", "Priority generation and premium illustrations",
      ])
    let snapshot = Screens.snapshot(catalog)
    for teaser in teasers { #expect(catalog.feature(teaser.feature) != nil && snapshot.decision(for: teaser.feature).buyingHelps) }
  }

  /// A catalog of Magical Stories with other steps.
  private static func text(_ text: String, _ steps: String) -> String {
    let start = text.range(of: "\"onboarding\": [\n")!.lowerBound, end = text.range(of: "  \"legal\"")!.lowerBound
    let names = text.range(of: "  \"events\"")!.lowerBound, targets = text.range(of: "  \"targets\"")!.lowerBound
    return text[..<start] + "\"onboarding\": \(steps),\n" + text[end..<names] + text[targets...]
  }

  @Test("A button with an exit leaves the onboarding; a step's next leads past others, and a hidden step leads where it led")
  func branches() throws {
    let steps = """
      [{ "id": "a", "next": "c", "actions": [{ "id": "leave", "title": "Leave", "exit": "shop" }, { "id": "on", "title": "On" }] },
       { "id": "b" }, { "id": "c", "unlessEntitled": "premium", "next": "e" }, { "id": "d" }, { "id": "e", "exit": "home" }, { "id": "f" }]
      """
    let catalog = try Screens.catalog("magical-stories") { Self.text($0, steps) }
    #expect(OnboardingFlow(catalog.onboarding).steps.map(\.id) == ["a", "c", "e"])
    var flow = OnboardingFlow(catalog.onboarding) { $0 == "premium" }
    #expect(flow.steps.map(\.id) == ["a", "e"] && flow.exit == "home")
    #expect(!flow.take("leave", at: "e") && !flow.take("leave", at: "b") && flow.place?.id == "a", "not the place that is shown")
    #expect(flow.take("leave", at: "a") && flow.isOver && flow.exit == "shop")
  }

  @Test("The exit that a customer took stays after a relaunch; an app without an onboarding sends no end of one") func storedExit()
    async throws
  {
    let steps = #"[{ "id": "a", "actions": [{ "id": "leave", "title": "Leave", "exit": "shop" }] }, { "id": "b", "exit": "home" }]"#
    let device = try Device { Self.text($0, steps) }
    await device.launch().moveOnboarding { $0.take("leave", at: "a") }
    let next = await device.launch()
    #expect(next.onboarding.isOver && next.onboarding.exit == "shop")
    let without = try Device("dozzi")
    await without.launch().showOnboarding()
    #expect(!without.sink.events.contains { $0.name == .onboardingCompleted })
  }

  @Test("What was done stays done when an arm changes the order, which it gives by names alone") func arms() throws {
    let catalog = try Screens.catalog("magical-stories")
    let order = #"["premiumPreview", "welcome", "firstStoryCreation"]"#
    let overlay = try Overlay(json: Data(#"{ "id": "short", "patch": { "onboarding": \#(order) } }"#.utf8))
    let changed = try catalog.applying(overlay)
    #expect(changed.onboarding.map(\.id) == ["premiumPreview", "welcome", "firstStoryCreation"])
    #expect(changed.onboarding[1] == catalog.onboarding[0])
    let done: [String: OnboardingFlow.Outcome] = ["welcome/welcome": .completed, "premiumPreview": .completed]
    #expect(OnboardingFlow(changed.onboarding, outcomes: done).place?.id == "welcome/aiPowered")
    let wrong = try Overlay(json: Data(#"{ "id": "wrong", "patch": { "onboarding": ["welcom"] } }"#.utf8))
    let error = #expect(throws: CatalogError.self) { try catalog.applying(wrong) }
    #expect(error?.diagnostics.contains { $0.code == "unknown-step" } == true)
  }

  // MARK: Over the store

  private struct Device {
    let catalog: Catalog
    let store: SimulatedStore
    let device: SimulatedDevice
    let storage: any StateStorage
    let sink = MemoryEventSink()

    init(_ app: String = "magical-stories", _ change: (String) -> String = { $0 }) throws {
      catalog = try Screens.catalog(app, change)
      store = SimulatedStore(catalog: catalog, start: Screens.now)
      (device, storage) = (store.device(), .memory)
    }

    func launch() async -> Monetizer {
      let monetizer = Monetizer(catalog: catalog) {
        ($0.store, $0.time, $0.storage, $0.startsByItself) = (device, store.clock, storage, false)
        ($0.sinks, $0.parentalGate) = ([.local(sink.receive)], OpenGate())
      }
      await monetizer.start()
      return monetizer
    }
  }

  @Test("MAGIC-40: it continues after a kill at the step that was reached, and is not shown again when it is over") func resumes()
    async throws
  {
    let device = try Device()
    let first = await device.launch()
    for id in ["welcome/welcome", "welcome/aiPowered"] { await first.moveOnboarding { $0.complete(id) } }
    let second = await device.launch()
    #expect(second.onboarding.place?.id == "welcome/personalized")
    await second.moveOnboarding { $0.skipAll(from: "welcome/personalized") }
    #expect(second.onboarding.isOver)
    let third = await device.launch()
    #expect(third.onboarding.isOver && third.onboarding.exit == "mainApp")
    #expect(third.onboarding.outcome(of: "welcome") == .skipped)
  }

  @Test("MAGIC-40, MAGIC-41: once over, it stays over when the plan that hid the trial offer ends, and with a new step of the catalog")
  func staysOver() async throws {
    let device = try Device()
    let monetizer = await device.launch()
    while let place = monetizer.onboarding.place, place.id != "trialOffer" { await monetizer.moveOnboarding { $0.complete(place.id) } }
    guard case .paywall(_, let pass) = await monetizer.openPaywall(at: "onboarding") else { return #expect(Bool(false), "no paywall") }
    _ = try await monetizer.purchase("com.magicalstories.premium.monthly", pass: pass)
    #expect(monetizer.onboarding.isOver, "the plan hides the offer")
    await monetizer.moveOnboarding { $0.complete("trialOffer") }
    #expect(device.sink.events.filter { $0.name == .onboardingCompleted }.count == 1)
    try await device.store.setAutoRenew(false, product: "com.magicalstories.premium.monthly")
    await device.store.advance(by: 400 * 86400)
    let next = await device.launch()
    #expect(next.snapshot.summary(of: "premium")?.state == .expired)
    #expect(next.onboarding.isOver && next.onboarding.exit == "mainApp" && next.onboarding.steps.map(\.id) == names)
    await next.showOnboarding()
    #expect(device.sink.events.filter { $0.name == .onboardingCompleted }.count == 1)
  }

  @Test("A second tap on the same place does nothing") func twice() async throws {
    let monetizer = try await Device().launch()
    for _ in 0..<2 { await monetizer.moveOnboarding { $0.complete("welcome/welcome") } }
    #expect(monetizer.onboarding.place?.id == "welcome/aiPowered")
  }

  @Test("MAGIC-41: a customer who restores a subscription on the first page never sees the trial offer; without an answer no customer does")
  func restorer() async throws {
    let device = try Device()
    _ = try await device.device.purchase(PurchaseRequest("com.magicalstories.premium.yearly"))
    let monetizer = await device.launch()
    #expect(monetizer.onboarding.steps.map(\.id) == names.dropLast())
    let offline = try Device()
    try await offline.store.setNetwork(.offline)
    #expect(await offline.launch().onboarding.steps.map(\.id) == names.dropLast())
    #expect(try await Device().launch().onboarding.steps.map(\.id) == names)
  }

  @Test("MAGIC-41: a restore that is tapped on the first page hides the trial offer from then on") func restoreOnTheFirstPage() async throws
  {
    let device = try Device()
    let monetizer = await device.launch()
    #expect(monetizer.onboarding.place?.id == "welcome/welcome" && monetizer.onboarding.steps.map(\.id) == names)
    // Bought on another device of the customer, of which this one hears nothing yet.
    try await device.store.setNetwork(.offline, device: device.device.id)
    let other = device.store.device("tablet")
    _ = try await other.purchase(PurchaseRequest("com.magicalstories.premium.yearly"))
    try await device.store.setNetwork(.online, device: device.device.id)
    let pass = try await monetizer.passParentalGate()
    guard case .restored = try await monetizer.restorePurchases(pass: pass) else { return #expect(Bool(false), "nothing restored") }
    #expect(monetizer.onboarding.place?.id == "welcome/welcome" && monetizer.onboarding.steps.map(\.id) == names.dropLast())
  }

  @Test(
    "MAGIC-34: a trial that is accepted, and one that is declined, lead to the main app; only the first is a purchase",
    arguments: [true, false])
  func offer(isAccepted: Bool) async throws {
    let device = try Device()
    let monetizer = await device.launch()
    while let place = await monetizer.showOnboarding().place, place.id != "trialOffer" {
      await monetizer.moveOnboarding { $0.complete(place.id) }
    }
    guard case .paywall(let paywall, let pass) = await monetizer.openPaywall(at: "onboarding") else {
      return #expect(Bool(false), "no paywall")
    }
    if isAccepted {
      _ = try await monetizer.purchase("com.magicalstories.premium.monthly", pass: pass)
    } else {
      monetizer.closePaywall(paywall, pass: pass)
      await monetizer.moveOnboarding { $0.complete("trialOffer") }
    }
    let flow = await monetizer.showOnboarding()
    #expect(flow.isOver && flow.exit == "mainApp")
    let count = { name in device.sink.events.filter { $0.name == name }.count }
    #expect(count(.purchaseStarted) == (isAccepted ? 1 : 0) && count(.purchaseCompleted) == (isAccepted ? 1 : 0))
    #expect(count(.paywallDismissed) == (isAccepted ? 0 : 1) && count(.onboardingCompleted) == 1)
  }

  @Test("MAGIC-44: a whole journey sends the eight events with what they are about, in order, each once") func journey() async throws {
    let device = try Device()
    let monetizer = await device.launch()
    while let place = await monetizer.showOnboarding().place {
      await monetizer.showOnboarding()
      if place.id == "firstStoryCreation/generating" { try await monetizer.spend("story") }
      if place.id == "resultsCelebration" {
        guard case .paywall(let paywall, let pass) = await monetizer.openPaywall(at: "onboarding") else { break }
        monetizer.closePaywall(paywall, pass: pass)
      }
      await monetizer.moveOnboarding { $0.complete(place.id) }
    }
    for _ in 0..<3 { _ = try? await monetizer.spend("story") }
    _ = try? await monetizer.spend("customThemes")
    guard case .paywall(let paywall, let pass) = await monetizer.open(AccessRequest("story")) else {
      Issue.record("There is no paywall.")
      return
    }
    let outcome = try await monetizer.purchase("com.magicalstories.premium.monthly", pass: pass)
    for _ in 0..<3 { await monetizer.refresh() }
    monetizer.closePaywall(paywall)
    guard case .completed = outcome else {
      Issue.record("\(outcome)")
      return
    }
    let wanted: Set<MonetizeEvent.Name> = [
      .onboardingStarted, .onboardingCompleted, "firstStoryGenerated", .premiumFeatureViewed, .paywallShown, "subscriptionPurchased",
      .usageLimitReached, .featureRestricted, .paywallDismissed,
    ]
    let reported = device.sink.events.filter { wanted.contains($0.name) }.map { event in
      [event.name.rawValue, event.placement?.rawValue, event.product?.rawValue, event.feature?.rawValue].compactMap { $0 }.joined(
        separator: " ")
    }
    #expect(
      reported == [
        "onboardingStarted", "firstStoryGenerated", "paywallShown onboarding", "paywallDismissed onboarding",
        "premiumFeatureViewed growthPathCollections", "premiumFeatureViewed unlimitedStoryGeneration",
        "premiumFeatureViewed multipleChildProfiles", "premiumFeatureViewed advancedIllustrations", "onboardingCompleted",
        "usageLimitReached story", "featureRestricted customThemes", "paywallShown usageLimitReached story",
        "subscriptionPurchased com.magicalstories.premium.monthly",
      ])
    let steps = device.sink.events.filter { $0.name == .onboardingStep }
    #expect(steps.count == 14 && steps.first?.properties == ["step": "welcome", "page": "welcome"])
  }

  // MARK: Prompts

  private let insights = AccessRequest("aiInsights")

  @Test("HEAT-27: a soft prompt comes where a free limit is met, at most every three days and ten times; never in a demo or to subscribers")
  func prompts() async throws {
    let device = try Device("heatlab")
    let monetizer = await device.launch()
    #expect(monetizer.prompt(for: insights)?.isSoft == true && monetizer.prompt(for: AccessRequest("workoutTracking")) == nil)
    #expect(monetizer.prompt(for: insights, by: .demo) == nil)
    var shown = 0
    for _ in 0..<60 {
      if let prompt = monetizer.prompt(for: insights) {
        guard case .paywall = await monetizer.open(prompt) else { break }
        shown += 1
        #expect(monetizer.prompt(for: insights) == nil, "not again at once")
      }
      await device.store.advance(by: Period(days: 1))
    }
    #expect(shown == 10)
    #expect(monetizer.marks(.prompts).values.allSatisfy { Int32(exactly: $0) != nil }, "an Int of an Apple Watch has 32 bits")
    #expect(monetizer.access(to: "aiInsights").paywall != nil, "a tap still opens the paywall")
    let subscriber = try Device("heatlab")
    _ = try await subscriber.device.purchase(PurchaseRequest("com.heatlab.pro.monthly"))
    let paying = await subscriber.launch()
    #expect(paying.prompt(for: insights) == nil && paying.prompt(at: .default) == nil)
  }

  @Test("HEAT-36: a milestone waits while a paywall is open, and five minutes after it, and is reached by a later use") func afterPaywall()
    async throws
  {
    let device = try Device("heatlab")
    let monetizer = await device.launch()
    func reached() -> Int { device.sink.events.filter { $0.name == .milestoneReached }.count }
    guard let prompt = monetizer.prompt(for: insights), case .paywall(let paywall, let pass) = await monetizer.open(prompt) else {
      Issue.record("no paywall")
      return
    }
    await device.store.advance(by: Period(seconds: 600))
    try await monetizer.spend("workoutTracking")
    monetizer.closePaywall(paywall, pass: pass)
    await device.store.advance(by: Period(seconds: 299))
    for _ in 0..<5 { try await monetizer.spend("workoutTracking") }
    #expect(reached() == 0)
    await device.store.advance(by: Period(seconds: 2))
    try await monetizer.spend("workoutTracking")
    #expect(reached() == 1)
  }

  @Test("HEAT-36: a purchase ends its paywall, so a milestone waits only five minutes after it, also if the app closes no paywall")
  func afterPurchase() async throws {
    let device = try Device("heatlab")
    let monetizer = await device.launch()
    guard let prompt = monetizer.prompt(for: insights), case .paywall(_, let pass) = await monetizer.open(prompt) else {
      Issue.record("no paywall")
      return
    }
    _ = try await monetizer.purchase("com.heatlab.pro.monthly", pass: pass)
    await device.store.advance(by: Period(seconds: 299))
    for _ in 0..<5 { try await monetizer.spend("workoutTracking") }
    #expect(!device.sink.events.contains { $0.name == .milestoneReached })
    await device.store.advance(by: Period(seconds: 2))
    try await monetizer.spend("workoutTracking")
    #expect(device.sink.events.contains { $0.name == .milestoneReached })
  }

  @Test("HEAT-36: no prompt within five minutes after a rating was asked for; a placement without a prompt has none") func together()
    async throws
  {
    let device = try Device("heatlab")
    let monetizer = await device.launch()
    for _ in 0..<5 { try await monetizer.spend("workoutTracking") }
    #expect(device.sink.events.map(\.name) == [.milestoneReached] && monetizer.prompt(for: insights) == nil)
    #expect(device.sink.events[0].properties == ["milestone": "rating", "action": "requestReview"])
    await device.store.advance(by: Period(seconds: 301))
    #expect(monetizer.prompt(for: insights) != nil)
    let dozzi = try await Device("dozzi").launch()
    for _ in 0..<2 { try await dozzi.spend("story") }
    #expect(dozzi.prompt(for: AccessRequest("story")) == nil && dozzi.access(to: "story").paywall != nil)
  }

  @Test("HEAT-36: of two devices that exchange their facts, only the first asks for a rating; before an exchange each counts its own uses")
  func twoDevices() async throws {
    let (phone, tablet) = (try Device("heatlab"), try Device("heatlab"))
    let (first, second) = (await phone.launch(), await tablet.launch())
    for _ in 0..<3 { try await first.spend("workoutTracking") }
    for _ in 0..<2 { try await second.spend("workoutTracking") }
    await second.merge(first.sharedFacts)
    #expect(tablet.sink.events.isEmpty, "another device's uses are no use here")
    try await second.spend("workoutTracking")
    #expect(tablet.sink.events.map(\.name) == [.milestoneReached])
    await first.merge(second.sharedFacts)
    try await first.spend("workoutTracking")
    #expect(phone.sink.events.isEmpty)
  }
}

private struct OpenGate: ParentalGate {
  func challenge() async -> Bool { true }
}

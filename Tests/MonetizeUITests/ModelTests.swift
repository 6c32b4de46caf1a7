// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizePaywalls
import MonetizeSimulator
import SwiftUI
import Testing

@testable import MonetizeUI

@Suite("What stands behind the views", .timeLimit(.minutes(30)))
@MainActor struct ModelTests {
  private let locked = AccessRequest("story.play", item: "denny/4")

  /// Waits for what other tasks do, by turns and without a clock.
  private func until(_ isTrue: () -> Bool) async {
    for _ in 0..<100_000 where !isTrue() { await Task.yield() }
  }

  // MARK: The parental gate

  @Test("A gate that no view can show is not passed") func noView() async throws {
    let prompt = ParentalPrompt(generator: SeededGenerator(1))
    #expect(await prompt.challenge() == false)
    let catalog = try Stage.catalog("maze-packs")
    let monetizer = Monetizer(catalog: catalog) {
      $0.store = SimulatedStore(catalog: catalog, start: Stage.start).device()
      $0.time = ManualClock(Stage.start)
      $0.parentalGate = prompt
      $0.startsByItself = false
    }
    await monetizer.start()
    guard case .gateFailed = await monetizer.open(locked) else { return #expect(Bool(false), "the gate was passed without a task") }
  }

  @Test("A task that is asked for again, replaced or swiped away is not passed") func cancelled() async {
    let challenge = ChallengeModel(generator: SeededGenerator(1))
    var outcomes: [Bool] = []
    func ask(_ outcome: @escaping @MainActor () async -> Bool) async {
      var isAsked = false
      Task {
        isAsked = true
        outcomes.append(await outcome())
      }
      await until { isAsked }
      for _ in 0..<20 { await Task.yield() }
    }
    await ask { await challenge.outcome() }
    await ask { await challenge.outcome() }
    #expect(outcomes == [false])
    challenge.cancel()
    await until { outcomes.count == 2 }
    #expect(outcomes == [false, false])

    let presenter = Presenter()
    await ask { await presenter.present(ChallengeModel(generator: SeededGenerator(2))) }
    let first = presenter.sheet?.id
    await ask { await presenter.present(ChallengeModel(generator: SeededGenerator(3))) }
    #expect(outcomes == [false, false, false] && presenter.sheet?.id == first, "one sheet shows both")
    // Without a view that disappears.
    presenter.dismiss()
    await until { outcomes.count == 4 }
    #expect(outcomes == [false, false, false, false] && presenter.sheet == nil)
    await ask { await presenter.present(ChallengeModel(generator: SeededGenerator(4))) }
    #expect(presenter.sheet != nil && presenter.sheet?.id != first, "a new sheet is another one")
  }

  @Test("The gate of a tap has the language of the catalog") func language() async throws {
    let table = try Data(contentsOf: Stage.root.appendingPathComponent("Products/strings/maze-packs/de.json"))
    let stage = try await Stage(catalog: Stage.catalog("maze-packs").localized(by: CatalogStrings(json: table)))
    let host = stage.show(Text("Story").gated(by: "story.play", item: "denny/4"))
    let name = try #require(host.controls.first?.spoken)
    #expect(await stage.tap(name, in: host))
    #expect(host.texts.contains("Für Erwachsene") && !host.texts.contains("For Grown-Ups"), "\(host.texts)")
  }

  // MARK: A paywall

  private func paywall(_ stage: Stage) throws -> PaywallModel {
    PaywallModel(try #require(stage.monetizer.access(to: "aiInsights").paywall), pass: nil, monetizer: stage.monetizer)
  }

  @Test("What a tap led to is no longer shown while the next one is handled") func notice() async throws {
    var scripted: ScriptedStore?
    let stage = try await Stage(catalog: Stage.catalog("heatlab")) { device in
      let store = ScriptedStore(device)
      scripted = store
      return store
    }
    let store = try #require(scripted)
    let host = stage.show(Text("Insights").gated(by: "aiInsights"))
    #expect(await stage.tap("AI insights, locked", in: host))
    #expect(await stage.tap("Restore Purchases", in: host))
    let nothing = "There are no purchases to restore."
    #expect(host.texts.contains(nothing))
    store.hold()
    #expect(await stage.tap("Subscribe", in: host))
    #expect(!host.texts.contains(nothing))
    store.letGo()
    await stage.settle()
    #expect(host.texts == ["Insights"])
  }

  @Test("While the gate asks before a purchase, the paywall behind it is not buying") func gateBeforePurchase() async throws {
    let stage = try await Stage("maze-packs")
    let model = PaywallModel(
      try #require(stage.monetizer.access(to: locked.feature, item: locked.item).paywall), pass: nil, monetizer: stage.monetizer)
    let following = Task { await model.follow() }
    await until { model.screen.phase == .ready }
    #expect(model.screen.phase == .ready)
    let buying = Task { await model.buy() }
    await until { model.challenge != nil }
    let challenge = try #require(model.challenge)
    #expect(model.screen.phase == .ready && stage.device.calls["purchase"] == 0)
    challenge.cancel()
    await buying.value
    #expect(model.challenge == nil && model.screen.phase == .ready && model.notice != nil)
    following.cancel()
  }

  @Test("A paywall that is closed asks for no prices any more", arguments: [false, true]) func closed(triesAgain: Bool) async throws {
    let stage = try await Stage("heatlab")
    try await stage.store.setNetwork(.offline)
    var model: PaywallModel? = try paywall(stage)
    let following = Task { [weak model] in await model?.follow() }
    // The next attempt has a time.
    await until { model?.screen.phase == .failed }
    #expect(model?.screen.phase == .failed)
    following.cancel()
    await following.value
    if triesAgain {
      // The retry of a tap that the closing overtook ends with the model.
      await model?.retry()
      model = nil
    }
    await stage.settle()
    let asked = stage.device.calls["products"]
    for seconds in [1, 2, 4, 8] {
      await stage.store.advance(by: TimeInterval(seconds))
      await stage.settle()
    }
    #expect(stage.device.calls["products"] == asked)
    withExtendedLifetime(model) {}
  }

  @Test("A retry takes the place of the loading that waits for its next attempt") func retry() async throws {
    let stage = try await Stage("heatlab")
    try await stage.store.setNetwork(.offline)
    let model = try paywall(stage)
    let following = Task { await model.follow() }
    await until { model.screen.phase == .failed }
    await model.retry()
    await stage.settle()
    await until { model.screen.phase == .failed }
    let asked = try #require(stage.device.calls["products"])
    await stage.store.advance(by: 1)
    await until { stage.device.calls["products"] != asked }
    await stage.settle()
    #expect(stage.device.calls["products"] == asked + 1)
    following.cancel()
  }

  @Test("An action of the catalog's own goes from the paywall to the app") func ownAction() async throws {
    var taken: [PaywallAction] = []
    let catalog = try Stage.catalog("heatlab") {
      $0.replacingOccurrences(of: #""actions": ["purchase", "restore", "dismiss"]"#, with: #""actions": ["purchase", "x-askFriend"]"#)
    }
    let stage = try await Stage(catalog: catalog)
    let paywall = try #require(stage.monetizer.access(to: "aiInsights").paywall)
    let host = stage.show(PaywallView(paywall) { taken.append($0) })
    await stage.settle()
    #expect(await stage.tap("x-askFriend", in: host) && taken == ["x-askFriend"])
  }

  private struct DirectionStyle: PaywallStyle {
    struct Line: View {
      @Environment(\.layoutDirection) private var direction
      let isWide: Bool
      var body: some View { Text(verbatim: "\(direction == .rightToLeft ? "right" : "left") \(isWide ? "wide" : "narrow")") }
    }
    func makeBody(configuration: Configuration) -> some View { Line(isWide: configuration.isWide) }
  }

  @Test(
    "A paywall is wide where there is room for two columns beside each other, and runs in the direction of its language",
    arguments: [(699, 400, "narrow"), (700, 400, "wide"), (820, 1180, "narrow"), (1180, 820, "wide")] as [(Double, Double, String)])
  func layout(width: Double, height: Double, shape: String) async throws {
    for (code, direction) in [("en", "left"), ("ar", "right")] {
      let catalog = try Stage.catalog("heatlab") {
        $0.replacingOccurrences(of: #""app": {"#, with: #""app": { "language": "\#(code)","#)
      }
      let stage = try await Stage(catalog: catalog)
      let paywall = try #require(stage.monetizer.access(to: "aiInsights").paywall)
      let host = stage.show(PaywallView(paywall).paywallStyle(DirectionStyle()), width: width, height: height)
      await stage.settle()
      #expect(host.texts == ["\(direction) \(shape)"])
    }
  }

  @Test("Every text of a paywall is there at each size: beside each other, in one column, and in large type")
  func sameTexts() async throws {
    for app in ["heatlab", "magical-stories"] {
      let stage = try await Stage(app)
      let feature: FeatureID = app == "heatlab" ? "aiInsights" : "customThemes"
      let paywall = try #require(stage.monetizer.access(to: feature).paywall)
      let hosts = [
        stage.show(PaywallView(paywall)), stage.show(PaywallView(paywall), width: 1180, height: 820),
        stage.show(PaywallView(paywall)) { $0.dynamicTypeSize = .accessibility5 },
      ]
      await stage.settle()
      let texts = hosts.map { $0.texts.sorted() }
      #expect(!texts[0].isEmpty && texts.allSatisfy { $0 == texts[0] }, "\(app)")
      #expect(hosts.allSatisfy { host in Set(host.controls.map(\.spoken)) == Set(hosts[0].controls.map(\.spoken)) }, "\(app)")
    }
  }

  @Test("A customer who has left is welcomed back") func greeting() async throws {
    let stage = try await Stage("heatlab", owns: ["com.heatlab.pro.monthly"])
    try await stage.store.setAutoRenew(false)
    await stage.store.advance(by: Period(months: 2))
    await stage.settle()
    let host = stage.show(PaywallView(try #require(stage.monetizer.access(to: "aiInsights").paywall)))
    #expect(host.texts.contains("Welcome back"), "\(host.texts)")
  }

  // MARK: Other views

  @Test("A page of the onboarding has its title and its text") func page() async throws {
    let catalog = try Stage.catalog("magical-stories") {
      $0.replacingOccurrences(
        of: #""title": "Welcome to Magical Stories""#, with: #""title": "Welcome to Magical Stories", "text": "A story each night.""#)
    }
    let stage = try await Stage(catalog: catalog)
    let host = stage.show(
      OnboardingView { _ in
      } onEnd: { _ in
      })
    await stage.settle()
    #expect(host.texts.contains("Welcome to Magical Stories") && host.texts.contains("A story each night."))
  }

  @Test("A feature that is closed and not for sale has its reason in place of a limit") func limitWithoutPaywall() async throws {
    let stage = try await Stage("maxs-puzzles")
    let closed = try #require(
      stage.catalog.features.map(\.id).first { feature in
        let access = stage.monetizer.access(to: feature)
        return !access.isOpen && access.paywall == nil
      })
    let host = stage.show(LimitReachedView(closed))
    await stage.settle()
    #expect(!host.texts.isEmpty)
  }
}

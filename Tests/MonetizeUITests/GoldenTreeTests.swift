// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizePaywalls
import MonetizeSimulator
import MonetizeUI
import SwiftUI
import Testing

@Suite("Trees of the views, as text", .timeLimit(.minutes(30)))
@MainActor struct GoldenTreeTests {
  private func check(_ pieces: [(String, String)], _ name: String) throws {
    let text = pieces.map { "== \($0.0)\n\($0.1)" }.joined(separator: "\n\n")
    let difference = try Golden.check(text, name)
    #expect(difference == nil, "\(difference ?? "")")
  }

  @Test(
    "MAZE-15, HEAT-16, MAGIC-03, DOZZI-17: each app's paywall in each phase", arguments: Gallery.requests.indices)
  func paywalls(index: Int) async throws {
    let (app, request) = Gallery.requests[index]
    let stage = try await Stage(app)
    var pieces: [(String, String)] = []
    for phase in PaywallScreen.Phase.allCases {
      pieces.append((phase.rawValue, TreeText.of(await Gallery.tree(stage, Gallery.paywall(stage, request, phase)))))
    }
    try check(pieces, "paywall-\(app)")
  }

  @Test("MAGIC-29, MAGIC-30: the indicator, and what stands in place of the button when the limit is reached; a subscriber sees neither")
  func limits() async throws {
    let free = try await Stage("magical-stories")
    var pieces: [(String, String)] = []
    func add(_ name: String, _ stage: Stage) async {
      pieces.append((name + ": meter", TreeText.of(await Gallery.tree(stage, UsageMeterView("story")))))
      pieces.append((name + ": limit", TreeText.of(await Gallery.tree(stage, LimitReachedView("story")))))
    }
    await add("nothing used", free)
    _ = try await free.monetizer.spend("story")
    await add("one used", free)
    for _ in 0..<2 { _ = try await free.monetizer.spend("story") }
    await add("all used", free)
    await add("premium", try await Stage("magical-stories", owns: ["com.magicalstories.premium.monthly"]))
    try check(pieces, "limits")
  }

  @Test("HEAT-22, HEAT-24: a gate shows the feature, the lock, a wait or the reason, and nothing else")
  func gates() async throws {
    let gated = Text("The insights").gated(by: "aiInsights")
    var pieces: [(String, String)] = []
    func add(_ name: String, _ stage: Stage) async { pieces.append((name, TreeText.of(await Gallery.tree(stage, gated)))) }
    await add("not answered", try await Stage("heatlab", isAnswered: false))
    await add("free", try await Stage("heatlab"))
    await add("Pro", try await Stage("heatlab", owns: ["com.heatlab.pro.monthly"]))
    let waiting = try await Stage("heatlab")
    waiting.device.nextSheet = .askToBuy
    _ = try await waiting.monetizer.purchase("com.heatlab.pro.monthly")
    await add("waits for approval", waiting)
    let offline = try await Stage("heatlab", isAnswered: false)
    try await offline.store.setNetwork(.offline)
    for _ in 0..<3 { await offline.monetizer.refresh() }
    await add("the store cannot be reached", offline)
    let puzzles = try await Stage("maxs-puzzles")
    pieces.append(("not released", TreeText.of(await Gallery.tree(puzzles, Text("Shop").gated(by: "shop")))))
    try check(pieces, "gates")
  }

  @Test("MAZE-05, MAZE-08: the shelf shows every pack, and the grid every story, with locks that agree with the engine")
  func shelf() async throws {
    var pieces: [(String, String)] = []
    for (name, owned) in [("free", []), ("bought", ["com.example.mazes.pack.denny"])] as [(String, [ProductID])] {
      let stage = try await Stage("maze-packs", owns: owned)
      _ = await stage.monetizer.complete("denny/1/easy")
      pieces.append((name + ": shelf", TreeText.of(await Gallery.tree(stage, PackShelf("story.play") { _ in }))))
      pieces.append((name + ": grid", TreeText.of(await Gallery.tree(stage, ItemGrid("story.play", in: "denny", part: "easy") { _ in }))))
    }
    let waiting = try await Stage("maze-packs", isAnswered: false)
    pieces.append(("not answered: shelf", TreeText.of(await Gallery.tree(waiting, PackShelf("story.play") { _ in }))))
    try check(pieces, "shelf")
  }

  @Test("HEAT-28: the settings show the plan, its state and what can be done now, in each state of a subscription")
  func settings() async throws {
    let monthly: ProductID = "com.heatlab.pro.monthly"
    var pieces: [(String, String)] = []
    func add(_ name: String, _ stage: Stage) async {
      pieces.append((name, TreeText.of(await Gallery.tree(stage, List { SubscriptionSettings("pro") }))))
    }
    await add("not answered", try await Stage("heatlab", isAnswered: false))
    await add("free", try await Stage("heatlab"))
    let stage = try await Stage("heatlab", owns: [monthly])
    await add("active", stage)
    try await stage.store.setAutoRenew(false, product: monthly)
    await add("will end", stage)
    try await stage.store.setAutoRenew(true, product: monthly)
    await stage.store.setPayment(.fails)
    await stage.store.advance(by: Period(months: 1, days: 1))
    await add("grace", stage)
    await stage.store.advance(by: Period(days: 20))
    await add("billing retry", stage)
    let refunded = try await Stage("heatlab", owns: [monthly])
    try await refunded.store.refund(monthly)
    await add("revoked", refunded)
    let ended = try await Stage("heatlab", owns: [monthly])
    try await ended.store.setAutoRenew(false, product: monthly)
    await ended.store.advance(by: Period(months: 2))
    await ended.monetizer.refresh()
    await add("expired", ended)
    try check(pieces, "settings")
  }

  @Test("The parental gate: a task, a wrong answer, digits")
  func gate() async throws {
    let stage = try await Stage("maze-packs")
    let host = stage.show(Text("Story 4").gated(by: "story.play", item: "denny/4"))
    var pieces = [("before", TreeText.of(host.tree))]
    #expect(await stage.tap("Stories, locked", in: host))
    pieces.append(("asked", TreeText.of(host.tree)))
    await stage.passGate(host, right: false)
    pieces.append(("a wrong answer", TreeText.of(host.tree)))
    await stage.passGate(host)
    pieces.append(("passed", TreeText.of(host.tree)))
    try check(pieces, "parental-gate")
  }

  @Test("The same screens in German and Japanese: no English word of the framework is left", arguments: ["de", "ja"])
  func languages(language: String) async throws {
    let catalog = try Stage.catalog("magical-stories").localized(
      by: CatalogStrings(json: Data(contentsOf: Stage.root.appendingPathComponent("Products/strings/magical-stories/\(language).json"))))
    let stage = try await Stage(catalog: catalog)
    for _ in 0..<3 { _ = try await stage.monetizer.spend("story") }
    var pieces: [(String, String)] = []
    pieces.append(("paywall", TreeText.of(await Gallery.tree(stage, Gallery.paywall(stage, AccessRequest("customThemes"), .ready)))))
    pieces.append(("limit", TreeText.of(await Gallery.tree(stage, LimitReachedView("story")))))
    pieces.append(("gate", TreeText.of(await Gallery.tree(stage, Text("Content").gated(by: "customThemes")))))
    pieces.append(("settings", TreeText.of(await Gallery.tree(stage, List { SubscriptionSettings("premium") }))))
    try check(pieces, "language-\(language)")
  }
}

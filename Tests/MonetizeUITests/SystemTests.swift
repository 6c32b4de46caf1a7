// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizePaywalls
import MonetizeSimulator
import SwiftUI
import Testing

@testable import MonetizeUI

/// What the system does with views besides drawing them: windows, rows, the way to the background and back.
@Suite("Views and the system", .timeLimit(.minutes(30)))
@MainActor struct SystemTests {
  private static func packs(_ actions: String = #""purchase", "restore", "dismiss""#) throws -> Catalog {
    let text = """
      { "schemaVersion": 1, "app": { "id": "com.example.packs", "name": "Packs" },
        "features": { "forest": { "title": "Forest" }, "desert": { "title": "Desert" } },
        "products": [
          { "kind": "nonConsumable", "id": "forest", "name": "The Forest", "price": { "amount": "1.99", "currency": "USD" }, "grants": { "forest": true } },
          { "kind": "nonConsumable", "id": "desert", "name": "The Desert", "price": { "amount": "2.99", "currency": "USD" }, "grants": { "desert": true } }
        ],
        "paywalls": { "default": { "headline": "More to explore", "actions": [\(actions)] } },
        "legal": { "terms": "https://example.com/terms", "privacy": "https://example.com/privacy" } }
      """
    return try Catalog(json: Data(text.utf8))
  }

  @Test("A product is chosen by a tap only where a button buys it", arguments: [true, false]) func information(sells: Bool) async throws {
    let stage = try await Stage(catalog: sells ? Self.packs() : Self.packs(#""restore""#))
    let host = stage.show(PaywallView(try #require(stage.monetizer.snapshot.paywall(at: .default))))
    await stage.settle()
    #expect(host.texts.contains("The Desert"))
    #expect(await stage.tap("The Desert, $2.99, One-time purchase", in: host) == sells)
    #expect(await stage.tap("Buy", in: host) == sells && stage.monetizer.allows("desert") == sells)
  }

  private struct Switching: View {
    let paywalls: [Paywall]
    @State private var index = 0

    var body: some View {
      VStack {
        Button("Next") { index += 1 }
        PaywallView(paywalls[index])
      }
    }
  }

  @Test("A paywall in the app's own navigation that becomes another one shows and sells that one") func anotherPaywall() async throws {
    let stage = try await Stage(catalog: Self.packs())
    let paywalls = ["forest", "desert"].compactMap { stage.monetizer.access(to: $0).paywall }
    try #require(paywalls.count == 2)
    let host = stage.show(Switching(paywalls: paywalls))
    await stage.settle()
    #expect(host.texts.contains("The Forest"))
    #expect(await stage.tap("Next", in: host))
    #expect(host.texts.contains("The Desert") && !host.texts.contains("The Forest"))
    #expect(await stage.tap("Buy", in: host))
    #expect(stage.monetizer.allows("desert") && !stage.monetizer.allows("forest"))
  }

  @Test("A second paywall in an open sheet replaces the first one") func secondPaywall() async throws {
    let stage = try await Stage(catalog: Self.packs())
    let presenter = Presenter()
    let host = stage.show(Text("Map").modifier(PaywallSheet(presenter)))
    await presenter.open(stage.monetizer, AccessRequest("forest"))
    await stage.settle()
    #expect(host.texts.contains("The Forest"))
    await presenter.open(stage.monetizer, AccessRequest("desert"))
    await stage.settle()
    #expect(host.texts.contains("The Desert") && !host.texts.contains("The Forest") && host.sheetCount == 1)
  }

  @Test("A paywall stays on the screen while its sheet slides away") func slidingAway() async throws {
    let stage = try await Stage("heatlab")
    let presenter = Presenter()
    await presenter.open(stage.monetizer, AccessRequest("aiInsights"))
    let host = stage.show(SheetContent(presenter: presenter, language: .english))
    await stage.settle()
    #expect(presenter.sheet != nil && host.texts.contains("Heatlab Pro"))
    presenter.dismiss()
    await stage.settle()
    #expect(presenter.sheet == nil && host.texts.contains("Heatlab Pro"))
  }

  @Test("Settings in a list present one sheet, not one for each row") func rows() async throws {
    let stage = try await Stage("heatlab")
    let host = stage.show(List { SubscriptionSettings("pro") })
    #expect(await stage.tap("See Plans", in: host) && host.sheetCount == 1)
    #expect(host.swipeDown() && host.sheetCount == 0)
    let bySection = stage.show(
      List {
        Section("Plans") {
          Text("Free"); Text("Pro").gated(by: "aiInsights")
        }.presentsPaywalls()
      })
    #expect(await stage.tap("AI insights, locked", in: bySection) && bySection.sheetCount == 1, "the gate has a presenter of its own")
  }

  private struct Rows: View {
    @State private var isShown = true

    var body: some View {
      List {
        Section("Plans") {
          Text("Free")
          Text("Pro")
        }
        .sheet(isPresented: $isShown) { Text("Sheet") }
      }
    }
  }

  @Test("The host of these tests gives each row of a section the section's sheet, as the system does") func rowsOfTheHost() {
    #expect(ViewHost(Rows()).sheetCount == 2)
  }

  @Test("A purchase is confirmed in the window that the app names, and without one where the store decides") func window() async throws {
    var scripted: ScriptedStore?
    let stage = try await Stage(catalog: Stage.catalog("heatlab")) {
      let store = ScriptedStore($0)
      scripted = store
      return store
    }
    let store = try #require(scripted)
    stage.device.nextSheet = .cancel
    let unnamed = stage.show(Text("Insights").gated(by: "aiInsights"))
    #expect(await stage.tap("AI insights, locked", in: unnamed))
    #expect(await stage.tap("Subscribe", in: unnamed))
    #expect(store.requests.count == 1 && store.requests.last?.place == nil)
    let host = stage.show(Text("Insights").gated(by: "aiInsights").monetizer(stage.model, confirmIn: StoreObject("second window")))
    #expect(await stage.tap("AI insights, locked", in: host))
    #expect(await stage.tap("Subscribe", in: host))
    #expect(store.requests.count == 2 && store.requests.last?.place?.value as? String == "second window")
  }

  @Test("The action redeem shows the store's entry of an offer code in the named window, on a paywall and in the settings")
  func redeem() async throws {
    var scripted: ScriptedStore?
    let catalog = try Stage.catalog("heatlab") { $0.replacingOccurrences(of: #""restore", "#, with: #""restore", "redeem", "#) }
    let stage = try await Stage(catalog: catalog) {
      let store = ScriptedStore($0)
      scripted = store
      return store
    }
    let store = try #require(scripted)
    let paywall = try #require(stage.monetizer.access(to: "aiInsights").paywall)
    let views: [any View] = [PaywallView(paywall), List { SubscriptionSettings("pro") }]
    for (index, view) in views.enumerated() {
      let host = stage.show(AnyView(view).monetizer(stage.model, confirmIn: StoreObject("second window")))
      await stage.settle()
      store.failSheets(nil)
      let (reads, texts) = (stage.device.calls["read"] ?? 0, host.texts)
      #expect(await stage.tap("Redeem Code", in: host), "\(host.texts)")
      #expect(store.sheets.count == 3 * index + 1 && store.sheets.last?.sheet == .code && store.sheets.last?.place == "second window")
      #expect(stage.device.calls["read"] == reads + 1 && host.texts == texts, "the purchases are read again, without a message")
      store.failSheets(StoreError(.userCancelled))
      #expect(await stage.tap("Redeem Code", in: host) && host.texts == texts)
      store.failSheets(StoreError(.network))
      #expect(await stage.tap("Redeem Code", in: host) && host.texts.contains("The purchase did not go through. Try again."))
      let without = stage.show(AnyView(view).environment(\.hasCodeEntry, false))
      await stage.settle()
      #expect(without.control("Redeem Code") == nil && without.control("Restore Purchases") != nil)
    }
  }

  @Test("An offer code is entered behind the parental gate") func redeemBehindGate() async throws {
    var scripted: ScriptedStore?
    let catalog = try Stage.catalog("maze-packs") { $0.replacingOccurrences(of: #""restore", "dismiss""#, with: #""restore", "redeem""#) }
    let stage = try await Stage(catalog: catalog) {
      let store = ScriptedStore($0)
      scripted = store
      return store
    }
    let store = try #require(scripted)
    let paywall = try #require(stage.monetizer.access(to: AccessRequest("story.play", item: "denny/4")).paywall)
    let host = stage.show(PaywallView(paywall))
    await stage.settle()
    #expect(await stage.tap("Redeem Code", in: host) && host.texts.contains("For Grown-Ups") && store.sheets.isEmpty)
    await stage.passGate(host)
    #expect(store.sheets.map(\.sheet) == [.code])
    #expect(await stage.tap("Redeem Code", in: host))
    for _ in 0..<3 { await stage.passGate(host, right: false) }
    #expect(store.sheets.count == 1)
  }

  private struct Scene: View {
    let model: MonetizerModel
    @State private var phase = ScenePhase.background

    var body: some View {
      VStack {
        Button("Lock") { phase = .background }
        Button("Unlock") { phase = .active }
        Text("Insights").monetizer(model).environment(\.scenePhase, phase)
      }
    }
  }

  @Test("The store is read again when the app comes to the foreground, and not when it is started there") func foreground() async throws {
    let stage = try await Stage("heatlab")
    let atLaunch = stage.device.calls["read"] ?? 0
    _ = stage.show(Text("Insights"))
    await stage.settle()
    #expect(stage.device.calls["read"] == atLaunch)
    let host = stage.show(Scene(model: stage.model))
    await stage.settle()
    for count in 1...3 {
      #expect(await stage.tap("Unlock", in: host))
      #expect(stage.device.calls["read"] == atLaunch + count)
      #expect(await stage.tap("Lock", in: host))
    }
  }

  @Test("Without a browser, as on tvOS and watchOS, links are shown as addresses, and nothing is a button that does nothing")
  func withoutBrowser() async throws {
    let stage = try await Stage("heatlab", owns: ["com.heatlab.pro.monthly"])
    let settings = stage.show(List { SubscriptionSettings("pro") }.environment(\.hasBrowser, false))
    #expect(settings.control("Manage Subscription") == nil && settings.control("Help and Feedback") == nil)
    #expect(settings.texts.contains("Help and Feedback: https://heatlab.example/support") && settings.control("Restore Purchases") != nil)
    let free = try await Stage("heatlab")
    let paywall = try #require(free.monetizer.access(to: "aiInsights").paywall)
    let host = free.show(PaywallView(paywall).environment(\.hasBrowser, false))
    await free.settle()
    #expect(host.controls.allSatisfy { !$0.traits.contains("link") })
    let links = ["Terms", "Privacy"].map { name in host.texts.contains { $0.hasPrefix(name) && $0.contains(": https://") } }
    #expect(links == [true, true], "\(host.texts)")
  }

  @Test("VoiceOver speaks the result of a tap, and not that something is under way") func spoken() async throws {
    let stage = try await Stage("heatlab")
    let paywall = try #require(stage.monetizer.access(to: "aiInsights").paywall)
    let host = stage.show(PaywallView(paywall))
    await stage.settle()
    let before = UIAccessibility.announcements.count
    #expect(await stage.tap("Restore Purchases", in: host))
    try await stage.store.setNetwork(.offline)
    #expect(await stage.tap("Subscribe", in: host))
    let spoken = UIAccessibility.announcements[before...]
    for text in ["There are no purchases to restore.", "The purchase did not go through. Try again."] {
      #expect(spoken.contains(text), "\(spoken), \(host.texts)")
    }
    #expect(!UIAccessibility.announcements.contains("Waiting for the store…"))
  }

  private struct Opening: View {
    @Gate("aiInsights") private var insights

    var body: some View { Button("Insights") { $insights.open() } }
  }

  private struct BoldStyle: PaywallStyle {
    func makeBody(configuration: Configuration) -> some View { Text("Bold: \(configuration.screen.headline ?? "")") }
  }

  @Test("A style outside of the monetizer draws every paywall, also those that a tap of the app's own opens") func outerStyle() async throws
  {
    let stage = try await Stage("heatlab")
    let host = stage.show(Opening().monetizer(stage.model).paywallStyle(BoldStyle()))
    #expect(await stage.tap("Insights", in: host) && host.texts.contains("Bold: Heatlab Pro"))
    let guides = try ["Docs/Guides/Views.md", "Sources/MonetizeUI/Paywall/PaywallStyle.swift"].map {
      try String(contentsOf: Stage.root.appendingPathComponent($0), encoding: .utf8)
    }
    #expect(guides.allSatisfy { $0.contains("ContentView().monetizer(shop).paywallStyle(NightStyle())") })
    #expect(guides.allSatisfy { !$0.contains("ContentView().paywallStyle(") })
  }

  private struct Window: View {
    let presenter: Presenter
    @State private var isOpen = true

    var body: some View {
      VStack {
        Button("Close") { isOpen = false }
        if isOpen { Text("Map").modifier(PaywallSheet(presenter)) }
      }
    }
  }

  @Test("A window that closes during the parental gate ends the tap, so that the next tap is heard") func windowCloses() async throws {
    let stage = try await Stage("maze-packs")
    let presenter = Presenter()
    let host = stage.show(Window(presenter: presenter))
    let close = try #require(host.control("Close")?.action)
    var isOver = false
    let locked = AccessRequest("story.play", item: "denny/4")
    Task {
      await presenter.open(stage.monetizer, locked)
      isOver = true
    }
    await stage.settle()
    #expect(host.texts.contains("For Grown-Ups") && !isOver)
    close()
    await stage.settle()
    #expect(isOver && presenter.sheet == nil && stage.device.calls["purchase"] == 0)
  }

  @Test("Terms and privacy at one address are two links") func oneAddress() async throws {
    let catalog = try Stage.catalog("heatlab") {
      $0.replacingOccurrences(of: "https://heatlab.example/privacy", with: "https://heatlab.example/terms")
    }
    #expect(catalog.legal?.terms != nil && catalog.legal?.terms == catalog.legal?.privacy)
    let stage = try await Stage(catalog: catalog)
    let paywall = try #require(stage.monetizer.access(to: "aiInsights").paywall)
    let host = stage.show(PaywallView(paywall))
    #expect(host.control("Terms of Use") != nil && host.control("Privacy Policy") != nil)
  }

  @Test("Settings without a placement of their own have nothing to dismiss, and pass the catalog's own actions to the app")
  func settingsActions() async throws {
    var taken: [PaywallAction] = []
    let catalog = try Stage.catalog("heatlab") {
      $0.replacingOccurrences(
        of: #""settings": { "actions": ["upgrade", "restore", "manage"] }"#,
        with: #""settings": { "actions": ["upgrade", "dismiss", "x-shareApp"] }"#)
    }
    let stage = try await Stage(catalog: catalog)
    let host = stage.show(List { SubscriptionSettings("pro") { taken.append($0) } })
    #expect(host.control("Not Now") == nil)
    #expect(await stage.tap("x-shareApp", in: host) && !host.hasSheet && taken == ["x-shareApp"])
    #expect(await stage.tap("See Plans", in: host) && host.hasSheet)
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizePaywalls
import MonetizeSimulator
import Testing

/// The code of `Docs/Guides/Paywalls.md` compiles and works as described.
@Suite("The guide to paywalls", .timeLimit(.minutes(30)))
struct PaywallGuideTests {
  private func monetizer(_ app: String) throws -> (Monetizer, SimulatedDevice, SimulatedStore) {
    let catalog = try Screens.catalog(app)
    let store = SimulatedStore(catalog: catalog, start: Screens.now)
    let device = store.device()
    let monetizer = Monetizer(catalog: catalog) {
      $0.store = device
      $0.time = store.clock
      $0.parentalGate = PassingGate()
    }
    return (monetizer, device, store)
  }

  @Test("The screens follow each other: loading, prices, done after a purchase elsewhere")
  func screens() async throws {
    let (monetizer, device, _) = try monetizer("magical-stories")
    await monetizer.start()
    var phases: [PaywallScreen.Phase] = []
    switch monetizer.access(to: "customThemes") {
    case .offer(let paywall, _):
      for await screen in monetizer.screens(for: paywall) {
        if screen.phase == .ready, !phases.contains(.ready) {
          _ = try await device.purchase(PurchaseRequest("com.magicalstories.premium.monthly"))
          await monetizer.refresh()
        }
        phases.append(screen.phase)
        if screen.isDone { break }
      }
    default: Issue.record("There is no paywall.")
    }
    #expect(phases.last == .done && phases.contains(.ready))
  }

  @Test("A change that the paywall does not show makes no new screen")
  func same() async throws {
    let (monetizer, device, _) = try monetizer("magical-stories")
    await monetizer.start()
    let paywall = try #require(monetizer.snapshot.paywall(at: .default))
    var screens: [PaywallScreen] = []
    for await screen in monetizer.screens(for: paywall) {
      if screen.phase == .ready, screens.last?.phase != .ready {
        for _ in 0..<3 { try await monetizer.spend("story") }
        _ = try await device.purchase(PurchaseRequest("com.magicalstories.premium.monthly"))
        await monetizer.refresh()
      }
      screens.append(screen)
      if screen.isDone { break }
    }
    #expect(zip(screens, screens.dropFirst()).allSatisfy { $0 != $1 } && screens.last?.phase == .done)
  }

  @Test("The options alone, and the store's error if it cannot answer")
  func options() async throws {
    let (monetizer, _, store) = try monetizer("heatlab")
    await monetizer.start()
    let paywall = try #require(monetizer.snapshot.paywall(at: .default))
    let options = try await monetizer.options(for: paywall)
    #expect(options.map(\.priceText) == ["$39.99 per year", "$4.99 per month"])
    try await store.setNetwork(.offline)
    await #expect(throws: StoreError.self) { try await monetizer.options(for: paywall) }
  }

  @Test("A localized catalog and the texts that keep the catalog's language")
  func strings() throws {
    let catalog = try Screens.catalog("maze-packs")
    let data = Data(#"{ "language": "de", "paywalls": { "default": { "headline": "Alles aus {collection}" } } }"#.utf8)
    let strings = try CatalogStrings(json: data)
    #expect(try catalog.localized(by: strings).paywall(.default)?.headline == "Alles aus {collection}")
    #expect(catalog.textsMissing(in: strings).contains("paywalls.default.purchaseLabel"))
    let url = Screens.products.appendingPathComponent("maze-packs.json")
    let folder = Screens.products.appendingPathComponent("strings/maze-packs")
    // On Linux every device is English.
    #expect(try Catalog(contentsOf: url).localized(in: folder).language == .english)
    #expect(try Catalog(contentsOf: url).localized(in: folder, for: ["ja-JP"]).language == .japanese)
  }
}

/// A parental gate that always opens.
private struct PassingGate: ParentalGate {
  func challenge() async -> Bool { true }
}

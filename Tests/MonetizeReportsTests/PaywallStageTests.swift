// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizePaywalls
import MonetizeReports
import MonetizeSimulator
import Testing

@Suite("Stages of a paywall", .timeLimit(.minutes(30)))
struct PaywallStageTests {
  private static let products = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Products")

  @Test(
    "each placement of each app has a screen in each phase, with nothing to buy once a product is bought",
    arguments: ["maze-packs", "heatlab", "magical-stories", "dozzi"])
  func phases(app: String) async throws {
    let catalog = try Catalog(contentsOf: Self.products.appendingPathComponent("\(app).json"))
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    let store = SimulatedStore(catalog: catalog, start: now)
    let listings = try await store.device().products(for: catalog.products.map(\.id))
    let stage = PaywallStage(catalog: catalog, listings: listings, now: now)
    for placement in stage.placements where stage.screen(at: placement) != nil {
      for phase in PaywallScreen.Phase.allCases {
        let screen = stage.screen(at: placement, phase: phase)
        #expect(screen?.phase == phase, "\(placement) \(phase)")
        if phase == .done {
          #expect(screen?.actions.contains { $0.id == .purchase && $0.isEnabled } == false)
          // The trial is used.
          #expect(screen?.options.contains { $0.isSelected && $0.trial != nil } == false)
        }
      }
    }
  }
}

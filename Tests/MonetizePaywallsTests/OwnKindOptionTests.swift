// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizePaywalls
import Testing

@Suite("Options of an app's own kinds", .timeLimit(.minutes(30)))
struct OwnKindOptionTests {
  private struct Rental: ProductKind {
    static let name = "rental"
    let lasts: Period
    var length: Period? { lasts }
    func ownership(from history: ProductHistory, at now: Date) -> Ownership {
      .latest(of: history.transactions.map { .until(lasts.added(to: $0.purchaseDate, in: .storeCalendar)) }, at: now)
    }
  }
  private struct Token: ProductKind {
    static let name = "token"
    static let storeType = StoreProductType.consumable
    static let sellsCredits = false
    func ownership(from history: ProductHistory, at now: Date) -> Ownership {
      history.transactions.isEmpty ? .none : .forever
    }
  }

  @Test("A rental is a pass for its length, a token that opens something is bought once, and only what gives nothing is a tip")
  func sorts() throws {
    let catalog = try Catalog(
      json: Data(
        #"""
        { "schemaVersion": 1, "app": { "id": "a", "name": "A" },
          "features": { "film": {}, "hint": { "allowance": "count", "per": "day" } },
          "products": [{ "kind": "rental", "id": "rental", "name": "R", "lasts": "P2D", "grants": { "film": true } },
                       { "kind": "token", "id": "token", "name": "T", "grants": { "film": true } },
                       { "kind": "consumable", "id": "hints", "name": "H", "credits": { "hint": 5 } },
                       { "kind": "consumable", "id": "tip", "name": "Tip" }] }
        """#.utf8), kinds: .standard.adding(Rental.self).adding(Token.self))
    let snapshot = Snapshot(of: CustomerState(), catalog: catalog, at: Date(timeIntervalSince1970: 1_772_366_400))
    let screen = PaywallScreen(of: try #require(snapshot.paywall(at: .default)), snapshot: snapshot, loading: .loading)
    #expect(screen.options.map(\.sort) == [.pass, .oneTime, .credits, .tip])
    #expect(screen.options.map(\.note).first == "2 days of access. Does not renew.")
    #expect(screen.actions.map(\.id) == ["purchase", "restore", "dismiss"])
  }
}

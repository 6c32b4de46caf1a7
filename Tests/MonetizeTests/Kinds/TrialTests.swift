// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Testing

/// A free trial of an app without subscriptions: a free non-consumable that ends by itself. Source: App Review guideline 3.1.1.
@Suite("Free trials without a subscription", .timeLimit(.minutes(30)))
struct TrialTests {
  private struct Rental: ProductKind {
    static let name = "rental"
    func ownership(from history: ProductHistory, at now: Date) -> Ownership {
      .latest(of: history.transactions.map { .until($0.purchaseDate + 86400) }, at: now)
    }
  }

  private static let day: TimeInterval = 86400

  private func catalog() throws -> Catalog {
    try Catalog(
      json: Data(
        #"""
        { "schemaVersion": 1, "app": { "id": "t", "name": "T" }, "features": { "f": {} },
          "products": [
            { "kind": "nonConsumable", "id": "trial", "name": "14-day Trial", "period": "P14D",
              "price": { "amount": "0", "currency": "USD" }, "familyShareable": true, "grants": { "f": true } },
            { "kind": "rental", "id": "rental", "name": "A day", "grants": { "f": true } },
            { "kind": "nonRenewing", "id": "pass", "name": "Two weeks", "period": "P14D", "grants": { "f": true } }] }
        """#.utf8), kinds: .standard.adding(Rental.self))
  }

  private func snapshot(_ bought: [StoreTransaction], at now: Date) throws -> Snapshot {
    Snapshot(of: CustomerState(bought.map(Fact.transaction)), catalog: try catalog(), at: now)
  }

  @Test("A trial lasts exactly its period, in the state `trial`, and has then expired") func ends() throws {
    let bought = StoreTransaction(id: "1", productID: "trial", purchaseDate: t0)
    let last = try snapshot([bought], at: t0 + 14 * Self.day - 0.001)
    #expect(last.allows("f") && last.status(of: "trial")?.state == .trial)
    #expect(last.status(of: "trial")?.accessUntil == t0 + 14 * Self.day && last.nextChange == t0 + 14 * Self.day)
    let after = try snapshot([bought], at: t0 + 14 * Self.day)
    #expect(!after.allows("f") && after.status(of: "trial")?.state == .expired)
    #expect(after.status(of: "trial")?.expires == t0 + 14 * Self.day)
  }

  @Test("What the store sells once is not offered again after its end; a pass is") func offeredOnce() throws {
    let bought = ["trial", "rental", "pass"].map { StoreTransaction(id: TransactionID($0), productID: ProductID($0), purchaseDate: t0) }
    let after = try snapshot(bought, at: t0 + 30 * Self.day)
    #expect(after.decision(for: "f").unlockedBy == ["pass"])
    #expect(after.paywall(at: PlacementID.default)?.products == ["pass"])
    #expect(try snapshot([], at: t0).decision(for: "f").unlockedBy == ["trial", "rental", "pass"])
  }

  @Test("Only an own purchase that counts prevents another: a family member's and a refunded one do not") func ownTrial() throws {
    let shared = StoreTransaction(id: "1", productID: "trial", purchaseDate: t0, ownership: .familyShared)
    let refunded = StoreTransaction(id: "2", productID: "trial", purchaseDate: t0, revocation: .init(date: t0 + 1))
    for transaction in [shared, refunded] {
      let unlockedBy = try snapshot([transaction], at: t0 + 30 * Self.day).decision(for: "f").unlockedBy
      #expect(unlockedBy.first == "trial", "\(transaction)")
    }
    let own = StoreTransaction(id: "3", productID: "trial", purchaseDate: t0)
    for (days, prevents) in [(1.0, true), (30, false)] {
      #expect(try snapshot([own], at: t0 + days * Self.day).status(of: "trial")?.preventsPurchase == prevents)
    }
  }

  @Test("A non-consumable with a period costs nothing", arguments: [#", "price": { "amount": "0.99", "currency": "USD" }"#, ""])
  func price(_ price: String) throws {
    let json = """
      { "schemaVersion": 1, "app": { "id": "t", "name": "T" }, "features": { "f": {} }, "products": [
        { "kind": "nonConsumable", "id": "p", "name": "P", "period": "P14D"\(price), "grants": { "f": true } }] }
      """
    let found = Catalog.reading(Data(json.utf8)).diagnostics
    #expect(found.map(\.path) == ["products[0].period"] && found.first?.message.contains("its price is 0") == true)
    let free = json.replacingOccurrences(of: "0.99", with: "0.00")
    #expect(Catalog.reading(Data(free.utf8)).diagnostics.isEmpty == !price.isEmpty)
  }

  @Test(
    "A trial whose price or period cannot be read is one mistake",
    arguments: [
      (#""P14D""#, #""0""#), (#""P14D""#, #"{ "amount": 0, "currency": "USD" }"#), (#""P14D""#, #"{ "amount": "0" }"#),
      (#""P0D""#, #"{ "amount": "9", "currency": "USD" }"#), ("14", #"{ "amount": "9", "currency": "USD" }"#),
    ])
  func oneMistake(period: String, price: String) {
    let json = """
      { "schemaVersion": 1, "app": { "id": "t", "name": "T" }, "features": { "f": {} }, "products": [
        { "kind": "nonConsumable", "id": "p", "name": "P", "period": \(period), "price": \(price), "grants": { "f": true } }] }
      """
    let found = Catalog.reading(Data(json.utf8)).diagnostics
    #expect(found.count == 1 && !(found.first?.message.contains("its price is 0") ?? true), "\(found)")
  }

  @Test("A trial changes with time, so a catalog that claims to have no periods refuses it") func claim() {
    let json = #"""
      { "schemaVersion": 1, "app": { "id": "t", "name": "T" }, "features": { "f": {} }, "claims": ["noPeriods"], "products": [
        { "kind": "nonConsumable", "id": "p", "name": "P", "period": "P14D", "price": { "amount": "0", "currency": "USD" }, "grants": { "f": true } }] }
      """#
    #expect(Catalog.reading(Data(json.utf8)).diagnostics.map(\.code) == ["claim.noPeriods"])
  }
}

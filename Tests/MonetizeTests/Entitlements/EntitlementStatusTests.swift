// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize

/// Two plans of one entitlement, and another that grants a part of it.
@Suite(.timeLimit(.minutes(30)))
struct EntitlementStatusTests {
  private static let now = RandomFacts.start

  private static func catalog() throws -> Catalog {
    func plan(_ id: String, _ period: String) -> String {
      #"{ "kind": "subscription", "id": "\#(id)", "name": "\#(id)", "group": "g", "level": 1, "period": "\#(period)","#
        + #" "price": { "amount": "1.00", "currency": "USD" }, "entitlements": ["all"] }"#
    }
    return try Catalog(
      json: Data(
        (#"{ "schemaVersion": 1, "app": { "id": "app", "name": "App" }, "features": { "a": {}, "b": {} }, "#
          + #""entitlements": { "all": { "title": "All", "grants": { "a": true, "b": true } },"#
          + #" "half": { "title": "Half", "grants": { "a": true } } }, "products": [\#(plan("month", "P1M")), \#(plan("year", "P1Y"))] }"#)
          .utf8))
  }

  private static func period(_ product: ProductID, _ id: TransactionID, days: Int, revoked: Bool = false) -> Fact {
    var transaction = StoreTransaction(
      id: id, originalID: id, productID: product, purchaseDate: now - 3600, expirationDate: now + Double(days) * 86400, signed: now)
    if revoked { transaction.revocation = .init(date: now - 60, reason: .other) }
    return .transaction(transaction)
  }

  private static func status(_ facts: [Fact], store: StoreKnowledge = .answered) throws -> SubscriberSummary {
    let snapshot = Snapshot(of: CustomerState(facts), catalog: try catalog(), situation: Situation(store: store), at: now)
    return try #require(snapshot.summary(of: "all"))
  }

  @Test("The state of an entitlement that no product gives is unknown before the store's first answer, like any other")
  func withoutProduct() throws {
    func state(_ store: StoreKnowledge) throws -> ProductState? {
      Snapshot(of: CustomerState(), catalog: try Self.catalog(), situation: Situation(store: store), at: Self.now).summary(of: "half")?
        .state
    }
    #expect(try state(.waiting) == .unknown && state(.answered) == .never)
  }

  @Test("A gift of two entitlements gives the more of both", arguments: [["few", "many"], ["many", "few"]])
  func giftOfTwo(entitlements: [EntitlementID]) throws {
    let catalog = try Catalog(
      json: Data(
        #"""
        { "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "features": { "story": { "allowance": "count" } },
          "entitlements": { "few": { "title": "Few", "grants": { "story": 2 } }, "many": { "title": "Many", "grants": { "story": 9 } } } }
        """#.utf8))
    let gift = ComplimentaryGrant(
      id: "gift", entitlements: entitlements, from: Self.now - 60, until: nil, isRevoked: false, revision: Revision(Self.now))
    #expect(Snapshot(of: CustomerState([.grant(gift)]), catalog: catalog, at: Self.now).decision(for: "story").limit == 9)
  }

  @Test("The end of an entitlement that grants no feature is a change, the earliest of several first") func endOfGifts() throws {
    let catalog = try Catalog(
      json: Data(
        #"""
        { "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "features": {},
          "entitlements": { "beta": { "title": "Beta" }, "vip": { "title": "VIP" } } }
        """#.utf8))
    func gift(_ entitlement: EntitlementID, days: Double) -> Fact {
      .grant(
        ComplimentaryGrant(
          id: entitlement.rawValue, entitlements: [entitlement], from: Self.now - 60, until: Self.now + days * 86400, isRevoked: false,
          revision: Revision(Self.now)))
    }
    let state = CustomerState([gift("vip", days: 300), gift("beta", days: 10)])
    #expect(Snapshot(of: state, catalog: catalog, at: Self.now).nextChange == Self.now + 10 * 86400)
    let later = Snapshot(of: state, catalog: catalog, at: Self.now + 10 * 86400)
    #expect(later.summary(of: "vip")?.accessUntil == Self.now + 300 * 86400)
    #expect(later.isEntitled(to: "vip") && !later.isEntitled(to: "beta") && later.nextChange == Self.now + 300 * 86400)
  }

  @Test("HEAT-23, MAGIC-15: two plans have one status; access before none, and the longest one")
  func bestPlan() throws {
    let year = Self.period("year", "1", days: 300)
    #expect(try Self.status([Self.period("month", "2", days: 20), year]).product?.product == "year")
    #expect(try Self.status([Self.period("month", "2", days: -20), year]).isEntitled)
    #expect(try Self.status([Self.period("month", "2", days: 20, revoked: true), year]).state == .active)
    let ended = try Self.status([Self.period("month", "2", days: -2), Self.period("year", "1", days: -300)])
    #expect(ended.state == .expired && ended.product?.product == "month" && ended.accessUntil == nil)
    let later = try Self.status([Self.period("month", "2", days: -300), Self.period("year", "1", days: -2)])
    #expect(later.state == .expired && later.product?.product == "year")
    let revoked = try Self.status([Self.period("month", "2", days: 20, revoked: true)])
    #expect(revoked.state == .revoked && revoked.product?.revokedAt == Self.now - 60)
  }

  @Test("A failing renewal explains more than a later end, and what lasts for ever more than what ends") func explaining() throws {
    let plan =
      #"{ "kind": "subscription", "id": "month", "name": "M", "group": "g", "level": 1, "period": "P1M", "entitlements": ["all"] }"#
    let other = { (id: String) in plan.replacingOccurrences(of: "month", with: id).replacingOccurrences(of: #""g""#, with: #""h""#) }
    let always = #"{ "kind": "nonConsumable", "id": "always", "name": "A", "entitlements": ["all"] }"#
    let catalog = try Catalog(
      json: Data(
        (#"{ "schemaVersion": 1, "app": { "id": "app", "name": "App" }, "features": { "a": {} }, "entitlements": { "all": { "title": "All","#
          + #" "grants": { "a": true } } }, "products": [\#(plan), \#(other("other")), \#(always)] }"#).utf8))
    func best(_ facts: [Fact]) -> ProductID? {
      Snapshot(of: CustomerState(facts), catalog: catalog, at: Self.now).summary(of: "all")?.product?.product
    }
    let failing = Fact.renewal(
      RenewalInfo(
        originalID: "1", productID: "month", state: .inBillingRetry, expires: Self.now - 86400 * 5, retryUntil: Self.now + 86400,
        signed: Self.now))
    #expect(best([Self.period("month", "1", days: -5), failing, Self.period("other", "2", days: -1)]) == "month")
    let lifetime = Fact.transaction(StoreTransaction(id: "3", productID: "always", purchaseDate: Self.now - 60))
    #expect(best([Self.period("month", "1", days: 5), lifetime]) == "always")
    #expect(best([Self.period("other", "2", days: 5), Self.period("month", "1", days: 5)]) == "month", "the first in the catalog")
  }

  @Test("A purchase that waits for approval explains more than a plan whose state is unknown") func waiting() throws {
    let request = PendingPurchase(
      productID: "year", since: Self.now - 60, lapses: Self.now + 86400, revision: Revision(Self.now - 60))
    let status = try Self.status([Self.period("month", "2", days: -2), .pending(request)], store: .waiting)
    #expect(status.state == .pending && status.product?.product == "year")
  }

  @Test("An entitlement that the catalog does not have is held by no customer, with any purchase") func unknownEntitlement() throws {
    let state = CustomerState([Self.period("month", "1", days: 5)])
    let snapshot = Snapshot(of: state, catalog: try Self.catalog(), at: Self.now)
    #expect(snapshot.isEntitled(to: "all") && !snapshot.isEntitled(to: "al") && snapshot.summary(of: "al") == nil)
  }

  @Test("HEAT-24: before the store's answer it is unknown, also when something ended before")
  func unknown() throws {
    #expect(try Self.status([], store: .waiting).state == .unknown)
    #expect(try Self.status([Self.period("month", "2", days: -2)], store: .waiting).state == .unknown)
    #expect(try Self.status([Self.period("month", "2", days: 2)], store: .waiting).state == .active)
    #expect(try Self.status([]).state == .never)
  }

  @Test("MAGIC-15: a gift counts for its own grants, and not for others of the entitlements it is in")
  func gifts() throws {
    func gift(_ entitlement: EntitlementID) -> Fact {
      .grant(
        ComplimentaryGrant(
          id: "gift", entitlements: [entitlement], from: Self.now - 60, until: nil, isRevoked: false, revision: Revision(Self.now)))
    }
    let all = try Self.status([gift("all")])
    #expect(all.isEntitled && all.isGift && all.product == nil)
    let half = try Self.status([gift("half")])
    #expect(!half.isEntitled && half.state == .never)
    // A customer with both keeps the gift when the plan ends.
    #expect(try Self.status([gift("all"), Self.period("month", "2", days: 20)]).product?.product == "month")
    #expect(try Self.status([gift("all"), Self.period("month", "2", days: -20)]).isGift)
  }

  @Test("A gift of an entitlement that the catalog does not have entitles to nothing") func unknownGift() throws {
    let gifts = ["pro", "gone"].map { id in
      Fact.grant(ComplimentaryGrant(id: id, entitlements: [EntitlementID(id)], from: t0))
    }
    let catalog = try Catalog(
      json: Data(
        """
        { "schemaVersion": 1, "app": { "id": "t", "name": "T" }, "features": { "f": {} }, "entitlements": { "pro": { "grants": { "f": true } } },
          "products": [{ "kind": "nonConsumable", "id": "p", "name": "P", "entitlements": ["pro"] }] }
        """.utf8))
    let snapshot = Snapshot(of: CustomerState(gifts), catalog: catalog, at: t0)
    #expect(snapshot.isEntitled(to: "pro"))
    #expect(!snapshot.isEntitled(to: "gone"))
  }
}

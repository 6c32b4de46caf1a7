// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize

/// Which plans help a customer who has a plan of the same group already.
@Suite("Plans beside a plan", .timeLimit(.minutes(30)))
struct PlanOfferTests {
  private let now = RandomFacts.start
  private let day = 86400.0

  private func catalog() throws -> Catalog {
    let plans = [("gold", "g", 1, "P1M"), ("silver", "g", 2, "P1M"), ("twin", "g", 2, "P1M"), ("yearly", "g", 2, "P1Y")]
    let products = (plans + [("bronze", "g", 3, "P1M"), ("other", "h", 1, "P1M")]).map { id, group, level, period in
      #"{ "kind": "subscription", "id": "\#(id)", "name": "N", "group": "\#(group)", "level": \#(level), "period": "\#(period)","#
        + #" "familyShareable": true, "grants": { "f": true\#(id == "gold" ? #", "more": true"# : "") } }"#
    }
    let list = products.joined(separator: ", ")
    return try Catalog(
      json: Data(
        #"{ "schemaVersion": 1, "app": { "id": "t", "name": "T" }, "features": { "f": {}, "more": {} }, "products": [\#(list)] }"#.utf8))
  }

  /// What the store would sell now to a customer with the plan `silver`.
  private func sold(ownership: StoreTransaction.OwnershipType = .purchased, payment: Int? = nil) throws -> [ProductID] {
    let silver = StoreTransaction(id: "1", productID: "silver", purchaseDate: now - day, expirationDate: now + day, ownership: ownership)
    var renewal = RenewalInfo(originalID: "1", productID: "silver", state: .subscribed, signed: now - day)
    renewal.commitment = payment.map { .init(payment: $0, payments: 12, ends: now + 300 * day, willRenew: true) }
    let snapshot = Snapshot(of: CustomerState([.transaction(silver), .renewal(renewal)]), catalog: try catalog(), at: now)
    #expect(snapshot.nextChange == now + day)
    // A plan that may not begin now may begin when the own plan ends, also for a feature that only that one opens.
    let waits = payment.map { $0 < 12 } ?? false
    #expect(snapshot.decision(for: "more").validUntil == (waits ? now + day : nil))
    return snapshot.rows[0].sources.offers.map(\.product)
  }

  @Test("A plan helps when the change to it begins at once: a higher level, or the same level and length; others begin at the renewal")
  func levels() throws {
    #expect(try sold() == ["gold", "twin", "other"])
  }

  @Test("While payments of a commitment are left, no other plan of the group begins; with the last payment it is as usual")
  func commitment() throws {
    #expect(try sold(payment: 1) == ["other"])
    #expect(try sold(payment: 11) == ["other"])
    #expect(try sold(payment: 12) == ["gold", "twin", "other"])
  }

  @Test("A plan that the family shares delays no purchase") func family() throws {
    let sharing = try sold(ownership: .familyShared)
    #expect(sharing == ["gold", "twin", "yearly", "bronze", "other"])
  }

  @Test("Only an own introductory offer is used up: not a promotional one, nor the offer of a member who shares")
  func introductory() throws {
    func isUsed(_ type: SubscriptionOffer.OfferType, _ ownership: StoreTransaction.OwnershipType) throws -> Bool? {
      let transaction = StoreTransaction(
        id: "1", productID: "gold", purchaseDate: now, expirationDate: now + day, ownership: ownership,
        offer: .init(type: type, mode: .payAsYouGo))
      return Snapshot(of: CustomerState([.transaction(transaction)]), catalog: try catalog(), at: now).status(of: "gold")?
        .hasUsedIntroductoryOffer
    }
    #expect(try isUsed(.introductory, .purchased) == true)
    #expect(try isUsed(.promotional, .purchased) == false)
    #expect(try isUsed(.introductory, .familyShared) == false)
  }

  @Test("An offer runs from its first moment to its last, which is not included, unless it is disabled") func dates() throws {
    var offer = SubscriptionOffer(type: .promotional, mode: .payAsYouGo, period: Period(days: 7))
    #expect(offer.isRunning(at: now))
    (offer.from, offer.until) = (OfferDate(now), OfferDate(now + day))
    #expect([-1, 0, day - 1, day].map { offer.isRunning(at: now + $0) } == [false, true, true, false])
    offer.enabled = false
    #expect(!offer.isRunning(at: now))
  }
}

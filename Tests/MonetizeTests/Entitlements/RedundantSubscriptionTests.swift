// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Testing

/// A customer who bought for ever what a plan gives, and pays for the plan as well.
@Suite("Subscriptions that are no longer needed", .timeLimit(.minutes(30)))
struct RedundantSubscriptionTests {
  private static let catalog = """
    { "schemaVersion": 1, "app": { "id": "t", "name": "T" },
      "features": { "story": { "allowance": "count", "per": "month" }, "voices": {}, "export": {} },
      "freeTier": { "grants": { "story": 1 } },
      "entitlements": { "pro": { "title": "Pro", "grants": { "voices": true } } },
      "products": [
        { "kind": "subscription", "id": "small", "name": "Small", "group": "g", "level": 2, "period": "P1M", "grants": { "story": 30 } },
        { "kind": "subscription", "id": "pro", "name": "Pro", "group": "h", "level": 1, "period": "P1M", "entitlements": ["pro"],
          "grants": { "story": 50 } },
        { "kind": "nonConsumable", "id": "stories", "name": "Stories", "grants": { "story": 50 }, "familyShareable": true },
        { "kind": "nonConsumable", "id": "voices", "name": "Voices", "grants": { "voices": true } },
        { "kind": "nonConsumable", "id": "lifetime", "name": "Lifetime", "entitlements": ["pro"] },
        { "kind": "nonRenewing", "id": "pass", "name": "Pass", "period": "P9Y", "entitlements": ["pro"], "grants": { "story": "unlimited" } },
        { "kind": "nonConsumable", "id": "all", "name": "All stories", "grants": { "story": "unlimited" } },
        { "kind": "consumable", "id": "ten", "name": "Ten stories", "credits": { "story": 10 } },
        { "kind": "consumable", "id": "tip", "name": "Tip" } ],
      "paywalls": { "default": { "headline": "More" }, "plans": { "headline": "Plans", "products": ["pro", "small"] } } }
    """

  private func bought(_ product: ProductID, isShared: Bool = false) -> Fact {
    let isPlan = product == "small" || product == "pro"
    var transaction = StoreTransaction(
      id: TransactionID(product.rawValue), productID: product, purchaseDate: t0, expirationDate: isPlan ? t0 + 30 * 86400 : nil)
    if isShared { transaction.ownership = .familyShared }
    return .transaction(transaction)
  }

  private func renewal(_ product: ProductID, renews: Bool = true, _ state: RenewalInfo.State = .subscribed) -> Fact {
    .renewal(
      RenewalInfo(
        originalID: TransactionID(product.rawValue), productID: product, state: state, willRenew: renews, signed: t0))
  }

  private func redundant(_ facts: [Fact], after days: Double = 1) throws -> [ProductID] {
    Snapshot(
      of: CustomerState(facts), catalog: try Catalog(json: Data(Self.catalog.utf8)),
      situation: Situation(store: .answered(at: t0 + days * 86400)),
      at: t0 + days * 86400
    ).redundantSubscriptions
  }

  @Test(
    "A placement offers no pass that adds nothing to a plan that renews, but other plans and what is for ever")
  func besidePlan() throws {
    let text = """
      { "schemaVersion": 1, "app": { "id": "t", "name": "T" },
        "features": { "story": { "allowance": "count", "per": "month" }, "voices": {} },
        "entitlements": { "pro": { "title": "Pro", "grants": { "voices": true } } },
        "products": [
          { "kind": "subscription", "id": "pro", "name": "Pro", "group": "h", "level": 1, "period": "P1Y", "entitlements": ["pro"],
            "grants": { "story": 50 }, "familyShareable": true },
          { "kind": "subscription", "id": "lower", "name": "Lower", "group": "h", "level": 2, "period": "P1M", "entitlements": ["pro"] },
          { "kind": "subscription", "id": "other", "name": "Other", "group": "i", "level": 1, "period": "P1M", "entitlements": ["pro"] },
          { "kind": "nonRenewing", "id": "pass", "name": "Pass", "period": "P2D", "entitlements": ["pro"], "grants": { "story": 50 } },
          { "kind": "nonRenewing", "id": "more", "name": "More", "period": "P2D", "grants": { "story": 51 } },
          { "kind": "nonConsumable", "id": "lifetime", "name": "Lifetime", "entitlements": ["pro"] },
          { "kind": "consumable", "id": "ten", "name": "Ten stories", "credits": { "story": 10 } },
          { "kind": "consumable", "id": "tip", "name": "Tip" }] }
      """
    let catalog = try Catalog(json: Data(text.utf8))
    func leftOut(_ facts: [Fact]) -> Set<ProductID> {
      let situation = Situation(store: .answered(at: t0 + 86400))
      let snapshot = Snapshot(of: CustomerState(facts), catalog: catalog, situation: situation, at: t0 + 86400)
      return Set(catalog.products.map(\.id)).subtracting(snapshot.paywall(at: "settings")?.products ?? [])
    }
    #expect(leftOut([]) == [])
    #expect(leftOut([bought("pro"), renewal("pro")]) == ["pro", "pass"])
    // A plan that ends, or that a family shares, may be followed by a pass.
    #expect(leftOut([bought("pro"), renewal("pro", renews: false)]) == ["pro"])
    #expect(leftOut([bought("pro", isShared: true), renewal("pro")]) == ["pro"])
    #expect(leftOut([bought("pass")]) == ["pass"])
  }

  @Test("A plan is no longer needed when purchases for ever give each of its amounts and entitlements, also together") func together()
    throws
  {
    let plans = [bought("small"), renewal("small"), bought("pro"), renewal("pro")]
    #expect(try redundant(plans) == [])
    #expect(try redundant(plans + [bought("stories")]) == ["small"])
    #expect(try redundant(plans + [bought("lifetime")]) == [], "fifty stories are more than one")
    #expect(try redundant(plans + [bought("stories"), bought("voices")]) == ["small"], "an entitlement is more than its features")
    #expect(try redundant(plans + [bought("stories"), bought("lifetime")]) == ["small", "pro"])
  }

  @Test("A plan that ends anyway costs nothing more, and what ends or is shared by another person replaces no plan") func others() throws {
    let stories = bought("stories")
    #expect(try redundant([bought("small"), renewal("small", renews: false), stories]) == [])
    #expect(try redundant([bought("small"), renewal("small"), bought("stories", isShared: true)]) == [])
    #expect(try redundant([bought("small"), renewal("small"), bought("pass")]) == [])
    #expect(try redundant([bought("small", isShared: true), renewal("small"), stories]) == [])
  }

  @Test("A plan whose renewal failed is charged as soon as that works") func billingRetry() throws {
    #expect(try redundant([bought("small"), renewal("small", .inBillingRetry), bought("stories")], after: 31) == ["small"])
    #expect(try redundant([bought("small"), renewal("small", renews: false, .expired), bought("stories")], after: 31) == [])
  }

  @Test("A paywall without a request offers nothing that is owned for ever, and still what outlasts a plan or a gift of the family")
  func offered() throws {
    func offered(_ facts: [Fact], at placement: PlacementID = .default) throws -> [ProductID]? {
      Snapshot(
        of: CustomerState(facts), catalog: try Catalog(json: Data(Self.catalog.utf8)), situation: Situation(store: .answered(at: t0 + 60)),
        at: t0 + 60
      ).paywall(at: placement)?.products
    }
    let every: [ProductID] = ["small", "pro", "stories", "voices", "lifetime", "pass", "all", "ten", "tip"]
    #expect(try offered([]) == every)
    #expect(try offered([bought("stories")]) == every.filter { !["stories", "small"].contains($0) })
    #expect(try offered([bought("stories", isShared: true)]) == every.filter { $0 != "stories" })
    #expect(try offered([bought("pass"), bought("small"), renewal("small")]) == every.filter { !["pass", "small"].contains($0) })
    #expect(try offered([bought("lifetime")]) == every.filter { !["lifetime", "voices"].contains($0) })
    #expect(try offered([bought("all")]) == ["pro", "voices", "lifetime", "pass", "tip"], "no plan of stories, and no credits")
    #expect(try offered([bought("all"), bought("lifetime")]) == ["tip"], "a tip gives nothing, and may be sold again")
    #expect(try offered([bought("all"), bought("lifetime")], at: "plans") == nil)
  }

  @Test("The summary of an entitlement names the plans that give it") func summary() throws {
    let catalog = try Catalog(json: Data(Self.catalog.utf8))
    let facts = [bought("small"), renewal("small"), bought("pro"), renewal("pro"), bought("stories"), bought("lifetime")]
    let summary = Snapshot(of: CustomerState(facts), catalog: catalog, situation: Situation(store: .answered), at: t0 + 60).summary(
      of: "pro")
    #expect(summary?.product?.product == "lifetime" && summary?.redundantSubscriptions == ["pro"])
    #expect(summary?.actions.contains(.manage) == true)
  }
}

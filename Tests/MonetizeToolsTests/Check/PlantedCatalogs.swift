// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Testing

/// A valid catalog that treats a customer wrongly: one for each property.
struct PlantedCatalog: Sendable, CustomTestStringConvertible {
  let code: String
  var json: String
  var properties: String?

  var testDescription: String { code }

  private init(_ code: String, free: String, features: String, products: String, more: String = "", properties: String? = nil) {
    self.code = code
    self.properties = properties
    json = """
      { "schemaVersion": 1, "app": { "id": "p", "name": "Planted" }, "features": \(features), "freeTier": { "grants": \(free) },
        "products": [\(products)]\(more) }
      """
  }

  private static func plan(_ id: String, group: String = "g", grants: String, offer: Bool = false) -> String {
    let offers = offer ? #", "offers": [{ "type": "introductory", "mode": "freeTrial", "period": "P7D" }]"# : ""
    return #"""
      { "kind": "subscription", "id": "\#(id)", "name": "\#(id)", "group": "\#(group)", "level": 1, "period": "P1M",
        "price": { "amount": "4.99", "currency": "USD" }, "grants": \#(grants)\#(offers) }
      """#
  }

  private static func pack(_ id: String, grants: String, onSale: Bool = true) -> String {
    #"""
    { "kind": "nonConsumable", "id": "\#(id)", "name": "\#(id)", "price": { "amount": "9.99", "currency": "USD" }, "onSale": \#(onSale),
      "grants": \#(grants) }
    """#
  }

  private static func credits(_ credits: String) -> String {
    #"{ "kind": "consumable", "id": "ten", "name": "Ten", "price": { "amount": "0.99", "currency": "USD" }, "credits": \#(credits) }"#
  }

  static let all: [PlantedCatalog] = [
    // An app's own shape that joins two grants to the smaller one.
    .init(
      "paying-takes-away", free: #"{ "song": 5 }"#, features: #"{ "song": { "allowance": "narrowing" } }"#,
      products: pack("pack", grants: #"{ "song": 3 }"#)),
    // A limit for ever that a reinstallation resets.
    .init(
      "free-over-limit", free: #"{ "story": 2 }"#, features: #"{ "story": { "allowance": "count", "per": "lifetime" } }"#,
      products: pack("all", grants: #"{ "story": "unlimited" }"#)),
    .init(
      "restore-loses", free: "{}", features: #"{ "story": { "allowance": "count" } }"#, products: credits(#"{ "story": 10 }"#)),
    // The free tier opens the feature, and only the credits are lost.
    .init(
      "restore-loses", free: #"{ "story": 2 }"#, features: #"{ "story": { "allowance": "count", "per": "month" } }"#,
      products: credits(#"{ "story": 10 }"#)),
    // An app's own kind that starts at the first use, which only one device knows.
    .init(
      "devices-differ", free: "{}", features: #"{ "film": { "allowance": "count" } }"#,
      products:
        #"{ "kind": "firstUse", "id": "rental", "name": "R", "price": { "amount": "3.99", "currency": "USD" }, "grants": { "film": 9 } }"#),
    .init(
      "unreachable", free: "{}", features: #"{ "export": {}, "print": {} }"#,
      products: pack("old", grants: #"{ "print": true }"#, onSale: false) + "," + pack("new", grants: #"{ "export": true }"#)),
    .init(
      "paywall-useless", free: "{}", features: #"{ "export": {} }"#,
      products: plan("month", group: "a", grants: #"{ "export": true }"#) + ","
        + plan("month.2", group: "b", grants: #"{ "export": true }"#),
      more: #", "paywalls": { "default": { "headline": "H" }, "settings": { "headline": "S" } }"#),
    .init(
      "purchase-gives-nothing", free: #"{ "export": true, "song": 5 }"#,
      features: #"{ "export": {}, "song": { "allowance": "capacity" } }"#,
      products: pack("pack", grants: #"{ "export": true, "song": 5 }"#)),
    .init(
      "introductory-twice", free: "{}", features: #"{ "export": {} }"#,
      products: plan("month", group: "a", grants: #"{ "export": true }"#, offer: true) + ","
        + plan("month.2", group: "b", grants: #"{ "export": true }"#, offer: true)),
    // The second gives more than the first.
    .init(
      "introductory-twice", free: "{}", features: #"{ "export": {}, "print": {} }"#,
      products: plan("month", group: "a", grants: #"{ "export": true }"#, offer: true) + ","
        + plan("month.2", group: "b", grants: #"{ "export": true, "print": true }"#, offer: true)),
    .init(
      "lapse-below-free", free: #"{ "story": 3 }"#, features: #"{ "story": { "allowance": "count", "per": "year" } }"#,
      products: plan("month", grants: #"{ "story": 10 }"#)),
    .init(
      "export-needs-pro", free: "{}", features: #"{ "export": {}, "pro": {} }"#,
      products: pack("export", grants: #"{ "export": true }"#) + "," + pack("pro", grants: #"{ "pro": true, "export": true }"#),
      properties: #"""
        { "properties": [{ "id": "export-needs-pro", "rule": "Who may export has all of pro.",
          "always": { "if": { "allowed": "export" }, "then": { "allowed": "pro" } } }] }
        """#),
  ]

  static let shapes = AllowanceShapes.standard.adding(Narrowing.self)
  static let kinds = ProductKinds.standard.adding(FirstUse.self)
}

/// A rental of two days from the first use.
private struct FirstUse: ProductKind {
  static let name = "firstUse"
  static let storeType = StoreProductType.nonRenewing
  static let looksAtUses = true
  func ownership(from history: ProductHistory, at now: Date) -> Ownership {
    .latest(
      of: history.transactions.map { transaction in
        history.firstUse(since: transaction.purchaseDate).map { .until($0 + 2 * 86400) } ?? .forever
      }, at: now)
  }
}

/// A broken shape: of two grants the smaller counts.
private struct Narrowing: AllowanceShape {
  static let name = "narrowing"
  struct Grant: Allowance, Decodable {
    let songs: Int
    init(from decoder: any Decoder) throws { songs = try decoder.singleValueContainer().decode(Int.self) }
    private init(_ songs: Int) { self.songs = songs }
    func joined(with other: Self) -> Self { Grant(min(songs, other.songs)) }
    func judge(_ request: AccessRequest, in context: AllowanceContext) -> Verdict {
      var verdict = Verdict.allowed
      verdict.isAllowed = (request.held ?? 0) < songs && songs > 4
      verdict.reason = .limitReached
      return verdict
    }
  }
}

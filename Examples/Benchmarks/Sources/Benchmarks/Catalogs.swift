// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// Compares reading a catalog with all its diagnostics with a bare decoder, which reads the same bytes into structs and checks nothing.
func measureCatalogs(isQuick: Bool) throws -> [Figure] {
  let (small, large) = isQuick ? (2000, 8000) : (10_000, 40_000)
  let right = (catalogText(small, mistakes: false), catalogText(large, mistakes: false))
  let wrong = (catalogText(small, mistakes: true), catalogText(large, mistakes: true))
  guard Catalog.reading(right.0).catalog != nil else {
    throw Failure("The generated catalog is wrong: \(Catalog.reading(right.0).diagnostics.prefix(3))")
  }
  let found = Catalog.reading(wrong.0).diagnostics.count
  guard found >= small else { throw Failure("Of \(small) mistakes, \(found) were found.") }
  let decoder = JSONDecoder()
  _ = try decoder.decode(BareCatalog.self, from: right.0)

  func read(_ count: Int, _ text: Data, _ words: String) -> Runner {
    Runner(name: "\(count.formatted()) products, \(words)", operations: 1) { Catalog.reading(text).diagnostics.count }
  }
  let bare = Runner(name: "bare JSONDecoder, \(small.formatted()) products", operations: 1) {
    (try? decoder.decode(BareCatalog.self, from: right.0))?.products.count ?? 0
  }
  let bareLarge = Runner(name: "bare JSONDecoder, \(large.formatted()) products", operations: 1) {
    (try? decoder.decode(BareCatalog.self, from: right.1))?.products.count ?? 0
  }
  let rounds = isQuick ? 3 : 5
  let names = ["all checks", "a mistake in each"]
  func name(_ count: Int, _ index: Int) -> String { "\(count.formatted()) products, \(names[index])" }
  let smallFigures = Harness.race(
    rounds: rounds, [bare, read(small, right.0, names[0]), read(small, wrong.0, names[1])], goals: [name(small, 0): 1])
  let largeFigures = Harness.race(
    rounds: 3, [bareLarge, read(large, right.1, names[0]), read(large, wrong.1, names[1])], goals: [name(large, 0): 1])
  // Linear: four times the products take at most five times as long (caches, and a shared machine).
  let linear = (1...2).map { index -> Figure in
    var figure = largeFigures[index]
    figure.what += ": linear"
    (figure.baseline, figure.baselineTime) = (smallFigures[index].what, smallFigures[index].time)
    (figure.ratio, figure.goal) = (figure.time / figure.baselineTime, 5)
    return figure
  }
  return smallFigures + largeFigures + linear
}

/// A catalog like those of the examples; with mistakes, each product has one of four.
private func catalogText(_ count: Int, mistakes: Bool) -> Data {
  let features = (0..<40).map { #""feature\#($0)": { "title": "Feature \#($0)", "allowance": "count", "per": "month" }"# }
  let products = (0..<count).map { number in
    let mistake = mistakes ? number % 4 : -1
    return """
      { "kind": "\(mistake == 0 ? "subscriptoin" : "subscription")", "id": "com.example.product\(number)", "name": "Product \(number)",
        "description": "What product number \(number) is about", \(mistake == 1 ? "\"familyShareabel\": true," : "")
        "group": "group\(number)", "level": \(mistake == 2 ? "\"1\"" : "1"), "period": "P1M", "price": { "amount": "4.99", "currency": "USD" },
        "entitlements": ["\(mistake == 3 ? "premum" : "premium")"], "grants": { "feature\(number % 40)": 10, "feature\((number + 7) % 40)": "unlimited" } }
      """
  }
  return Data(
    """
    { "schemaVersion": 1, "app": { "id": "com.example.app", "name": "Example", "audience": "general" },
      "features": { \(features.joined(separator: ", ")) },
      "entitlements": { "premium": { "title": "Premium", "grants": { "feature0": "unlimited" } } },
      "products": [ \(products.joined(separator: ",\n")) ] }
    """.utf8)
}

/// The decoder of a program without checks.
private struct BareCatalog: Decodable {
  struct App: Decodable { var id, name, audience: String }
  struct Feature: Decodable { var title, allowance, per: String }
  struct Entitlement: Decodable {
    var title: String
    var grants: [String: Amount]
  }
  struct Price: Decodable { var amount, currency: String }
  struct Product: Decodable {
    var kind, id, name, description, group: String
    var level: Int
    var period: String
    var price: Price
    var entitlements: [String]
    var grants: [String: Amount]
  }
  enum Amount: Decodable {
    case unlimited
    case limited(Int)
    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let number = try? container.decode(Int.self) { self = .limited(number) } else { self = .unlimited }
    }
  }
  var schemaVersion: Int
  var app: App
  var features: [String: Feature]
  var entitlements: [String: Entitlement]
  var products: [Product]
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// Two random catalogs, the second an edit of the first.
struct RandomPair {
  struct Feature {
    let shape: Int
    var parameters: String
    var release: String?
    var role: String?
  }

  static let shapes: [(name: String, parameters: [String], amounts: [String])] = [
    ("access", [""], ["true"]),
    ("items", ["", ", \"in\": [\"a\"]"], ["1", "2", "4", "{ \"a\": 3 }", "{ \"a\": \"unlimited\" }", "\"unlimited\""]),
    (
      "count",
      [
        "", ", \"per\": \"day\"", ", \"per\": \"week\"", ", \"per\": \"month\"", ", \"per\": \"P3D\"",
        ", \"per\": { \"anchored\": \"P1M\" }",
      ],
      ["1", "2", "3", "9", "40", "\"unlimited\""]
    ),
    ("capacity", [""], ["1", "3", "5", "\"unlimited\""]),
    ("window", [""], ["\"P7D\"", "\"P30D\"", "\"unlimited\""]),
    ("duration", [", \"per\": \"day\"", ", \"per\": \"week\""], ["\"PT1M\"", "\"PT1H\"", "\"unlimited\""]),
    ("level", [", \"levels\": [\"low\", \"mid\", \"top\"]"], ["\"low\"", "\"mid\"", "\"top\"", "\"unlimited\""]),
    ("prerequisite", [", \"in\": [\"a\"]"], ["true"]),
  ]

  var features: [Feature] = []
  var free: [Int: String] = [:]
  var grants: [[Int: String]] = []
  var credits: [Int: Int] = [:]
  var items = 5
  var passDays = 90
  var isShared = true
  var releases = ["now"]
  var isMonetized = true

  static func random(_ random: inout some RandomNumberGenerator) -> RandomPair {
    var pair = RandomPair()
    for _ in 0..<Int.random(in: 2...5, using: &random) {
      let shape = Int.random(in: shapes.indices, using: &random)
      pair.features.append(Feature(shape: shape, parameters: shapes[shape].parameters.randomElement(using: &random) ?? ""))
    }
    for _ in 0..<4 { pair.grants.append(pair.someGrants(&random)) }
    pair.free = pair.someGrants(&random)
    for (index, feature) in pair.features.enumerated() where shapes[feature.shape].name == "count" {
      pair.credits[index] = Int.random(in: 1...20, using: &random)
    }
    return pair
  }

  private func someGrants(_ random: inout some RandomNumberGenerator) -> [Int: String] {
    var grants: [Int: String] = [:]
    for index in features.indices where Bool.random(using: &random) {
      grants[index] = Self.shapes[features[index].shape].amounts.randomElement(using: &random)
    }
    return grants
  }

  /// One to three edits.
  func edited(_ random: inout some RandomNumberGenerator) -> RandomPair {
    var copy = self
    for _ in 0..<Int.random(in: 1...3, using: &random) { copy.edit(&random) }
    return copy
  }

  private mutating func edit(_ random: inout some RandomNumberGenerator) {
    let index = Int.random(in: features.indices, using: &random)
    let product = Int.random(in: grants.indices, using: &random)
    switch Int.random(in: 0..<12, using: &random) {
    case 0...2: grants[product][index] = Self.shapes[features[index].shape].amounts.randomElement(using: &random)
    case 3: grants[product][index] = nil
    case 4: free = someGrants(&random)
    case 5: features[index].parameters = Self.shapes[features[index].shape].parameters.randomElement(using: &random) ?? ""
    case 6: features[index].release = ["now", "later", nil].randomElement(using: &random) ?? nil
    case 7: features[index].role = ["parent", nil].randomElement(using: &random) ?? nil
    case 10: passDays = [30, 60, 90].randomElement(using: &random) ?? 90
    case 11: isShared.toggle()
    case 8: items = Int.random(in: 3...6, using: &random)
    default: if let (feature, _) = credits.randomElement(using: &random) { credits[feature] = Int.random(in: 1...20, using: &random) }
    }
  }

  static let products = ["p0", "p1", "s0", "n0", "c0"]

  /// The catalog's text; without the free tier when only purchases count.
  func text(withFreeTier: Bool = true) -> String {
    func object(_ grants: [Int: String]) -> String {
      "{ " + grants.sorted { $0.key < $1.key }.map { "\"f\($0)\": \($1)" }.joined(separator: ", ") + " }"
    }
    // The free tier has no purchase to count from.
    let free = Dictionary(
      uniqueKeysWithValues: free.map { index, amount in
        let isAnchored = features[index].parameters.contains("anchored") && Int(amount) != nil
        return (index, isAnchored ? "{ \"limit\": \(amount), \"per\": \"month\" }" : amount)
      })
    let lines = features.enumerated().map { index, feature in
      "\"f\(index)\": { \"allowance\": \"\(Self.shapes[feature.shape].name)\"\(feature.parameters)"
        + (feature.release.map { ", \"release\": \"\($0)\"" } ?? "") + (feature.role.map { ", \"roles\": [\"\($0)\"]" } ?? "") + " }"
    }
    let heads = [
      "\"kind\": \"nonConsumable\", \"id\": \"p0\", \"name\": \"P0\"",
      "\"kind\": \"nonConsumable\", \"id\": \"p1\", \"name\": \"P1\", \"familyShareable\": \(isShared)",
      "\"kind\": \"subscription\", \"id\": \"s0\", \"name\": \"S0\", \"group\": \"g\", \"level\": 1, \"period\": \"P1M\"",
      "\"kind\": \"nonRenewing\", \"id\": \"n0\", \"name\": \"N0\", \"period\": \"P\(passDays)D\"",
    ]
    var products = zip(heads, grants).filter { !$0.1.isEmpty }.map { "{ \($0), \"grants\": \(object($1)) }" }
    let pack = credits.sorted { $0.key < $1.key }.map { "\"f\($0)\": \($1)" }.joined(separator: ", ")
    if !pack.isEmpty { products.append("{ \"kind\": \"consumable\", \"id\": \"c0\", \"name\": \"C0\", \"credits\": { \(pack) } }") }
    return """
      { "schemaVersion": 1, "app": { "id": "t", "name": "T" }, "releases": ["now"],
        "collections": { "a": { "title": "A", "items": \(items) }, "b": { "title": "B", "items": 3, "parts": ["x", "y"] } },
        "features": { \(lines.joined(separator: ",\n    ")) },
        "freeTier": { "grants": \(withFreeTier ? object(free) : "{}") },
        "products": [ \(products.joined(separator: ",\n    ")) ] }
      """
  }
}

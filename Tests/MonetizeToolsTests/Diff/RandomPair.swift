// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// Two random catalogs, the second an edit of the first.
struct RandomPair {
  struct Feature {
    let shape: Int
    var parameters: String
    /// Its old name, where an edit has given it another.
    var alias: String?
    var release: String?
    var role: String?
  }

  static let shapes: [(name: String, parameters: [String], amounts: [String])] = [
    ("access", [""], ["true"]),
    ("items", ["", ", \"in\": [\"a\"]"], ["1", "2", "4", "{ \"a\": 3 }", "{ \"a\": \"unlimited\" }", "\"unlimited\""]),
    (
      "count",
      [
        "", ", \"per\": \"day\"", ", \"per\": \"week\"", ", \"per\": \"month\"", ", \"per\": \"year\"", ", \"per\": \"P3D\"",
        ", \"per\": { \"anchored\": \"P1M\" }",
      ],
      [
        "1", "2", "3", "9", "40", "\"unlimited\"", "{ \"limit\": 2, \"per\": \"week\" }", "{ \"limit\": 7, \"per\": \"month\" }",
        "{ \"limit\": 12, \"per\": \"lifetime\" }", "{ \"limit\": 1, \"per\": \"P3D\" }",
      ]
    ),
    ("capacity", [""], ["1", "3", "5", "\"unlimited\""]),
    ("window", ["", ", \"wholeDays\": true"], ["\"P7D\"", "\"P30D\"", "\"unlimited\""]),
    ("duration", [", \"per\": \"day\"", ", \"per\": \"week\""], ["\"PT1M\"", "\"PT1H\"", "\"unlimited\""]),
    ("level", [", \"levels\": [\"low\", \"mid\", \"top\"]"], ["\"low\"", "\"mid\"", "\"top\"", "\"unlimited\""]),
    ("prerequisite", [", \"in\": [\"a\"]"], ["true"]), ("coins", [", \"in\": [\"c\"]"], ["true"]),
  ]

  var features: [Feature] = []
  var free: [Int: String] = [:]
  var grants: [[Int: String]] = []
  var credits: [Int: Int] = [:]
  var items = 5
  var passDays = 90
  var stacks = false
  /// The grants of an entitlement, and the products that give it.
  var entitlement: [Int: String] = [:]
  var entitled: Set<Int> = []
  var prices = [5, 10]
  /// The amount from which a part of a feature opens.
  var parts: [Int: String] = [:]
  var isShared = true
  var releases = ["now"]
  var isMonetized = true

  static func random(_ random: inout some RandomNumberGenerator) -> RandomPair {
    var pair = RandomPair()
    for _ in 0..<Int.random(in: 2...5, using: &random) {
      let shape = Int.random(in: shapes.indices, using: &random)
      pair.features.append(Feature(shape: shape, parameters: shapes[shape].parameters.randomElement(using: &random) ?? ""))
    }
    for _ in heads { pair.grants.append(pair.someGrants(&random)) }
    pair.free = pair.someGrants(&random)
    pair.entitlement = pair.someGrants(&random)
    for index in heads.indices where Int.random(in: 0..<3, using: &random) == 0 { pair.entitled.insert(index) }
    for index in pair.features.indices where Int.random(in: 0..<3, using: &random) == 0 { pair.parts[index] = pair.amount(index, &random) }
    pair.stacks = Bool.random(using: &random)
    for (index, feature) in pair.features.enumerated() where shapes[feature.shape].name == "count" {
      pair.credits[index] = Int.random(in: 1...20, using: &random)
    }
    return pair
  }

  private func amount(_ index: Int, _ random: inout some RandomNumberGenerator) -> String? {
    Self.shapes[features[index].shape].amounts.randomElement(using: &random)
  }

  private func someGrants(_ random: inout some RandomNumberGenerator) -> [Int: String] {
    var grants: [Int: String] = [:]
    for index in features.indices where Bool.random(using: &random) {
      grants[index] = amount(index, &random)
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
    switch Int.random(in: 0..<18, using: &random) {
    case 0...2: grants[product][index] = amount(index, &random)
    case 3: grants[product][index] = nil
    case 4: free = someGrants(&random)
    case 5: features[index].parameters = Self.shapes[features[index].shape].parameters.randomElement(using: &random) ?? ""
    case 6: features[index].release = ["now", "later", nil].randomElement(using: &random) ?? nil
    case 7: features[index].role = ["parent", nil].randomElement(using: &random) ?? nil
    case 10: passDays = [30, 60, 90].randomElement(using: &random) ?? 90
    case 11: isShared.toggle()
    case 12: stacks.toggle()
    case 17: parts[index] = amount(index, &random)
    case 13: entitlement = someGrants(&random)
    case 14: entitled = entitled.symmetricDifference([product])
    case 15: prices = [Int.random(in: 3...12, using: &random), Int.random(in: 3...12, using: &random)]
    case 16: if features[index].alias == nil { features[index].alias = "f\(index)" }
    case 8: items = Int.random(in: 3...6, using: &random)
    default: if let (feature, _) = credits.randomElement(using: &random) { credits[feature] = Int.random(in: 1...20, using: &random) }
    }
  }

  private static let heads = [
    "\"kind\": \"nonConsumable\", \"id\": \"p0\", \"name\": \"P0\"",
    "\"kind\": \"nonConsumable\", \"id\": \"p1\", \"name\": \"P1\", \"familyShareable\": SHARED",
    "\"kind\": \"subscription\", \"id\": \"s0\", \"name\": \"S0\", \"group\": \"g\", \"level\": 1, \"period\": \"P1M\"",
    "\"kind\": \"nonRenewing\", \"id\": \"n0\", \"name\": \"N0\", \"period\": \"PASS\", \"stacks\": STACKS",
    "\"kind\": \"subscription\", \"id\": \"s1\", \"name\": \"S1\", \"group\": \"g\", \"level\": 2, \"period\": \"P1Y\"",
  ]

  private func name(_ index: Int) -> String { features[index].alias == nil ? "f\(index)" : "renamed\(index)" }

  /// The catalog's text; without the free tier when only purchases count.
  func text(withFreeTier: Bool = true) -> String {
    func object(_ grants: [Int: String]) -> String {
      "{ " + grants.sorted { $0.key < $1.key }.map { "\"\(name($0))\": \($1)" }.joined(separator: ", ") + " }"
    }
    // The free tier has no purchase to count from.
    let free = Dictionary(
      uniqueKeysWithValues: free.map { index, amount in
        let isAnchored = features[index].parameters.contains("anchored") && Int(amount) != nil
        return (index, isAnchored ? "{ \"limit\": \(amount), \"per\": \"month\" }" : amount)
      })
    let lines = features.enumerated().map { index, feature in
      "\"\(name(index))\": { \"allowance\": \"\(Self.shapes[feature.shape].name)\"\(feature.parameters)"
        + (feature.release.map { ", \"release\": \"\($0)\"" } ?? "") + (feature.role.map { ", \"roles\": [\"\($0)\"]" } ?? "")
        + (feature.alias.map { ", \"aliases\": [\"\($0)\"]" } ?? "") + " }"
    }
    let parts = parts.sorted { $0.key < $1.key }.map { ",\n    \"part\($0)\": { \"of\": \"\(name($0))\", \"atLeast\": \($1) }" }
    var products = Self.heads.indices.filter { !grants[$0].isEmpty || entitled.contains($0) && !entitlement.isEmpty }.map { index in
      let head = Self.heads[index].replacingOccurrences(of: "SHARED", with: "\(isShared)")
        .replacingOccurrences(of: "PASS", with: "P\(passDays)D").replacingOccurrences(of: "STACKS", with: "\(stacks)")
      let given = entitled.contains(index) && !entitlement.isEmpty ? ", \"entitlements\": [\"e\"]" : ""
      return "{ \(head)\(given), \"grants\": \(object(grants[index])) }"
    }
    let pack = credits.sorted { $0.key < $1.key }.map { "\"\(name($0))\": \($1)" }.joined(separator: ", ")
    if !pack.isEmpty { products.append("{ \"kind\": \"consumable\", \"id\": \"c0\", \"name\": \"C0\", \"credits\": { \(pack) } }") }
    return """
      { "schemaVersion": 1, "app": { "id": "t", "name": "T" }, "releases": ["now"],
        "collections": { "a": { "title": "A", "items": \(items) }, "b": { "title": "B", "items": 3, "parts": ["x", "y"] },
          "c": { "title": "C", "items": [{ "id": "1", "coins": \(prices[0]) }, { "id": "2", "coins": \(prices[1]) }] } },
        "features": { \(lines.joined(separator: ",\n    "))\(parts.joined()) },
        "entitlements": { \(entitlement.isEmpty ? "" : "\"e\": { \"title\": \"E\", \"grants\": \(object(entitlement)) }") },
        "freeTier": { "grants": \(withFreeTier ? object(free) : "{}") },
        "products": [ \(products.joined(separator: ",\n    ")) ] }
      """
  }
}

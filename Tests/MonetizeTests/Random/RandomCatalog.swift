// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator

/// A shape as a catalog writes it: the keys of a feature, and some amounts, in ascending order if there is one.
struct ShapeSample: Sendable {
  let name: String
  let parameters: String
  let amounts: [String]

  /// Every shape that comes with Monetize.
  static let all: [ShapeSample] = [
    .init(name: "access", parameters: "", amounts: ["true"]),
    .init(name: "items", parameters: "", amounts: ["1", "2", "{ \"a\": 3 }", "{ \"b\": \"unlimited\", \"a\": 1 }"]),
    .init(name: "count", parameters: "", amounts: ["1", "3", "10"]),
    .init(name: "count", parameters: ", \"per\": \"day\"", amounts: ["1", "2", "{ \"limit\": 3, \"per\": \"week\" }"]),
    .init(name: "count", parameters: ", \"per\": \"month\"", amounts: ["2", "5"]),
    .init(name: "count", parameters: ", \"per\": \"P3D\"", amounts: ["1", "2", "4"]),
    .init(name: "capacity", parameters: "", amounts: ["1", "3", "5"]),
    .init(name: "window", parameters: "", amounts: ["\"P7D\"", "\"P30D\""]),
    .init(name: "window", parameters: ", \"wholeDays\": true", amounts: ["\"P7D\"", "\"P30D\""]),
    .init(name: "duration", parameters: ", \"per\": \"day\"", amounts: ["\"PT1M\"", "\"PT1H\""]),
    .init(name: "level", parameters: ", \"levels\": [\"basic\", \"more\", \"full\"]", amounts: ["\"basic\"", "\"more\"", "\"full\""]),
    .init(name: "prerequisite", parameters: ", \"requires\": \"previous\", \"in\": [\"a\"]", amounts: ["true"]),
    .init(name: "coins", parameters: ", \"in\": [\"b\"]", amounts: ["true"]),
  ]

  /// A limit that counts from the purchase. Separate, because it is a known exception to a law.
  static let anchored = ShapeSample(name: "count", parameters: ", \"per\": { \"anchored\": \"P1M\" }", amounts: ["1", "3"])
}

/// A random catalog, made as the text that a person would write.
struct RandomCatalog: Sendable {
  static let collections = """
    { "a": { "title": "A", "items": 5, "parts": ["easy", "hard"] },
      "b": { "title": "B", "items": [{ "id": "x", "coins": 3 }, "y", { "id": "z", "coins": 7 }] } }
    """

  let text: String
  let samples: [ShapeSample]

  static func feature(_ index: Int) -> String { "f\(index)" }

  init(_ random: inout SplitMix64, anchored: Bool = false) {
    var samples = (0..<Int.random(in: 3...6, using: &random)).compactMap { _ in ShapeSample.all.randomElement(using: &random) }
    if anchored { samples.append(.anchored) }
    func amount(_ index: Int, atLeast from: Int = 0) -> String {
      let amounts = samples[index].amounts
      if from >= amounts.count || Int.random(in: 0..<5, using: &random) == 0 { return "\"unlimited\"" }
      return amounts[Int.random(in: from..<amounts.count, using: &random)]
    }
    func grants(_ chance: Int, isFree: Bool = false) -> String {
      let chosen = samples.indices.filter { _ in Int.random(in: 0..<10, using: &random) < chance }
      let amounts = chosen.map { index -> String in
        let amount = amount(index)
        // The free tier has no purchase to count from.
        let isAnchored = isFree && samples[index].parameters.contains("anchored") && Int(amount) != nil
        return "\"\(Self.feature(index))\": " + (isAnchored ? "{ \"limit\": \(amount), \"per\": \"month\" }" : amount)
      }
      return "{ " + amounts.joined(separator: ", ") + " }"
    }
    func maybe(_ chance: Int, _ text: String) -> String { Int.random(in: 0..<10, using: &random) < chance ? text : "" }

    var features = samples.enumerated().map { index, sample in
      "\"\(Self.feature(index))\": { \"allowance\": \"\(sample.name)\"\(sample.parameters)" + maybe(2, ", \"aliases\": [\"old\(index)\"]")
        + maybe(2, ", \"release\": \"\(Bool.random(using: &random) ? "now" : "later")\"")
        + maybe(1, ", \"roles\": [\"parent\", \"customer\"]")
        + maybe(1, ", \"placement\": \"special\"") + " }"
    }
    for index in samples.indices where Int.random(in: 0..<3, using: &random) == 0 {
      features.append("\"part\(index)\": { \"of\": \"\(Self.feature(index))\", \"atLeast\": \(amount(index)) }")
    }
    // One set of grants for the lower level; the higher one has all of them without a limit, and perhaps more.
    let lower = samples.indices.filter { _ in Bool.random(using: &random) }
    let low = "{ " + lower.map { "\"\(Self.feature($0))\": \(amount($0))" }.joined(separator: ", ") + " }"
    let extra = samples.indices.filter { !lower.contains($0) && Int.random(in: 0..<3, using: &random) == 0 }
    let high =
      "{ "
      + (lower.map { "\"\(Self.feature($0))\": \"unlimited\"" } + extra.map { "\"\(Self.feature($0))\": \(amount($0))" }).joined(
        separator: ", ")
      + " }"
    func credits(_ more: Int) -> String {
      let metered = samples.indices.filter {
        ["count", "duration"].contains(samples[$0].name) && Int.random(in: 0..<3, using: &random) > 0
      }
      let amounts = metered.map { "\"\(Self.feature($0))\": " + (samples[$0].name == "duration" ? "\"PT\(more)M\"" : "\(more)") }
      return amounts.isEmpty ? "" : "\"credits\": { " + amounts.joined(separator: ", ") + " }"
    }
    let consumables = [credits(1), credits(4)].enumerated().filter { !$1.isEmpty }.map { index, credits in
      "{ \"kind\": \"consumable\", \"id\": \"c\(index)\", \"name\": \"C\(index)\", \(credits)\(maybe(2, ", \"onSale\": false")) }"
    }
    let trial = ", \"offers\": [{ \"type\": \"introductory\", \"mode\": \"freeTrial\", \"period\": \"P7D\" }]"
    let products =
      [
        "{ \"kind\": \"nonConsumable\", \"id\": \"p0\", \"name\": \"P0\", \"grants\": \(grants(4)) }",
        "{ \"kind\": \"nonConsumable\", \"id\": \"p1\", \"name\": \"P1\", \"entitlements\": [\"e0\"]\(maybe(5, ", \"familyShareable\": true")) }",
        "{ \"kind\": \"nonConsumable\", \"id\": \"p2\", \"name\": \"P2\", \"onSale\": false, \"grants\": \(grants(3)), \"entitlements\": [\"e0\", \"e1\"] }",
        "{ \"kind\": \"nonConsumable\", \"id\": \"p3\", \"name\": \"10-day Trial\", \"period\": \"P10D\", "
          + "\"price\": { \"amount\": \"0\", \"currency\": \"USD\" }, \"entitlements\": [\"e0\"] }",
        "{ \"kind\": \"subscription\", \"id\": \"s1\", \"name\": \"S1\", \"group\": \"g\", \"level\": 1, \"period\": \"P1M\", \"grants\": \(high)\(trial) }",
        "{ \"kind\": \"subscription\", \"id\": \"s2\", \"name\": \"S2\", \"group\": \"g\", \"level\": 2, \"period\": \"P1M\", \"grants\": \(low) }",
        "{ \"kind\": \"subscription\", \"id\": \"s3\", \"name\": \"S3\", \"group\": \"g\", \"level\": 2, \"period\": \"P1Y\", \"grants\": \(low) }",
        "{ \"kind\": \"subscription\", \"id\": \"s4\", \"name\": \"S4\", \"group\": \"h\", \"level\": 1, \"period\": \"P7D\", \"entitlements\": [\"e1\"] }",
        "{ \"kind\": \"nonRenewing\", \"id\": \"n0\", \"name\": \"N0\", \"period\": \"P10D\", \"grants\": \(grants(4)) }",
        "{ \"kind\": \"nonRenewing\", \"id\": \"n1\", \"name\": \"N1\", \"period\": \"P1M\", \"stacks\": true, \"entitlements\": [\"e0\"] }",
      ].filter { $0.contains("entitlements") || !$0.contains("\"grants\": {  }") } + consumables
    text = """
      { "schemaVersion": 1, "app": { "id": "test.app", "name": "Test" }, "collections": \(Self.collections),
        "features": { \(features.joined(separator: ",\n    ")) },
        "freeTier": { "grants": \(grants(4, isFree: true)) },
        "entitlements": { "e0": { "grants": \(grants(3)) }, "e1": { "grants": \(grants(5)) } },
        "products": [ \(products.filter { _ in Int.random(in: 0..<6, using: &random) > 0 }.joined(separator: ",\n    ")) ],
        "releases": ["now"]\(maybe(1, ", \"monetization\": \"off\"")) }
      """
    self.samples = samples
  }

  /// The catalog; a mistake in its text is a mistake of the generator.
  func read() throws -> Catalog { try Catalog(json: Data(text.utf8)) }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeJSON

/// The sections of a catalog that only tools read: `forecast`, `targets` and `lint`. An app can use a catalog with mistakes in them.
struct ToolSections {
  let forecasts: [(name: String, assumptions: ForecastAssumptions)]
  let targets: [(name: String, target: Target)]
  let lint: LintPolicy?

  /// Reads the sections of a catalog's root, and reports their mistakes. Leaves out a wrong value.
  init(_ root: JSONValue, _ reader: JSONReader) {
    let fields = reader.object(root, "a catalog")
    for member in root.members where !["forecast", "targets", "lint"].contains(member.key) { reader.markRead(member.value) }
    forecasts = Self.forecasts(fields?.value("forecast"), reader)
    targets = reader.values(fields?.value("targets"), "an object from figures to targets").map { ($0, $1) }
    lint = fields?.optional("lint")
  }

  private struct Count: Decodable {
    let value: Int
    init(from decoder: any Decoder) throws { value = try decoder.amount(Int(from: decoder)) }
  }

  private static func forecasts(_ value: JSONValue?, _ reader: JSONReader) -> [(name: String, assumptions: ForecastAssumptions)] {
    reader.objects(value, "an object from names to assumptions", "the assumptions of a forecast").map { name, fields in
      var made = ForecastAssumptions()
      if let cost = fields.value("costPerUse"), cost.kind != .object, !cost.isNull {
        made.costOfOtherUses = fields.optional("costPerUse")
      } else {
        made.costPerUse = entries(fields.value("costPerUse"), "the cost of a use, by feature", reader)
      }
      made.uses = entries(fields.value("uses"), "uses by feature", reader)
      made.conversion = fields.optional("conversion")
      made.commission = fields.optional("commission")
      made.refunds = fields.optional("refunds", as: ForecastAssumptions.Share.One.self)?.value
      made.downloads = downloads(fields.value("downloads"), reader)
      made.mix = (entries(fields.value("mix"), "shares by product", reader) as [ProductID: DecimalText]).mapValues(\.value)
      made.retention = entries(fields.value("retention"), "the retention of subscribers, by product", reader)
      made.price = (entries(fields.value("price"), "prices by product", reader) as [ProductID: DecimalText]).mapValues(\.value)
      made.limit = (entries(fields.value("limit"), "free limits by feature", reader) as [FeatureID: Count]).mapValues(\.value)
      return (name, made)
    }
  }

  private static func entries<ID: StringIdentifier, Value: Decodable>(
    _ value: JSONValue?, _ what: String, _ reader: JSONReader
  ) -> [ID: Value] {
    let found = reader.values(value.flatMap { $0.isNull ? nil : $0 }, what) as [(String, Value)]
    return Dictionary(found.map { (ID(rawValue: $0), $1) }) { first, _ in first }
  }

  /// A number for one month, or a list of numbers.
  private static func downloads(_ value: JSONValue?, _ reader: JSONReader) -> [Int]? {
    guard let value, !value.isNull else { return nil }
    let months = value.kind == .array ? reader.decode([Int].self, from: value) : reader.decode(Int.self, from: value).map { [$0] }
    if let months, !months.allSatisfy({ (0...100_000_000).contains($0) }) || !(1...120).contains(months.count) {
      reader.report("bad-value", at: value, "Write 0 to 100000000 downloads a month, for 1 to 120 months.")
    }
    return months
  }
}

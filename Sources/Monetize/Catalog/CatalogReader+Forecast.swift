// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeJSON

extension CatalogReader {
  private struct Count: Decodable {
    let value: Int
    init(from decoder: any Decoder) throws { value = try decoder.amount(Int(from: decoder)) }
  }

  func readForecasts(_ value: JSONValue?) -> [(name: String, assumptions: ForecastAssumptions)] {
    readObject(value, "an object from names to assumptions").compactMap { member in
      guard let fields = reader.object(member.value, "the assumptions of a forecast") else { return nil }
      var made = ForecastAssumptions()
      if let cost = fields.value("costPerUse"), cost.kind != .object, !cost.isNull {
        made.costOfOtherUses = fields.optional("costPerUse")
      } else {
        made.costPerUse = entries(fields.value("costPerUse"), "the cost of a use, by feature")
      }
      made.uses = entries(fields.value("uses"), "uses by feature")
      made.conversion = fields.optional("conversion")
      made.commission = fields.optional("commission")
      made.refunds = fields.optional("refunds", as: ForecastAssumptions.Share.One.self)?.value
      made.downloads = readDownloads(fields.value("downloads"))
      made.mix = (entries(fields.value("mix"), "shares by product") as [ProductID: DecimalText]).mapValues(\.value)
      made.retention = entries(fields.value("retention"), "the retention of subscribers, by product")
      made.price = (entries(fields.value("price"), "prices by product") as [ProductID: DecimalText]).mapValues(\.value)
      made.limit = (entries(fields.value("limit"), "free limits by feature") as [FeatureID: Count]).mapValues(\.value)
      return (member.key, made)
    }
  }

  func readTargets(_ value: JSONValue?) -> [(name: String, target: Target)] {
    readObject(value, "an object from figures to targets").compactMap { member in
      reader.decode(Target.self, from: member.value).map { (member.key, $0) }
    }
  }

  private func entries<ID: StringIdentifier, Value: Decodable>(_ value: JSONValue?, _ what: String) -> [ID: Value] {
    let found = readObject(value.flatMap { $0.isNull ? nil : $0 }, what).compactMap { member in
      reader.decode(Value.self, from: member.value).map { (ID(rawValue: member.key), $0) }
    }
    return Dictionary(found) { first, _ in first }
  }

  /// A number for one month, or a list of numbers.
  private func readDownloads(_ value: JSONValue?) -> [Int]? {
    guard let value, !value.isNull else { return nil }
    let months = value.kind == .array ? reader.decode([Int].self, from: value) : reader.decode(Int.self, from: value).map { [$0] }
    if let months, !months.allSatisfy({ (0...100_000_000).contains($0) }) || !(1...120).contains(months.count) {
      reader.report("bad-value", at: value, "Write 0 to 100000000 downloads a month, for 1 to 120 months.")
    }
    return months
  }
}

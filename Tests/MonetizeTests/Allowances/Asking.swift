// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Testing

/// The shipped catalogs, and shortcuts for these tests.
enum Shipped {
  static let names = ["maze-packs", "heatlab", "magical-stories", "dozzi", "maxs-puzzles"]
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  static func data(_ name: String) throws -> Data { try Data(contentsOf: root.appendingPathComponent("Products/\(name).json")) }
  static func catalog(_ name: String) throws -> Catalog { try Catalog(json: data(name)) }
  /// The same with other releases out.
  static func catalog(_ name: String, releases: [String]) throws -> Catalog {
    let list = releases.map { "\"\($0)\"" }.joined(separator: ", ")
    let text = String(decoding: try data(name), as: UTF8.self)
      .replacingOccurrences(of: "\"releases\": [\"v1\"]", with: "\"releases\": [\(list)]")
    return try Catalog(json: Data(text.utf8))
  }
}

extension Catalog {
  /// A catalog with one feature `f`, and the grants of the free tier and of the product `p`.
  static func small(_ feature: String, free: String? = nil, paid: String? = nil, extra: String = "") throws -> Catalog {
    try Catalog(json: smallJSON(feature, free: free, paid: paid, extra: extra))
  }

  static func smallJSON(_ feature: String, free: String? = nil, paid: String? = nil, extra: String = "") -> Data {
    Data(
      """
      { "schemaVersion": 1, "app": { "id": "com.example", "name": "Example" }, \(extra)
        "features": { "f": \(feature) },
        "freeTier": { "grants": { \(free.map { "\"f\": \($0)" } ?? "") } },
        "products": [\(paid.map { #"{ "kind": "nonConsumable", "id": "p", "name": "P", "grants": { "f": \#($0) } }"# } ?? "")] }
      """.utf8)
  }

  /// The message about a wrong grant or feature.
  static func mistakes(_ feature: String, free: String, extra: String = "") -> [String] {
    reading(smallJSON(feature, free: free, extra: extra)).diagnostics.filter { $0.severity == .error }
      .map { "\($0.code) \($0.path): \($0.message)" }
  }
}

let t0 = Date(timeIntervalSince1970: 1_772_366_400)  // 2026-03-01T12:00:00Z

func at(_ text: String) throws -> Date { try #require(ISODate.parse(text, in: TimeZone(secondsFromGMT: 0) ?? .current)) }

func bought(_ product: ProductID, at date: Date = t0, until: Date? = nil) -> Fact {
  .transaction(StoreTransaction(id: TransactionID("t-\(product)"), productID: product, purchaseDate: date, expirationDate: until))
}

func used(_ feature: FeatureID, _ amount: Int, at date: Date, key: String = "u", by subject: SubjectID = .customer, zone: String = "GMT")
  -> Fact
{
  let day = Int(date.timeIntervalSince1970) / 86400
  return .use(Use(key: key, feature: feature, subject: subject, amount: amount, date: date, day: day, zone: zone))
}

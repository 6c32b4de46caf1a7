// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Testing

/// A catalog as the reference reads it: the JSON by Foundation, the values in plain dictionaries. Shares no code with `Catalog`.
struct ReferenceCatalog {
  struct Feature {
    let id: String
    let shape: String
    let json: [String: Any]
    /// The whole and the amount of a part.
    let part: (whole: String, atLeast: Any)?
    var per: ReferencePeriod { .init(json["per"] ?? "lifetime") }
    var levels: [String] { json["levels"] as? [String] ?? [] }
  }

  struct Product {
    let id: String
    let kind: String
    let json: [String: Any]
    let entitlements: [String]
    let grants: [String: Any]
    let credits: [String: Any]
    let isOnSale: Bool
    var isSoldAgain: Bool { kind == "consumable" || kind == "nonRenewing" }
    var period: ReferencePeriod { .init(json["period"] ?? "lifetime") }
    var level: Int { json["level"] as? Int ?? 1 }
    var group: String? { json["group"] as? String }
  }

  struct Item {
    let id: String
    let coins: Int?
  }

  let app: String
  let features: [String: Feature]
  let products: [Product]
  let freeGrants: [String: Any]
  let entitlements: [String: [String: Any]]
  let releases: [String]
  let isMonetized: Bool
  let collections: [String: (items: [Item], parts: [String])]
  private let aliases: [String: String]

  init(_ text: String) throws {
    let json = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    app = (json["app"] as? [String: Any])?["id"] as? String ?? ""
    let written = json["features"] as? [String: [String: Any]] ?? [:]
    var (features, aliases): ([String: Feature], [String: String]) = ([:], [:])
    for (id, feature) in written {
      let whole = feature["of"] as? String
      features[id] = Feature(
        id: id, shape: (whole.flatMap { written[$0] } ?? feature)["allowance"] as? String ?? "access", json: feature,
        part: whole.map { ($0, feature["atLeast"] ?? true) })
      for alias in feature["aliases"] as? [String] ?? [] { aliases[alias] = id }
    }
    (self.features, self.aliases) = (features, aliases)
    products = (json["products"] as? [[String: Any]] ?? []).map {
      Product(
        id: $0["id"] as? String ?? "", kind: $0["kind"] as? String ?? "", json: $0, entitlements: $0["entitlements"] as? [String] ?? [],
        grants: $0["grants"] as? [String: Any] ?? [:], credits: $0["credits"] as? [String: Any] ?? [:],
        isOnSale: $0["onSale"] as? Bool ?? true)
    }
    freeGrants = (json["freeTier"] as? [String: Any])?["grants"] as? [String: Any] ?? [:]
    entitlements = (json["entitlements"] as? [String: [String: Any]] ?? [:]).mapValues { $0["grants"] as? [String: Any] ?? [:] }
    releases = json["releases"] as? [String] ?? []
    isMonetized = json["monetization"] as? String != "off"
    collections = (json["collections"] as? [String: [String: Any]] ?? [:]).mapValues { collection in
      let items: [Item]
      if let count = collection["items"] as? Int {
        items = (1...count).map { Item(id: "\($0)", coins: nil) }
      } else {
        items = (collection["items"] as? [Any] ?? []).map { item in
          if let id = item as? String { return Item(id: id, coins: nil) }
          let item = item as? [String: Any] ?? [:]
          return Item(id: item["id"] as? String ?? "", coins: item["coins"] as? Int)
        }
      }
      return (items, collection["parts"] as? [String] ?? json["parts"] as? [String] ?? [])
    }
  }

  func feature(_ id: String) -> Feature? { features[id] ?? aliases[id].flatMap { features[$0] } }

  /// The amounts that a product gives of a feature: in place, and by each of its entitlements.
  func amounts(of feature: String, by product: Product) -> [Any] {
    [product.grants[feature]].compactMap { $0 } + amounts(of: feature, by: product.entitlements)
  }

  func amounts(of feature: String, by entitlements: [String]) -> [Any] { entitlements.compactMap { self.entitlements[$0]?[feature] } }
}

/// A period as the JSON writes it.
enum ReferencePeriod: Equatable {
  case lifetime
  case unit(String)
  case length(String)
  case anchored(String)

  init(_ json: Any) {
    if let anchored = (json as? [String: Any])?["anchored"] as? String {
      self = .anchored(anchored)
    } else {
      switch json as? String ?? "" {
      case "lifetime": self = .lifetime
      case let unit where ["day", "week", "month", "year"].contains(unit): self = .unit(unit)
      case let length: self = .length(length)
      }
    }
  }
}

/// Dates by Foundation's calendars.
enum ReferenceTime {
  static func calendar(_ zone: TimeZone = TimeZone(identifier: "UTC") ?? .current) -> Calendar {
    var calendar = Calendar(identifier: .gregorian)
    (calendar.timeZone, calendar.firstWeekday) = (zone, 2)
    return calendar
  }

  /// The number and the unit of a length with one unit: `P7D`, `PT30M`.
  private static func parts(_ text: String) -> (Int, Calendar.Component) {
    let number = Int(text.filter(\.isNumber)) ?? 0
    switch (text.contains("T"), text.last) {
    case (true, "H"): return (number, .hour)
    case (true, "M"): return (number, .minute)
    case (true, _): return (number, .second)
    case (_, "D"): return (number, .day)
    case (_, "W"): return (7 * number, .day)
    case (_, "M"): return (number, .month)
    default: return (number, .year)
    }
  }

  static func adding(_ length: String, times: Int = 1, to date: Date) -> Date {
    let (number, unit) = parts(length)
    return calendar().date(byAdding: unit, value: number * times, to: date) ?? date
  }

  /// The seconds of a length of days or less.
  static func seconds(_ length: String) -> TimeInterval {
    let epoch = Date(timeIntervalSince1970: 0)
    return adding(length, to: epoch).timeIntervalSince(epoch)
  }

  /// The day of a date in a zone, in days since 1970-01-01.
  static func day(of date: Date, in zone: TimeZone) -> Int {
    let parts = calendar(zone).dateComponents([.year, .month, .day], from: date)
    return Int(((calendar().date(from: parts) ?? date).timeIntervalSince1970 / 86400).rounded())
  }

  /// The days of the calendar unit that contains a day.
  static func days(of unit: String, containing day: Int) -> Range<Int> {
    let component: Calendar.Component = ["day": .day, "week": .weekOfYear, "month": .month, "year": .year][unit] ?? .day
    let date = Date(timeIntervalSince1970: TimeInterval(day) * 86400)
    guard let interval = calendar().dateInterval(of: component, for: date) else { return day..<day + 1 }
    return Int(interval.start.timeIntervalSince1970 / 86400)..<Int(interval.end.timeIntervalSince1970 / 86400)
  }

  /// When a day begins in a zone.
  static func start(of day: Int, in zone: TimeZone) -> Date {
    let parts = calendar().dateComponents([.year, .month, .day], from: Date(timeIntervalSince1970: TimeInterval(day) * 86400))
    return calendar(zone).date(from: parts).map { calendar(zone).startOfDay(for: $0) } ?? .distantPast
  }
}

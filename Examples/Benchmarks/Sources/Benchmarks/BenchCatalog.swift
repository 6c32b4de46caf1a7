// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// The catalogs and facts of the benchmarks.
enum Bench {
  static let start = Date().addingTimeInterval(-5 * 86400)
  static let monthly: ProductID = "com.magicalstories.premium.monthly"

  private static var products: URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../../Products").standardized
  }

  static let apps = ["maze-packs", "heatlab", "magical-stories", "dozzi", "maxs-puzzles"]

  static func catalog(_ app: String) throws -> Catalog {
    try Catalog(json: Data(contentsOf: products.appendingPathComponent("\(app).json")))
  }

  static func json(_ app: String) throws -> Data { try Data(contentsOf: products.appendingPathComponent("\(app).json")) }

  static func magicalStories() throws -> Catalog { try catalog("magical-stories") }

  /// Magical Stories, and generated features of other shapes, up to 44 ids.
  static func catalog44() throws -> Catalog {
    let json = try JSONSerialization.jsonObject(with: Data(contentsOf: products.appendingPathComponent("magical-stories.json")))
    guard var root = json as? [String: Any], var features = root["features"] as? [String: Any],
      var entitlements = root["entitlements"] as? [String: Any], var premium = entitlements["premium"] as? [String: Any],
      var grants = premium["grants"] as? [String: Any]
    else { throw Failure("magical-stories.json is not what it was.") }
    root["collections"] = ["denny": ["title": "Denny", "items": 20], "ada": ["title": "Ada", "items": 20]]
    var number = 0
    while features.count < 44 {
      number += 1
      let id = "generated\(number).feature"
      let (shape, grant): ([String: Any], Any) =
        switch number % 4 {
        case 0: (["allowance": "items"], 10)
        case 1: (["allowance": "count", "per": "month"], 1_000_000_000)
        case 2: (["allowance": "level", "levels": ["low", "middle", "high"]], "middle")
        default: ([:], true)
        }
      features[id] = shape
      grants[id] = grant
    }
    premium["grants"] = grants
    entitlements["premium"] = premium
    (root["features"], root["entitlements"]) = (features, entitlements)
    let catalog = try Catalog(json: JSONSerialization.data(withJSONObject: root))
    guard catalog.features.count == 44 else { throw Failure("The catalog has \(catalog.features.count) features.") }
    return catalog
  }

  static func subscription(number: Int = 1, from date: Date = start) -> Fact {
    .transaction(
      StoreTransaction(
        id: TransactionID("t\(number)"), originalID: "t1", productID: monthly, purchaseDate: date,
        expirationDate: date.addingTimeInterval(30 * 86400)))
  }

  /// A storage with facts, some thousand a record.
  static func storage(_ facts: [Fact]) throws -> MemoryStorage {
    let encoder = JSONEncoder()
    return MemoryStorage(
      try stride(from: 0, to: facts.count, by: 5000).map { try encoder.encode(Array(facts[$0..<min($0 + 5000, facts.count)])) })
  }

  /// A monetizer without a store, to measure only Monetize.
  static func monetizer(_ catalog: Catalog, _ storage: any StateStorage) -> Monetizer {
    Monetizer(catalog: catalog) {
      $0.storage = storage
      $0.startsByItself = false
      $0.zone = { Calendar.storeCalendar.timeZone }
    }
  }

  /// A transaction, a completion or coins.
  private static func other(_ number: Int, _ date: Date) -> Fact {
    switch number % 3 {
    case 0: .completion(Completion(item: ItemPath(collection: "denny", item: "\(number)"), date: date))
    case 1: .wallet(WalletEntry(id: "puzzle\(number)", earned: 3))
    default: subscription(number: number, from: date)
    }
  }

  /// Facts of ten years up to now that are no uses. Each one once.
  static func others(_ count: Int) -> [Fact] {
    let begin = Date().addingTimeInterval(-3650 * 86400)
    return (0..<count).map { other($0, begin.addingTimeInterval(3649 * 86400 * Double($0) / Double(count))) }
  }

  /// Facts of the last ten years: most are uses of ten features, the others transactions, completions and coins. All facts are distinct.
  static func facts(_ count: Int) -> [Fact] {
    let begin = Date().addingTimeInterval(-3650 * 86400)
    return (0..<count).map { number in
      let date = begin.addingTimeInterval(3649 * 86400 * Double(number) / Double(count))
      switch number % 20 {
      case 17...: return other(number, date)
      default:
        return .use(
          Use(
            key: "use-\(number)", feature: FeatureID("generated\(1 + 4 * (number % 10)).feature"), date: date,
            day: Int(date.timeIntervalSince1970 / 86400), zone: "GMT", run: "earlier"))
      }
    }
  }
}

/// The hand-written rules of the original app, as a fair comparison: nothing that is read from a file is as fast.
enum StoriesFeature: CaseIterable {
  case basicStoryGeneration, storyLibrary, basicReading, singleChildProfile, basicSettings
  case unlimitedStoryGeneration, growthPathCollections, multipleChildProfiles, advancedIllustrations, priorityGeneration, offlineReading
  case parentalAnalytics, customThemes

  @inline(never)
  func isAllowed(isPremium: Bool) -> Bool {
    switch self {
    case .basicStoryGeneration, .storyLibrary, .basicReading, .singleChildProfile, .basicSettings: true
    case .unlimitedStoryGeneration, .growthPathCollections, .multipleChildProfiles, .advancedIllustrations, .priorityGeneration,
      .offlineReading, .parentalAnalytics, .customThemes:
      isPremium
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeReports

/// The first inputs: the repository's catalogs and scenarios, and states with every sort of fact.
enum Seeds {
  private static let root = (0..<5).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }

  /// The catalogs of the repository by the names of their files.
  static let catalogs: [String: Data] = {
    let files = jsonFiles("Products") + [root.appendingPathComponent("Examples/Scenarios/app-store/catalog.json")]
    return Dictionary(files.compactMap { url in (try? Data(contentsOf: url)).map { (url.lastPathComponent, $0) } }) { first, _ in first }
  }()

  // Without the repository's catalogs there is nothing to fuzz.
  static let catalog: Catalog = {
    guard let json = catalogs["maxs-puzzles.json"], let catalog = try? Catalog(json: json) else { fatalError("No catalog is there.") }
    return catalog
  }()

  /// The catalogs with products.
  static let selling = catalogs.sorted { $0.key < $1.key }.compactMap { try? Catalog(json: $0.value) }.filter { !$0.products.isEmpty }

  static func write(_ target: Target, to folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (number, input) in try inputs(target).enumerated() { try input.write(to: folder.appendingPathComponent("seed-\(number)")) }
  }

  private static func inputs(_ target: Target) throws -> [Data] {
    switch target {
    case .catalog:
      let overlay = Data(#"{ "id": "sale", "percent": 50, "patch": { "freeTier": { "grants": { "story": 5 } } } }"#.utf8)
      return catalogs.sorted { $0.key < $1.key }.flatMap { name, json in
        let strings = jsonFiles("Products/strings/\(name.dropLast(5))").compactMap { try? Data(contentsOf: $0) }
        return [json] + (strings + [overlay]).map { joined(json, $0) }
      }
    case .tools:
      let fixtures = jsonFiles("Tests/MonetizeToolsTests/Fixtures/lint").compactMap { try? Data(contentsOf: $0) }
      return catalogs.values + fixtures + [experiments]
        + catalogs.flatMap { name, json in
          let strings = jsonFiles("Products/strings/\(name.dropLast(5))").compactMap { try? Data(contentsOf: $0) }
          return ([events(of: json)].compactMap { $0 } + strings + [catalogs["dozzi.json"] ?? json]).map { joined(json, $0) }
        }
    case .storekit:
      return files("Tests/MonetizeToolsTests/Fixtures/storekit", ".storekit").compactMap { try? Data(contentsOf: $0) }
    case .scenario:
      let folders = try FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent("Examples/Scenarios").path)
      return folders.flatMap { jsonFiles("Examples/Scenarios/\($0)") }.compactMap { try? Data(contentsOf: $0) }
    case .state:
      return [file(records), Data(records.joined(separator: [10]))] + records
    case .merge:
      let halves = (records.prefix(records.count / 2), records.suffix(records.count / 2))
      return [
        joined(Data(halves.0.joined(separator: [10])), Data(halves.1.joined(separator: [10]))),
        joined(Data(#"{ "coins": 3, "stars": 2, "best": 12, "done": 1, "first": 5 }"#.utf8), Data(#"{ "coins": 7, "best": 0 }"#.utf8)),
      ]
    }
  }

  private static let experiments = Data(
    #"""
    { "schemaVersion": 1, "app": { "id": "com.example.stories", "name": "Stories" },
      "features": { "story": { "allowance": "count", "per": "month" } }, "freeTier": { "grants": { "story": 3 } },
      "products": [
        { "kind": "nonConsumable", "id": "all", "name": "All", "price": { "amount": "2.99", "currency": "USD" }, "grants": { "story": 9 } },
        { "kind": "nonConsumable", "id": "all.high", "variantOf": "all", "name": "All", "price": { "amount": "4.99", "currency": "USD" },
          "grants": { "story": 9 } }],
      "paywalls": { "default": { "headline": "More", "actions": ["purchase", "restore"] } },
      "experiments": {
        "price": { "coverage": 0.9, "namespace": ["n", 0, 0.5], "arms": [{ "id": "low", "weight": 0.5 },
          { "id": "high", "weight": 0.5, "products": ["all.high"] }] },
        "limit": { "unit": "account", "arms": [{ "id": "three", "weight": 0.5 },
          { "id": "five", "weight": 0.5, "set": { "freeTier": { "grants": { "story": 5 } } },
            "texts": { "de": { "paywalls": { "default": { "headline": "Mehr" } } } } }] } },
      "forecast": { "x": { "conversion": "0.5", "mix": { "all": "1" }, "uses": { "story": { "free": "4" } } } } }
    """#.utf8)

  private static func joined(_ a: Data, _ b: Data) -> Data { a + Data("\n---\n".utf8) + b }

  /// The event log of some customers of a catalog that sells something.
  private static func events(of json: Data) -> Data? {
    guard let catalog = try? Catalog(json: json) else { return nil }
    var few = Population.Options()
    (few.customers, few.months) = (4, 2)
    return (try? Population(catalog, few)).map { Data($0.events.map { $0.line() + "\n" }.joined().utf8) }
  }

  private static func jsonFiles(_ folder: String) -> [URL] { files(folder, ".json") }

  private static func files(_ folder: String, _ end: String) -> [URL] {
    let url = root.appendingPathComponent(folder)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
    return names.filter { $0.hasSuffix(end) }.sorted().map(url.appendingPathComponent)
  }

  /// A state file with these records.
  private static func file(_ records: [Data]) -> Data {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("fuzz-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: url) }
    do {
      try FileStorage(url).replace(with: records)
      return try Data(contentsOf: url)
    } catch { fatalError("No seed could be written: \(error)") }
  }

  /// One record for each sort of fact.
  private static let records: [Data] = {
    let time = CatalogInput.start
    let revision = Revision(time, sequence: 1)
    let feature = catalog.features.first { type(of: $0.shape).isMetered }?.id ?? "story"
    let product = catalog.products.first?.id ?? "product"
    func use(_ key: String, _ subject: SubjectID) -> Fact {
      .use(Use(key: key, feature: feature, subject: subject, source: "phone", date: time, day: 20_513, zone: "Europe/Berlin", run: "r"))
    }
    let facts: [Fact] = [
      .transaction(
        StoreTransaction(
          id: "t1", productID: product, purchaseDate: time, expirationDate: time + 86400,
          offer: .init(type: .introductory, mode: .freeTrial), price: Money(amount: 10, currency: "USD"), signed: time)),
      .renewal(RenewalInfo(originalID: "t1", productID: product, state: .subscribed, expires: time + 86400, signed: time)),
      .pending(PendingPurchase(productID: product, since: time, lapses: time + 86400, revision: revision)),
      use("u1", .customer), use("u2", "max"),
      .total(ReportedTotal(feature: feature, source: "server", amount: 3, unit: .month, day: 20_513)),
      .grant(ComplimentaryGrant(id: "g", entitlements: ["pro"], from: time, until: time + 86400, revision: revision)),
      .cap(Cap(feature: feature, subject: "max", amount: "2", revision: revision)),
      .completion(Completion(item: "a/1", date: time)),
      .wallet(WalletEntry(id: "w", earned: 5, spent: 2)),
      .progress(
        ProgressEntry(
          subject: "max", module: "m", item: "a/1", field: "stars", source: "phone", rule: MergeRule(.min, above: 0), value: 3)),
      .child(FamilyChild(id: "max", name: "Max", revision: revision)),
      .assignment(ArmAssignment(experiment: "x", arm: "a", date: time)),
      .time(TimeSeen(correction: 1, latest: time, corrected: time)),
    ]
    let packed = """
      [{ "uses": { "like": { "key": "", "feature": "\(feature)", "subject": "customer", "source": "phone", "amount": 1, "date": 0, "day": 0, \
      "zone": "UTC", "status": "committed" }, "keys": ["a", "b"], "dates": [794059200, 794059300], "days": [20513, 20513] } }]
      """
    return facts.compactMap { try? JSONEncoder().encode([$0]) } + [Data(packed.utf8)]
  }()
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import Testing

@testable import MonetizeTools

/// The six properties of storekit-format.md, section 6.
@Suite("StoreKit files: nothing is lost")
struct StoreKitRoundTripTests {
  static let all = Samples.versions.map { "beacon-\($0)" } + ["by-hand", "minified"]

  @Test("A file of any version is written as it was read, byte by byte, by Xcode's own rules", arguments: Samples.versions)
  func sameBytes(version: String) throws {
    let data = try Samples.storeKit("beacon-\(version)")
    let file = try StoreKitFile(data)
    #expect(file.style.text(file.tree) == String(decoding: data, as: UTF8.self))
    #expect(file.version?.description == version)
    // The file of version 1.0 has no final line end, like Xcode 12's.
    #expect(file.isInXcodeStyle == (version != "1.0"))
  }

  @Test("A random file in Foundation's format, with Xcode's order of keys, is written back unchanged", arguments: 0..<200 as Range<UInt64>)
  func randomSameBytes(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let object = [
      "a": Self.value(&random, depth: 0), "_storefront": Self.value(&random, depth: 1), "_storeKitErrors": Self.value(&random, depth: 2),
    ]
    let options: JSONSerialization.WritingOptions = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let text = String(decoding: try JSONSerialization.data(withJSONObject: object, options: options), as: UTF8.self) + "\n"
    let file = try StoreKitFile(Data(text.utf8))
    #expect(file.style.text(file.tree) == text)
    #expect(StoreKitStyle.xcode.text(file.tree) == text)
  }

  @Test(
    "The layout of another program is kept: one line, other indentation, escaped slashes, other line ends",
    arguments: [
      "{\"a\":[],\"b\":{},\"c\":1.50}", "{ \"a\": [ 1, 2 ], \"b\": [ ] }", "{\n\t\"a\": [],\n\t\"b\": {}\n}",
      "{\r\n  \"a\" : \"x\\/y\",\r\n  \"b\" : [\r\n\r\n  ]\r\n}\r\n", "{\n    \"caf\\u00e9\" : \"\\u00e9\\n\",\n    \"b\" : 1e3\n}\n\n",
    ])
  func otherLayouts(text: String) throws {
    let file = try StoreKitFile(Data(text.utf8))
    #expect(file.text == text)
    // A key with an escape is written without it; the rest of the text is the same.
    #expect(file.style.text(file.tree) == text.replacingOccurrences(of: "caf\\u00e9", with: "café"))
  }

  @Test("Importing a file and exporting onto it changes nothing", arguments: all)
  func importThenExport(name: String) throws {
    let data = try Samples.storeKit(name)
    var file = try StoreKitFile(data)
    let imported = file.imported(appName: "Beacon")
    let catalog = try Catalog(json: Data(imported.json.utf8))
    let differences = file.update(from: catalog)
    #expect(Set(differences.map(\.code)).isSubset(of: ["not-in-catalog"]))
    #expect(!file.isChanged)
    #expect(Data(file.text.utf8) == data)
  }

  @Test("A free product named like a trial comes back as one; with another name, it is owned for ever") func trial() throws {
    func imported(_ name: String) throws -> (text: String, notes: [String]) {
      let catalog = try Catalog(
        json: Data(
          """
          { "schemaVersion": 1, "app": { "id": "t", "name": "T" }, "features": { "f": {} }, "products": [
            { "kind": "nonConsumable", "id": "t.trial", "name": "\(name)", "period": "P14D", "price": { "amount": "0", "currency": "USD" },
              "grants": { "f": true } }] }
          """.utf8))
      var file = StoreKitFile(appID: catalog.app.id)
      file.update(from: catalog)
      let again = try StoreKitFile(Data(file.text.utf8)).imported(appID: "t", appName: "T")
      _ = try Catalog(json: Data(again.json.utf8))
      return (again.json, again.notes)
    }
    let trial = try imported("14-day Trial")
    #expect(trial.text.contains(#""period": "P14D""#) && trial.notes.contains { $0.contains("a free trial of 14 days") })
    for name in ["Taste", "0-day Trial", "14-day Trial Plus", "99999999999999999999-day Trial"] {
      #expect(try !imported(name).text.contains("period"), "\(name)")
    }
  }

  @Test("HEAT-13 The values of a shipped catalog come back from its export", arguments: Samples.catalogs)
  func exportThenImport(name: String) throws {
    let catalog = try Samples.catalog(name)
    var file = StoreKitFile(appID: catalog.app.id)
    file.update(from: catalog)
    #expect(file.isInXcodeStyle)
    #expect(StoreKitFile.check(Data(file.text.utf8)).filter { $0.severity == .error } == [])
    let again = try StoreKitFile(Data(file.text.utf8))
    #expect(again.differences(from: catalog) == [])
    for product in catalog.products {
      let read = try #require(again.products.first { $0.id == product.id })
      #expect(read.name == product.name && read.description == product.description && read.price == product.price?.amount)
      #expect(read.type == product.storeType && read.isFamilyShareable == product.isFamilyShareable)
      #expect(read.terms?.group == product.subscription?.group && read.terms?.level == product.subscription?.level)
      #expect(read.terms?.introductoryOffer?.period == product.subscription?.introductoryOffer?.period)
    }
    let back = try Catalog(json: Data(again.imported(appID: catalog.app.id, appName: catalog.app.name).json.utf8))
    #expect(again.differences(from: back) == [])
  }

  @Test("An unknown key at any depth survives an update", arguments: 0..<60 as Range<UInt64>)
  func unknownKeys(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let name = Samples.versions[Int(seed) % Samples.versions.count]
    var file = try StoreKitFile(Samples.storeKit("beacon-\(name)"))
    var catalog = file.imported(appName: "Beacon").json
    let places = Self.objects(file.tree)
    let place = places[Int(random.next() % UInt64(places.count))]
    let key = "zz-\(random.next())"
    file.tree = Self.adding(key, to: file.tree, at: place)
    catalog = catalog.replacingOccurrences(of: "\"name\": \"Keeper\"", with: "\"name\": \"Keeper of the light\"")
    let text = file.text
    #expect(text.contains(key))
    var read = try StoreKitFile(Data(text.utf8))
    read.update(from: try Catalog(json: Data(catalog.utf8)))
    #expect(read.text.contains(key), "seed \(seed)")
    #expect(Self.withoutTexts(read.tree) == Self.withoutTexts(file.tree), "seed \(seed)")
  }

  @Test("Every offer obeys the law of lengths, each subscription names its group, ids are unique", arguments: Samples.catalogs)
  func laws(name: String) throws {
    var file = StoreKitFile(appID: "app")
    file.update(from: try Samples.catalog(name))
    #expect(StoreKitFile.check(Data(file.text.utf8)).filter { $0.code != "no-products" } == [])
  }

  @Test("The version is raised only for something new that needs it, and never lowered")
  func versions() throws {
    let terms =
      #""kind": "subscription", "id": "com.example.beacon.keeper.month", "name": "Keeper", "group": "Keeper", "level": 1, "period": "P1M""#
    func catalog(_ offers: String, _ more: String = "") throws -> Catalog {
      try Catalog(
        json: Data(
          """
          { "schemaVersion": 1, "app": { "id": "b", "name": "B" }, "features": { "light": {} }, "freeTier": { "grants": {} },
            "products": [{ \(terms), "grants": { "light": true }, "price": { "amount": "2.99", "currency": "USD" }, "offers": [\(offers)] }\(more)] }
          """.utf8))
    }
    func version(_ name: String, _ catalog: Catalog) throws -> String? {
      var file = try StoreKitFile(Samples.storeKit(name))
      file.update(from: catalog)
      return file.version?.description
    }
    let plain = try catalog("")
    let winBack = try catalog(#"{ "type": "winBack", "id": "w", "mode": "freeTrial", "period": "P1M" }"#)
    let code = try catalog(#"{ "type": "code", "id": "c", "mode": "freeTrial", "period": "P1M" }"#)
    let pass = #", { "kind": "nonRenewing", "id": "p", "name": "P", "period": "P7D", "grants": { "light": true } }"#
    #expect(try version("beacon-1.0", plain) == "1.0")
    #expect(try version("beacon-1.0", try catalog("", pass)) == "1.1")
    #expect(try version("beacon-1.0", code) == "1.2")
    #expect(try version("beacon-1.0", winBack) == "4.0")
    #expect(try version("beacon-5.0", winBack) == "5.0")
    #expect(try version("beacon-6.3", plain) == "6.3")
  }

  @Test("The simulated store sells the products of a file")
  func simulated() async throws {
    let file = try StoreKitFile(Samples.storeKit("beacon-2.0"))
    #expect(
      file.simulatedProducts.map(\.id) == ["com.example.beacon.night", "com.example.beacon.fleet.month", "com.example.beacon.boat.month"])
    let store = SimulatedStore(file, start: Date(timeIntervalSince1970: 0))
    _ = try await store.device().purchase(PurchaseRequest("com.example.beacon.fleet.month"))
    #expect(try await store.device().products(for: ["com.example.beacon.fleet.month"]).first?.price.amountText == "12.99")
  }

  @Test("The simulated store has a grace period of 16 days if the file turns one on", arguments: [true, false])
  func grace(isOn: Bool) throws {
    let settings = #"{"_billingGracePeriodEnabled":\#(isOn)}"#
    let file = try StoreKitFile(Data(SmallFile.text([SmallFile.product("a")], settings: settings).utf8))
    let store = SimulatedStore(file, start: Date(timeIntervalSince1970: 0))
    #expect(store.settings.gracePeriod == (isOn ? .sixteen : nil))
  }

  // MARK: Random trees

  private static func value(_ random: inout SplitMix64, depth: Int) -> Any {
    switch random.next() % (depth > 4 ? 6 : 9) {
    case 0: return NSNull()
    case 1: return Int(random.next() % 100)
    case 2: return random.next() % 2 == 0
    case 3: return 0.5
    case 4, 5: return ["", "a/b", "é ç 🔦", "line\nend\t\"quoted\" \\", "P1M"][Int(random.next() % 5)]
    case 6, 7: return (0..<random.next() % 4).map { _ in value(&random, depth: depth + 1) }
    default:
      return Dictionary(uniqueKeysWithValues: (0..<random.next() % 4).map { index in ("key\(index)", value(&random, depth: depth + 1)) })
    }
  }

  /// The paths of all objects.
  private static func objects(_ tree: StoreKitTree) -> [[Int]] {
    let children = tree.members.map(\.value) + tree.elements
    let below = children.enumerated().flatMap { index, child in objects(child).map { [index] + $0 } }
    if case .object = tree { return [[]] + below }
    return below
  }

  private static func adding(_ key: String, to tree: StoreKitTree, at place: [Int]) -> StoreKitTree {
    guard let first = place.first else {
      var tree = tree
      tree[key] = .text("kept")
      return tree
    }
    switch tree {
    case .object(var members):
      members[first].value = adding(key, to: members[first].value, at: Array(place.dropFirst()))
      return .object(members)
    case .array(var elements):
      elements[first] = adding(key, to: elements[first], at: Array(place.dropFirst()))
      return .array(elements)
    default: return tree
    }
  }

  /// The structure: keys and lengths, without texts.
  private static func withoutTexts(_ tree: StoreKitTree) -> StoreKitTree {
    switch tree {
    case .object(let members): .object(members.map { .init(key: $0.key, value: withoutTexts($0.value)) })
    case .array(let elements): .array(elements.map(withoutTexts))
    case .text: .scalar("\"\"")
    case .scalar(let literal): literal.hasPrefix("\"") ? .scalar("\"\"") : tree
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Testing

@testable import MonetizeTools

@Suite("StoreKit files: exports")
struct StoreKitExportTests {
  private static func exported(_ name: String) throws -> [String: Any] {
    let catalog = try Samples.catalog(name)
    var file = StoreKitFile(appID: catalog.app.id)
    file.update(from: catalog)
    return try #require(try JSONSerialization.jsonObject(with: Data(file.text.utf8)) as? [String: Any])
  }

  @Test("MAZE-34 The pack is one NonConsumable for 9.99, and there is no subscription group")
  func mazePacks() throws {
    let file = try Self.exported("maze-packs")
    let products = try #require(file["products"] as? [[String: Any]])
    #expect(products.map { $0["type"] as? String } == ["NonConsumable"])
    #expect(products.map { $0["displayPrice"] as? String } == ["9.99"])
    #expect((file["subscriptionGroups"] as? [Any])?.isEmpty == true)
  }

  @Test("HEAT-13 One group with a month for 4.99 and a year for 39.99")
  func heatlab() throws {
    let file = try Self.exported("heatlab")
    let groups = try #require(file["subscriptionGroups"] as? [[String: Any]])
    #expect(groups.count == 1)
    let plans = try #require(groups.first?["subscriptions"] as? [[String: Any]])
    #expect(plans.map { $0["type"] as? String } == ["RecurringSubscription", "RecurringSubscription"])
    #expect(plans.map { $0["recurringSubscriptionPeriod"] as? String } == ["P1M", "P1Y"])
    #expect(plans.map { $0["displayPrice"] as? String } == ["4.99", "39.99"])
    #expect(plans.allSatisfy { $0["introductoryOffer"] is NSNull && $0["subscriptionGroupID"] as? String == groups[0]["id"] as? String })
  }

  @Test("DOZZI-02 DOZZI-35 One NonConsumable without family sharing, en_US, 2.99, in Apple's own keys")
  func dozzi() throws {
    let product = try #require((try Self.exported("dozzi")["products"] as? [[String: Any]])?.first)
    #expect(product["type"] as? String == "NonConsumable")
    #expect(product["familyShareable"] as? Bool == false)
    #expect(product["displayPrice"] as? String == "2.99")
    #expect(product["referenceName"] as? String == "Unlimited Bedtime Stories")
    let text = try #require((product["localizations"] as? [[String: Any]])?.first)
    #expect(text["locale"] as? String == "en_US" && text["displayName"] as? String == "Unlimited Stories")
    #expect(text["description"] as? String == "Unlimited bedtime stories, premium voices")
  }

  @Test("A new file differs only by its products; a file that was read, by its privacy policy as well") func privacy() throws {
    let catalog = try Samples.catalog("heatlab")
    var file = StoreKitFile(appID: catalog.app.id)
    #expect(file.update(from: catalog).allSatisfy { $0.code == "not-in-file" })
    var read = try StoreKitFile(Data(file.text.utf8.map { $0 }))
    #expect(read.update(from: catalog).isEmpty)
    read = try StoreKitFile(Data(file.text.replacingOccurrences(of: "heatlab.example/privacy", with: "old.example").utf8))
    #expect(read.update(from: catalog).map(\.code) == ["privacy-mismatch"])
  }

  @Test("A file is an object, and a version without a minor number is the first of its major one") func version() throws {
    for text in ["[]", "5", "\"x\""] { #expect(throws: StoreKitFileError.self) { try StoreKitFile(Data(text.utf8)) } }
    let file = try StoreKitFile(Data(SmallFile.text(version: #"{"major":3}"#).utf8))
    #expect(file.version == .init(major: 3, minor: 0))
  }

  @Test("An import grants each product's feature, and derives the app's id from two parts or more") func firstCatalog() throws {
    func made(_ ids: [String]) throws -> Catalog {
      let text = SmallFile.text(ids.map { SmallFile.product($0) })
      return try Catalog(json: Data(try StoreKitFile(Data(text.utf8)).imported(appName: "App").json.utf8))
    }
    let catalog = try made(["com.example.a", "com.example.b"])
    #expect(catalog.app.id == "com.example")
    #expect(catalog.products.allSatisfy { $0.grants.count == 1 })
    #expect(try made(["com.a", "com.b"]).app.id == "com.example.app", "one part is no app id")
  }

  @Test("New offers have the keys of their sort: a price unless they are free, and what Xcode needs for codes and for winning back")
  func offers() throws {
    let json = #"""
      { "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "features": { "f": {} },
        "products": [{ "kind": "subscription", "id": "m", "name": "M", "group": "g", "level": 1, "period": "P1M",
          "price": { "amount": "9.99", "currency": "USD" }, "grants": { "f": true }, "offers": [
            { "type": "promotional", "id": "p", "mode": "freeTrial", "period": "P14D", "price": { "amount": "0", "currency": "USD" } },
            { "type": "code", "id": "c", "mode": "payAsYouGo", "period": "P1M", "periods": 3, "price": { "amount": "4.99", "currency": "USD" } },
            { "type": "winBack", "id": "w", "mode": "payUpFront", "period": "P3M", "price": { "amount": "5.00", "currency": "USD" } }] }] }
      """#
    var file = StoreKitFile(appID: "a")
    file.update(from: try Catalog(json: Data(json.utf8)))
    let plan = try #require(file.tree["subscriptionGroups"]?.elements.first?["subscriptions"]?.elements.first)
    func offer(_ list: String) throws -> [String: String] {
      let members = try #require(plan[list]?.elements.first?.members).filter { $0.key != "internalID" }
      func text(_ value: StoreKitTree) -> String {
        value.string ?? value.int.map(String.init) ?? value.bool.map { "\($0)" } ?? value.elements.map(text).joined(separator: " ")
      }
      return Dictionary(uniqueKeysWithValues: members.map { ($0.key, text($0.value)) })
    }
    #expect(
      try offer("adHocOffers") == ["offerID": "p", "paymentMode": "free", "referenceName": "p", "subscriptionPeriod": "P2W"])
    #expect(
      try offer("codeOffers") == [
        "paymentMode": "payAsYouGo", "referenceName": "c", "subscriptionPeriod": "P1M", "numberOfPeriods": "3",
        "displayPrice": "4.99", "isStackable": "true", "eligibility": "existing expired new",
      ])
    #expect(
      try offer("winbackOffers") == [
        "offerID": "w", "paymentMode": "payUpFront", "referenceName": "w", "subscriptionPeriod": "P3M", "numberOfPeriods": "1",
        "displayPrice": "5.00", "isEligible": "true",
      ])
  }

  @Test("HEAT-32 A different price is reported with both prices, and an update writes the catalog's")
  func price() throws {
    let catalog = try Samples.catalog("heatlab")
    var file = StoreKitFile(appID: "app")
    file.update(from: catalog)
    let wrong = try StoreKitFile(Data(file.text.replacingOccurrences(of: "\"4.99\"", with: "\"4.98\"").utf8))
    let report = StoreKitDifferenceReport(catalog, wrong)
    #expect(report.text == "code product [offer] catalog file\nprice-mismatch com.heatlab.pro.monthly 4.99 4.98\n")
    #expect(report.status == .no)
    #expect(report.differences.map(\.change) == ["com.heatlab.pro.monthly: price 4.98 becomes 4.99"])
    var new = StoreKitFile(appID: "app")
    #expect(new.update(from: catalog).map(\.change) == ["com.heatlab.pro.monthly: added", "com.heatlab.pro.annual: added"])
    var mended = wrong
    mended.update(from: catalog)
    #expect(mended.text == file.text)
    #expect(StoreKitDifferenceReport(catalog, mended).text == "no difference\n")
  }

  @Test("An update changes only values that differ from the catalog: each changed line is listed here")
  func touched() throws {
    let data = try Samples.storeKit("beacon-2.0")
    var file = try StoreKitFile(data)
    let catalog = file.imported(appName: "Beacon").json
      .replacingOccurrences(of: "\"12.99\"", with: "\"13.99\"").replacingOccurrences(of: "\"P14D\"", with: "\"P1W\"")
      .replacingOccurrences(of: "\"name\": \"Boat\"", with: "\"name\": \"A boat\"").replacingOccurrences(of: "\"P2W\"", with: "\"P1W\"")
    let said = file.update(from: try Catalog(json: Data(catalog.utf8))).map(\.description)
    #expect(
      said == [
        "price-mismatch com.example.beacon.fleet.month 13.99 12.99",
        "offer-mismatch com.example.beacon.fleet.month introductory free P1W free P2W",
        "name-mismatch com.example.beacon.boat.month A boat Boat",
      ])
    let changed = zip(file.text.split(separator: "\n"), String(decoding: data, as: UTF8.self).split(separator: "\n")).filter { $0 != $1 }
    // The leftover price of the free offer stays.
    #expect(
      changed.map { $0.0.trimmingCharacters(in: .whitespaces) } == [
        "\"displayPrice\" : \"13.99\",", "\"subscriptionPeriod\" : \"P1W\"", "\"displayName\" : \"A boat\",",
      ])
  }

  @Test("A product with a new type or group moves to its new place, and keeps its id")
  func moved() throws {
    var file = try StoreKitFile(Samples.storeKit("beacon-2.0"))
    let catalog = file.imported(appName: "Beacon").json
      .replacingOccurrences(of: "\"group\": \"Fleet\",\n      \"level\": 2", with: "\"group\": \"Boats\",\n      \"level\": 2")
    #expect(catalog.contains("Boats"))
    file.update(from: try Catalog(json: Data(catalog.utf8)))
    #expect(StoreKitLists(file.tree).groups.map { $0.subscriptions.map { $0["internalID"]?.string } } == [["5EA50024"], ["5EA50027"]])
    #expect(StoreKitFile.check(Data(file.text.utf8)).filter { $0.severity != .note } == [])
  }

  @Test("A thousand products are exported, read again and compared without a difference")
  func large() throws {
    let products = (0..<1_000).map {
      #"{ "kind": "nonConsumable", "id": "p\#($0)", "name": "P\#($0)", "grants": { "a": true }, "price": { "amount": "1.99", "currency": "USD" } }"#
    }
    let json =
      #"{ "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "features": { "a": {} }, "freeTier": { "grants": {} }, "products": ["#
      + products.joined(separator: ",") + "] }"
    let catalog = try Catalog(json: Data(json.utf8))
    var file = StoreKitFile(appID: "a")
    file.update(from: catalog)
    let read = try StoreKitFile(Data(file.text.utf8))
    #expect(read.differences(from: catalog) == [])
    #expect(StoreKitFile.check(Data(file.text.utf8)) == [])
  }
}

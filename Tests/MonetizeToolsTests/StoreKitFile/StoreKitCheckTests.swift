// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Testing

@testable import MonetizeTools

@Suite("StoreKit files: why Xcode shows an empty list")
struct StoreKitCheckTests {
  @Test("A correct file of any version has no mistake", arguments: Samples.versions)
  func sound(version: String) throws {
    let found = StoreKitFile.check(try Samples.storeKit("beacon-\(version)"))
    #expect(found.filter { $0.severity != .note } == [])
  }

  @Test("A file written by hand: every mistake at its place, in one pass")
  func byHand() throws {
    let found = StoreKitFile.check(try Samples.storeKit("by-hand")).map(\.description)
    #expect(found.joined(separator: "\n") + "\n" == String(decoding: try Samples.fixture("storekit/by-hand.check.txt"), as: UTF8.self))
  }

  @Test("A private key is in no message, and in no description of a difference")
  func secret() throws {
    let data = try Samples.storeKit("beacon-3.0")
    let file = try StoreKitFile(data)
    let said = StoreKitFile.check(data).map(\.description) + file.imported(appName: "B").notes + [file.imported(appName: "B").json]
    #expect(said.joined().contains("c2VjcmV0") == false)
    #expect(said.joined().contains("[signing-key]"))
    var broken = file
    broken.tree["subscriptionOffersKeyPair"] = .array([.text("c2VjcmV0")])
    #expect(StoreKitFile.check(Data(broken.text.utf8)).map(\.description).joined().contains("c2VjcmV0") == false)
  }

  @Test(
    "Mistakes in a group and in the settings",
    arguments: [
      (#"{"id":"1","localizations":5,"name":"Pro","subscriptions":[]}"#, "{}", "wrong-type"),
      (#"{"id":"1","localizations":[{"displayName":"Pro","description":""}],"name":"Pro","subscriptions":[]}"#, "{}", "missing-key"),
      (#"{"id":"1","localizations":[],"nam":"Pro","subscriptions":[]}"#, "{}", "misspelt-key"),
      (#"{"id":"1","localizations":[],"name":"Pro","subscriptions":[]}"#, #"{"_askToBuyEnabled":"no"}"#, "wrong-type"),
      (#"{"id":"1","localizations":[],"name":"Pro","subscriptions":[]}"#, #"{"_locale":5}"#, "wrong-type"),
    ])
  func groupsAndSettings(group: String, settings: String, code: String) {
    let found = StoreKitFile.check(Data(SmallFile.text(groups: [group], settings: settings).utf8)).map(\.code.rawValue)
    #expect(found.contains(code), "\(found)")
  }

  /// Single edits of a correct file, each with the only code that it must give.
  static let edits: [(from: String, to: String, code: String)] = [
    ("\"paymentMode\" : \"free\"", "\"paymentMode\" : \"freeTrial\"", "wrong-mode"),
    ("\"displayPrice\" : \"4\"", "\"displayPrice\" : 4", "wrong-type"),
    ("\"displayPrice\" : \"4\"", "\"displayPrice\" : \"4,00\"", "wrong-price"),
    ("\"NonConsumable\"", "\"RecurringSubscription\"", "wrong-type-word"),
    ("\"recurringSubscriptionPeriod\" : \"P1M\"", "\"recurringSubscriptionPeriod\" : \"monthly\"", "wrong-period"),
    ("\"recurringSubscriptionPeriod\" : \"P1M\"", "\"recurringSubscriptionPeriod\" : \"P5M\"", "wrong-period"),
    ("\"productID\" : \"com.example.beacon.boat.month\"", "\"productID\" : \"com.example.beacon.night\"", "repeated-product"),
    ("\"productID\" : \"com.example.beacon.night\"", "\"productID\" : \" \"", "empty-id"),
    ("\"major\" : 2,", "\"major\" : \"2\",", "wrong-type"),
    ("\"groupNumber\" : 2", "\"groupNumber\" : 0", "wrong-level"),
    ("\"familyShareable\" : true", "\"familyShareable\" : \"yes\"", "wrong-type"),
    ("\"locale\" : \"en_US\"\n        }", "\"lang\" : \"en_US\"\n        }", "missing-key"),
    ("\"subscriptionGroups\" : [", "\"subscriptionGroup\" : [", "misspelt-key"),
    ("\"name\" : \"Fleet\",", "", "missing-key"),
    ("\"groupNumber\" : 2", "\"groupNumbr\" : 2", "misspelt-key"),
    ("\"offerID\" : \"comeback\",", "", "missing-key"),
    ("\"numberOfPeriods\" : 3", "\"numberOfPeriods\" : 0", "wrong-number"),
    ("\"subscriptionPeriod\" : \"P1M\"", "\"subscriptionPeriod\" : \"P1W\"", "offer-length"),
    ("\"nonRenewingSubscriptions\" : [\n\n  ]", "\"nonRenewingSubscriptions\" : { }", "wrong-type"),
  ]

  @Test("Each edit of a correct file gives its mistake, and no other", arguments: edits.indices)
  func edited(index: Int) throws {
    let edit = Self.edits[index]
    let text = String(decoding: try Samples.storeKit("beacon-2.0"), as: UTF8.self)
    let range = try #require(text.range(of: edit.from))
    let found = StoreKitFile.check(Data(text.replacingCharacters(in: range, with: edit.to).utf8)).filter { $0.severity != .note }
    #expect(found.map(\.code.rawValue) == [edit.code], "\(edit.to): \(found)")
    #expect(found.allSatisfy { $0.position != nil })
  }

  @Test(
    "Invalid JSON and anything other than an object are reported at their place and never crash",
    arguments: [
      ("", "json-syntax"), ("{ \"products\" : [ ] , }", "json-syntax"), ("[]", "not-an-object"), ("{}", "missing-key"),
      ("{ \"version\" : { \"major\" : 4, \"minor\" : 0 } }", "no-products"),
    ])
  func noFile(text: String, code: String) {
    let found = StoreKitFile.check(Data(text.utf8))
    #expect(found.map(\.code.rawValue) == [code])
    #expect(found.allSatisfy { $0.position != nil })
  }

  @Test(
    "Products under a key of another tool are named, and an import notes them",
    arguments: ["subscriptions", "nonConsumables", "nonRenewableSubscriptions"])
  func strangeLists(key: String) throws {
    let text = "{ \"version\" : { \"major\" : 4, \"minor\" : 0 }, \"\(key)\" : [ { \"productID\" : \"a\" } ], \"_own\" : [ 1 ] }"
    let found = StoreKitFile.check(Data(text.utf8)).filter { $0.severity != .note }
    #expect(Set(found.map(\.code.rawValue)) == ["unread-products", "no-products"])
    #expect(found.contains { $0.message.hasPrefix("Xcode reads no products under \"\(key)\".") })
    #expect(try StoreKitFile(Data(text.utf8)).imported(appName: "A").notes.contains { $0.contains("\"\(key)\"") })
  }

  @Test("Only a pay-as-you-go offer has a number of periods", arguments: [("payUpFront", true), ("payAsYouGo", false)])
  func numberOfPeriods(mode: String, isMistake: Bool) throws {
    let period = isMistake ? "P3M" : "P1M"
    let offer = SmallFile.offer(mode, period, price: "0.99", more: #","numberOfPeriods":3"#)
    let plan = SmallFile.plan("plan", offers: #""introductoryOffer":\#(offer)"#)
    let codes = StoreKitFile.check(Data(SmallFile.text(groups: [SmallFile.group([plan])]).utf8)).map(\.code.rawValue)
    #expect(codes.contains("offer-length") == isMistake, "\(codes)")
  }

  @Test("A price with a decimal comma, as Xcode writes it in some languages, is read and stays as it is")
  func comma() throws {
    let text = String(decoding: try Samples.storeKit("beacon-2.0"), as: UTF8.self).replacingOccurrences(of: "\"4\"", with: "\"4,25\"")
    var file = try StoreKitFile(Data(text.utf8))
    let catalog = try Catalog(json: Data(file.imported(appName: "Beacon").json.utf8))
    #expect(catalog.products.contains { $0.price?.amountText == "4.25" })
    file.update(from: catalog)
    #expect(file.text == text)
  }

  @Test("An import without an app id and a name makes a valid catalog", arguments: [nil, ""])
  func noID(id: String?) throws {
    let file = try StoreKitFile(Samples.storeKit("beacon-2.0"))
    #expect(throws: Never.self) { try Catalog(json: Data(file.imported(appID: id, appName: "").json.utf8)) }
  }

  @Test("Random values instead of any value never crash a check, an import or an export", arguments: 0..<150 as Range<UInt64>)
  func mutations(seed: UInt64) throws {
    var text = String(decoding: try Samples.storeKit("beacon-\(Samples.versions[Int(seed) % 8])"), as: UTF8.self)
    let places = text.ranges(matching: " : ")
    let place = places[Int(seed &* 7919) % places.count]
    let end = text[place.upperBound...].firstIndex { ",\n".contains($0) } ?? text.endIndex
    guard text[place.upperBound] != "{", text[place.upperBound] != "[" else { return }
    text.replaceSubrange(place.upperBound..<end, with: ["null", "[ 1 ]", "{ }", "-1", "\"\""][Int(seed / 8) % 5])
    let data = Data(text.utf8)
    _ = StoreKitFile.check(data)
    var file = try StoreKitFile(data)
    let json = file.imported(appName: "Beacon").json
    let reading = Catalog.reading(Data(json.utf8))
    let catalog = try #require(reading.catalog, "\(seed): \(reading.diagnostics)")
    file.update(from: catalog)
    #expect(!file.isChanged, "seed \(seed): \(text[place.lowerBound...].prefix(30))")
  }
}

extension String {
  fileprivate func ranges(matching text: String) -> [Range<String.Index>] {
    var found: [Range<String.Index>] = []
    var start = startIndex
    while let range = range(of: text, range: start..<endIndex) {
      found.append(range)
      start = range.upperBound
    }
    return found
  }
}

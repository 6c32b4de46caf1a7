// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import Testing

@testable import MonetizeTools

@Suite("StoreKit files: what occurs in files of real projects")
struct StoreKitRealFileTests {
  private typealias Small = SmallFile

  private static func check(_ text: String) -> [Diagnostic] { StoreKitFile.check(Data(text.utf8)).filter { $0.severity != .note } }

  // MARK: An export onto the imported file

  @Test(
    "Of two products with one id the import and the export read the same one, also if the first cannot be read",
    arguments: [
      Small.text([Small.product("a.m", type: "AutoRenewable")], groups: [Small.group([Small.plan("a.m")])]),
      Small.text(groups: [
        Small.group([Small.plan("a.m", period: nil)], id: "A"), Small.group([Small.plan("a.m", group: "B")], id: "B", name: "B"),
      ]),
      Small.text([Small.product("a", price: "1"), Small.product("a", type: "Consumable")]),
    ])
  func repeatedProducts(text: String) throws {
    let (catalog, _, _) = try Small.expectUnchanged(text)
    #expect(catalog.products.count == 1)
  }

  @Test("An offer whose price its currency does not have is left out with a note, and stays in the file")
  func unpayableOffer() throws {
    let offer = Small.offer("payUpFront", "P1M", price: "0.99")
    let text = Small.text(
      groups: [Small.group([Small.plan("m", price: "500", offers: #""introductoryOffer":\#(offer)"#)])], settings: #"{"_storefront":"JPN"}"#
    )
    let (catalog, _, notes) = try Small.expectUnchanged(text)
    #expect(catalog.products[0].price == Money(amount: 500, currency: "JPY"))
    #expect(
      notes.contains { $0.hasPrefix("The introductory offer of \"m\" is left out: 0.99 JPY has more than the no decimals") }, "\(notes)")
    try Small.expectUnchanged(text, currency: "USD")
  }

  @Test(
    "A period that the App Store does not sell is read as the nearest one, and stays", arguments: ["P30D", "P1D", "P4W", "P5M", "P400D"])
  func unsoldPeriods(period: String) throws {
    let (catalog, _, notes) = try Small.expectUnchanged(Small.text(groups: [Small.group([Small.plan("m", period: period)])]))
    let read = try #require(catalog.products[0].subscription?.period)
    #expect(StoreKitWords.text(read) == ["P30D": "P1M", "P1D": "P1W", "P4W": "P1M", "P5M": "P6M", "P400D": "P1Y"][period])
    #expect(notes.contains { $0.hasPrefix("The App Store sells no subscription for \(period), the period of \"m\"") }, "\(notes)")
  }

  @Test("A blank name of a group and an odd version stay, and the catalog is valid")
  func oddities() throws {
    let groups = [Small.group([Small.plan("m")], name: "  "), Small.group([Small.plan("n", group: "B")], id: "B", name: "Pro ")]
    let (catalog, _, _) = try Small.expectUnchanged(Small.text(groups: groups, version: #"{"major":-1,"minor":0}"#))
    #expect(catalog.products.map { $0.subscription?.group } == ["5EA50001", "Pro "])
  }

  @Test("A byte order mark is read, kept and reported as a warning")
  func byteOrderMark() throws {
    let text = "\u{FEFF}" + Small.text([Small.product("a")])
    try Small.expectUnchanged(text)
    #expect(Self.check(text).map(\.code) == ["byte-order-mark"] && Self.check(text)[0].severity == .warning)
    var file = try StoreKitFile(Data(text.utf8))
    file.update(from: try Small.expectUnchanged(text.replacingOccurrences(of: "4.99", with: "5.99")).catalog)
    #expect(file.text == text.replacingOccurrences(of: "4.99", with: "5.99"))
  }

  @Test("Random edits of the structure: an export onto an imported file never changes it", arguments: 0..<300 as Range<UInt64>)
  func structures(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var tree = try StoreKitFile(Samples.storeKit("beacon-\(Samples.versions[Int(seed) % Samples.versions.count])")).tree
    for _ in 0...random.next() % 3 { tree = Self.edited(tree, &random) }
    let text = StoreKitStyle.xcode.text(tree)
    guard case .object = tree, StoreKitFile.check(Data(text.utf8)).allSatisfy({ $0.code != "other-file" }) else { return }
    try Small.expectUnchanged(text, "seed \(seed)")
  }

  /// The tree with one member or element removed, doubled, or replaced by another value.
  private static func edited(_ tree: StoreKitTree, _ random: inout SplitMix64) -> StoreKitTree {
    let children = tree.members.map(\.value) + tree.elements
    guard !children.isEmpty else { return tree }
    let index = Int(random.next() % UInt64(children.count))
    if random.next() % 4 != 0, !(children[index].members.isEmpty && children[index].elements.isEmpty) {
      return replaced(tree, index, [edited(children[index], &random)])
    }
    let odd: [StoreKitTree] = [.null, .int(0), .text(""), .text("P30D"), .text("AutoRenewable"), .array([]), .array([children[index]])]
    switch random.next() % 4 {
    case 0: return replaced(tree, index, [])
    case 1: return replaced(tree, index, [children[index], children[index]])
    default: return replaced(tree, index, [odd[Int(random.next() % UInt64(odd.count))]])
    }
  }

  private static func replaced(_ tree: StoreKitTree, _ index: Int, _ new: [StoreKitTree]) -> StoreKitTree {
    if case .object(var members) = tree {
      let key = members[index].key
      members.replaceSubrange(index...index, with: new.enumerated().map { .init(key: $0 == 0 ? key : key + "2", value: $1) })
      return .object(members)
    }
    var elements = tree.elements
    elements.replaceSubrange(index...index, with: new)
    return .array(elements)
  }

  // MARK: Currencies

  @Test(
    "Each storefront has the currency of its prices",
    arguments: [
      ("RUS", "RUB"), ("HRV", "EUR"), ("KWT", "USD"), ("COL", "COP"), ("KAZ", "KZT"), ("BGR", "EUR"), ("USA", "USD"), ("VNM", "VND"),
    ])
  func storefronts(storefront: String, currency: String) throws {
    let text = Small.text([Small.product("a", price: "100")], settings: #"{"_storefront":"\#(storefront)"}"#)
    #expect(try Small.expectUnchanged(text).catalog.products[0].price?.currency == currency)
  }

  @Test("An unknown storefront is noted, and its prices are not compared by lint")
  func unknownStorefront() throws {
    let text = Small.text([Small.product("a")], settings: #"{"_storefront":"QQQ"}"#)
    let (catalog, _, notes) = try Small.expectUnchanged(text)
    #expect(catalog.products[0].price?.currency == "USD")
    #expect(notes.contains("The currency of the storefront QQQ is not known, and USD is assumed. Name it with --currency."))
    #expect(try StoreKitFile(Data(text.utf8)).prices.isEmpty)
  }

  @Test("Amounts in another currency are neither compared nor written, with one note")
  func otherCurrency() throws {
    let offer = Small.offer("payUpFront", "P1M", price: "100")
    let text = Small.text(
      groups: [Small.group([Small.plan("m", price: "500", offers: #""introductoryOffer":\#(offer)"#)])], settings: #"{"_storefront":"JPN"}"#
    )
    let json = try Small.expectUnchanged(text).json.replacingOccurrences(of: "JPY", with: "USD").replacingOccurrences(
      of: "\"500\"", with: "\"4.99\"")
    let catalog = try Catalog(json: Data(json.utf8))
    var file = try StoreKitFile(Data(text.utf8))
    let report = StoreKitDifferenceReport(catalog, file)
    #expect(report.differences == [] && report.problems.count == 1)
    #expect(report.problems[0].hasPrefix("Prices in USD are not compared and not written, because the file has JPY"))
    file.currency = "USD"
    #expect(file.update(from: catalog).map(\.code) == ["price-mismatch"])
    #expect(file.text == text.replacingOccurrences(of: "\"500\"", with: "\"4.99\""))
  }

  @Test("A new file has a storefront with the catalog's currency")
  func newFile() throws {
    let text = Small.text([Small.product("a", price: "500")], settings: #"{"_storefront":"JPN"}"#)
    let catalog = try Small.expectUnchanged(text).catalog
    var file = StoreKitFile(appID: "app")
    file.update(from: catalog)
    #expect(file.storefront == "JPN" && file.prices["a"] == Money(amount: 500, currency: "JPY"))
    #expect(file.differences(from: catalog) == [] && file.notes(on: catalog) == [])
  }

  // MARK: Languages

  @Test(
    "The names are those of the file's language, else English, else the first",
    arguments: [
      ("de", ["fr", "de_DE"], "de_DE"), (nil, ["fr", "en_GB"], "en_GB"), ("en_US", ["fr", "en"], "en"), ("ja_JP", ["en", "ja"], "ja"),
      ("pt-BR", ["pt_PT", "pt_BR"], "pt_BR"), (nil, ["en_GB", "en_US"], "en_US"), ("sv", ["fr", "it"], "fr"),
    ] as [(String?, [String], String)])
  func languages(language: String?, locales: [String], expected: String) throws {
    let settings = language.map { #"{"_locale":"\#($0)"}"# } ?? "{}"
    let policies = locales.map { #"{"locale":"\#($0)","policyText":"","policyURL":"https://example.com/\#($0)"}"# }.joined(separator: ",")
    let text = Small.text(
      [Small.product("a", names: locales.map { ($0, $0) })], settings: settings,
      more: #","appPolicies":{"eula":"","policies":[\#(policies)]}"#)
    let (catalog, json, _) = try Small.expectUnchanged(text)
    #expect(catalog.products[0].name == expected && catalog.legal?.privacy == "https://example.com/\(expected)")
    var file = try StoreKitFile(Data(text.utf8))
    file.update(from: try Catalog(json: Data(json.replacingOccurrences(of: "example.com/", with: "example.org/").utf8)))
    #expect(file.text == text.replacingOccurrences(of: "example.com/\(expected)\"", with: "example.org/\(expected)\""))
  }

  // MARK: What an import leaves out

  @Test("Everything that a catalog cannot contain has a note")
  func notes() throws {
    let free = { (key: String) in Small.offer("free", "P1W", more: #","\#(key)":"sale","eligibility":["new"]"#) }
    let monthly = Small.offer("free", "P1W", more: #","offerID":"long","billingPlanType":"MONTHLY""#)
    let offers =
      #""introductoryOffer":null,"adHocOffers":[\#(free("offerID")),\#(monthly)],"codeOffers":[\#(free("referenceName"))],"#
      + #""billingPlans":[{"billingPlanType":"MONTHLY","displayPrice":"1","isEnabled":true}]"#
    let text = Small.text(
      [Small.product("a.coins", type: "Consumable", names: [("en", "Coins"), ("de", "Taler")])],
      groups: [Small.group([Small.plan("a.m", offers: offers), Small.plan("a.n", period: nil)])],
      more: #","appPolicies":{"eula":"Terms","policies":[]}"#)
    let (catalog, _, notes) = try Small.expectUnchanged(text)
    #expect(catalog.products[1].subscription?.offers.count == 1)
    #expect(
      notes
        == [
          "Xcode shows no products because of 1 error in the file. Run `monetize storekit check`.",
          "1 product could not be read. Run `monetize storekit check` on the file.",
          "The offer \"long\" of \"a.m\" is left out: it belongs to a plan with monthly payments. An export leaves it in the file.",
          "The offer \"sale\" of \"a.m\" is left out: another offer has the same name. An export leaves it in the file.",
          "The file does not contain the credits of \"a.coins\". Add a counted feature and their \"credits\".",
          "The file does not contain what is free. Write the \"grants\" of \"freeTier\".",
          "A catalog does not contain the customers who may use an offer code, plans with monthly payments, the license agreement. "
            + "An export leaves these in the file.",
          "The file has no app id, and com.example.app is a placeholder. Name the app's with --app-id.",
        ].filter { !$0.hasPrefix("The file has no app id") }, "\(notes.joined(separator: "\n"))")
    let short = try StoreKitFile(Data(Small.text([Small.product("a")]).utf8)).imported(appName: "App").notes
    #expect(short.last == "The file has no app id, and com.example.app is a placeholder. Name the app's with --app-id.")
  }

  @Test("Features have names of their products that code can spell: without accents, else the reference name or the id's last part")
  func names() throws {
    let text = Small.text([
      Small.product("a.year", names: [("zh", "专业版1年")], reference: "专业版"), Small.product("a.open", names: [("fr", "Débloquer für Öl")]),
      Small.product("a.x1", names: [("en", "Journey")], reference: "Short Journey"),
      Small.product("a.x2", names: [("en", "Journey")], reference: "Long Journey"), Small.product("a.x3", names: [("en", "Café")]),
    ])
    let json = try Small.expectUnchanged(text).json
    for name in ["year", "debloquerFurOl", "shortJourney", "longJourney", "cafe"] { #expect(json.contains("\"\(name)\": {"), "\(name)") }
    #expect(!json.contains("feature1"))
  }

  // MARK: Why Xcode shows an empty list

  @Test("null counts as absent for a key that Xcode does not require")
  func nulls() throws {
    let offers =
      #""introductoryOffer":\#(Small.offer("free", "P1W", more: #","displayPrice":null,"numberOfPeriods":null"#)),"#
      + #""adHocOffers":null,"codeOffers":null,"winbackOffers":null,"introductoryOffers":null"#
    let text = Small.text(
      groups: [Small.group([Small.plan("m", offers: offers)])],
      settings: #"{"_lastSynchronizedDate":null,"_locale":null,"_storeKitErrors":null,"_timeRate":null,"_askToBuyEnabled":null}"#,
      more: #","subscriptionOffersKeyPair":null"#)
    #expect(Self.check(text) == [])
    #expect(Self.check(text.replacingOccurrences(of: "\"products\":[]", with: "\"products\":null")) == [])
    #expect(Self.check(text.replacingOccurrences(of: "\"m\"", with: "null")).first?.severity == .error)
    try Small.expectUnchanged(text)
  }

  @Test(
    "A wrong type of a product names the right word or list",
    arguments: [
      ("Auto-Renewable Subscription", "\"subscriptions\" of a group in \"subscriptionGroups\", with the type \"RecurringSubscription\"."),
      ("AutoRenewable", "\"RecurringSubscription\"."), ("Non-Renewing Subscription", "It belongs in \"nonRenewingSubscriptions\""),
      ("Non-Consumable", "Write \"NonConsumable\"."), ("consumable", "Write \"Consumable\"."),
      ("thing", "Write \"Consumable\" or \"NonConsumable\"."),
    ])
  func types(word: String, mend: String) {
    let found = Self.check(Small.text([Small.product("a", type: word)]))
    #expect(found.map(\.code) == ["wrong-type-word"] && found[0].message.contains(mend), "\(found)")
  }

  @Test("Keys of other vocabularies name the key of the file, and the missing keys of an object are one mistake")
  func keys() {
    let product = #"{"type":"Consumable","productID":"a","subscriptionPrice":"1","localizations":[{"locale":"en","name":"A"}]}"#
    let found = Self.check(Small.text([product])).map(\.message)
    #expect(found.contains("Xcode does not read \"subscriptionPrice\". Did you mean \"displayPrice\"?"))
    #expect(found.contains("Xcode does not read \"name\". Did you mean \"displayName\"?"))
    #expect(found.contains("\"referenceName\" and \"internalID\" are missing. Add them."))
    #expect(found.contains { $0.hasPrefix("\"familyShareable\" is missing, and Xcode may refuse the file") })
    #expect(found.count == 5, "\(found)")
  }

  @Test("What is not known to empty the list is a warning: values of the right type that are only odd, and keys that may be optional")
  func doubtful() {
    let odd = Small.plan("m", group: "B", period: "P5M", price: "$4.99").replacingOccurrences(
      of: "\"groupNumber\":1", with: "\"groupNumber\":0")
    let text = Small.text(groups: [Small.group([odd, Small.plan("m")]).replacingOccurrences(of: #","name":"Pro""#, with: "")])
    let found = Self.check(text)
    #expect(
      Set(found.map(\.code)).isSuperset(of: [
        "wrong-price", "repeated-product", "missing-key", "wrong-group", "wrong-level", "wrong-period",
      ]))
    #expect(found.allSatisfy { $0.severity == .warning }, "\(found)")
    let report = StoreKitCheckReport(Data(text.utf8), path: "a.storekit")
    #expect(report.status == .fine && report.summary == "a.storekit: Xcode can probably open it, with \(found.count) warnings")
  }

  @Test("Only a file with a real app and team counts as synchronised with App Store Connect")
  func synchronized() {
    func isSynced(_ app: String, _ team: String, _ date: String) -> Bool {
      let settings = #"{"_applicationInternalID":"\#(app)","_developerTeamID":"\#(team)","_lastSynchronizedDate":\#(date)}"#
      return StoreKitFile.check(Data(Small.text(settings: settings).utf8)).contains { $0.code == "synced-file" }
    }
    #expect(isSynced("1234567890", "A1B2C3D4E5", "793882906.67838395"))
    #expect(!isSynced("0", "A1B2C3D4E5", "7938") && !isSynced("1234567890", "YOUR_TEAM_ID", "7938") && !isSynced("12", "", "7938"))
    #expect(!isSynced("1234567890", "A1B2C3D4E5", "0"))
  }

  @Test("A catalog and a scenario are named as such", arguments: [(#"{"schemaVersion":1}"#, "validate"), (#"{"steps":[]}"#, "simulate")])
  func otherFiles(text: String, verb: String) {
    #expect(StoreKitFile.check(Data(text.utf8)).map(\.code) == ["other-file"])
    #expect(StoreKitFile.check(Data(text.utf8))[0].message.contains("\"monetize \(verb)\""))
    #expect(throws: StoreKitFileError.self) { try StoreKitFile(Data(text.utf8)) }
  }

  // MARK: Layouts

  @Test("An edit changes only the bytes of the changed values, in any mixed layout", arguments: 0..<100 as Range<UInt64>)
  func layouts(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let small = Small.text(
      [Small.product("a", price: "1.99"), Small.product("b")], groups: [Small.group([Small.plan("m", price: "2.99"), Small.plan("n")])])
    var text = ""
    var isInString = false
    for character in small {
      if character == "\"" { isInString.toggle() }
      text.append(character)
      if !isInString, ",:[{}]".contains(character) { text += ["", " ", "\n", "\n\t", "  \r\n "][Int(random.next() % 5)] }
    }
    let json = try Small.expectUnchanged(text).json
    var file = try StoreKitFile(Data(text.utf8))
    let change = { (text: String) in
      text.replacingOccurrences(of: "\"1.99\"", with: "\"3.49\"").replacingOccurrences(of: "\"2.99\"", with: "\"9.99\"")
    }
    file.update(from: try Catalog(json: Data(change(json).utf8)))
    #expect(file.text == change(text), "seed \(seed)")
  }

  @Test("New and removed elements keep the layout around them")
  func newElements() throws {
    let text = "{ \"products\" : [ 1,  2, { \"productID\" : \"a\" } ],\n\n  \"settings\" : {},  \"z\" : 1 }"
    var file = try StoreKitFile(Data(text.utf8))
    file.tree["products"] = .array([.int(2), .object([.init(key: "productID", value: .text("a")), .init(key: "x", value: .int(3))])])
    file.tree["added"] = .bool(true)
    #expect(
      file.text
        == "{ \"added\" : true,\n\n  \"products\" : [ 2, { \"productID\" : \"a\", \"x\" : 3 } ],\n\n  \"settings\" : {},  \"z\" : 1 }")
  }
}

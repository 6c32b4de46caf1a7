// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeJSON
import Testing

@Suite(.timeLimit(.minutes(30)))
struct JSONReaderTests {
  struct AnyKey: CodingKey {
    let stringValue: String
    let intValue: Int? = nil
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
  enum Kind: String, Decodable, CaseIterable { case subscription, nonConsumable }
  struct Money: Decodable, JSONPlaceholder {
    var amount: String
    var currency: String
    static var jsonPlaceholder: Money { Money(amount: "0") }
    init(amount: String) { (self.amount, currency) = (amount, "USD") }
    enum CodingKeys: CodingKey { case amount, currency }
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      amount = try container.decode(String.self, forKey: .amount)
      currency = try container.decode(String.self, forKey: .currency)
      if Double(amount) == nil {
        throw DecodingError.dataCorruptedError(forKey: .amount, in: container, debugDescription: "Not an amount. Write \"8.99\".")
      }
    }
  }
  struct Item: Decodable {
    var id: String
    var kind: Kind
    var price: Money?
    var count: UInt8?
    var onSale: Bool?
    var tags: [String]?
    var grants: [String: Int]?
    var terms: URL?
  }
  struct Access: Decodable {}
  struct Shop: Decodable {
    var title: String
    var version: Int
    var items: [Item]
    var access: Access?
  }

  static let planted = """
    {
      "$schema": "x", "$comment": "fine",
      "title": 3,
      "version": 2.5,
      "items": [
        { "id": "a", "kind": "subscription", "price": { "amount": "1", "currency": "USD" }, "$comment": "ok" },
        { "id": 7, "kind": "subscripton", "onSale": 1, "count": 256, "tags": ["x", 2, null] },
        { "kind": "nonConsumable", "price": { "amount": "x", "currency": 5 }, "grants": { "a": "3", "b": 2, "c": -1e3 } },
        { "id": "c", "idd": "c", "kind": "subscription", "count": -1, "tags": "x", "id": "d" },
        { "id": null, "kind": "subscription", "terms": "", "price": [], "grants": { "a": 99999999999999999999 } },
        "item",
        { "id": "e", "kind": "subscription", "onsale": true, "extra": { "deep": 1 }, "$schema": "no" }
      ],
      "access": { "what": true },
      "verzion": 1
    }
    """

  @Test(
    "An unknown key means a missing one that is its first or last word, in the singular or the plural",
    arguments: [
      ("introductoryOffer", "offers"), ("offersList", "offers"), ("priceUSD", "price"), ("product_id", "id"), ("productIDs", "id"),
      ("grid", nil), ("pricedAt", nil), ("idle", nil), ("offerOffice", "offers"), ("isPriceless", nil),
    ])
  func keyWithinAKey(unknown: String, meant: String?) throws {
    struct Item: Decodable {
      var price: String?
      var offers: [String]?
      var id: String
    }
    let document = try JSONDocument(parsing: #"{ "\#(unknown)": 1 }"#)
    let reader = JSONReader(document)
    _ = reader.decode(Item.self, from: document.root)
    let fix = meant.map { "Did you mean \"\($0)\"?" } ?? "Remove it, or use one of the known keys: id, offers, price."
    // A misspelt key is not reported as missing as well.
    let missing = meant == "id" ? [] : [#"The key "id" is missing. Add it to this object, as a string."#]
    #expect(reader.finish().map(\.message) == missing + ["Unknown key \"\(unknown)\". \(fix)"])
  }

  @Test(
    "A missing key is also meant by its first or last word, if it is the only one with that word",
    arguments: [
      ("free", "freeTier"), ("Tiers", "freeTier"), ("tier", "freeTier"), ("gate", "parentalGate"), ("app", nil), ("fre", nil),
      ("eTier", nil),
    ])
  func wordOfAKey(unknown: String, meant: String?) throws {
    struct Item: Decodable {
      var freeTier: String?
      var parentalGate: Bool?
      var appID: String?
      var appName: String?
    }
    let document = try JSONDocument(parsing: #"{ "\#(unknown)": 1 }"#)
    let reader = JSONReader(document)
    _ = reader.decode(Item.self, from: document.root)
    let fix = meant.map { "Did you mean \"\($0)\"?" } ?? "Remove it, or use one of the known keys: appID, appName, freeTier, parentalGate."
    #expect(reader.finish().map(\.message) == ["Unknown key \"\(unknown)\". \(fix)"])
  }

  @Test func aMissingKeyListsItsValues() throws {
    struct Offer: Decodable {
      enum Sort: String, Decodable, CaseIterable { case introductory, code }
      var type: Sort
    }
    let document = try JSONDocument(parsing: "{}")
    let reader = JSONReader(document)
    _ = reader.decode(Offer.self, from: document.root)
    #expect(
      reader.finish().map(\.message) == [
        #"The key "type" is missing. Add it to this object, as one of "introductory", "code"."#
      ])
  }

  @Test func everyPlantedMistakeIsReportedAtItsPlaceAndNoneIsFalse() throws {
    let document = try JSONDocument(parsing: Self.planted)
    let reader = JSONReader(document)
    #expect(reader.decode(Shop.self, from: document.root) == nil)
    let found = reader.finish()
    let expected = [
      "3:12 type-mismatch title",
      "4:14 type-mismatch version",
      "7:13 type-mismatch items[1].id",
      "7:24 bad-value items[1].kind",
      "7:49 type-mismatch items[1].onSale",
      "7:61 bad-value items[1].count",
      "7:80 type-mismatch items[1].tags[1]",
      "7:83 type-mismatch items[1].tags[2]",
      "8:5 missing-key items[2]",
      "8:53 bad-value items[2].price.amount",
      "8:70 type-mismatch items[2].price.currency",
      "8:92 type-mismatch items[2].grants.a",
      "8:110 type-mismatch items[2].grants.c",
      "9:18 unknown-key items[3].idd",
      "9:63 bad-value items[3].count",
      "9:75 type-mismatch items[3].tags",
      "9:80 repeated-key items[3].id",
      "10:13 type-mismatch items[4].id",
      "10:52 bad-value items[4].terms",
      "10:65 type-mismatch items[4].price",
      "10:86 bad-value items[4].grants.a",
      "11:5 type-mismatch items[5]",
      "12:42 unknown-key items[6].onsale",
      "12:58 unknown-key items[6].extra",
      "12:82 unknown-key items[6].$schema",
      "14:15 unknown-key access.what",
      "15:3 unknown-key verzion",
    ]
    let actual = found.map { "\($0.position?.description ?? "?") \($0.code) \($0.path)" }
    let known = Set(actual.map { $0.split(separator: " ", maxSplits: 1).last.map(String.init) ?? "" })
    let wanted = Set(expected.map { $0.split(separator: " ", maxSplits: 1).last.map(String.init) ?? "" })
    #expect(known == wanted, "missing \(wanted.subtracting(known)), false \(known.subtracting(wanted))")
    #expect(actual == expected)
    #expect(found.allSatisfy { $0.message.hasSuffix(".") || $0.message.hasSuffix("?") })
    let messages = found.map(\.message)
    #expect(messages.contains("Expected a string here, but found the number 3. Put it in quotes."))
    #expect(
      messages.contains("Expected a whole number here, but found the number 2.5. Write it without a fraction and without an exponent."))
    #expect(messages.contains("Expected true or false here, but found the number 1. Write true or false."))
    #expect(messages.contains("The number 256 does not fit here. Write a whole number from 0 to 255."))
    #expect(messages.contains("The key \"id\" is missing. Add it to this object, as a string."))
    #expect(messages.contains("Unknown key \"verzion\". Did you mean \"version\"?"))
    #expect(messages.contains("Unknown key \"onsale\". Did you mean \"onSale\"?"))
    #expect(messages.contains { $0.hasSuffix("but found the string \"subscripton\". Did you mean \"subscription\"?") })
  }

  @Test("A repeated key is reported however its object is read, also when each of its values is read", arguments: [0, 40])
  func repeatedKeys(others: Int) throws {
    struct Named: Decodable { var a: Int }
    let more = (0..<others).map { #","k\#($0)":0"# }.joined()
    let document = try JSONDocument(parsing: #"{"a":1,"\u0061":2\#(more)}"#)
    let reads: [(JSONReader, JSONValue) -> Void] = [
      { _ = $0.decode(Named.self, from: $1) }, { _ = $0.decode([String: Int].self, from: $1) }, { $0.markRead($1) },
      { reader, value in for member in value.members { _ = reader.decode(Int.self, from: member.value) } },
    ]
    for read in reads {
      let reader = JSONReader(document)
      read(reader, document.root)
      let found = reader.finish().filter { $0.code == "repeated-key" }
      #expect(found.map { "\($0.position?.description ?? "?") \($0.path)" } == ["1:8 a"])
    }
  }

  @Test func keysOfSeveralTypesAddUp() throws {
    struct Common: Decodable { var id: String }
    struct Special: Decodable { var level: Int }
    let document = try JSONDocument(parsing: #"{"id":"a","level":1,"levle":2}"#)
    let reader = JSONReader(document)
    let both = reader.collect(at: document.root) { (try Common(from: $0), try Special(from: $0)) }
    #expect(both?.0.id == "a" && both?.1.level == 1)
    #expect(reader.finish().map(\.path) == ["levle"])
  }

  @Test func readsByHand() throws {
    let text = #"{"name":"a","size":"3","raw":{"x":1},"free":{"y":1},"list":[{"id":1},{"ide":2}],"nul":null,"nmae":1}"#
    let document = try JSONDocument(parsing: text)
    let reader = JSONReader(document)
    let fields = try #require(reader.object(document.root, "a shop"))
    #expect(fields.required("name", as: String.self) == "a")
    #expect(fields.optional("size", as: Int.self) == nil)
    #expect(fields.optional("nul", as: Int.self) == nil)
    #expect(fields.required("gone", as: Int.self) == nil)
    _ = fields.value("raw")
    reader.markRead(try #require(fields.value("free")))
    for element in try #require(fields.value("list")).elements {
      _ = reader.object(element, "an entry")?.required("id", as: Int.self)
    }
    #expect(reader.object(try #require(fields.value("name")), "a name") == nil)
    reader.report(.warning, "odd", at: document.root.members[0], "Odd. Mend it.")
    let found = reader.finish().map { "\($0.position?.column ?? 0) \($0.code) \($0.path)" }
    #expect(
      found == [
        "1 missing-key ", "2 odd name", "9 type-mismatch name", "20 type-mismatch size", "31 unknown-key raw.x",
        "71 unknown-key list[1].ide", "92 unknown-key nmae",
      ])
    #expect(reader.finish().count == 7)
  }

  @Test func aValueOfAnotherTextIsReportedAndDoesNotCrash() throws {
    let reader = JSONReader(try JSONDocument(parsing: "1"))
    let other = try JSONDocument(parsing: "[1,2,[3]]").root
    #expect(reader.decode([Int].self, from: other.elements[2]) == nil)
    reader.markRead(other.elements[1])
    #expect(reader.finish().count == 2)
  }

  @Test func errorsOfAnyTypeFindTheirPlace() throws {
    struct Refusal: Error, CustomStringConvertible { var description: String { "Refused. Write something else." } }
    struct Picky: Decodable { init(from decoder: any Decoder) throws { throw Refusal() } }
    struct Box: Decodable { var a: [Picky]; var b: Picky; var c: Int }
    let document = try JSONDocument(parsing: #"{"a":[1,2],"b":3,"c":"x"}"#)
    let reader = JSONReader(document)
    #expect(reader.decode(Box.self, from: document.root) == nil)
    #expect(reader.diagnostics.map(\.path).contains("a[0]") && reader.diagnostics.first?.message == "Refused. Write something else.")
  }

  @Test func papersOfOneReadingDoNotReachTheNext() throws {
    struct Wrong: Decodable { var a: Int }
    struct Right: Decodable { var a: String }
    let document = try JSONDocument(parsing: #"{"a":"text"}"#)
    let reader = JSONReader(document)
    #expect(reader.decode(Wrong.self, from: document.root) == nil)
    #expect(reader.decode(Right.self, from: document.root)?.a == "text")
  }

  @Test func manyMistakesAreLinear() throws {
    let item = #"{"id":1,"kind":"subscription","count":-1,"onSale":1,"tags":3,"idd":2}"#
    let text = #"{"title":"a","version":1,"items":["# + Array(repeating: item, count: 10_000).joined(separator: ",") + "]}"
    let document = try JSONDocument(parsing: text)
    let reader = JSONReader(document)
    #expect(reader.decode(Shop.self, from: document.root) == nil)
    #expect(reader.finish().count == 50_000)
  }

  @Test func deepValuesAreDecodedAndReported() throws {
    final class Nest: Decodable { var next: Nest?; var x: Int? }
    let text = String(repeating: #"{"next":"#, count: 500) + #"{"x":"1","y":2}"# + String(repeating: "}", count: 500)
    let document = try JSONDocument(parsing: text)
    let reader = JSONReader(document)
    #expect(reader.decode(Nest.self, from: document.root) == nil)
    #expect(reader.finish().map(\.code) == ["type-mismatch", "unknown-key"])
  }

  @Test func mistakesDeepInListsAreReportedOnceEachAndInLinearTime() throws {
    final class Tree: Decodable { var children: [Tree]?; var x: Int?; var y: Bool }
    let text = String(repeating: #"{"x":"1","children":[{"y":true},"#, count: 200) + "7" + String(repeating: "]}", count: 200)
    let document = try JSONDocument(parsing: text)
    let reader = JSONReader(document)
    #expect(reader.decode(Tree.self, from: document.root) == nil)
    let codes = reader.finish().map(\.code)
    #expect(codes.count { $0 == "type-mismatch" } == 201 && codes.count { $0 == "missing-key" } == 200 && codes.count == 401)
  }

  @Test func manyMistakesInEnumsWithValuesAreLinear() throws {
    enum Shape: Decodable { case box(width: Int, height: Int) }
    let text = "[" + Array(repeating: #"{"box":{"width":"1","height":2.5}}"#, count: 2_000).joined(separator: ",") + "]"
    let document = try JSONDocument(parsing: text)
    let reader = JSONReader(document)
    #expect(reader.decode([Shape].self, from: document.root) == nil)
    #expect(reader.finish().count == 4_000)
  }

  @Test func enumsWithValuesAndTypesOfOneValueReportAllTheirMistakes() throws {
    enum Shape: Decodable { case box(width: Int, height: Int, name: String) }
    struct Both: Decodable {
      struct One: Decodable { var a: Int; var b: Int }
      struct Two: Decodable { var c: Int; var d: Int }
      init(from decoder: any Decoder) throws {
        let single = try decoder.singleValueContainer()
        _ = (try single.decode(One.self), try single.decode(Two.self))
      }
    }
    struct All: Decodable { var shape: Shape; var both: Both; var set: Set<Int>; var last: Int }
    let document = try JSONDocument(
      parsing: #"{"shape":{"box":{"width":"1","height":2.5}},"both":{"a":"1","c":true,"d":"2"},"set":["a",1,"b"],"last":"x"}"#)
    let reader = JSONReader(document)
    #expect(reader.decode(All.self, from: document.root) == nil)
    #expect(
      reader.finish().map { "\($0.code) \($0.path)" } == [
        "missing-key shape.box", "type-mismatch shape.box.width", "type-mismatch shape.box.height", "missing-key both",
        "type-mismatch both.a", "type-mismatch both.c", "type-mismatch both.d", "type-mismatch set[0]", "type-mismatch set[2]",
        "type-mismatch last",
      ])
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeJSON
import Testing

@Suite(.timeLimit(.minutes(30)))
struct JSONDecoderTests {
  private func agree<T: Decodable & Equatable>(_ type: T.Type, _ text: String, source: SourceLocation = #_sourceLocation) throws {
    let document = try JSONDocument(parsing: text)
    let reader = JSONReader(document)
    let ours = reader.decode(T.self, from: document.root)
    let theirs = try? JSONDecoder().decode(T.self, from: Data(text.utf8))
    #expect(ours == theirs, "\(text) \(reader.diagnostics)", sourceLocation: source)
    #expect(reader.diagnostics.isEmpty == (theirs != nil), "\(text)", sourceLocation: source)
  }

  enum Mode: String, Codable { case on, off }
  enum Shape: Codable, Equatable { case circle(radius: Double), square(Int), none }
  struct Leaf: Codable, Equatable {
    var name: String
    var count: Int?
    var mode: Mode?
    var tags: [String: [Int?]]?
  }
  class Base: Decodable {
    let id: Int
    init(id: Int) { self.id = id }
  }
  final class Derived: Base, Equatable {
    let extra: String
    enum Keys: CodingKey { case extra }
    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      extra = try container.decode(String.self, forKey: .extra)
      try super.init(from: container.superDecoder())
    }
    static func == (a: Derived, b: Derived) -> Bool { a.id == b.id && a.extra == b.extra }
  }
  enum Limit: Decodable, Equatable {
    case unlimited
    case count(Int)
    case parts([String: Int])
    init(from decoder: any Decoder) throws {
      let single = try decoder.singleValueContainer()
      if let count = try? single.decode(Int.self) {
        self = .count(count)
      } else if let word = try? single.decode(String.self) {
        guard word == "unlimited" else {
          throw DecodingError.dataCorruptedError(in: single, debugDescription: "Not a limit. Write unlimited.")
        }
        self = .unlimited
      } else {
        self = .parts(try single.decode([String: Int].self))
      }
    }
  }
  struct Pair: Decodable, Equatable {
    var first: Int
    var second: String?
    var rest: [Bool]
    init(from decoder: any Decoder) throws {
      var container = try decoder.unkeyedContainer()
      first = try container.decode(Int.self)
      second = try container.decodeNil() ? nil : container.decode(String.self)
      var nested = try container.nestedUnkeyedContainer()
      rest = []
      while !nested.isAtEnd { rest.append(try nested.decode(Bool.self)) }
    }
  }

  @Test func numbersAgreeWithFoundation() throws {
    for text in ["0", "-0", "1", "-1", "127", "128", "-128", "-129", "255", "256", "32768", "65535", "65536", "2147483648", "4294967296"] {
      try agree(Int8.self, text)
      try agree(UInt8.self, text)
      try agree(Int16.self, text)
      try agree(UInt16.self, text)
      try agree(Int32.self, text)
      try agree(UInt32.self, text)
    }
    for text in [
      "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551615",
      "18446744073709551616", "99999999999999999999999999",
    ] {
      try agree(Int.self, text)
      try agree(Int64.self, text)
      try agree(UInt.self, text)
      try agree(UInt64.self, text)
      try agree(Double.self, text)
    }
    for text in ["0.1", "-1.5e10", "1e308", "1e309", "1e-400", "123456789.123456789", "9007199254740993", "0.30000000000000004"] {
      try agree(Double.self, text)
      try agree([Double].self, "[\(text)]")
    }
    try agree(Float.self, "0.1")
    try agree(Float.self, "16777217")
    try agree(Date.self, "1000.5")
  }

  @Test func decimalsAreExact() throws {
    for text in ["8.99", "-0.10", "12345678901234567890.123456789", "1e10", "1.5E-20", "0", "99999999999999999999999999999999999999"] {
      let document = try JSONDocument(parsing: text)
      #expect(JSONReader(document).decode(Decimal.self, from: document.root) == Decimal(string: text), "\(text)")
    }
    for text in ["1e999999999999999999999", "1e-400", "123456789012345678901234567890123456789012", "\"8.99\""] {
      let document = try JSONDocument(parsing: text)
      #expect(JSONReader(document).decode(Decimal.self, from: document.root) == nil, "\(text)")
    }
  }

  @Test func shapesAgreeWithFoundation() throws {
    try agree(Leaf.self, #"{"name":"é\n","count":null,"mode":"off","tags":{"a":[1,null],"b":[]}}"#)
    try agree(Leaf.self, #"{"name":"x","mode":"no"}"#)
    try agree(Leaf.self, #"{"count":1}"#)
    try agree([Leaf].self, #"[{"name":"a"},{"name":"b","count":2}]"#)
    try agree([String: Leaf].self, #"{"x":{"name":"a"},"y z":{"name":"b"}}"#)
    try agree([Int: String].self, #"{"1":"a","2":"b"}"#)
    try agree([Mode?].self, #"["on",null]"#)
    try agree(Shape.self, #"{"circle":{"radius":1.5}}"#)
    try agree(Shape.self, #"{"square":{"_0":3}}"#)
    try agree(Shape.self, #"{"none":{}}"#)
    try agree(Shape.self, #"{"square":{"_0":3},"none":{}}"#)
    try agree(Derived.self, #"{"extra":"e","super":{"id":4}}"#)
    try agree(Derived.self, #"{"extra":"e"}"#)
    try agree(Pair.self, #"[1,null,[true,false]]"#)
    try agree(Pair.self, #"[1,"a",[]]"#)
    try agree(Pair.self, #"[1,"a"]"#)
    try agree([Limit].self, #"[3,"unlimited",{"a":1}]"#)
    try agree([Limit].self, #"["never"]"#)
    try agree(URL.self, #""https://example.com/a""#)
    try agree(Data.self, #""aGk=""#)
    try agree(Bool.self, "1")
    try agree(Int.self, "true")
    try agree(Int?.self, "null")
    try agree(Set<String>.self, #"["a","b","a"]"#)
    try agree(String.self, "null")
    try agree(Int.self, "2.5")
  }

  @Test func fallbacksLeaveNoDiagnostics() throws {
    struct Loose: Decodable {
      var title: String?
      var limit: Limit
      enum CodingKeys: CodingKey { case title, limit }
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        title = try? container.decode(String.self, forKey: .title)
        limit = try container.decode(Limit.self, forKey: .limit)
      }
    }
    let document = try JSONDocument(parsing: #"{"title":{"en":"a"},"limit":{"x":1}}"#)
    let reader = JSONReader(document)
    #expect(reader.decode(Loose.self, from: document.root)?.limit == .parts(["x": 1]))
    #expect(reader.finish().isEmpty)
  }

  @Test func userInfoAndPathsReachTheTypes() throws {
    struct Seen: Decodable, Equatable {
      var path: String
      var info: String?
      init(from decoder: any Decoder) throws {
        path = decoder.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: "/")
        info = CodingUserInfoKey(rawValue: "k").flatMap { decoder.userInfo[$0] as? String }
        _ = try decoder.container(keyedBy: JSONReaderTests.AnyKey.self).allKeys
      }
    }
    let document = try JSONDocument(parsing: #"{"a":[{},{"b":{}}]}"#)
    let key = try #require(CodingUserInfoKey(rawValue: "k"))
    let reader = JSONReader(document, userInfo: [key: "hello"])
    let seen = reader.decode([String: [Seen]].self, from: document.root)
    #expect(seen?["a"]?.map(\.path) == ["a/0", "a/1"])
    #expect(seen?["a"]?.first?.info == "hello")
  }
}

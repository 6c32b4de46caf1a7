// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeJSON
import Testing

/// The plain reader of texts that a program has written.
@Suite(.timeLimit(.minutes(30)))
struct JSONReaderPlainTests {
  private func plain<T: Decodable>(_ text: String, as type: T.Type = T.self) throws -> T? {
    let document = try JSONDocument(parsing: #"{"value":\#(text)}"#)
    let reader = JSONReader(document, isPlain: true)
    var value: T?
    _ = reader.read(document.root) { _, decoder in
      value = try decoder.singleValueContainer().decode(T.self)
      return true
    }
    return value
  }

  @Test func readsTextsNumbersBooleansAndDates() throws {
    struct Record: Codable, Equatable {
      var text: String
      var count: Int
      var isOn: Bool
      var at: Date
      var list: [Double]
      var none: Int?
    }
    let date = Date(timeIntervalSinceReferenceDate: 801_606_400.123_456_7)
    let record = Record(text: "é", count: -3, isOn: true, at: date, list: [0, 1.5, 1e300])
    let text = String(decoding: try JSONEncoder().encode(record), as: UTF8.self)
    #expect(try plain(text) == record)
  }

  @Test func readsTypesThatFoundationDecodesSpecially() throws {
    // Each of these types would ask the decoder for itself again, without end.
    #expect(try plain("1", as: Float.self) == 1)
    #expect(try plain("1", as: UInt8.self) == 1)
    #expect(try plain("1", as: Int64.self) == 1)
    #expect(try plain("\"aGk=\"", as: Data.self) == Data("hi".utf8))
    #expect(try plain("1.1", as: Decimal.self) == Decimal(string: "1.1"))
    #expect(try plain("\"https://example.com\"", as: URL.self) == URL(string: "https://example.com"))
    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) { #expect(try plain("1", as: Int128.self) == 1) }
  }

  @Test func stopsAtTheFirstMistakeAndReportsNothing() throws {
    struct Pair: Decodable { var a: Int, b: Int? }
    let document = try JSONDocument(
      parsing: #"[{ "pair": { "a": "x", "b": "y" } }, { "pair": { "a": 1, "c": { "d": 2 } } }, { "pair": { "a": 1 } }]"#)
    let reader = JSONReader(document, isPlain: true)
    let whole = document.root.elements.map { reader.read($0) { _, decoder in try Pair(from: decoder).a > 0 } }
    #expect(whole == [nil, false, true])
    #expect(reader.diagnostics.isEmpty)
  }

  @Test(arguments: ["0", "-0", "0.000", "0e99", "0.00E-400", "1e-300", "123456789.123456789"])
  func readsANumberAsTheStandardLibraryDoes(_ text: String) throws {
    #expect(try plain("[\(text)]", as: [Double].self) == [try #require(Double(text))])
  }

  @Test func readsTheNearestValueOfAnyDigits() throws {
    var random = SystemRandomNumberGenerator()
    // The last is halfway between two values.
    var texts = ["9999999999999999999", "0.9999999999999999999", "1.0000000000000000001", "18446744073709551616", "9007199254740993"]
    for _ in 0..<2000 {
      texts.append(Double.random(in: 0...1e9, using: &random).description)
      let digits = String(UInt64.random(in: 1...UInt64.max, using: &random)).prefix(Int.random(in: 1...20, using: &random))
      texts.append("-\(Int.random(in: 0...9, using: &random)).\(digits)")
      texts.append("\(digits)")
    }
    let numbers = try #require(try plain("[\(texts.joined(separator: ","))]", as: [Double].self))
    for (text, number) in zip(texts, numbers) { #expect(number == Double(text), "\(text)") }
  }

  @Test(arguments: ["1e400", "-1e400", "1e-400", "0.0000001e-400"])
  func refusesANumberThatADoubleCannotHold(_ text: String) throws { #expect(try plain("[\(text)]", as: [Double].self) == nil) }
}

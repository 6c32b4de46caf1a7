// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeJSON
import Testing

@Suite("JSON: strings, and the words of mistakes", .timeLimit(.minutes(30)))
struct JSONMessageTests {
  @Test("A string has the characters of its escapes")
  func escapes() throws {
    let text = #""\uD83D\uDE00 \ud834\udd1e \uDBFF\uDFFF \u00e9\u0041\u0000 \" \\ \/ \b\f\n\r\t é😀""#
    let value = "😀 𝄞 \u{10FFFF} éA\u{0} \" \\ / \u{8}\u{c}\n\r\t é😀"
    let root = try JSONDocument(parsing: text).root
    #expect(root.string == value)
    #expect(try JSONDecoder().decode(String.self, from: Data(text.utf8)) == value)
    // A key as well.
    #expect(try JSONDocument(parsing: "{ \(text): 1 }").root[value]?.string == nil)
    #expect(try JSONDocument(parsing: "{ \(text): 1 }").root.members.first?.key == value)
  }

  @Test(
    "A syntax error has its cause and its fix",
    arguments: [
      ("\u{FEFF}1", "The text begins with a byte order mark. Save the file as UTF-8 without one."),
      ("\"a\nb\"", "A string must not go over the end of a line. Close it with a quote, or write the line break as \\n."),
      ("\"a\rb\"", "A string must not go over the end of a line. Close it with a quote, or write the line break as \\n."),
      ("\"a\tb\"", "A string contains a control character. Write it as \\t, or remove it."),
      ("\"a\u{1}b\"", "A string contains a control character. Write it as \\u0001, or remove it."),
      ("[1, 2", "The text ends inside an array. Add the missing \"]\"."),
      ("{ \"a\": 1", "The text ends inside an object. Add the missing \"}\"."),
      ("[{ \"a\": [1]", "The text ends inside an object. Add the missing \"}\"."),
      ("\"ab", "The text ends inside a string. Add the closing quote."),
      ("", "The text ends where a value is expected. Add the value."),
      ("[1 // one\n]", "Remove it; JSON has no comments."), ("[1 /* one */]", "Remove it; JSON has no comments."),
      ("[1 2]", "Put a comma between two values."),
    ])
  func syntax(text: String, message: String) {
    let error = #expect(throws: Diagnostic.self) { try JSONDocument(parsing: text) }
    #expect(error?.message.hasSuffix(message) == true, "\(error?.message ?? "none")")
  }

  private enum Few: String, Decodable, CaseIterable { case a1, b2, c3, d4, e5, f6, g7, h8, i9, j10, k11, l12 }
  private enum Many: String, Decodable, CaseIterable { case a1, b2, c3, d4, e5, f6, g7, h8, i9, j10, k11, l12, m13 }

  private func messages<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> [String] {
    let document = try JSONDocument(parsing: text)
    let reader = JSONReader(document)
    _ = reader.decode(Value.self, from: document.root)
    return reader.finish().map(\.message)
  }

  @Test("A list of more than twelve values or keys is shortened, visibly")
  func lists() throws {
    let values = try (messages([Few].self, #"["zzzz"]"#), messages([Many].self, #"["zzzz"]"#))
    #expect(values.0.first?.contains(#""k11", "l12" here"#) == true && values.1.first?.contains(#""k11", "l12", … here"#) == true)

    func keys(_ count: Int) throws -> String {
      let members = (1...count).map { "\"known\($0 + 10)\": 1" }.joined(separator: ", ")
      let document = try JSONDocument(parsing: "{ \(members), \"zzzz\": 1 }")
      let reader = JSONReader(document)
      let fields = try #require(reader.object(document.root, "an object"))
      for number in 1...count { _ = fields.value("known\(number + 10)") }
      return reader.finish().map(\.message).joined()
    }
    #expect(try keys(12).hasSuffix("known21, known22.") && keys(13).hasSuffix("known21, known22, …."))
  }

  @Test("A number or a word in quotes loses them, and any other text is replaced")
  func quotes() throws {
    #expect(try messages(Int.self, #""12""#).first?.hasSuffix("Remove the quotes.") == true)
    #expect(try messages(Double.self, #""1.5""#).first?.hasSuffix("Remove the quotes.") == true)
    #expect(try messages(Bool.self, #""true""#).first?.hasSuffix("Remove the quotes.") == true)
    #expect(try messages(Int.self, #""twelve""#).first?.hasSuffix("Remove the quotes.") == false)
    #expect(try messages(Bool.self, #""yes""#).first?.hasSuffix("Write true or false.") == true)
    #expect(try messages(String.self, "12").first?.hasSuffix("Put it in quotes.") == true)
  }

  @Test("A key has at least forty Base64 digits in a row", arguments: [(39, false), (40, true)])
  func keyMaterial(length: Int, isKey: Bool) {
    let digits = String(repeating: "A", count: length)
    for text in [digits, "\"\(digits)\"", "x \(digits)"] { #expect(KeyMaterial.isIn(text) == isKey, "\(text)") }
    #expect(!KeyMaterial.isIn("\(digits.dropLast(20)) \(digits.dropLast(20))"))
  }
}

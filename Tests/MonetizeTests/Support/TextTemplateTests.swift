// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Testing

@Suite("Texts with names in braces", .timeLimit(.minutes(30)))
struct TextTemplateTests {
  private static let values = ["price": "8,99 €", "größe": "3", "a": "{price}"]

  @Test(
    "a name in braces is replaced once, and all else stays as it is",
    arguments: [
      ("{price} im Monat", "8,99 € im Monat"), ("für {price}", "für 8,99 €"), ("{price}{price}", "8,99 €8,99 €"),
      ("{größe} 👩‍👩‍👧 {größe}", "3 👩‍👩‍👧 3"),
      ("plain", "plain"), ("", ""), ("{}", "{}"), ("{", "{"), ("}", "}"), ("{a b}", "{a b}"), ("{price", "{price"),
      ("{{price}}", "{8,99 €}"),
      ("{1}", "{1}"), ("{x{price}", "{x8,99 €"),
      // A value that looks like a name is a value.
      ("{a} und {price}", "{price} und 8,99 €"),
    ])
  func filled(_ text: String, _ expected: String) { #expect(text.filled { Self.values[$0] } == expected) }

  @Test(
    "a value is isolated in a text with any sign that is written from right to left, from the first one on",
    arguments: ["\u{590}", "\u{5BE}", "\u{5D0}", "\u{8FF}"])
  func isolated(_ sign: String) {
    #expect("{price} \(sign)".filled { Self.values[$0] } == "\u{2068}8,99 €\u{2069} \(sign)")
    #expect("{price} \u{58F}".filled { Self.values[$0] } == "8,99 € \u{58F}")
  }

  @Test("a name without a value leaves no text", arguments: ["{limit}", "{price} {limit}", "{limit} {price}"])
  func missing(_ text: String) { #expect(text.filled { Self.values[$0] } == nil) }
}

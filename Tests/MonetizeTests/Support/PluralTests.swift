// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize

/// The forms of nouns beside whole numbers. Source: Unicode CLDR, "Language Plural Rules".
struct PluralTests {
  @Test(
    "A noun has the form of its number",
    arguments: [
      ("en de xx", "one 1 other 0 2 11 21 100"), ("fr pt hi", "one 0 1 other 2 11 21 100"), ("ja zh ko", "other 0 1 2 5 100"),
      ("ru uk", "one 1 21 31 101 121 few 2 3 4 22 24 102 many 0 5 11 12 14 19 20 25 100 111 112"),
      ("sr hr", "one 1 21 101 few 2 4 22 102 other 0 5 11 12 19 100 111"),
      ("pl", "one 1 few 2 3 4 22 24 102 many 0 5 11 12 14 19 21 31 101 112"), ("cs sk", "one 1 few 2 3 4 other 0 5 11 22 101"),
      ("sl", "one 1 101 two 2 102 few 3 4 103 104 other 0 5 11 12 100"),
      ("lt", "one 1 21 101 few 2 9 22 29 102 other 0 10 11 12 19 20 100 111"),
      ("lv", "zero 0 10 11 12 19 20 100 111 one 1 21 101 other 2 9 22 102"),
      ("ro", "one 1 few 0 2 16 19 101 119 other 20 35 100 120"), ("is mk", "one 1 21 101 other 0 2 11 12 111"),
      ("he", "one 1 two 2 other 0 3 10 20 100"), ("ar", "zero 0 one 1 two 2 few 3 10 103 110 many 11 26 99 111 other 100 101 102 200"),
    ])
  func forms(languages: String, table: String) {
    var expected: [Int: Plural] = [:]
    var form = Plural.other
    for word in table.split(separator: " ").map(String.init) {
      if let number = Int(word) { expected[number] = form } else { form = Plural(rawValue: word) ?? form }
    }
    for language in languages.split(separator: " ") {
      let found = expected.keys.map { ($0, Language("\(language)-XX").plural(of: $0)) }
      #expect(Dictionary(uniqueKeysWithValues: found) == expected, "\(language)")
      #expect(Set(Language(String(language)).plurals) == Set(expected.values).union([.other]))
    }
  }
}

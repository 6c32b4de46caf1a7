// SPDX-License-Identifier: Apache-2.0

/// A text split into clauses and words, to tell "no subscriptions" from "a subscription".
struct Wording {
  private let clauses: [[String]]

  private static let negations: Set<String> = ["no", "not", "never", "without", "nothing", "zero", "neither", "nor", "free of"]
  private static let ends: Set<Character> = [".", ",", ";", ":", "!", "?", "•", "·", "|", "–", "—", "\n", "(", ")", "&", "/"]

  init(_ text: String) {
    clauses = text.lowercased().split(whereSeparator: Self.ends.contains).map { clause in
      clause.split { !$0.isLetter && !$0.isNumber && $0 != "-" && $0 != "'" }.map(String.init)
    }
  }

  /// The first of these phrases that the text asserts. A phrase is words separated by spaces; a word with a final `*` matches every word
  /// with that beginning.
  func asserts(_ phrases: [String]) -> String? { phrases.first { phrase in clauses.contains { Self.finds(phrase, in: $0) == true } } }

  /// Whether the text denies one of these phrases: "no subscriptions".
  func denies(_ phrases: [String]) -> Bool { phrases.contains { phrase in clauses.contains { Self.finds(phrase, in: $0) == false } } }

  /// Whether a clause asserts a phrase; `false` if it denies the phrase, `nil` if it does not contain it.
  private static func finds(_ phrase: String, in clause: [String]) -> Bool? {
    let words = phrase.split(separator: " ").map(String.init)
    guard clause.count >= words.count else { return nil }
    let starts = 0...(clause.count - words.count)
    guard let start = starts.first(where: { start in words.indices.allSatisfy { matches(words[$0], clause[start + $0]) } }) else {
      return nil
    }
    return !clause[..<start].contains(where: negations.contains)
  }

  private static func matches(_ pattern: String, _ word: String) -> Bool {
    pattern.hasSuffix("*") ? word.hasPrefix(String(pattern.dropLast())) : pattern == word
  }
}

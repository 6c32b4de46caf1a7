// SPDX-License-Identifier: Apache-2.0

/// A text split into clauses and words, to tell "no subscriptions" from "a subscription".
struct Wording {
  private struct Word {
    let text: Substring
    /// Whether a hyphen joins it to the word before.
    let isJoined: Bool
  }

  private let clauses: [[Word]]

  private static let negations: Set<Substring> = [
    "no", "not", "never", "without", "nothing", "none", "zero", "neither", "nor", "cannot", "instead", "unlike",
  ]
  private static let ends: Set<Character> = [".", ",", ";", ":", "!", "?", "•", "·", "|", "–", "—", "\n", "(", ")", "&", "/"]
  /// The number of words that `…` in a phrase may stand for.
  private static let gap = 2

  init(_ text: String) {
    let clauses = text.lowercased().split { Self.ends.contains($0) }
    self.clauses = clauses.map { clause in
      clause.split { !$0.isLetter && !$0.isNumber && !Self.joins.contains($0) }.flatMap { compound in
        compound.split(separator: "-").enumerated().map { Word(text: $1, isJoined: $0 > 0) }
      }
    }
  }

  private static let joins: Set<Character> = ["-", "'", "’"]

  /// The first of these phrases that the text asserts. A phrase is words separated by spaces; a word with a final `*` matches every word
  /// with that beginning, and `…` up to two words.
  func asserts(_ phrases: [String]) -> String? { phrases.first { phrase in clauses.contains { Self.finds(phrase, in: $0) == true } } }

  /// Whether the text denies one of these phrases: "no subscriptions", "subscription-free", "free of subscriptions".
  func denies(_ phrases: [String]) -> Bool { phrases.contains { phrase in clauses.contains { Self.finds(phrase, in: $0) == false } } }

  /// Whether a clause asserts a phrase; `false` if it denies the phrase, `nil` if it does not contain it.
  private static func finds(_ phrase: String, in clause: [Word]) -> Bool? {
    let patterns = phrase.split(separator: " ")
    for start in clause.indices {
      if let end = end(of: patterns[...], at: start, in: clause) { return !isDenied(upTo: end, in: clause) }
    }
    return nil
  }

  /// The index after a phrase that begins at a word.
  private static func end(of patterns: ArraySlice<Substring>, at index: Int, in clause: [Word]) -> Int? {
    guard let pattern = patterns.first else { return index }
    if pattern == "…" { return (0...gap).lazy.compactMap { end(of: patterns.dropFirst(), at: index + $0, in: clause) }.first }
    guard index < clause.count, matches(pattern, clause[index].text) else { return nil }
    return end(of: patterns.dropFirst(), at: index + 1, in: clause)
  }

  private static func isDenied(upTo end: Int, in clause: [Word]) -> Bool {
    if end < clause.count, clause[end].isJoined, clause[end].text == "free" { return true }
    return clause[..<end].indices.contains { index in
      let (word, next) = (clause[index].text, index + 1 < end ? clause[index + 1].text : "")
      return negations.contains(word) || word.hasSuffix("n't") || word.hasSuffix("n’t") || word == "free" && ["of", "from"].contains(next)
        || word == "rather" && next == "than"
    }
  }

  private static func matches(_ pattern: Substring, _ word: Substring) -> Bool {
    pattern.hasSuffix("*") ? word.hasPrefix(pattern.dropLast()) : pattern == word
  }
}

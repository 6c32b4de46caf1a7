// SPDX-License-Identifier: Apache-2.0

/// A text split into clauses and words, to distinguish "no subscriptions" from "a subscription".
struct Wording {
  /// Words separated by spaces; a word with a final `*` matches every word with that beginning, and `…` up to two words.
  struct Phrase: ExpressibleByStringLiteral {
    let text: String
    /// The words. Split once, because many texts are compared with one phrase.
    fileprivate let words: [Substring]

    init(stringLiteral text: String) { (self.text, words) = (text, text.split(separator: " ")) }
  }

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

  /// The first of these phrases that the text asserts.
  func asserts(_ phrases: [Phrase]) -> String? { phrases.first { finds($0, isDenied: false) }?.text }

  /// Whether the text denies one of these phrases: "no subscriptions", "subscription-free", "free of subscriptions".
  func denies(_ phrases: [Phrase]) -> Bool { phrases.contains { finds($0, isDenied: true) } }

  /// Whether a phrase occurs anywhere, denied or not.
  private func finds(_ phrase: Phrase, isDenied: Bool) -> Bool {
    clauses.contains { clause in
      clause.indices.contains { start in
        guard let end = Self.end(of: phrase.words[...], at: start, in: clause) else { return false }
        return Self.isDenied(start..<end, in: clause) == isDenied
      }
    }
  }

  /// The index after a phrase that begins at a word.
  private static func end(of patterns: ArraySlice<Substring>, at index: Int, in clause: [Word]) -> Int? {
    guard let pattern = patterns.first else { return index }
    if pattern == "…" { return (0...gap).lazy.compactMap { end(of: patterns.dropFirst(), at: index + $0, in: clause) }.first }
    guard index < clause.count, matches(pattern, clause[index].text) else { return nil }
    return end(of: patterns.dropFirst(), at: index + 1, in: clause)
  }

  /// Whether a phrase in a clause is denied. A negation before it does not count where the phrase is something that exists: "no limits with
  /// your subscription", "nothing beats a subscription".
  private static func isDenied(_ phrase: Range<Int>, in clause: [Word]) -> Bool {
    if phrase.upperBound < clause.count, clause[phrase.upperBound].isJoined, clause[phrase.upperBound].text == "free" { return true }
    return clause[..<phrase.upperBound].indices.contains { index in
      let (word, next) = (clause[index].text, index + 1 < phrase.upperBound ? clause[index + 1].text : "")
      let isNegation =
        negations.contains(word) || word.hasSuffix("n't") || word.hasSuffix("n’t") || word == "free" && ["of", "from"].contains(next)
        || word == "rather" && next == "than"
      if !isNegation || ["better", "beats"].contains(next) { return false }
      // "free of" and "instead of" deny what follows their own preposition.
      let between = clause[min(index + (word == "free" ? 2 : 1), phrase.lowerBound)..<phrase.lowerBound]
      return !between.contains { leading.contains($0.text) }
    }
  }

  /// Words that lead to something that exists, whatever was denied before.
  private static let leading: Set<Substring> = ["your", "our", "my", "if", "while", "during"]

  private static func matches(_ pattern: Substring, _ word: Substring) -> Bool {
    pattern.hasSuffix("*") ? word.hasPrefix(pattern.dropLast()) : pattern == word
  }
}

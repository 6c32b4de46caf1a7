// SPDX-License-Identifier: Apache-2.0
import Monetize
import MonetizeJSON

/// A limit that a text names must be one that the catalog gives: texts stay behind when a limit changes.
extension LintRule {
  static let otherLimit = LintRule("limit-in-text", .warning, source: "App Review guideline 2.3.1", sections: ["features"]) { subject in
    let limits = CountedNouns(in: subject)
    return subject.englishTexts.flatMap { text in
      limits.counts(in: text.text).compactMap { amount, noun in
        guard let known = limits.amounts[noun], !known.isEmpty, !known.contains(amount) else { return nil }
        let given = known.sorted().map(String.init).joined(separator: ", ")
        return LintMistake(
          at: text.place,
          "\"\(text.text)\" names \(amount) \(noun), but the amounts in this catalog are \(given). Correct one of them, or remove the number."
        )
      }
    }
  }
}

/// The nouns of counted features, with the amounts that customers can have of them.
private struct CountedNouns {
  /// The noun, in the plural, of each of its forms.
  private var nouns: [String: String] = [:]
  /// The amounts of each noun: features with one noun share them, and a collection has a number of items.
  private(set) var amounts: [String: Set<Int>] = [:]

  private static let numbers = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
  /// The number of words that may stand between a number and its noun.
  private static let gap = 2

  init(in subject: LintSubject) {
    var nounOf: [String: String] = [:]
    let sizes = Set(subject.catalog.collections.map(\.items.count))
    for (feature, _) in subject.features {
      guard let (one, noun) = Self.noun(of: feature) else { continue }
      nounOf[feature.id.rawValue] = noun
      (nouns[one], nouns[noun], amounts[noun]) = (noun, noun, sizes)
    }
    let givers =
      [subject.root["freeTier"]].compactMap { $0 } + (subject.root["products"]?.elements ?? [])
      + (subject.root["entitlements"]?.members.map(\.place) ?? [])
    for gift in givers.flatMap({ giver in ["grants", "credits"].flatMap { giver[$0]?.members ?? [] } }) {
      if let noun = nounOf[gift.key] { gift.place.value.addIntegers(to: &amounts[noun, default: []]) }
    }
  }

  /// The noun of a counted feature in singular and plural: its unit, or a title such as "Stories".
  private static func noun(of feature: Feature) -> (one: String, other: String)? {
    if let unit = feature.unit { return (unit.one.lowercased(), unit.other.lowercased()) }
    let (shape, title) = (type(of: feature.shape), feature.title.lowercased())
    guard feature.part == nil, shape.isAboutItems || shape.isMetered && !shape.countsSeconds, title.hasSuffix("s"),
      title.allSatisfy(\.isLetter)
    else { return nil }
    return (title.hasSuffix("ies") ? title.dropLast(3) + "y" : String(title.dropLast()), title)
  }

  /// The amounts in a text, with their nouns: 3 stories in "three free bedtime stories".
  func counts(in text: String) -> [(amount: Int, noun: String)] {
    var found: [(amount: Int, noun: String)] = []
    var last: (amount: Int, distance: Int)?
    for word in text.lowercased().split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "%" }) {
      if let amount = Int(word) ?? Self.numbers.firstIndex(of: String(word)).map({ $0 + 1 }) {
        last = (amount, 0)
      } else if let (amount, distance) = last {
        let noun = nouns[String(word)]
        if let noun { found.append((amount, noun)) }
        // "12 months of notes" and "50 % more notes" count something else.
        last = noun != nil || distance == Self.gap || word == "of" || word == "%" ? nil : (amount, distance + 1)
      }
    }
    return found
  }
}

extension JSONValue {
  /// Adds the integers in this value and in what it contains.
  fileprivate func addIntegers(to numbers: inout Set<Int>) {
    if let number = int { numbers.insert(number) }
    for element in elements { element.addIntegers(to: &numbers) }
    for member in members { member.value.addIntegers(to: &numbers) }
  }
}

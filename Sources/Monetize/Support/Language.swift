// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The language of a text, as a BCP 47 code such as `de` or `pt-BR`. An open set: the framework's own texts are available in English,
/// German and Japanese. A table of texts brings those of any other language: see ``CatalogStrings``. Values with equal codes are equal.
public struct Language: StringIdentifier {
  /// The code, such as `de`.
  public let rawValue: String
  /// The app's own texts in place of the framework's.
  package let texts: [FrameworkText: String]

  /// Makes a language from its code.
  public init(rawValue: String) { self.init(rawValue, texts: [:]) }
  init(_ code: String, texts: [FrameworkText: String]) { (rawValue, self.texts) = (code, texts) }

  /// English.
  public static let english: Self = "en"
  /// German.
  public static let german: Self = "de"
  /// Japanese.
  public static let japanese: Self = "ja"

  /// The code without region and script: `pt` of `pt-BR`.
  public var base: String {
    let end = rawValue.utf8.firstIndex { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    return rawValue[..<(end ?? rawValue.endIndex)].lowercased()
  }
  /// Whether its script runs from right to left.
  public var isRightToLeft: Bool { ["ar", "he", "fa", "ur", "ps", "sd", "ug", "yi", "dv", "ckb"].contains(base) }

  /// The first of the preferred languages that is available: with its region and script, or else without them, such as `zh-Hans` or `zh` for
  /// `zh-Hans-CN`. `nil` when none is. Source: RFC 4647, "Lookup".
  public static func match(_ preferred: [Language], in available: [Language]) -> Language? {
    let known = Dictionary(available.map { (subtags($0), $0) }) { first, _ in first }
    return preferred.lazy.flatMap { language in
      let subtags = subtags(language)
      return (1...max(1, subtags.count)).reversed().map { Array(subtags.prefix($0)) }
    }.compactMap { known[$0] }.first
  }

  /// Whether it is a code, such as `de` or `pt-BR`, and no name. It selects texts and the forms of nouns.
  package var isCode: Bool {
    let parts = rawValue.split(separator: "-", omittingEmptySubsequences: false)
    return parts.allSatisfy { (1...8).contains($0.count) && $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) } }
      && (2...3).contains(parts[0].count) && parts[0].allSatisfy(\.isLetter)
  }

  /// The mistake of a name in place of a code.
  package var mistake: String { "\"\(rawValue)\" is not a language. Write its code, such as \"de\" or \"pt-BR\"." }

  private static func subtags(_ language: Language) -> [String] {
    language.rawValue.lowercased().split { $0 == "-" || $0 == "_" }.map(String.init)
  }

  /// Whether two codes are equal.
  public static func == (a: Self, b: Self) -> Bool { a.rawValue == b.rawValue }
  /// Hashes the code.
  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

extension Language {
  /// One of the framework's texts: the app's own, or else the framework's in this language, or else the English one.
  package func text(_ name: FrameworkText) -> String { texts[name] ?? FrameworkText.texts(in: base)[name] ?? "" }

  /// Whether the framework has texts of its own in this language.
  package var hasFrameworkTexts: Bool { FrameworkText.own[base] != nil }

  /// One of the framework's texts with values in place of the names in braces.
  package func text(_ name: FrameworkText, _ values: KeyValuePairs<String, String>) -> String {
    let text = text(name)
    return text.filled { name in values.first { $0.key == name }?.value ?? "{\(name)}" } ?? text
  }
}

/// A unit of a length in words.
private enum LengthUnit: String {
  case year, month, week, day, hour, minute, second

  /// The unit for a number: `day`, `days`. Two tables of texts are never mixed, because their plurals may differ.
  func form(for number: Int, in language: Language) -> String {
    let forms = [language.plural(of: number), .other].compactMap { FrameworkText(rawValue: rawValue + $0.rawValue.capitalized) }
    return [language.texts, FrameworkText.texts(in: language.base)].lazy
      .compactMap { texts in forms.lazy.compactMap { texts[$0] }.first }.first ?? rawValue
  }

  /// The unit after "per".
  func each(in language: Language) -> String { FrameworkText(rawValue: rawValue + "Each").map(language.text) ?? rawValue }
}

extension Period {
  /// The length in words: `7 days`, `1 month`, `20 hours`; `7 Tage` in German.
  public func words(in language: Language) -> String { words(in: language, inWeeks: false) }

  /// The length in words.
  /// - Parameters:
  ///   - language: The language.
  ///   - inWeeks: Whether seven days are a week, as beside a price per week.
  package func words(in language: Language, inWeeks: Bool) -> String {
    let parts = parts(inWeeks: inWeeks)
    let (space, end) = (language.text(.lengthSpace), language.text(.lengthEnd))
    let texts = parts.enumerated().map { index, part in
      let (form, each) = (part.unit.form(for: part.number, in: language), part.unit.each(in: language))
      return "\(part.number)\(space)\(index < parts.count - 1 && form == each + end ? each : form)"
    }
    return texts.isEmpty ? language.text(.lengthNone) : texts.joined(separator: space)
  }

  /// The length in words after "per": `month`, `week`, `3 months`.
  public func each(in language: Language) -> String {
    let parts = parts(inWeeks: self == Period(days: 7))
    return parts.count == 1 && parts[0].number == 1 ? parts[0].unit.each(in: language) : words(in: language)
  }

  private func parts(inWeeks: Bool) -> [(number: Int, unit: LengthUnit)] {
    // Twelve months are a year, however they are written.
    let isWeeks = inWeeks && days.isMultiple(of: 7)
    let parts: [(number: Int, unit: LengthUnit)] = [
      (years + months / 12, .year), (months % 12, .month), (isWeeks ? days / 7 : days, isWeeks ? .week : .day), (seconds / 3600, .hour),
      (seconds % 3600 / 60, .minute), (seconds % 60, .second),
    ]
    return parts.filter { $0.number != 0 }
  }
}

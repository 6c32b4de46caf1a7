// SPDX-License-Identifier: Apache-2.0

/// The language of a text, as a BCP 47 code such as `de` or `pt-BR`. An open set: the framework's own words are available in English,
/// German and Japanese, and other languages use the English ones.
public struct Language: StringIdentifier {
  /// The code, such as `de`.
  public let rawValue: String
  /// Makes a language from its code.
  public init(rawValue: String) { self.rawValue = rawValue }
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

  /// Whether a number takes the singular. Source: Unicode CLDR, plural rules for cardinals.
  func isSingular(_ number: Int) -> Bool {
    switch base {
    case "ja", "zh", "ko", "th", "vi", "id", "ms": false
    case "fr", "pt": number == 0 || number == 1
    default: number == 1
    }
  }
}

/// The words of one language for lengths of time and for no limit.
struct LengthWords: Sendable {
  /// The singular and the plural of a unit, and the unit after "per".
  typealias Unit = (one: String, other: String, each: String)

  let unlimited: String
  let none: String
  /// The text between a number and its unit, and between two lengths.
  let space: String
  /// The ending of the last part of a length, such as 間 in 1年6か月2日間; empty where each part has its own.
  var end = ""
  let year, month, week, day, hour, minute, second: Unit

  static func of(_ language: Language) -> Self {
    switch language.base {
    case "de": german
    case "ja": japanese
    default: english
    }
  }

  private static let english = LengthWords(
    unlimited: "unlimited", none: "no time", space: " ", year: ("year", "years", "year"), month: ("month", "months", "month"),
    week: ("week", "weeks", "week"), day: ("day", "days", "day"), hour: ("hour", "hours", "hour"), minute: ("minute", "minutes", "minute"),
    second: ("second", "seconds", "second"))
  private static let german = LengthWords(
    unlimited: "unbegrenzt", none: "keine Zeit", space: " ", year: ("Jahr", "Jahre", "Jahr"), month: ("Monat", "Monate", "Monat"),
    week: ("Woche", "Wochen", "Woche"), day: ("Tag", "Tage", "Tag"), hour: ("Stunde", "Stunden", "Stunde"),
    minute: ("Minute", "Minuten", "Minute"), second: ("Sekunde", "Sekunden", "Sekunde"))
  private static let japanese = LengthWords(
    unlimited: "無制限", none: "0秒", space: "", end: "間", year: ("年間", "年間", "年"), month: ("か月", "か月", "月"), week: ("週間", "週間", "週"),
    day: ("日間", "日間", "日"), hour: ("時間", "時間", "時間"), minute: ("分", "分", "分"), second: ("秒", "秒", "秒"))
}

extension Period {
  /// The length in words: `7 days`, `1 month`, `20 hours`; `7 Tage` in German.
  public func words(in language: Language) -> String { words(in: language, inWeeks: false) }

  /// The length in words.
  /// - Parameters:
  ///   - language: The language.
  ///   - inWeeks: Whether seven days are a week, as beside a price per week.
  package func words(in language: Language, inWeeks: Bool) -> String {
    let words = LengthWords.of(language)
    let parts = parts(words, inWeeks: inWeeks)
    let texts = parts.enumerated().map { index, part in
      let unit = part.unit
      let isInner = index < parts.count - 1 && unit.other == unit.each + words.end
      return "\(part.number)\(words.space)\(isInner ? unit.each : language.isSingular(part.number) ? unit.one : unit.other)"
    }
    return texts.isEmpty ? words.none : texts.joined(separator: words.space)
  }

  /// The length in words after "per": `month`, `week`, `3 months`.
  public func each(in language: Language) -> String {
    let words = LengthWords.of(language)
    let parts = parts(words, inWeeks: self == Period(days: 7))
    return parts.count == 1 && parts[0].number == 1 ? parts[0].unit.each : self.words(in: language)
  }

  private func parts(_ words: LengthWords, inWeeks: Bool) -> [(number: Int, unit: LengthWords.Unit)] {
    var parts: [(number: Int, unit: LengthWords.Unit)] = []
    func add(_ number: Int, _ unit: LengthWords.Unit) { if number != 0 { parts.append((number, unit)) } }
    // Twelve months are a year, however they are written.
    add(years + months / 12, words.year)
    add(months % 12, words.month)
    let isWeeks = inWeeks && days.isMultiple(of: 7)
    add(isWeeks ? days / 7 : days, isWeeks ? words.week : words.day)
    add(seconds / 3600, words.hour)
    add(seconds % 3600 / 60, words.minute)
    add(seconds % 60, words.second)
    return parts
  }
}

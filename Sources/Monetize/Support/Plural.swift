// SPDX-License-Identifier: Apache-2.0

/// The form of a noun beside a whole number. Source: Unicode CLDR, plural rules for cardinals.
enum Plural: String, CaseIterable {
  case zero, one, two, few, many, other
}

extension Language {
  /// The forms that the language has, with the one for all that has no form of its own.
  var plurals: [Plural] {
    let used = Set((0...200).map(plural)).union([.other])
    return Plural.allCases.filter(used.contains)
  }

  /// The form of a noun beside a whole number; that of English in a language without a rule here.
  func plural(of number: Int) -> Plural {
    let (last, lastTwo) = (number.magnitude % 10, number.magnitude % 100)
    let isTeen = (11...19).contains(lastTwo)
    switch base {
    case "ja", "zh", "ko", "th", "vi", "id", "ms", "my", "lo", "km": return .other
    case "fr", "pt", "hi", "bn", "fa", "gu", "kn", "zu", "am", "hy", "si", "pa": return number == 0 || number == 1 ? .one : .other
    case "ru", "uk", "be", "sr", "hr", "bs":
      let few: Plural = (2...4).contains(last) && !isTeen ? .few : ["sr", "hr", "bs"].contains(base) ? .other : .many
      return last == 1 && !isTeen ? .one : few
    case "pl": return number == 1 ? .one : (2...4).contains(last) && !isTeen ? .few : .many
    case "cs", "sk": return number == 1 ? .one : (2...4).contains(number) ? .few : .other
    case "sl": return lastTwo == 1 ? .one : lastTwo == 2 ? .two : (3...4).contains(lastTwo) ? .few : .other
    case "lt": return isTeen || last == 0 ? .other : last == 1 ? .one : .few
    case "lv": return isTeen || last == 0 ? .zero : last == 1 ? .one : .other
    case "ro": return number == 1 ? .one : number == 0 || (1...19).contains(lastTwo) ? .few : .other
    case "is", "mk": return last == 1 && lastTwo != 11 ? .one : .other
    case "he": return number == 1 ? .one : number == 2 ? .two : .other
    case "ar":
      let some: Plural = (3...10).contains(lastTwo) ? .few : lastTwo > 10 ? .many : .other
      return number == 0 ? .zero : number == 1 ? .one : number == 2 ? .two : some
    default: return number == 1 ? .one : .other
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

/// Finds prices in a text, by their signs, codes and words.
enum PriceWords {
  /// The codes of the App Store's currencies, except `TRY`, which is a word in capitals as well.
  private static let codes: Set<Substring> = [
    "AED", "AUD", "BGN", "BRL", "CAD", "CHF", "CLP", "CNY", "COP", "CZK", "DKK", "EGP", "EUR", "GBP", "HKD", "HUF", "IDR", "ILS", "INR",
    "JPY", "KRW", "KZT", "MXN", "MYR", "NGN", "NOK", "NZD", "PEN", "PHP", "PKR", "PLN", "QAR", "RON", "RUB", "SAR", "SEK", "SGD", "THB",
    "TWD", "TZS", "USD", "VND", "ZAR",
  ]
  /// Words for money after an amount. No pounds, which are a weight as well.
  private static let units: Set<String> = [
    "dollar", "dollars", "euro", "euros", "cent", "cents", "yen", "pence", "rupees", "kr", "zł", "kč",
  ]
  /// Words before an amount, and after it, that mark it as a price.
  private static let before: Set<String> = ["was", "now", "only", "just", "of", "for", "from"]
  private static let after: Set<String> = ["a", "per", "each", "today", "now", "instead"]
  private static let punctuation: Set<Character> = [".", ",", ";", ":", "!", "?", "(", ")", "\"", "•"]

  /// Whether a text names a price: `$4.99`, `4,99 €`, `USD 5`, `499 yen`, `was 9.99`.
  static func areIn(_ text: String) -> Bool {
    let words = text.split(whereSeparator: \.isWhitespace)
    let bare = words.map { word in
      let rest = word.drop(while: punctuation.contains)
      return rest[..<(rest.lastIndex { !punctuation.contains($0) }.map(rest.index(after:)) ?? rest.startIndex)]
    }
    return words.indices.contains { index in
      let word = bare[index]
      let (last, next) = (index > 0 ? bare[index - 1] : "", index + 1 < bare.count ? bare[index + 1] : "")
      let isBesideAmount = isAmount(last) || isAmount(next)
      if word.contains(where: \.isCurrencySymbol) { return isBesideAmount || word.contains(where: \.isNumber) }
      let letters = Substring(word.filter(\.isLetter))
      let isOneWithAmount = isAmount(word) && word.hasSuffix(letters) || word.hasPrefix(letters) && isAmount(word.dropFirst(letters.count))
      if codes.contains(letters) { return isOneWithAmount || letters == word && isBesideAmount }
      if units.contains(letters.lowercased()) { return isOneWithAmount || letters == word && isAmount(last) }
      let ends = next.isEmpty || words[index].last.map(punctuation.contains) == true || after.contains(next.lowercased())
      return ends && hasTwoDecimals(word) && before.contains(last.lowercased())
    }
  }

  private static func isAmount(_ word: Substring) -> Bool { word.first?.isNumber == true }

  private static func hasTwoDecimals(_ word: Substring) -> Bool {
    let parts = word.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
    return parts.count == 2 && parts[1].count == 2 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isNumber) }
  }
}

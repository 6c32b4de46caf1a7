// SPDX-License-Identifier: Apache-2.0

/// A name in braces in a text of the catalog, such as `{limit}`.
enum Placeholder: String, CaseIterable {
  case limit, unit, period, price, collection, unlockMessage

  /// The names in braces of a text. What is in braces and is no name is text.
  static func names(in text: String) -> [String] {
    var names: [String] = []
    _ = replacing(in: text) {
      names.append($0)
      return ""
    }
    return names
  }

  /// A text with values in place of the names; `nil` where one of them has no value.
  static func fill(_ text: String, _ words: [Placeholder: String]) -> String? {
    replacing(in: text) { Placeholder(rawValue: $0).flatMap { words[$0] } }
  }

  private static func replacing(in text: String, _ value: (String) -> String?) -> String? {
    let pieces = text.split(separator: "{", omittingEmptySubsequences: false)
    var result = String(pieces.first ?? "")
    for piece in pieces.dropFirst() {
      guard let end = piece.firstIndex(of: "}"), end > piece.startIndex, piece[..<end].allSatisfy(\.isLetter) else {
        result += "{" + piece
        continue
      }
      guard let word = value(String(piece[..<end])) else { return nil }
      result += word + piece[piece.index(after: end)...]
    }
    return result
  }
}

extension PaywallDefinition {
  /// With values in place of the names in its texts. A text with a name that has no value is left out.
  func filled(_ words: [Placeholder: String]) -> PaywallDefinition {
    func fill(_ text: String?) -> String? { text.flatMap { Placeholder.fill($0, words) } }
    var copy = self
    (copy.title, copy.headline, copy.subtitle, copy.purchaseLabel) = (fill(title), fill(headline), fill(subtitle), fill(purchaseLabel))
    copy.benefits = benefits?.compactMap { benefit in
      fill(benefit.title).map { Benefit(icon: benefit.icon, title: $0, description: fill(benefit.description), features: benefit.features) }
    }
    copy.labels = labels?.compactMapValues(fill)
    copy.trust = trust?.compactMap(fill)
    copy.socialProof = socialProof.flatMap { proof in fill(proof.text).map { SocialProof(text: $0, evidence: proof.evidence) } }
    return copy
  }
}

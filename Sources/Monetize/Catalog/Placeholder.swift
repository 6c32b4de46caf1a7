// SPDX-License-Identifier: Apache-2.0

/// A placeholder in a catalog text, such as `{limit}`.
enum Placeholder: String, CaseIterable {
  case limit, unit, period, price, collection, unlockMessage

  /// The placeholder names in a text. Braces around anything else are plain text.
  static func names(in text: String) -> [String] {
    var names: [String] = []
    _ = text.filled {
      names.append($0)
      return ""
    }
    return names
  }

  /// Replaces placeholders with values. Returns `nil` when a placeholder has no value.
  static func fill(_ text: String, _ words: [Placeholder: String]) -> String? {
    text.filled { Placeholder(rawValue: $0).flatMap { words[$0] } }
  }
}

extension PaywallDefinition {
  /// Fills the placeholders in all texts. Omits a text with a placeholder that has no value.
  func filled(_ words: [Placeholder: String]) -> PaywallDefinition {
    func fill(_ text: String?) -> String? { text.flatMap { Placeholder.fill($0, words) } }
    var copy = self
    (copy.title, copy.headline, copy.subtitle, copy.purchaseLabel) = (fill(title), fill(headline), fill(subtitle), fill(purchaseLabel))
    copy.benefitsTitle = fill(benefitsTitle)
    copy.benefits = benefits?.compactMap { benefit in
      fill(benefit.title).map { Benefit(icon: benefit.icon, title: $0, description: fill(benefit.description), features: benefit.features) }
    }
    copy.labels = labels?.compactMapValues(fill)
    copy.badges = badges?.compactMapValues(fill)
    copy.trust = trust?.compactMap(fill)
    copy.socialProof = socialProof.flatMap { proof in fill(proof.text).map { SocialProof(text: $0, evidence: proof.evidence) } }
    return copy
  }
}

// SPDX-License-Identifier: Apache-2.0

extension CatalogReader {
  /// What a purchase of a consumable adds: a number of uses by feature, or a length of time for a feature that counts time.
  func readCredits(_ fields: JSONFields, _ product: JSONValue, features: [Feature]) -> [FeatureID: Int] {
    if let expires = fields.value("expires") {
      reader.markRead(expires)
      reader.report(
        .error, "credits-expire", at: expires,
        "Credits that were bought may not expire (App Review guideline 3.1.1). Remove \"expires\", or sell a pass: \"nonRenewing\".")
    }
    for key in ["grants", "entitlements"] {
      guard let value = fields.value(key) else { continue }
      reader.report(
        .error, "consumable-grants", at: value,
        "A consumable is used up and never owned, so that it grants nothing. Say what it adds under \"credits\".")
    }
    guard let value = fields.value("credits") else {
      reader.report(
        .error, "missing-key", at: product, "A consumable has no use without \"credits\". Say what it adds, such as { \"story\": 10 }.")
      return [:]
    }
    guard let object = reader.object(value, "an object from features to numbers") else { return [:] }
    var credits: [FeatureID: Int] = [:]
    for member in value.members where member.key != "$comment" {
      guard let amount = object.value(member.key) else { continue }
      let named = FeatureID(member.key)
      guard let feature = features.first(where: { $0.id == named || $0.aliases.contains(named) }) else {
        reader.markRead(amount)
        let known = features.filter { $0.part == nil && type(of: $0.shape).isMetered }.map(\.id.rawValue).sorted()
        reader.report(
          .error, "unknown-feature", atKey: member,
          "There is no feature \"\(named)\"."
            + didYouMean(closestMatch(to: member.key, in: known), or: "Declare it under \"features\"."))
        continue
      }
      guard feature.part == nil, type(of: feature.shape).isMetered else {
        reader.markRead(amount)
        reader.report(
          .error, "credits-not-counted", atKey: member,
          "Uses of \"\(named)\" are not counted, so that credits for it would never be used up. Give credits for a feature with the "
            + "allowance \"count\" or \"duration\".")
        continue
      }
      if let number = creditAmount(amount, of: feature) { credits[feature.id, default: 0] += number }
    }
    if value.members.isEmpty {
      reader.report(.error, "bad-value", at: value, "These credits are none. Name a feature, such as \"story\": 10.")
    }
    return credits
  }

  private func creditAmount(_ value: JSONValue, of feature: Feature) -> Int? {
    let number: Int?
    if feature.shape is DurationShape {
      number = reader.decode(FixedLength.self, from: value)?.seconds
    } else {
      number = reader.decode(Int.self, from: value)
    }
    guard let number else { return nil }
    guard (1...1_000_000_000).contains(number) else {
      reader.report(.error, "bad-value", at: value, "A purchase adds at least 1 and at most 1000000000 credits, not \(number).")
      return nil
    }
    return number
  }
}

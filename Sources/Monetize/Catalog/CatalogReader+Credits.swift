// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

extension CatalogReader {
  /// Reads the credits that a purchase of a consumable adds: a number of uses by feature, or a length for a feature that counts time.
  func readCredits(_ fields: JSONFields, _ grants: GrantReader) -> [FeatureID: Int] {
    reportNeverOwned(fields)
    // A consumable without credits is a tip: it can be bought and gives nothing.
    guard let value = fields.value("credits"), let object = reader.object(value, "an object from features to numbers") else { return [:] }
    let members = value.members.filter { $0.key != "$comment" }
    if members.isEmpty {
      reader.report("bad-value", at: value, "\"credits\" is empty. Add a feature, such as \"story\": 10, or remove \"credits\".")
    }
    var credits: [FeatureID: Int] = [:]
    for member in members {
      guard let amount = object.value(member.key), let feature = grants.feature(member) else { continue }
      guard feature.part == nil, type(of: feature.shape).isMetered else {
        reader.markRead(amount)
        reader.report(
          "credits-not-counted", at: member,
          "Uses of \"\(member.key)\" are not counted, so its credits would never be used up. Add credits for a feature with the "
            + "allowance \"count\" or \"duration\".")
        continue
      }
      if let number = creditAmount(amount, feature.shape) { credits[feature.id, default: 0] += number }
    }
    return credits
  }

  private func reportNeverOwned(_ fields: JSONFields) {
    if let expires = fields.value("expires") {
      reader.markRead(expires)
      reader.report(
        "credits-expire", at: expires,
        "Bought credits must not expire (App Review guideline 3.1.1). Remove \"expires\", or sell a pass: \"nonRenewing\".")
    }
    for key in ["grants", "entitlements"] {
      guard let value = fields.value(key) else { continue }
      reader.report(
        "consumable-grants", at: value,
        "A consumable is never owned, so it grants nothing. Write what it adds under \"credits\".")
    }
  }

  private func creditAmount(_ value: JSONValue, _ shape: any AllowanceShape) -> Int? {
    guard let number = reader.collect(at: value, { try shape.credits(from: $0) }) else { return nil }
    guard (1...1_000_000_000).contains(number) else {
      reader.report("bad-value", at: value, "A purchase adds at least 1 and at most 1000000000 credits, not \(number).")
      return nil
    }
    return number
  }
}

// SPDX-License-Identifier: Apache-2.0

/// The claim `noPeriods`: time never changes what is open. A key that names a period breaks it wherever it stands; a grant and a kind of
/// product say themselves whether time changes them, so that those of an app are held to it as well.
enum KeptNoPeriods: CatalogRule {
  static func check(_ draft: CatalogDraft, _ reader: JSONReader) {
    for member in periods(in: draft.root) {
      reader.report(
        .error, "claim.noPeriods", atKey: member,
        "The file claims that time never changes what is open, and this is a period. Remove it, or the claim.")
    }
    for product in draft.products where product.value.kind.changesWithTime && periods(in: product.source).isEmpty {
      reader.report(
        .error, "claim.noPeriods", at: product.source["kind"] ?? product.source,
        "The file claims that time never changes what is open, and time begins or ends \"\(product.value.id)\". Remove the product, or the "
          + "claim.")
    }
    check(draft.freeTier, at: draft.root["freeTier"]?["grants"], draft, reader)
    for entitlement in draft.entitlements { check(entitlement.value.grants, at: entitlement.source["grants"], draft, reader) }
    for product in draft.products { check(product.value.grants, at: product.source["grants"], draft, reader) }
  }

  private static func check(_ grants: [FeatureID: Granted], at source: JSONValue?, _ draft: CatalogDraft, _ reader: JSONReader) {
    for member in source?.members ?? [] {
      let named = FeatureID(member.key)
      let feature =
        draft.features.first { $0.value.id == named } ?? draft.features.first { $0.value.aliases.contains(named) }
      // A period that stands at the feature or in the grant has been reported there.
      guard let feature, grants[feature.value.id]?.changesWithTime == true, periods(in: feature.source).isEmpty,
        periods(in: member.value).isEmpty
      else { continue }
      reader.report(
        .error, "claim.noPeriods", atKey: member,
        "The file claims that time never changes what is open, and time changes what this grants. Remove it, or the claim.")
    }
  }

  private static func periods(in value: JSONValue) -> [JSONMember] {
    switch value.kind {
    case .object:
      value.members.flatMap { member in
        let isPeriod = member.key == "period" || (member.key == "per" && member.value.string != "lifetime")
        return (isPeriod ? [member] : []) + periods(in: member.value)
      }
    case .array: value.elements.flatMap(periods)
    default: []
    }
  }
}

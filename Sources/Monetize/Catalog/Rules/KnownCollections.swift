// SPDX-License-Identifier: Apache-2.0

/// Features and grants name only collections that exist, and a grant only those that its feature is about.
enum KnownCollections: CatalogRule {
  static func check(_ draft: CatalogDraft, _ reader: JSONReader) {
    let known = Set(draft.collections.map(\.value.id))
    func report(_ id: CollectionID, at value: JSONValue) {
      let fix = didYouMean(closestMatch(to: id.rawValue, in: known.map(\.rawValue).sorted()), or: "Declare it under \"collections\".")
      reader.report(.error, "unknown-collection", at: value, "There is no collection \"\(id)\"." + fix)
    }
    var within: [FeatureID: [CollectionID]] = [:]
    var aliases: [FeatureID: [FeatureID]] = [:]
    for feature in draft.features {
      within[feature.value.id] = feature.value.collections
      aliases[feature.value.id] = feature.value.aliases
      for (place, id) in (feature.value.collections ?? []).enumerated() where !known.contains(id) {
        report(id, at: feature.source["in"]?.elements.dropFirst(place).first ?? feature.source)
      }
    }
    func check(_ grants: [FeatureID: Granted], _ source: JSONValue?) {
      guard let source else { return }
      for (feature, granted) in grants {
        guard let allowance = granted.allowance else { continue }
        let named = allowance.collections
        // A grant may stand under an alias.
        let names = named.isEmpty ? [] : [feature] + (aliases[feature] ?? [])
        guard let amount = names.lazy.compactMap({ source[$0.rawValue] }).first else { continue }
        // What an entitlement grants is reported where the entitlement stands.
        for id in named where amount[id.rawValue] != nil {
          let place = amount[id.rawValue] ?? amount
          if !known.contains(id) {
            report(id, at: place)
          } else if let allowed = within[feature], !allowed.contains(id) {
            reader.report(
              .error, "unknown-collection", at: place,
              "\"\(feature)\" is not about the collection \"\(id)\". Add it to the feature's \"in\", or remove it here.")
          }
        }
      }
    }
    check(draft.freeTier, draft.root["freeTier"]?["grants"])
    for entitlement in draft.entitlements { check(entitlement.value.grants, entitlement.source["grants"]) }
    for product in draft.products { check(product.value.grants, product.source["grants"]) }
  }
}

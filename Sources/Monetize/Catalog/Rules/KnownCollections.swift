// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// Features and grants name only collections that exist, and a grant only those that its feature is about.
enum KnownCollections: CatalogRule {
  static func findings(in draft: CatalogDraft) -> [CatalogFinding] {
    let known = draft.root.declared("collections")
    func unknown(_ id: CollectionID, at source: JSONValue) -> CatalogFinding? {
      guard let known, !known.contains(id.rawValue) else { return nil }
      let fix = didYouMean(closestMatch(to: id.rawValue, in: known.sorted()), or: "Declare it under \"collections\".")
      return CatalogFinding("unknown-collection", at: source, "There is no collection \"\(id)\"." + fix)
    }
    let features = Dictionary(draft.features.map { ($0.value.id, $0) }) { first, _ in first }
    let named = draft.features.flatMap { feature in
      (feature.source["in"] == nil ? [] : feature.value.collections ?? []).enumerated().map { unknown($1, at: feature.source.at("in", $0)) }
    }
    let granted = draft.grants.flatMap { grants, source in
      grants.flatMap { id, granted -> [CatalogFinding?] in
        guard let source, let feature = features[id]?.value, let collections = granted.allowance?.collections, !collections.isEmpty,
          // A grant may be written under an alias; what an entitlement grants is reported there and not at the products that give it.
          let amount = ([id] + feature.aliases).lazy.compactMap({ source[$0.rawValue] }).first
        else { return [] }
        return collections.map { collection in
          guard let place = amount[collection.rawValue] else { return nil }
          return unknown(collection, at: place)
            ?? CatalogFinding(
              unless: feature.collections?.contains(collection) ?? true, "unknown-collection", at: place,
              "\"\(id)\" is not about the collection \"\(collection)\". Add it to the feature's \"in\", or remove it here.")
        }
      }
    }
    return (named + granted).compactMap { $0 }
  }
}

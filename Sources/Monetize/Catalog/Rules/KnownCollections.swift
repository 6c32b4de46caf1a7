// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// Features and grants may name only existing collections, and a grant only collections of its feature.
enum KnownCollections: CatalogRule {
  static func check(_ draft: CatalogDraft) {
    for feature in draft.features where feature.source["in"] != nil {
      for (index, id) in (feature.value.collections ?? []).enumerated() {
        draft.isDeclared(id.rawValue, .collection, at: feature.source.at("in", index))
      }
    }
    let about = Dictionary(draft.features.compactMap { feature in feature.value.collections.map { (feature.value.id, Set($0)) } }) {
      first, _ in first
    }
    // An amount of items omits collections with 0 items. Their names come from the file, because they may be misspelt as well.
    let hasItems = draft.features.contains { $0.value.shape is ItemsShape }
    func isByItems(_ granted: Granted) -> Bool { hasItems && granted.allowance is ItemsShape.Grant }
    for grant in draft.declaredAmounts(where: { isByItems($0) || $0.allowance?.collections.isEmpty == false }) {
      let places = grant.member.value.membersByKey
      let named = isByItems(grant.granted) ? places.keys.map(CollectionID.init(rawValue:)) : grant.granted.allowance?.collections ?? []
      for id in named where id.rawValue != "$comment" {
        guard let place = places[id.rawValue], draft.isDeclared(id.rawValue, .collection, at: place) else { continue }
        draft.require(
          about[grant.feature.value.id]?.contains(id) ?? true, "unknown-collection", at: place,
          "\"\(grant.feature.value.id)\" is not about the collection \"\(id)\". Add it to the feature's \"in\", or remove it here.")
      }
    }
  }
}

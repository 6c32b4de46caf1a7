// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// A paywall must offer existing products, preselect one of them, and describe existing features. Placements of features must exist.
enum PaywallReferences: CatalogRule {
  static func check(_ draft: CatalogDraft) {
    let usual = draft.paywalls[.default]?.value.products.map(Set.init)
    for placed in draft.paywalls.values {
      let (paywall, source) = (placed.value, placed.source)
      for (index, id) in (paywall.products ?? []).enumerated() {
        draft.isDeclared(id.rawValue, .product, at: source.at("products", index))
      }
      for (index, benefit) in (paywall.benefits ?? []).enumerated() {
        for (position, id) in (benefit.features ?? []).enumerated() {
          draft.isDeclared(id.rawValue, .feature, at: source.at("benefits", index, "features", position))
        }
      }
      // The offered products are unknown when their list, or the key of the list, cannot be read.
      let usualList = draft.root["paywalls"]?[PlacementID.default.rawValue]?["products"]
      let offered = source["products"] ?? (draft.isBroken(source) ? source : usualList)
      guard offered.map(draft.isBroken) != true, let id = paywall.preselected,
        draft.isDeclared(id.rawValue, .product, at: source.at("preselected"))
      else { continue }
      draft.require(
        paywall.products?.contains(id) ?? usual?.contains(id) ?? true, "preselected-not-offered", at: source.at("preselected"),
        "This paywall selects \"\(id)\" but does not offer it. Add it to \"products\", or select another one.")
    }
    // An app without paywalls in its file builds its own for each placement.
    for feature in draft.features where !draft.paywalls.isEmpty {
      guard let id = feature.value.placement else { continue }
      draft.isDeclared(id.rawValue, .placement, at: feature.source.at("placement"))
    }
  }
}

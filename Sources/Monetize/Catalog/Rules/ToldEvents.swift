// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// A name stands for an event that is told, of a feature, placement and product that there are, and is no event itself. A kids' app sends nothing to
/// third parties (App Store guideline 1.3).
enum ToldEvents: CatalogRule {
  static func check(_ draft: CatalogDraft) {
    guard let events = draft.events else { return }
    let source = draft.root.at("events")
    draft.require(
      draft.app?.audience != .kids || !events.sinks.contains(.thirdParty), "kids-third-party", at: source.at("sinks"),
      "An app for kids sends no events to third parties. Remove \"thirdParty\".")
    let known = EventVocabulary.known + events.custom.keys.sorted()
    for name in events.custom.keys.sorted() {
      draft.require(
        !EventVocabulary.known.contains(name), "repeated-event", at: source.at("custom", name),
        "Monetize tells an event \"\(name)\" by itself. Choose another name.")
    }
    for naming in events.names {
      let place = source.at("names", naming.name)
      draft.require(
        !known.contains(naming.name), "repeated-event", at: place, "There is an event \"\(naming.name)\" already. Choose another name.")
      if !known.contains(naming.on) {
        draft.reader.reportUnknown("event", naming.on, among: known, at: place.at("on"), or: "Declare it under \"custom\".")
      }
      if let feature = naming.feature { draft.isDeclared(feature.rawValue, "feature", at: place.at("feature")) }
      if let placement = naming.placement { draft.isDeclared(placement.rawValue, "placement", at: place.at("placement")) }
      if let product = naming.product { draft.isDeclared(product.rawValue, "product", at: place.at("product")) }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// Another name for events must refer to a declared event, feature, placement and product, and must not be the name of an event.
enum KnownEvents: CatalogRule {
  static func check(_ draft: CatalogDraft) {
    guard let events = draft.catalog.events else { return }
    let source = draft.root.at("events")
    let known = Set(EventVocabulary.known).union(events.custom.keys)
    let names = (source["names"] ?? source).membersByKey
    let steps = draft.onboarding.flatMap(\.value.places)
    for name in events.custom.keys.sorted() {
      draft.require(
        !EventVocabulary.known.contains(name), "repeated-event", at: source.at("custom", name),
        "Monetize already has an event \"\(name)\". Choose another name.")
    }
    for naming in events.names {
      let place = names[naming.name] ?? source
      draft.require(
        !known.contains(naming.name), "repeated-event", at: place, "There is already an event \"\(naming.name)\". Choose another name.")
      if !known.contains(naming.on) {
        draft.reader.reportUnknown("event", naming.on, among: known.sorted(), at: place.at("on"), or: "Declare it under \"custom\".")
      }
      if let feature = naming.feature { draft.isDeclared(feature.rawValue, .feature, at: place.at("feature")) }
      if let placement = naming.placement { draft.isDeclared(placement.rawValue, .placement, at: place.at("placement")) }
      if let step = naming.step, draft.root["onboarding"].map(draft.isBroken) != true {
        if !steps.contains(step) {
          draft.reader.reportUnknown("step", step, among: steps, at: place.at("step"), or: "Name a step of the onboarding, or step/page.")
        }
      }
      if let product = naming.product { draft.isDeclared(product.rawValue, .product, at: place.at("product")) }
    }
  }
}

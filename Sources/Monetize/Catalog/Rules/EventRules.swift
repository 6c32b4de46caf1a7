// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

extension CatalogDraft {
  /// Another name for events must refer to a declared event, feature, placement and product, and must not be the name of an event.
  func checkEvents() {
    guard let events = catalog.events else { return }
    let source = root.at("events")
    let known = Set(EventVocabulary.known).union(events.custom.keys)
    let names = (source["names"] ?? source).membersByKey
    let steps = onboarding.flatMap(\.value.places)
    for name in events.custom.keys.sorted() {
      require(
        !EventVocabulary.known.contains(name), "repeated-event", at: source.at("custom", name),
        "Monetize already has an event \"\(name)\". Choose another name.")
    }
    for naming in events.names {
      let place = names[naming.name] ?? source
      require(
        !known.contains(naming.name), "repeated-event", at: place, "There is already an event \"\(naming.name)\". Choose another name.")
      if !known.contains(naming.on) {
        reader.reportUnknown("event", naming.on, among: known.sorted(), at: place.at("on"), or: "Declare it under \"custom\".")
      }
      isDeclared(naming.feature, .feature, at: place.at("feature"))
      isDeclared(naming.placement, .placement, at: place.at("placement"))
      if let step = naming.step, !steps.contains(step), root["onboarding"].map(isBroken) != true {
        reader.reportUnknown("step", step, among: steps, at: place.at("step"), or: "Name a step of the onboarding, or step/page.")
      }
      isDeclared(naming.product, .product, at: place.at("product"))
    }
  }
}

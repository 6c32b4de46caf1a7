// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

extension CatalogReader {
  func readEvents(_ value: JSONValue?, _ draft: CatalogDraft) -> EventVocabulary? {
    guard let value, let fields = reader.object(value, "the events of the app") else { return nil }
    let sinks = fields.optional("sinks", as: [EventVocabulary.Reach].self) ?? [.local]
    let custom = reader.members(fields.value("custom"), "an object from names to events").compactMap { member in
      guard let event = reader.object(member.value, "an event") else { return nil as (String, [String: EventVocabulary.PropertyType])? }
      let properties = reader.members(event.value("properties"), "an object from names to types").compactMap { property in
        reader.decode(EventVocabulary.PropertyType.self, from: property.value).map { (property.key, $0) }
      }
      return (member.key, Dictionary(properties) { first, _ in first })
    }
    let names = reader.members(fields.value("names"), "an object from names to events").compactMap { member in
      guard let naming = reader.object(member.value, "the event of a name") else { return nil as EventVocabulary.Naming? }
      let on = naming.required("on", as: String.self)
      let (feature, placement) = (naming.optional("feature", as: FeatureID.self), naming.optional("placement", as: PlacementID.self))
      let (product, paid) = (naming.optional("product", as: ProductID.self), naming.optional("paid", as: Bool.self))
      let step = naming.optional("step", as: String.self)
      return on.map {
        EventVocabulary.Naming(
          name: member.key, on: $0, feature: feature.map(draft.ownName), placement: placement, product: product, paid: paid, step: step)
      }
    }
    return EventVocabulary(sinks: Set(sinks), custom: Dictionary(custom) { first, _ in first }, names: names)
  }
}

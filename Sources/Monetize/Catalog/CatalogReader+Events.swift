// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

extension CatalogReader {
  func readEvents(_ value: JSONValue?, _ draft: CatalogDraft) -> EventVocabulary? {
    guard let value, let fields = reader.object(value, "the events of the app") else { return nil }
    let custom = reader.objects(fields.value("custom"), "an object from names to events", "an event").map { name, event in
      let properties: [(String, EventVocabulary.PropertyType)] = reader.values(event.value("properties"), "an object from names to types")
      return (name, Dictionary(properties) { first, _ in first })
    }
    let names = reader.objects(fields.value("names"), "an object from names to events", "the event of a name").compactMap { name, naming in
      let on = naming.required("on", as: String.self)
      let other = EventVocabulary.Naming(
        name: name, on: on ?? "", feature: naming.optional("feature").map(draft.ownName), placement: naming.optional("placement"),
        product: naming.optional("product"), paid: naming.optional("paid"), step: naming.optional("step"))
      return on == nil ? nil : other
    }
    return EventVocabulary(
      sinks: Set(fields.optional("sinks") ?? [.local]), custom: Dictionary(custom) { first, _ in first }, names: names)
  }
}

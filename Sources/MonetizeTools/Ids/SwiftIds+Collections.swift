// SPDX-License-Identifier: Apache-2.0
import Monetize

extension SwiftIdsWriter {
  /// Writes each collection with its items: a number for numbered items, a case for named ones.
  mutating func collections() {
    guard !catalog.collections.isEmpty else { return }
    var names = SwiftNames()
    line("")
    block("The collections.", "enum Collections") { writer in
      for (index, collection) in writer.catalog.collections.enumerated() {
        if index > 0 { writer.line("") }
        writer.collection(collection, names.type(collection.id.rawValue))
      }
    }
  }

  private mutating func collection(_ collection: CatalogCollection, _ name: String) {
    let items = collection.items.map(\.id)
    let isNumbered = items.enumerated().allSatisfy { $1 == String($0 + 1) }
    block("\(collection.title): \(items.count) \(items.count == 1 ? "item" : "items").", "enum \(name)") { writer in
      writer.constant("The collection.", "id", "CollectionID", collection.id.rawValue)
      if !collection.parts.isEmpty {
        writer.block("The parts of each item.", "enum Part: String, CaseIterable, Sendable") { writer in
          var names = SwiftNames()
          for part in collection.parts { writer.enumCase(names.member(part), part) }
        }
      }
      let hasCases = !isNumbered && items.count <= SwiftIds.mostCases
      if hasCases {
        writer.block("The items, in order.", "enum Item: String, CaseIterable, Sendable") { writer in
          var names = SwiftNames()
          for item in items { writer.enumCase(names.member(item), item) }
        }
      }
      writer.path(items.count, isNumbered: isNumbered, hasCases: hasCases, hasParts: !collection.parts.isEmpty)
    }
  }

  /// Writes the function that makes an item's path.
  private mutating func path(_ count: Int, isNumbered: Bool, hasCases: Bool, hasParts: Bool) {
    let comment =
      isNumbered ? "An item by its number, from 1 to \(count)." : hasCases ? "An item." : "An item by its id."
    let type = isNumbered ? "_ number: Int" : hasCases ? "_ item: Item" : "_ id: String"
    let value = isNumbered ? "String(number)" : hasCases ? "item.rawValue" : "id"
    line("/// \(comment)")
    line("\(access)static func item(\(type)\(hasParts ? ", _ part: Part? = nil" : "")) -> ItemPath {")
    line("  ItemPath(collection: self.id, item: \(value)\(hasParts ? ", part: part?.rawValue" : ""))")
    line("}")
  }
}

// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// Names mean one thing: products, modules, and the items and parts of a collection differ, and an alias is no other feature's name.
enum UniqueIdentifiers: CatalogRule {
  static func findings(in draft: CatalogDraft) -> [CatalogFinding] {
    let products = repeated(draft.products.map(\.value.id)).map { index, id in
      CatalogFinding(
        "repeated-id", at: draft.products[index].source.at("id"),
        "Another product has the id \"\(id)\" already. The store sells one thing a name; remove one, or rename it.")
    }
    let modules = repeated(draft.modules.map(\.id)).map { index, id in
      CatalogFinding(
        "repeated-id", at: draft.root.at("modules", index, "id"), "There is a module \"\(id)\" already. Remove one, or rename it.")
    }
    var names = Set(draft.features.map(\.value.id))
    let aliases = draft.features.flatMap { feature in
      feature.value.aliases.enumerated().filter { !names.insert($1).inserted }.map { index, alias in
        CatalogFinding(
          "repeated-id", at: feature.source.at("aliases", index),
          "\"\(alias)\" is the name or an alias of another feature already. Remove one of them.")
      }
    }
    return products + modules + aliases + draft.collections.flatMap(findings)
  }

  private static func findings(in collection: CatalogDraft.Placed<CatalogCollection>) -> [CatalogFinding] {
    let items = collection.source["items"]?.elements ?? []
    return repeated(collection.value.items.map(\.id)).map { index, id in
      let source = items.indices.contains(index) ? items[index] : collection.source
      return CatalogFinding("repeated-id", at: source, "This collection has an item \"\(id)\" already. Rename one of them.")
    }
      + repeated(collection.value.parts).map { index, part in
        CatalogFinding(
          "repeated-id", at: collection.source.at("parts", index), "This collection has a part \"\(part)\" already. Remove one.")
      }
  }

  private static func repeated<Name: Hashable>(_ names: [Name]) -> [(index: Int, name: Name)] {
    var seen: Set<Name> = []
    return names.enumerated().filter { !seen.insert($1).inserted }.map { ($0, $1) }
  }
}

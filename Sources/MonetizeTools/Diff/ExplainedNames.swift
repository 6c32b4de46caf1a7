// SPDX-License-Identifier: Apache-2.0
import Monetize
import MonetizeJSON

/// The names in changes of access: features with their parts and collections, products, entitlements. A value that is about one of them
/// needs no sentence of its own.
struct ExplainedNames {
  private var names: Set<String> = []
  private let sides: [DiffSide]

  /// O(changes of access and their features).
  init(_ access: [CatalogChange], _ old: DiffSide, _ new: DiffSide) {
    sides = [old, new]
    for change in access {
      names.formUnion(change.products.map(\.rawValue))
      names.formUnion(change.entitlements.map(\.rawValue))
    }
    for feature in Set(access.compactMap(\.feature)) {
      for side in sides {
        let whole = side.catalog.feature(feature).map { $0.part?.whole ?? $0.id } ?? feature
        let family = side.families[whole] ?? []
        names.formUnion(family.flatMap { [$0.id] + $0.aliases }.map(\.rawValue))
        names.formUnion(side.catalog.collections(of: family, nil).map(\.id.rawValue))
      }
    }
  }

  /// Whether a change of access is about the feature of a value, or else about anything that its path or the value itself names.
  func explains(_ leaf: JSONChange) -> Bool {
    if names.isEmpty { return false }
    let path = leaf.keys.dropFirst()
    if let feature = path.last(where: { name in sides.contains { $0.catalog.feature(FeatureID(name)) != nil } }) {
      return names.contains(feature)
    }
    // Monetization concerns everything.
    return path.isEmpty || path.contains(where: names.contains)
      || [leaf.old, leaf.new].contains { $0.map { Self.contains($0, names) } ?? false }
  }

  private static func contains(_ value: JSONValue, _ names: Set<String>) -> Bool {
    value.string.map(names.contains) ?? false || value.elements.contains { contains($0, names) }
      || value.members.contains { names.contains($0.key) || contains($0.value, names) }
  }
}

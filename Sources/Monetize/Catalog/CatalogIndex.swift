// SPDX-License-Identifier: Apache-2.0

/// Look-ups that are made once.
struct CatalogIndex: Sendable {
  let features: FeatureTable
  let products: [ProductID: Int]
  let collections: [CollectionID: Int]
  /// By the path of the whole item.
  let items: [ItemPath: Shared<CatalogItem>]
  /// Who grants how much: as many as there are different answers.
  let patterns: [GrantPattern]
  /// For each feature, in its order: the place of its pattern.
  let pattern: [Int]
  /// For each feature, in its order: the place of the first one that answers the plain question alike, or its own.
  let alike: [Int]
  /// For each feature, in its order: the products that add credits to it, in theirs.
  let crediting: [[(product: Int, credits: Int)]]

  init(draft: CatalogDraft) {
    var entries: [(FeatureID, Int)] = []
    for (place, feature) in draft.features.enumerated() {
      for alias in feature.value.aliases { entries.append((alias, place)) }
    }
    for (place, feature) in draft.features.enumerated() { entries.append((feature.value.id, place)) }
    let features = FeatureTable(entries)
    var crediting: [[(product: Int, credits: Int)]] = Array(repeating: [], count: draft.features.count)
    for (place, product) in draft.products.enumerated() {
      for (feature, credits) in product.value.credits {
        if let row = features[feature] { crediting[row].append((place, credits)) }
      }
    }
    self.features = features
    self.crediting = crediting
    (patterns, pattern) = GrantPattern.all(of: draft, features: features, isCredited: crediting.map { !$0.isEmpty })
    alike = Likeness.firsts(of: draft.features.map(\.value), pattern, isCredited: crediting.map { !$0.isEmpty })
    products = Dictionary(draft.products.enumerated().map { ($1.value.id, $0) }) { first, _ in first }
    collections = Dictionary(draft.collections.enumerated().map { ($1.value.id, $0) }) { first, _ in first }
    items = Dictionary(draft.collections.flatMap(\.value.found).map { ($0.path, Shared($0)) }) { first, _ in first }
  }
}

/// All that the answer to the plain question depends on, for a feature of which nothing was used, limited or bought as credits.
/// `in` matters only with an item, and is read from the feature that is asked about.
private struct Likeness: Hashable {
  let pattern: Int
  let atLeast: Granted?
  let release: String?
  let roles: [Member.Role]?
  let placement: PlacementID?

  /// `nil` for a feature whose shape has parameters of its own; a part is open or not, whatever the shape.
  init?(_ feature: Feature, pattern: Int) {
    guard feature.part != nil || feature.shape is AccessShape else { return nil }
    self.pattern = pattern
    (atLeast, release, roles, placement) = (feature.part?.atLeast, feature.release, feature.roles, feature.placement)
  }

  /// For each feature the place of the first one that is like it, or its own.
  static func firsts(of features: [Feature], _ pattern: [Int], isCredited: [Bool]) -> [Int] {
    var firsts: [Likeness: Int] = [:]
    return features.indices.map { place in
      guard !isCredited[place], let likeness = Likeness(features[place], pattern: pattern[place]) else { return place }
      if let first = firsts[likeness] { return first }
      firsts[likeness] = place
      return place
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation

extension CustomerState {
  /// Replaces a source's single uses that no answer needs any more with sums: those older than seven days and than the look-back of every
  /// limit of their feature. No answer by this catalog changes. O(uses and grants).
  func folded(by catalog: Catalog, of source: SourceID, at now: Date) -> CustomerState {
    let lookBack = catalog.lookBack(caps.values)
    var state = self
    state.fold(source, at: now) { now - max(Use.keyLasts, lookBack[$0] ?? 0) }
    return state
  }
}

extension Catalog {
  /// How far back single uses matter, in seconds, by each name of a feature that needs them. `.infinity` for
  /// the features of a product whose kind reads uses (`looksAtUses`).
  fileprivate func lookBack(_ caps: some Collection<Cap>) -> [FeatureID: TimeInterval] {
    let begun = Set(products.filter { type(of: $0.kind).looksAtUses }.flatMap(\.grants.keys))
    var found: [FeatureID: TimeInterval] = [:]
    for (index, feature) in features.enumerated() {
      let names = feature.names
      let grants = self.index.grants[index]
      let granted = [grants.free, grants.withoutMoney] + grants.products.map(\.granted) + Array(grants.entitlements.values)
      let caps = caps.filter { names.contains($0.feature) }.map { $0.granted(for: feature.shape) }
      let longest = begun.isDisjoint(with: names) ? (granted + caps).compactMap { $0?.lookBack }.max() : .infinity
      // Uses of a part are recorded under its whole.
      for name in features[self.index.wholes[index]].names { found[name] = max(found[name] ?? 0, longest ?? 0) }
    }
    return found
  }
}

// SPDX-License-Identifier: Apache-2.0

/// The content of the secure storage at launch: uses that a reinstallation does not give back.
struct SecureState {
  /// The features whose uses are kept there, under all their names.
  let features: Set<FeatureID>
  let copy: Journal.SecureCopy
  let loaded: Journal.Loaded

  /// Opens a storage; `nil` when there is none, or no feature needs it.
  init?(_ storage: (any StateStorage)?, catalog: Catalog, sorts: FactSorts) {
    let scope = catalog.factScope
    guard let storage, !scope.lastingFeatures.isEmpty || !scope.creditProducts.isEmpty else { return nil }
    features = scope.lastingFeatures
    // Credits were paid for, and no store lists a finished consumable, so both the purchase and the uses of its credits are kept.
    copy = Journal.SecureCopy(storage: storage) { $0.policy(in: scope).survivesReinstall }
    loaded = Journal.load(storage, sorts)
  }

  /// Merges the facts of both storages: in memory at once, on disk with the next fact, because reading writes nothing.
  func exchange(with app: inout CustomerState, _ journal: Journal) {
    let back = copy.kept(app.news(in: loaded.state.facts))
    journal.hold(back, forSecureCopy: copy.kept(loaded.state.news(in: app.facts)))
    for fact in back { app.insert(fact) }
  }
}

extension Catalog {
  /// The parts of the catalog that decide which facts are shared, handed over and kept securely.
  var factScope: FactScope {
    // Uses under an earlier name still count. No store lists credits after they were finished.
    FactScope(
      creditProducts: Set(products.filter { !$0.credits.isEmpty }.map(\.id)),
      lastingFeatures: Set(features.filter(\.survivesReinstall).flatMap(\.names)))
  }
}

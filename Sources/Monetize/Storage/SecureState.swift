// SPDX-License-Identifier: Apache-2.0

/// What the secure storage holds at launch: uses that a reinstallation does not give back.
struct SecureState {
  /// The features whose uses are kept there.
  let features: Set<FeatureID>
  /// The storage, for the journal.
  let second: Journal.Second
  /// Whether all that was written there could be read.
  let isWhole: Bool
  /// Whether it could be read at all; the keychain of a locked device cannot.
  let isReadable: Bool
  private let state: CustomerState

  /// Opens a storage; `nil` when there is none, or no feature needs it.
  init?(_ storage: (any StateStorage)?, catalog: Catalog, sorts: FactSorts) {
    let scope = catalog.factScope
    guard let storage, !scope.lastingFeatures.isEmpty || !scope.creditProducts.isEmpty else { return nil }
    features = scope.lastingFeatures
    // Credits were paid for, and no store lists a finished consumable: both what was bought and what was used of it stays.
    second = Journal.Second(storage: storage) { $0.policy(in: scope).survivesReinstall }
    let loaded = Journal.load(storage, sorts)
    state = loaded.state
    isWhole = !loaded.isDamaged
    isReadable = loaded.isReadable
  }

  /// Both sides get what the other one has: in memory at once, on disk with the next fact that is written, because reading writes nothing.
  func exchange(with app: inout CustomerState, _ journal: Journal) {
    let back = second.kept(app.news(in: state.facts))
    journal.hold(back, forSecond: second.kept(state.news(in: app.facts)))
    for fact in back { app.insert(fact) }
  }
}

extension Catalog {
  /// The features that say `survivesReinstall`, by all their names: what was used under an earlier one still counts.
  var lastingFeatures: Set<FeatureID> { Set(features.filter(\.survivesReinstall).flatMap { [$0.id] + $0.aliases }) }

  /// What decides which facts are shared, handed over and kept securely.
  var factScope: FactScope { FactScope(creditProducts: creditProducts, lastingFeatures: lastingFeatures) }

  /// The products that are sold as credits. Once they are finished, no store lists them again.
  var creditProducts: Set<ProductID> { Set(products.filter { !$0.credits.isEmpty }.map(\.id)) }
}

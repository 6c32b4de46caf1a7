// SPDX-License-Identifier: Apache-2.0
public import Foundation
import MonetizeJSON

/// What an app sells, what is free and what is locked: one JSON file, checked and indexed. Immutable.
///
/// ```swift
/// let catalog = try Catalog(contentsOf: url)
/// let catalog = try Catalog(json: data, kinds: .standard.adding(SeasonPass.self))
/// ```
public struct Catalog: Sendable {
  /// What the catalog says about the app.
  public let app: AppInfo
  /// All features, in the file's order.
  public let features: [Feature]
  /// What is opened in parts, in the file's order.
  public let collections: [CatalogCollection]
  /// What everyone has, by feature.
  public let freeTier: [FeatureID: Granted]
  /// The name of the free tier.
  public let freeTierTitle: String
  /// Named rights, in the file's order.
  public let entitlements: [Entitlement]
  /// What the store sells or has sold, in the file's order.
  public internal(set) var products: [CatalogProduct]
  /// Paywalls by placement, as the file states them.
  public internal(set) var paywalls: [PlacementID: PaywallDefinition]
  /// The gate for parents; `nil` when there is none.
  public let parentalGate: ParentalGatePolicy?
  /// Texts and addresses that the law and the store ask for.
  public let legal: LegalInfo?
  /// How failed payments are dealt with.
  public let billing: BillingPolicy?
  /// How what is known in several places becomes one.
  public let sync: SyncPolicy?
  /// The ways in which customers have it differently; none in one that an arm has changed.
  public let experiments: [Experiment]
  /// The app's own words for what happens; `nil` where it has none.
  public let events: EventVocabulary?
  /// What forecasts of money assume, in the file's order; an app has no use for it.
  public let forecasts: [(name: String, assumptions: ForecastAssumptions)]
  /// The releases that are out.
  public let releases: [String]
  /// The parts of the app that plug in.
  public let modules: [CatalogModule]
  /// Whether money limits anything at the moment.
  public let isMonetized: Bool
  /// Promises that the file keeps.
  public let claims: [String]

  let freeTierKind: any ProductKind
  let index: CatalogIndex
  let source: CatalogSource

  /// Reads a catalog.
  /// - Throws: ``CatalogError`` with every mistake of the file; nothing is half-loaded.
  public init(
    json: Data, kinds: ProductKinds = .standard, shapes: AllowanceShapes = .standard, conditions: Conditions = .standard
  ) throws(CatalogError) {
    let reading = Catalog.reading(json, kinds: kinds, shapes: shapes, conditions: conditions)
    guard let catalog = reading.catalog else { throw CatalogError(diagnostics: reading.diagnostics) }
    self = catalog
  }

  /// The feature of that name, or of that alias.
  public func feature(_ id: FeatureID) -> Feature? { index.features[id].map { features[$0] } }
  /// The product of that id. O(1).
  public func product(_ id: ProductID) -> CatalogProduct? { index.products[id].map { products[$0] } }
  /// The collection of that id. O(1).
  public func collection(_ id: CollectionID) -> CatalogCollection? { index.collections[id].map { collections[$0] } }
  /// What a path names; `nil` for an item or a part that does not exist. O(1).
  func item(at path: ItemPath) -> Shared<CatalogItem>? {
    guard let part = path.part else { return index.items[path] }
    guard let place = index.collections[path.collection], collections[place].parts.contains(part) else { return nil }
    return index.items[path.whole]
  }
  /// The entitlement of that id.
  public func entitlement(_ id: EntitlementID) -> Entitlement? { entitlements.first { $0.id == id } }

  /// The paywall of a placement, with what it inherits; `nil` when the file has neither it nor `default`.
  public func paywall(_ placement: PlacementID) -> PaywallDefinition? {
    let base = paywalls[.default]
    return paywalls[placement]?.inheriting(base) ?? base
  }

  init(draft: CatalogDraft, app: AppInfo, source: CatalogSource) {
    self.source = source
    self.app = app
    features = draft.features.map(\.value)
    collections = draft.collections.map(\.value)
    freeTier = draft.freeTier
    freeTierTitle = draft.freeTierTitle
    freeTierKind = draft.freeTierKind
    entitlements = draft.entitlements.map(\.value)
    products = draft.products.map(\.value)
    paywalls = draft.paywalls
    parentalGate = draft.parentalGate
    legal = draft.legal
    billing = draft.billing
    sync = draft.sync
    events = draft.events
    forecasts = draft.forecasts
    experiments = draft.experiments.map(\.value)
    releases = draft.releases
    modules = draft.modules
    isMonetized = draft.isMonetized
    claims = draft.claims
    index = CatalogIndex(draft: draft)
  }
}

/// A catalog that cannot be used, with every mistake that was found.
public struct CatalogError: Error, Sendable, CustomStringConvertible {
  /// The mistakes, in the order of the file; at least one is an error.
  public let diagnostics: [Diagnostic]

  /// Makes an error; an app's own checks of a catalog can report as the framework does.
  public init(diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }

  /// One mistake a line.
  public var description: String { diagnostics.map(\.description).joined(separator: "\n") }
}

/// What was found in a file: a catalog, unless there is an error among the diagnostics.
public struct CatalogReading: Sendable {
  /// The catalog, when it can be used.
  public let catalog: Catalog?
  /// Everything worth saying, in the order of the file.
  public let diagnostics: [Diagnostic]
}

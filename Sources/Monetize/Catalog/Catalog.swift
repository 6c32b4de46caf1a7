// SPDX-License-Identifier: Apache-2.0
public import Foundation
import MonetizeJSON

/// The products, the free tier and the locked features of an app: one JSON file, checked and indexed. Immutable.
///
/// ```swift
/// let catalog = try Catalog(contentsOf: url)
/// let catalog = try Catalog(json: data, kinds: .standard.adding(SeasonPass.self))
/// ```
public struct Catalog: Sendable {
  /// The schema version of the catalogs that this version of Monetize reads.
  public static let schemaVersion = 1

  /// General facts about the app.
  public internal(set) var app = AppInfo.unreadable
  /// All features, in the file's order.
  public internal(set) var features: [Feature] = []
  /// The collections of items, in the file's order.
  public internal(set) var collections: [CatalogCollection] = []
  /// The grants that every customer has, by feature.
  public internal(set) var freeTier: [FeatureID: Granted] = [:]
  /// The name of the free tier.
  public internal(set) var freeTierTitle = "Free"
  /// Named rights, in the file's order.
  public internal(set) var entitlements: [Entitlement] = []
  /// The products that the store sells or has sold, in the file's order.
  public internal(set) var products: [CatalogProduct] = []
  /// Paywalls by placement, as written in the file.
  public internal(set) var paywalls: [PlacementID: PaywallDefinition] = [:]
  /// The parental gate; `nil` when there is none.
  public internal(set) var parentalGate: ParentalGatePolicy?
  /// Texts and addresses that the law and the store require.
  public internal(set) var legal: LegalInfo?
  /// The handling of failed payments.
  public internal(set) var billing: BillingPolicy?
  /// The rules for merging records from several devices.
  public internal(set) var sync: SyncPolicy?
  /// The experiments; empty in a catalog with arms applied.
  public internal(set) var experiments: [Experiment] = []
  /// The app's own events and names of events; `nil` when it has none.
  public internal(set) var events: EventVocabulary?
  /// The steps of the first start, in order; empty without an onboarding.
  public internal(set) var onboarding: [OnboardingStep] = []
  /// The milestones: moments that happen once, after a number of uses, in the file's order.
  public internal(set) var milestones: [Milestone] = []
  /// The releases that are out.
  public internal(set) var releases: [String] = []
  /// The modules of the app that add features of their own.
  public internal(set) var modules: [CatalogModule] = []
  /// Whether paid limits apply at the moment.
  public internal(set) var isMonetized = true
  /// The claims that the file makes and the rules verify, such as `noPeriods`.
  public internal(set) var claims: [String] = []

  var freeTierKind: any ProductKind = FreeTier()
  var index = CatalogIndex()
  var source: CatalogSource

  /// Reads a catalog.
  /// - Throws: ``CatalogError`` with every mistake in the file. Nothing is loaded partially.
  public init(
    json: Data, kinds: ProductKinds = .standard, shapes: AllowanceShapes = .standard, conditions: Conditions = .standard
  ) throws(CatalogError) {
    let reading = Catalog.reading(json, kinds: kinds, shapes: shapes, conditions: conditions)
    guard let catalog = reading.catalog else { throw CatalogError(diagnostics: reading.diagnostics) }
    self = catalog
  }

  /// The feature with this name or alias. O(1).
  public func feature(_ id: FeatureID) -> Feature? { index.features[id].map { features[$0] } }
  /// The product with this id. O(1).
  public func product(_ id: ProductID) -> CatalogProduct? { index.products[id].map { products[$0] } }
  /// The collection with this id. O(1).
  public func collection(_ id: CollectionID) -> CatalogCollection? { index.collections[id].map { collections[$0] } }
  /// The item at a path; `nil` for an item or a part that does not exist. O(1).
  func item(at path: ItemPath) -> Shared<CatalogItem>? {
    guard let part = path.part else { return index.items[path] }
    guard let position = index.collections[path.collection], collections[position].parts.contains(part) else { return nil }
    return index.items[path.whole]
  }
  /// The entitlement with this id. O(entitlements).
  public func entitlement(_ id: EntitlementID) -> Entitlement? { entitlements.first { $0.id == id } }

  /// The text that it was read from.
  package var text: String { source.text }

  /// The paywall of a placement, with inherited values; `nil` when the file has neither the placement nor `default`.
  public func paywall(_ placement: PlacementID) -> PaywallDefinition? {
    let base = paywalls[.default]
    return paywalls[placement]?.inheriting(base) ?? base
  }

  /// An empty catalog of an app that cannot be read.
  init(from source: CatalogSource) { self.source = source }
}

/// An unusable catalog, with every mistake that was found.
public struct CatalogError: Error, Sendable, CustomStringConvertible {
  /// The mistakes, in the order of the file; at least one is an error.
  public let diagnostics: [Diagnostic]

  /// Makes an error, so that an app's own checks can report as the framework does.
  public init(diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }

  /// One mistake per line.
  public var description: String { diagnostics.map(\.description).joined(separator: "\n") }
}

extension JSONDocument {
  /// Parses the text of a catalog, or of a file about one.
  package convenience init(catalog text: some Sequence<UInt8>) throws(CatalogError) {
    do throws(Diagnostic) { try self.init(parsing: Array(text)) } catch {
      throw CatalogError(diagnostics: [error])
    }
  }
}

/// The result of reading a file: diagnostics, and a catalog when none of them is an error.
public struct CatalogReading: Sendable {
  /// The catalog; `nil` when a diagnostic is an error.
  public package(set) var catalog: Catalog?
  /// The readable part of a file with mistakes, for tools that find more of them. Never used for decisions.
  package let partial: Catalog?
  /// All diagnostics, in the order of the file.
  public package(set) var diagnostics: [Diagnostic]
}

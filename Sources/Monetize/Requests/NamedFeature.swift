// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A feature that the compiler knows, with what its shape allows: what `monetize generate swift` makes of a catalog.
///
/// ```swift
/// try await monetizer.spend(NotesCatalog.Features.export)            // counted: it can be spent
/// monetizer.level(of: NotesCatalog.Features.voices) == .premium      // a level is an enum
/// monetizer.decision(for: NotesCatalog.Features.history.at(date))    // any other question is an AccessRequest
/// ```
public protocol NamedFeature: Sendable, Hashable {
  /// What the catalog calls it.
  var id: FeatureID { get }
  /// Names a feature; whether it is one, and of this shape, is the catalog's to say.
  init(_ id: FeatureID)
}

extension NamedFeature {
  /// The question without a parameter.
  public var request: AccessRequest { AccessRequest(id) }
}

/// A feature that is open or not.
public struct AccessFeature: NamedFeature {
  /// What the catalog calls it.
  public let id: FeatureID
  /// Names a feature.
  public init(_ id: FeatureID) { self.id = id }
}

/// A feature whose uses are counted, so that it can be spent.
public struct CountedFeature: NamedFeature {
  /// What the catalog calls it.
  public let id: FeatureID
  /// Names a feature.
  public init(_ id: FeatureID) { self.id = id }
  /// Whether so many uses are left.
  public func uses(_ count: Int) -> AccessRequest { AccessRequest(id, count: count) }
}

/// A feature whose time is counted, so that seconds of it can be spent.
public struct TimedFeature: NamedFeature {
  /// What the catalog calls it.
  public let id: FeatureID
  /// Names a feature.
  public init(_ id: FeatureID) { self.id = id }
  /// Whether so many seconds are left.
  public func seconds(_ count: Int) -> AccessRequest { AccessRequest(id, count: count) }
}

/// A feature of which only so many may exist at once.
public struct CapacityFeature: NamedFeature {
  /// What the catalog calls it.
  public let id: FeatureID
  /// Names a feature.
  public init(_ id: FeatureID) { self.id = id }
  /// Whether one more may be made while so many exist.
  public func holding(_ count: Int) -> AccessRequest { AccessRequest(id, held: count) }
}

/// A feature that shows what is not older than a cutoff.
public struct WindowFeature: NamedFeature {
  /// What the catalog calls it.
  public let id: FeatureID
  /// Names a feature.
  public init(_ id: FeatureID) { self.id = id }
  /// Whether what happened at that time is shown.
  public func at(_ date: Date) -> AccessRequest { AccessRequest(id, date: date) }
}

/// A feature with levels, each an enum's case whose raw value is the catalog's word.
public struct LevelFeature<Level: RawRepresentable<String> & Sendable>: NamedFeature {
  /// What the catalog calls it.
  public let id: FeatureID
  /// Names a feature.
  public init(_ id: FeatureID) { self.id = id }
  /// Whether it is granted up to that level.
  public func at(_ level: Level) -> AccessRequest { AccessRequest(id, level: level.rawValue) }
}

/// A feature that is opened item by item.
public struct ItemFeature: NamedFeature {
  /// What the catalog calls it.
  public let id: FeatureID
  /// Names a feature.
  public init(_ id: FeatureID) { self.id = id }
  /// Whether that item is open.
  public func item(_ path: ItemPath) -> AccessRequest { AccessRequest(id, item: path) }
}

/// A feature whose items are bought with coins.
public struct CoinFeature: NamedFeature {
  /// What the catalog calls it.
  public let id: FeatureID
  /// Names a feature.
  public init(_ id: FeatureID) { self.id = id }
  /// Whether that item is bought, or can be paid for.
  public func item(_ path: ItemPath) -> AccessRequest { AccessRequest(id, item: path) }
}

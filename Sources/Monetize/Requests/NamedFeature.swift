// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A feature as a Swift type that has the questions of its shape. `monetize generate swift` makes them from a catalog.
///
/// ```swift
/// try await monetizer.spend(NotesCatalog.Features.export)            // counted: it can be spent
/// monetizer.level(of: NotesCatalog.Features.voices) == .premium      // a level is an enum
/// monetizer.decision(for: NotesCatalog.Features.history.at(date))    // any other question is an AccessRequest
/// ```
public protocol NamedFeature: Sendable, Hashable {
  /// The feature's id in the catalog.
  var id: FeatureID { get }
  /// Makes a feature with this id. Only the catalog decides whether the id exists and has this shape.
  init(_ id: FeatureID)
}

extension NamedFeature {
  /// The question without a parameter.
  public var request: AccessRequest { AccessRequest(id) }
}

/// A feature that is either allowed or not.
public struct AccessFeature: NamedFeature {
  /// The feature's id in the catalog.
  public let id: FeatureID
  /// Makes a feature with this id.
  public init(_ id: FeatureID) { self.id = id }
}

/// A feature whose uses are counted, so that it can be spent.
public struct CountedFeature: NamedFeature {
  /// The feature's id in the catalog.
  public let id: FeatureID
  /// Makes a feature with this id.
  public init(_ id: FeatureID) { self.id = id }
  /// A request for a number of uses.
  public func uses(_ count: Int) -> AccessRequest { AccessRequest(id, count: count) }
}

/// A feature whose time is counted, so that seconds of it can be spent.
public struct TimedFeature: NamedFeature {
  /// The feature's id in the catalog.
  public let id: FeatureID
  /// Makes a feature with this id.
  public init(_ id: FeatureID) { self.id = id }
  /// A request for a number of seconds.
  public func seconds(_ count: Int) -> AccessRequest { AccessRequest(id, count: count) }
}

/// A feature with a maximum number of things at once.
public struct CapacityFeature: NamedFeature {
  /// The feature's id in the catalog.
  public let id: FeatureID
  /// Makes a feature with this id.
  public init(_ id: FeatureID) { self.id = id }
  /// A request for one more, when this number exists already.
  public func holding(_ count: Int) -> AccessRequest { AccessRequest(id, held: count) }
}

/// A feature that shows everything after a cutoff date.
public struct WindowFeature: NamedFeature {
  /// The feature's id in the catalog.
  public let id: FeatureID
  /// Makes a feature with this id.
  public init(_ id: FeatureID) { self.id = id }
  /// A request for something of this date.
  public func at(_ date: Date) -> AccessRequest { AccessRequest(id, date: date) }
}

/// A feature with levels. Each level is an enum case whose raw value is the catalog's name of the level.
public struct LevelFeature<Level: RawRepresentable<String> & Sendable>: NamedFeature {
  /// The feature's id in the catalog.
  public let id: FeatureID
  /// Makes a feature with this id.
  public init(_ id: FeatureID) { self.id = id }
  /// A request for a level.
  public func at(_ level: Level) -> AccessRequest { AccessRequest(id, level: level.rawValue) }
}

/// A feature that is opened item by item.
public struct ItemFeature: NamedFeature {
  /// The feature's id in the catalog.
  public let id: FeatureID
  /// Makes a feature with this id.
  public init(_ id: FeatureID) { self.id = id }
  /// A request for an item.
  public func item(_ path: ItemPath) -> AccessRequest { AccessRequest(id, item: path) }
}

/// A feature whose items are bought with coins.
public struct CoinFeature: NamedFeature {
  /// The feature's id in the catalog.
  public let id: FeatureID
  /// Makes a feature with this id.
  public init(_ id: FeatureID) { self.id = id }
  /// A request for an item, which is allowed when the item is bought or can be paid for.
  public func item(_ path: ItemPath) -> AccessRequest { AccessRequest(id, item: path) }
}

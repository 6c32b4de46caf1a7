// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A feature as a Swift type that has the questions of its shape, such as ``CountedFeature``. `monetize generate swift` makes them from a catalog.
///
/// ```swift
/// try await monetizer.spend(NotesCatalog.Features.export)            // counted: it can be spent
/// monetizer.level(of: NotesCatalog.Features.voices) == .premium      // a level is an enum
/// monetizer.decision(for: NotesCatalog.Features.history.at(date))    // any other question is an AccessRequest
/// ```
///
/// Only the catalog decides whether the id exists and has this shape.
public struct NamedFeature<Shape>: Sendable, Hashable {
  /// The feature's id in the catalog.
  public let id: FeatureID
  /// Makes a feature with this id.
  public init(_ id: FeatureID) { self.id = id }
  /// The question without a parameter.
  public var request: AccessRequest { AccessRequest(id) }
}

/// A feature that is either allowed or not.
public typealias AccessFeature = NamedFeature<AccessShape>
/// A feature whose uses are counted, so that it can be spent.
public typealias CountedFeature = NamedFeature<CountShape>
/// A feature whose time is counted, so that seconds of it can be spent.
public typealias TimedFeature = NamedFeature<DurationShape>
/// A feature with a maximum number of things at once.
public typealias CapacityFeature = NamedFeature<CapacityShape>
/// A feature that shows everything after a cutoff date.
public typealias WindowFeature = NamedFeature<WindowShape>
/// A feature with levels. Each level is an enum case whose raw value is the catalog's name of the level.
public typealias LevelFeature<Level: RawRepresentable<String> & Sendable> = NamedFeature<Levels<Level>>
/// A feature that is opened item by item.
public typealias ItemFeature = NamedFeature<ItemsShape>
/// A feature whose items are bought with coins.
public typealias CoinFeature = NamedFeature<CoinsShape>

/// The shape of a ``LevelFeature``.
public enum Levels<Level: RawRepresentable<String> & Sendable>: Sendable {}

extension NamedFeature {
  /// A request for a number of uses.
  public func uses(_ count: Int) -> AccessRequest where Shape == CountShape { AccessRequest(id, count: count) }
  /// A request for a number of seconds.
  public func seconds(_ count: Int) -> AccessRequest where Shape == DurationShape { AccessRequest(id, count: count) }
  /// A request for one more, when this number exists already.
  public func holding(_ count: Int) -> AccessRequest where Shape == CapacityShape { AccessRequest(id, held: count) }
  /// A request for something of this date.
  public func at(_ date: Date) -> AccessRequest where Shape == WindowShape { AccessRequest(id, date: date) }
  /// A request for a level.
  public func at<Level>(_ level: Level) -> AccessRequest where Shape == Levels<Level> { AccessRequest(id, level: level.rawValue) }
  /// A request for an item.
  public func item(_ path: ItemPath) -> AccessRequest where Shape == ItemsShape { AccessRequest(id, item: path) }
  /// A request for an item, which is allowed when the item is bought or can be paid for.
  public func item(_ path: ItemPath) -> AccessRequest where Shape == CoinsShape { AccessRequest(id, item: path) }
}

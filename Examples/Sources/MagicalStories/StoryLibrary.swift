// SPDX-License-Identifier: Apache-2.0
public import Monetize

extension Snapshot {
  /// Whether finished stories may be read: online always, offline only by paying customers.
  public func allowsReading(isOnline: Bool) -> Bool {
    allows(.storyLibrary) && allows(.basicReading) && (isOnline || allows(.offlineReading))
  }

  /// Whether a new collection may be made. Existing collections stay in the library.
  public var allowsNewCollection: Bool { allows(.growthPathCollections) }
}

// SPDX-License-Identifier: Apache-2.0
public import Monetize

extension Snapshot {
  /// Whether stories that were made may be read: always with a connection, and without one by those who pay.
  public func allowsReading(isOnline: Bool) -> Bool {
    allows(.storyLibrary) && allows(.basicReading) && (isOnline || allows(.offlineReading))
  }

  /// Whether a new collection may be made. Those that were made stay in the library.
  public var allowsNewCollection: Bool { allows(.growthPathCollections) }
}

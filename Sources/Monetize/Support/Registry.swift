// SPDX-License-Identifier: Apache-2.0

/// Types that a catalog or a storage finds by name. A value passed to the decoder; there is no global registry.
public struct Registry<Entry: Sendable>: Sendable {
  private var entries: [(name: String, entry: Entry)] = []

  /// An empty registry.
  public init() {}

  /// The entry with this name. O(entries).
  public subscript(name: String) -> Entry? { entries.first { $0.name == name }?.entry }
  /// All names, sorted.
  public var names: [String] { entries.map(\.name).sorted() }
  /// All entries, in the order of their addition.
  var all: [Entry] { entries.map(\.entry) }

  /// Adds an entry. An entry with the same name is replaced and keeps its position.
  func adding(_ name: String, _ entry: Entry) -> Self {
    var copy = self
    if let index = copy.entries.firstIndex(where: { $0.name == name }) {
      copy.entries[index].entry = entry
    } else {
      copy.entries.append((name, entry))
    }
    return copy
  }
}

// SPDX-License-Identifier: Apache-2.0

/// Types that a catalog or a storage finds by name: a value that is handed to the decoder. There is no global registry.
public struct Registry<Entry: Sendable>: Sendable {
  private var entries: [(name: String, entry: Entry)] = []

  /// An empty registry.
  public init() {}

  /// The entry of that name. O(entries).
  public subscript(name: String) -> Entry? { entries.first { $0.name == name }?.entry }
  /// All names, sorted.
  public var names: [String] { entries.map(\.name).sorted() }
  /// All entries, in the order in which they were added.
  var all: [Entry] { entries.map(\.entry) }

  /// These entries and one more; of two with one name the later takes the earlier one's position.
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

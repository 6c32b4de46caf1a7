// SPDX-License-Identifier: Apache-2.0

/// From a feature's id to its place in the catalog, for the question that is asked most.
///
/// Open addressing over the hash that the id carries: half the time of a `Dictionary`, which would hash the hash again
/// (figures in `Examples/Benchmarks`). Built once, never changed. A look-up is O(1).
struct FeatureTable: Sendable {
  private struct Slot: Sendable {
    var id: FeatureID
    var index: Int
  }
  private var slots: [Slot?]
  private let mask: Int

  /// The later of two equal ids wins; aliases point at the index of what they name.
  init(_ entries: [(id: FeatureID, index: Int)]) {
    var size = 8
    while size < entries.count * 2 { size *= 2 }
    mask = size - 1
    slots = Array(repeating: nil, count: size)
    for entry in entries {
      var at = Int(truncatingIfNeeded: entry.id.hash) & mask
      while let slot = slots[at], slot.id != entry.id { at = (at + 1) & mask }
      slots[at] = Slot(id: entry.id, index: entry.index)
    }
  }

  subscript(id: FeatureID) -> Int? {
    var at = Int(truncatingIfNeeded: id.hash) & mask
    while let slot = slots[at] {
      if slot.id.hash == id.hash, slot.id.rawValue == id.rawValue { return slot.index }
      at = (at + 1) & mask
    }
    return nil
  }
}

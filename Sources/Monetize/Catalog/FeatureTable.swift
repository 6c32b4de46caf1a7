// SPDX-License-Identifier: Apache-2.0

/// Maps a feature's id to its index in the catalog, for the most frequent question.
///
/// Uses open addressing over a hash of eight bytes at a time. Takes half the time of a `Dictionary`, whose hash resists attackers (figures
/// in Docs/Benchmarks.md). Built once, never changed. A lookup is O(1).
struct FeatureTable: Sendable {
  /// An id with the index of its feature; -1 marks a free slot.
  private struct Slot {
    var id = ""
    var index = -1
  }
  private var slots: [Slot]

  /// The later of two equal ids wins. Aliases map to the index of their feature.
  init(_ entries: [(id: FeatureID, index: Int)]) {
    var size = 8
    while size < entries.count * 2 { size *= 2 }
    slots = Array(repeating: Slot(), count: size)
    for entry in entries { slots[slot(of: entry.id.rawValue)] = Slot(id: entry.id.rawValue, index: entry.index) }
  }

  @inline(__always)
  subscript(id: FeatureID) -> Int? {
    let index = slots[slot(of: id.rawValue)].index
    return index < 0 ? nil : index
  }

  /// The slot that holds an id, or would hold it.
  @inline(__always)
  private func slot(of id: String) -> Int {
    let mask = slots.count - 1
    var at = Self.hash(id) & mask
    while slots[at].index >= 0, slots[at].id != id { at = (at + 1) & mask }
    return at
  }

  private static func hash(_ text: String) -> Int {
    // Hashes the bytes in place. Only a text from Objective-C has to be copied first.
    text.utf8.withContiguousStorageIfAvailable(hash) ?? Array(text.utf8).withUnsafeBufferPointer(hash)
  }

  /// Mixes eight bytes at a time. Feature ids come from a catalog and need not resist an attacker.
  private static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var hash = UInt64(truncatingIfNeeded: bytes.count)
    func mix(_ chunk: UInt64) {
      hash = (hash ^ chunk) &* 0x9e37_79b9_7f4a_7c15
      hash ^= hash >> 32
    }
    if bytes.count < 8 {
      mix(bytes.reduce(0) { $0 << 8 | UInt64($1) })
    } else {
      // The last eight bytes overlap those before them.
      let last = bytes.count - 8
      let bytes = UnsafeRawBufferPointer(bytes)
      for start in stride(from: 0, to: last, by: 8) { mix(bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self)) }
      mix(bytes.loadUnaligned(fromByteOffset: last, as: UInt64.self))
    }
    return Int(truncatingIfNeeded: hash)
  }
}

// SPDX-License-Identifier: Apache-2.0

/// Maps a feature's id to its index in the catalog, for the most frequent question.
///
/// Uses open addressing over a hash of eight bytes at a time. Takes half the time of a `Dictionary`, whose hash resists attackers (figures
/// in Docs/Benchmarks.md). Built once, never changed. A lookup is O(1).
struct FeatureTable: Sendable {
  private var ids: [String]
  /// The index of the feature in each slot; -1 marks a free slot.
  private var indices: [Int]
  private let mask: Int

  /// The later of two equal ids wins. Aliases map to the index of their feature.
  init(_ entries: [(id: FeatureID, index: Int)]) {
    var size = 8
    while size < entries.count * 2 { size *= 2 }
    mask = size - 1
    ids = Array(repeating: "", count: size)
    indices = Array(repeating: -1, count: size)
    for entry in entries {
      let at = slot(of: entry.id.rawValue)
      (ids[at], indices[at]) = (entry.id.rawValue, entry.index)
    }
  }

  subscript(id: FeatureID) -> Int? {
    let index = indices[slot(of: id.rawValue)]
    return index < 0 ? nil : index
  }

  /// The slot that holds an id, or would hold it.
  private func slot(of id: String) -> Int {
    var at = Self.hash(id) & mask
    while indices[at] >= 0, ids[at] != id { at = (at + 1) & mask }
    return at
  }

  /// Mixes eight bytes at a time. Feature ids come from a catalog and need not resist an attacker.
  private static func hash(_ text: String) -> Int {
    var text = text
    return text.withUTF8 { bytes in
      var hash = UInt64(truncatingIfNeeded: bytes.count)
      var index = 0
      while index < bytes.count {
        var chunk: UInt64 = 0
        if index + 8 <= bytes.count {
          chunk = UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: index, as: UInt64.self)
        } else {
          for byte in bytes[index...] { chunk = chunk << 8 | UInt64(byte) }
        }
        hash = (hash ^ chunk) &* 0x9e37_79b9_7f4a_7c15
        hash ^= hash >> 32
        index += 8
      }
      return Int(truncatingIfNeeded: hash)
    }
  }
}

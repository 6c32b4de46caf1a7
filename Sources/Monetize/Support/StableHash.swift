// SPDX-License-Identifier: Apache-2.0

/// A hash that is the same in every process: FNV-1a over UTF-8, with the high bits folded into the low ones that tables look at. For short
/// names out of catalogs, which need not resist an attacker.
/// - Parameter seed: The hash of what stands before, for names of several pieces.
@inline(__always)
func stableHash(of text: String, after seed: UInt64 = 0xcbf2_9ce4_8422_2325) -> UInt64 {
  var hash = seed
  for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
  return hash ^ (hash >> 29)
}

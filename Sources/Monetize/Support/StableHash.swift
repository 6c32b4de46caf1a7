// SPDX-License-Identifier: Apache-2.0

/// The 32-bit FNV-1a hash of a text's UTF-8 bytes, which gives the same number on every platform and in every run.
///
/// - Complexity: O(n) in the number of bytes.
package func fnv1a32(_ text: String) -> UInt32 {
  text.utf8.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
}

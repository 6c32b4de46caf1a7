// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import MonetizeReports

@Suite("Stable hash")
struct StableHashTests {
  @Test("FNV-1a gives its published values", arguments: [("", 0x811C_9DC5 as UInt32), ("a", 0xE40C_292C), ("foobar", 0xBF9C_F968)])
  func published(text: String, hash: UInt32) {
    #expect(fnv1a32(text) == hash)
  }
}

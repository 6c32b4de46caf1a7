// SPDX-License-Identifier: Apache-2.0
import Foundation

extension UUID {
  /// A random UUID, of version 4 by RFC 9562. On Linux `UUID()` opens and reads a file each time, which costs a tenth of a spend.
  static func random() -> UUID {
    var source = SystemRandomNumberGenerator()
    let halves: (UInt64, UInt64) = (source.next(), source.next())
    var bytes = withUnsafeBytes(of: halves) { $0.load(as: uuid_t.self) }
    bytes.6 = bytes.6 & 0x0F | 0x40
    bytes.8 = bytes.8 & 0x3F | 0x80
    return UUID(uuid: bytes)
  }
}

// SPDX-License-Identifier: Apache-2.0

/// Converts byte offsets to lines and columns. A line ends with `\n` (a preceding `\r` is its last column); a column is a Unicode scalar.
///
/// Stores the position of every 1,024th byte, so that a lookup takes constant time, even in a file with one long line. Built with the
/// document, which costs little compared to parsing and needs no lock.
struct JSONLines: Sendable {
  private static let stride = 1024
  private var marks = [SourcePosition(line: 1, column: 1)]

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    for end in Swift.stride(from: Self.stride, through: bytes.count, by: Self.stride) { marks.append(position(of: end, in: bytes)) }
  }

  /// The position of a byte. Clamps an offset outside the text.
  func position(of offset: Int, in bytes: UnsafeBufferPointer<UInt8>) -> SourcePosition {
    let offset = max(0, min(offset, bytes.count))
    let block = min(offset / Self.stride, marks.count - 1)
    let bytes = UnsafeBufferPointer(rebasing: bytes[block * Self.stride..<offset])
    // Two plain loops, so that each step can count many bytes.
    let lines = bytes.reduce(0) { $0 &+ ($1 == 0x0A ? 1 : 0) }
    let last = lines > 0 ? bytes.lastIndex(of: 0x0A) : nil
    let columns = UnsafeBufferPointer(rebasing: bytes[(last.map { $0 + 1 } ?? 0)...]).reduce(0) { $0 &+ ($1 & 0xC0 != 0x80 ? 1 : 0) }
    return SourcePosition(line: marks[block].line + lines, column: (last == nil ? marks[block].column : 1) + columns)
  }
}

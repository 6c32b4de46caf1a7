// SPDX-License-Identifier: Apache-2.0

/// Turns byte offsets into lines and columns. A line ends with `\n` (a `\r` before it is its last column); a column is a Unicode scalar.
///
/// Keeps the line and column of every 1,024th byte, so that a position costs the same in a file of one endless line, and thousands of
/// diagnostics in a minified file stay linear. Made with the document: the pass costs a small part of parsing, and a value that is
/// complete from the start needs no lock.
struct JSONLines: Sendable {
  private static let stride = 1024
  private var marks = [SourcePosition(line: 1, column: 1)]

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    for end in Swift.stride(from: Self.stride, through: bytes.count, by: Self.stride) { marks.append(position(of: end, in: bytes)) }
  }

  /// The position of a byte; offsets outside the text give its nearest end.
  func position(of offset: Int, in bytes: UnsafeBufferPointer<UInt8>) -> SourcePosition {
    let offset = max(0, min(offset, bytes.count))
    let block = min(offset / Self.stride, marks.count - 1)
    var (line, column) = (marks[block].line, marks[block].column)
    for byte in bytes[block * Self.stride..<offset] {
      if byte == 0x0A { (line, column) = (line + 1, 1) } else if byte & 0xC0 != 0x80 { column += 1 }
    }
    return SourcePosition(line: line, column: column)
  }
}

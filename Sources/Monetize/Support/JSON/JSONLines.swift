// SPDX-License-Identifier: Apache-2.0

/// Turns byte offsets into lines and columns. A line ends with `\n` (a `\r` before it is its last column); a column is a Unicode scalar.
///
/// Keeps the line and column of every 1,024th byte, so that a position costs the same in a file of one endless line, and thousands of
/// diagnostics in a minified file stay linear. Made with the document: the pass costs a small part of parsing, and a value that is
/// complete from the start needs no lock.
struct JSONLines: Sendable {
  private struct Mark: Sendable {
    var line: UInt32
    var column: UInt32
  }
  private static let stride = 1024
  private let marks: [Mark]

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    var marks: [Mark] = []
    marks.reserveCapacity(bytes.count / Self.stride + 1)
    var line: UInt32 = 1
    var column: UInt32 = 1
    var start = 0
    while start < bytes.count {
      marks.append(Mark(line: line, column: column))
      let end = min(start + Self.stride, bytes.count)
      var feeds: UInt32 = 0
      for index in start..<end { feeds &+= bytes[index] == 0x0A ? 1 : 0 }
      var from = start
      if feeds > 0 {
        line += feeds
        column = 1
        from = end
        while bytes[from - 1] != 0x0A { from -= 1 }
      }
      var scalars: UInt32 = 0
      for index in from..<end { scalars &+= bytes[index] & 0xC0 != 0x80 ? 1 : 0 }
      column += scalars
      start = end
    }
    self.marks = marks
  }

  /// The position of a byte; offsets outside the text give its nearest end.
  func position(of offset: Int, in bytes: UnsafeBufferPointer<UInt8>) -> SourcePosition {
    let offset = max(0, min(offset, bytes.count))
    guard !marks.isEmpty else { return SourcePosition(line: 1, column: 1) }
    let block = min(offset / Self.stride, marks.count - 1)
    return Self.walk(
      bytes, from: block * Self.stride, to: offset, line: Int(marks[block].line), column: Int(marks[block].column))
  }

  /// The position of a byte without a table, for a text that has just been refused.
  static func scan(_ bytes: UnsafeBufferPointer<UInt8>, to offset: Int) -> SourcePosition {
    walk(bytes, from: 0, to: min(offset, bytes.count), line: 1, column: 1)
  }

  private static func walk(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int, line: Int, column: Int
  ) -> SourcePosition {
    var (line, column) = (line, column)
    for index in start..<end {
      let byte = bytes[index]
      if byte == 0x0A {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    return SourcePosition(line: line, column: column)
  }
}

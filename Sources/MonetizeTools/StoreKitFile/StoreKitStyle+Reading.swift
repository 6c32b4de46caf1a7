// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

extension StoreKitStyle {
  /// Detects the layout of a text from the first place that shows each part; the rest is Xcode's. O(length of the text).
  init(of bytes: [UInt8]) {
    self.init()
    let marks = bytes.withUnsafeBufferPointer(Marks.init)
    guard let open = marks.open, let close = marks.close else { return }
    head = Self.blanks(bytes[..<open])
    tail = Self.blanks(bytes[(close + 1)...])
    if let colon = marks.colon { self.colon = Self.blanks(around: colon, in: bytes) }
    let first = Self.blanks(after: open, in: bytes)
    if first.utf8.contains(UInt8(ascii: "\n")) {
      lineEnd = first.hasPrefix("\r\n") ? "\r\n" : "\n"
      indent = String(decoding: first.utf8.drop { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }, as: UTF8.self)
    } else {
      (indent, padding, gap) = (nil, first, marks.comma.map { Self.blanks(after: $0, in: bytes) } ?? "")
    }
    // A text that shows one of the two uses the same style for the other.
    let (array, object) = (marks.emptyArray ?? marks.emptyObject, marks.emptyObject ?? marks.emptyArray)
    emptyArray = array.map { Self.empty(after: $0, in: bytes) } ?? (indent == nil ? Empty(lineEnds: 0) : Empty())
    emptyObject = object.map { Self.empty(after: $0, in: bytes) } ?? emptyArray
    escapesSlashes = marks.escapesSlashes
  }

  private static func blanks(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

  private static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

  private static func blanks(after index: Int, in bytes: [UInt8]) -> String { blanks(bytes[(index + 1)...].prefix(while: isBlank)) }

  private static func blanks(around index: Int, in bytes: [UInt8]) -> String {
    let before = bytes[..<index].reversed().prefix(while: isBlank)
    return String(decoding: before.reversed(), as: UTF8.self) + ":" + blanks(after: index, in: bytes)
  }

  private static func empty(after index: Int, in bytes: [UInt8]) -> Empty {
    let blanks = blanks(after: index, in: bytes)
    let lineEnds = blanks.utf8.filter { $0 == UInt8(ascii: "\n") }.count
    return Empty(lineEnds: lineEnds, blanks: lineEnds > 0 ? "" : blanks)
  }

  /// The first position of each mark outside of strings.
  private struct Marks {
    var open, close, colon, comma, emptyArray, emptyObject: Int?
    var escapesSlashes = false

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
      var isInString = false
      var index = 0
      // The last opening bracket, while only whitespace follows it.
      var pending: Int?
      while index < bytes.count {
        let byte = bytes[index]
        if isInString {
          if byte == UInt8(ascii: "\\") {
            index += 1
            if index < bytes.count, bytes[index] == UInt8(ascii: "/") { escapesSlashes = true }
          } else if byte == UInt8(ascii: "\"") {
            isInString = false
          }
        } else if !StoreKitStyle.isBlank(byte) {
          note(byte, at: index, &pending)
          isInString = byte == UInt8(ascii: "\"")
        }
        index += 1
      }
    }

    private mutating func note(_ byte: UInt8, at index: Int, _ pending: inout Int?) {
      switch byte {
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        open = open ?? index
        pending = index
        return
      case UInt8(ascii: "]"): if let pending { emptyArray = emptyArray ?? pending }
      case UInt8(ascii: "}"): if let pending { emptyObject = emptyObject ?? pending }
      case UInt8(ascii: ":"): colon = colon ?? index
      case UInt8(ascii: ","): comma = comma ?? index
      default: break
      }
      if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") { close = index }
      pending = nil
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

/// A key on a keyboard.
package enum Key: Hashable, Sendable {
  /// A letter, or a part of one, such as a combining accent.
  case text(String)
  case left, right, wordLeft, wordRight, home, end
  case up, down, search
  case backspace, delete, eraseWord, eraseNextWord, eraseToStart, eraseToEnd, putBack
  case tab, enter, escape
  case clearScreen, interrupt, suspend, endOfInput
}

/// Decodes the bytes of a terminal into keys. Ignores unknown bytes.
package struct KeyDecoder {
  private static let escape: UInt8 = 27
  private var pending: [UInt8] = []

  /// Whether only a pause can decide if an escape is a key by itself or the start of a sequence.
  package var isAfterEscape: Bool { pending == [Self.escape] }

  /// The key that a byte completes.
  package mutating func take(_ byte: UInt8) -> Key? {
    if pending.first == Self.escape { return takeAfterEscape(byte) }
    if !pending.isEmpty || byte >= 0x80 { return takeLetter(byte) }
    if byte == Self.escape {
      pending = [byte]
      return nil
    }
    return byte < 32 || byte == 127 ? Self.controls[byte] : .text(String(UnicodeScalar(byte)))
  }

  /// Ends the current sequence after a pause.
  package mutating func pause() -> Key? {
    guard isAfterEscape else { return nil }
    pending = []
    return .escape
  }

  private static let controls: [UInt8: Key] = [
    1: .home, 2: .left, 3: .interrupt, 4: .endOfInput, 5: .end, 6: .right, 7: .escape, 8: .backspace, 9: .tab, 10: .enter,
    11: .eraseToEnd, 12: .clearScreen, 13: .enter, 14: .down, 16: .up, 18: .search, 21: .eraseToStart, 23: .eraseWord, 25: .putBack,
    26: .suspend, 127: .backspace,
  ]

  /// Decodes a letter from up to four bytes of UTF-8.
  private mutating func takeLetter(_ byte: UInt8) -> Key? {
    pending.append(byte)
    let length = pending[0] >= 0xF0 ? 4 : pending[0] >= 0xE0 ? 3 : pending[0] >= 0xC2 ? 2 : 1
    if pending.count > 1, byte & 0xC0 != 0x80 {
      // The letter was cut off; this byte starts something new.
      pending = []
      return take(byte)
    }
    guard pending.count >= length else { return nil }
    defer { pending = [] }
    guard let text = String(validating: pending, as: UTF8.self), let scalar = text.unicodeScalars.first,
      ![.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
    else { return nil }
    return .text(text)
  }

  private mutating func takeAfterEscape(_ byte: UInt8) -> Key? {
    if byte < 32, byte != Self.escape, pending.count > 1 {
      // No sequence contains this byte: the sequence was cut off.
      pending = []
      return take(byte)
    }
    pending.append(byte)
    switch (pending.count, byte) {
    case (2, UInt8(ascii: "[")), (2, UInt8(ascii: "O")): return nil
    case (2, Self.escape):
      pending = [byte]
      return nil
    case (2, _):
      pending = []
      return Self.meta[byte]
    // The function keys of the Linux console: ESC [ [ A.
    case (3, UInt8(ascii: "[")): return nil
    case (_, 0x40...0x7E):
      defer { pending = [] }
      return Self.sequence(pending)
    default:
      if pending.count > 16 { pending = [] }
      return nil
    }
  }

  private static let meta: [UInt8: Key] = [
    UInt8(ascii: "b"): .wordLeft, UInt8(ascii: "f"): .wordRight, UInt8(ascii: "d"): .eraseNextWord, 8: .eraseWord, 127: .eraseWord,
  ]

  /// Decodes `ESC [ 1 ; 5 C` and similar sequences; with any modifier a step is a word.
  private static func sequence(_ bytes: [UInt8]) -> Key? {
    let parameters = String(decoding: bytes[2..<(bytes.count - 1)], as: UTF8.self)
    let isModified = parameters.contains(";")
    switch UnicodeScalar(bytes[bytes.count - 1]) {
    case _ where parameters.hasPrefix("["): return nil
    case "A": return .up
    case "B": return .down
    case "C": return isModified ? .wordRight : .right
    case "D": return isModified ? .wordLeft : .left
    case "H": return .home
    case "F": return .end
    case "~":
      switch parameters.split(separator: ";").first {
      case "1", "7": return .home
      case "4", "8": return .end
      case "3": return isModified ? .eraseNextWord : .delete
      default: return nil
      }
    default: return nil
    }
  }
}

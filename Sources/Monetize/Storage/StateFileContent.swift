// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// The content of a state file, or of a part of it: a header line, then one line per record with a checksum. Only whole lines with a
/// correct checksum are valid.
package struct StateFileContent: Sendable {
  package struct Damage: Sendable, Hashable {
    package let line: Int
    /// The position of its first byte, from 0.
    package let offset: Int
  }

  static let header = "monetize-state 1\n"

  package private(set) var bytes: [UInt8]
  /// The records with a correct checksum, oldest first.
  package private(set) var records: [Data] = []
  /// The length of the valid content in bytes, if the content is intact.
  package private(set) var validLength = 0
  /// The invalid lines. A torn last line is not damage: its writer never reported it as durable.
  package private(set) var damage: [Damage] = []
  /// Whether all lines are valid, except for a torn last one.
  package var isIntact: Bool { damage.isEmpty }

  /// Reads a whole file. O(bytes).
  /// - Throws: ``StorageError`` for a file of a later version.
  package init(_ bytes: [UInt8]) throws(StorageError) {
    let header = Array(Self.header.utf8)
    // A torn header is the start of a file whose first record never became durable.
    if header.starts(with: bytes) {
      self.init(lines: [])
      (self.bytes, validLength) = (bytes, bytes.count == header.count ? bytes.count : 0)
      return
    }
    let hasHeader = bytes.starts(with: header)
    self.init(lines: bytes, from: hasHeader ? header.count : 0, number: hasHeader ? 2 : 1)
    if !hasHeader, damage.first?.line != 1 { damage.insert(Damage(line: 1, offset: 0), at: 0) }
    // A later version has another line format. If one of the lines can be read, or there is none, only the header is damaged.
    let first = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    if records.isEmpty, bytes.count > first.utf8.count + 1, first.hasPrefix("monetize-state "),
      let version = Int(first.dropFirst("monetize-state ".count)), version > 1
    {
      throw StorageError("The state file is from a later version of Monetize and is left as it is. Update the app.")
    }
  }

  init(lines bytes: [UInt8], from start: Int = 0, number: Int = 1) {
    (self.bytes, validLength) = (bytes, start)
    var number = number
    while let end = bytes[validLength...].firstIndex(of: UInt8(ascii: "\n")) {
      if let record = Self.record(in: bytes[validLength..<end]) {
        records.append(record)
      } else {
        damage.append(Damage(line: number, offset: validLength))
      }
      validLength = end + 1
      number += 1
    }
    // A last line without its line end was torn. A last line with a wrong byte as its end was whole, and is damaged.
    if let record = Self.record(in: bytes[validLength...].dropLast()) {
      records.append(record)
      damage.append(Damage(line: number, offset: validLength))
    }
  }

  static func line(_ record: Data) -> [UInt8] {
    let record = [UInt8](record)
    var line: [UInt8] = []
    line.reserveCapacity(record.count + 10)
    line += Checksum.hex(record).utf8
    line.append(UInt8(ascii: " "))
    line += record
    line.append(UInt8(ascii: "\n"))
    return line
  }

  static func bytes(of records: [Data]) -> [UInt8] { records.reduce(into: Array(header.utf8)) { $0 += line($1) } }

  private static func record(in line: ArraySlice<UInt8>) -> Data? {
    guard line.count > 9, line[line.startIndex + 8] == UInt8(ascii: " "), let text = String(bytes: line.prefix(8), encoding: .utf8),
      let checksum = UInt32(text, radix: 16)
    else { return nil }
    let record = line.dropFirst(9)
    return Checksum.crc32(record) == checksum ? Data(record) : nil
  }
}

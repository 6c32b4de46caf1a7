// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Reads values that a program has written, a million at a time, without messages about mistakes. A type that Foundation decodes specially
/// (`Data`, `URL`, `Decimal`) is a mistake. Not Sendable; used by one function.
package final class JSONPlainReader {
  fileprivate let storage: JSONDocument
  fileprivate let userInfo: [CodingUserInfoKey: Any]
  // Unchecked, because a check at run time would take longer than the access, and one function reads at a time.
  /// Which nodes were read as values of members, and how many.
  @exclusivity(unchecked) private var isRead: [Bool]
  @exclusivity(unchecked) private var readCount = 0

  package init(parsing bytes: [UInt8], userInfo: [CodingUserInfoKey: any Sendable] = [:]) throws(Diagnostic) {
    (storage, self.userInfo) = (try JSONDocument(parsing: bytes, hasLines: false), userInfo)
    isRead = Array(repeating: false, count: storage.nodes.count)
  }

  package var root: JSONValue { JSONValue(document: storage, node: 0) }

  /// Passes the members of an object to `decode`, until it returns `true` for one that it has decoded.
  /// - Returns: Whether every member of the object and of all objects in it was read; `nil` when none was decoded, or one has a mistake.
  package func read(_ object: JSONValue, _ decode: (_ name: String, _ value: any Decoder) throws -> Bool) -> Bool? {
    guard object.kind == .object else { return nil }
    let count = readCount
    var key = object.node + 1
    while key < Int(storage.nodes[object.node].end) {
      let value = JSONPlainDecoder(reader: self, node: key + 1)
      guard let isDecoded = try? decode(storage.string(key), value) else { return nil }
      if isDecoded {
        read(key + 1)
        return readCount - count == storage.memberCount(object.node)
      }
      key = storage.next(key + 1)
    }
    return nil
  }

  fileprivate func read(_ node: Int) {
    if !isRead[node] { (isRead[node], readCount) = (true, readCount + 1) }
  }
}

/// A node, and its reader. Two words, so that an `any Decoder` of it needs no allocation.
private struct JSONPlainDecoder: Decoder, SingleValueDecodingContainer {
  let reader: JSONPlainReader
  let node: Int

  var storage: JSONDocument { reader.storage }
  var kind: JSONValue.Kind { storage.nodes[node].kind }
  var userInfo: [CodingUserInfoKey: Any] { reader.userInfo }
  var codingPath: [any CodingKey] { [] }
  var wrong: DecodingError { .dataCorrupted(.init(codingPath: [], debugDescription: "The text was changed after it was written.")) }

  func at(_ node: Int) -> Self { Self(reader: reader, node: node) }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard kind == .object else { throw wrong }
    return KeyedDecodingContainer(JSONPlainObject<Key>(place: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard kind == .array else { throw wrong }
    return JSONPlainArray(place: self, next: node + 1)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { kind == .null }

  @inline(__always) func decode<T: Decodable>(_ type: T.Type) throws -> T {
    if T.self == String.self { return try cast(kind == .string ? storage.string(node) : nil) }
    if T.self == Double.self { return try cast(kind == .number ? storage.double(node) : nil) }
    if T.self == Int.self { return try cast(kind == .number ? storage.integer(node, as: Int.self) : nil) }
    if T.self == Bool.self { return try cast(kind == .bool ? storage.nodes[node].isFlagged : nil) }
    if JSONDocument.foreign.contains(where: { $0 == T.self }) { throw wrong }
    return try T(from: self)
  }

  /// Requires that `A` and `T` are the same type. A checked cast would take longer than the decoding.
  @inline(__always) private func cast<A, T>(_ value: A?) throws -> T {
    guard let value else { throw wrong }
    return unsafeBitCast(value, to: T.self)
  }
}

private struct JSONPlainObject<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let place: JSONPlainDecoder

  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { JSONValue(document: place.storage, node: place.node).members.compactMap { Key(stringValue: $0.key) } }

  private func find(_ key: Key) -> JSONPlainDecoder? {
    guard let node = place.storage.member(key.stringValue, of: place.node) else { return nil }
    place.reader.read(node)
    return place.at(node)
  }

  private func require(_ key: Key) throws -> JSONPlainDecoder {
    guard let found = find(key) else { throw place.wrong }
    return found
  }

  func contains(_ key: Key) -> Bool { find(key) != nil }
  func decodeNil(forKey key: Key) throws -> Bool { try require(key).decodeNil() }
  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try require(key).decode(type) }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    guard let found = find(key), !found.decodeNil() else { return nil }
    return try found.decode(type)
  }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws -> KeyedDecodingContainer<Nested> {
    try require(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { try require(key).unkeyedContainer() }
  func superDecoder() throws -> any Decoder { throw place.wrong }
  func superDecoder(forKey key: Key) throws -> any Decoder { try require(key) }
}

private struct JSONPlainArray: UnkeyedDecodingContainer {
  let place: JSONPlainDecoder
  var next: Int
  private(set) var currentIndex = 0

  var codingPath: [any CodingKey] { [] }
  var count: Int? { place.storage.nodes[place.node].childCount }
  var isAtEnd: Bool { next >= Int(place.storage.nodes[place.node].end) }

  init(place: JSONPlainDecoder, next: Int) { (self.place, self.next) = (place, next) }

  @inline(__always) private mutating func take<T>(_ read: (JSONPlainDecoder) throws -> T) throws -> T {
    if isAtEnd { throw place.wrong }
    let result = try read(place.at(next))
    (next, currentIndex) = (place.storage.next(next), currentIndex + 1)
    return result
  }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, place.at(next).decodeNil() else { return false }
    return try take { _ in true }
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try take { try $0.decode(type) } }
  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
    try take { try $0.container(keyedBy: type) }
  }
  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try take { try $0.unkeyedContainer() } }
  mutating func superDecoder() throws -> any Decoder { try take { $0 } }
}

extension JSONDocument {
  /// The number of members of an object and of all objects in it; for an array, those in it.
  fileprivate func memberCount(_ node: Int) -> Int {
    guard nodes[node].isContainer else { return 0 }
    return (node..<Int(nodes[node].end)).reduce(0) { $0 + (nodes[$1].kind == .object ? nodes[$1].childCount : 0) }
  }

  /// A number with at most 19 digits and no exponent is a whole number divided by a power of ten. Their quotient is computed with at least 63
  /// bits, of which the last stands for a remainder, so that it is rounded once: to the nearest value.
  fileprivate func double(_ node: Int) -> Double? {
    var (digits, value, places, isFraction) = (0, 0 as UInt64, 0, false)
    let text = bytes[Int(nodes[node].start)..<Int(nodes[node].end)]
    let sign = text.first == UInt8(ascii: "-") ? FloatingPointSign.minus : .plus
    for byte in sign == .minus ? text.dropFirst() : text {
      if byte == UInt8(ascii: ".") {
        isFraction = true
        continue
      }
      digits += 1
      guard digits <= 19, JSONParser.isDigit(byte) else { return real(node, as: Double.self) }
      value = value * 10 + UInt64(byte - UInt8(ascii: "0"))
      if isFraction { places += 1 }
    }
    let (power, up, down) = (Self.powers[places], value.leadingZeroBitCount, Self.powers[places].leadingZeroBitCount)
    if value == 0 { return sign == .minus ? -0.0 : 0 }
    let (quotient, rest) = (power << down).dividingFullWidth(((value << up) >> 1, (value << up) << 63))
    return Double(sign: sign, exponent: down - up - 63, significand: Double(rest == 0 ? quotient : quotient | 1))
  }

  private static let powers: [UInt64] = (0...19).map { (0..<$0).reduce(1) { power, _ in power * 10 } }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation

extension JSONValue {
  /// Decodes the value; see ``plainElements(_:userInfo:)``.
  package func plain<T: Decodable>(_ type: T.Type = T.self) -> T? { plainly(type).decoded }

  /// Decodes the value; see ``plainElements(_:userInfo:)``.
  package func plainly<T: Decodable>(_ type: T.Type = T.self) -> (decoded: T?, isWhole: Bool) {
    plainly(type, JSONPlainDecoder.Shared(storage: storage, userInfo: [:]))
  }

  private func plainly<T: Decodable>(_ type: T.Type, _ shared: JSONPlainDecoder.Shared) -> (decoded: T?, isWhole: Bool) {
    let count = shared.readCount
    let decoded = try? JSONPlainDecoder(shared: shared, node: node).decode(type)
    return (decoded, shared.readCount - count == storage.memberCount(node))
  }

  /// Decodes each element of an array that a program has written, a million at a time, without messages about mistakes. An element with a
  /// mistake is `nil`, and so is one with a type that Foundation decodes specially (`Data`, `URL`, `Decimal`). `isWhole` says whether every
  /// member of its objects was read.
  package func plainElements<T: Decodable>(
    _ type: T.Type = T.self, userInfo: [CodingUserInfoKey: any Sendable] = [:]
  ) -> [(value: JSONValue, decoded: T?, isWhole: Bool)] {
    let shared = JSONPlainDecoder.Shared(storage: storage, userInfo: userInfo)
    return elements.map { element in
      let (decoded, isWhole) = element.plainly(type, shared)
      return (element, decoded, isWhole)
    }
  }
}

/// A node, and the values shared by all nodes of one reading. Two words, so that an `any Decoder` of it needs no allocation.
private struct JSONPlainDecoder: Decoder, SingleValueDecodingContainer {
  final class Shared {
    let storage: JSONStorage
    let userInfo: [CodingUserInfoKey: Any]
    /// Which nodes were read as values of members, and how many.
    private var isRead: [Bool]
    private(set) var readCount = 0

    init(storage: JSONStorage, userInfo: [CodingUserInfoKey: Any]) {
      (self.storage, self.userInfo) = (storage, userInfo)
      isRead = Array(repeating: false, count: storage.nodes.count)
    }

    func read(_ node: Int) {
      if !isRead[node] { (isRead[node], readCount) = (true, readCount + 1) }
    }
  }

  let shared: Shared
  let node: Int

  var storage: JSONStorage { shared.storage }
  var kind: JSONValue.Kind { storage.nodes[node].kind }
  var userInfo: [CodingUserInfoKey: Any] { shared.userInfo }
  var codingPath: [any CodingKey] { [] }
  var wrong: DecodingError { .dataCorrupted(.init(codingPath: [], debugDescription: "The text was changed after it was written.")) }

  func at(_ node: Int) -> Self { Self(shared: shared, node: node) }

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
    if JSONStorage.foreign.contains(where: { $0 == T.self }) { throw wrong }
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
  var allKeys: [Key] { JSONValue(storage: place.storage, node: place.node).members.compactMap { Key(stringValue: $0.key) } }

  private func find(_ key: Key) -> JSONPlainDecoder? {
    guard let node = place.storage.member(key.stringValue, of: place.node) else { return nil }
    place.shared.read(node)
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

extension JSONStorage {
  /// The number of members of an object and of all objects in it; for an array, those in it.
  fileprivate func memberCount(_ node: Int) -> Int {
    guard nodes[node].isContainer else { return 0 }
    return (node..<Int(nodes[node].end)).reduce(0) { $0 + (nodes[$1].kind == .object ? nodes[$1].childCount : 0) }
  }

  /// A number with at most 15 digits and no exponent is a whole number divided by a power of ten. Both are exact, so the rounded quotient
  /// is the nearest value.
  fileprivate func double(_ node: Int) -> Double? {
    var (digits, value, places, isFraction) = (0, 0, 0, false)
    for byte in bytes[Int(nodes[node].start)..<Int(nodes[node].end)] {
      if byte == UInt8(ascii: "-"), digits == 0 { continue }
      if byte == UInt8(ascii: ".") {
        isFraction = true
        continue
      }
      digits += 1
      guard digits <= 15, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return real(node, as: Double.self) }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
      if isFraction { places += 1 }
    }
    let number = Double(value) / Self.powers[places]
    return bytes[Int(nodes[node].start)] == UInt8(ascii: "-") ? -number : number
  }

  private static let powers: [Double] = (0...15).map { (0..<$0).reduce(1) { power, _ in power * 10 } }
}

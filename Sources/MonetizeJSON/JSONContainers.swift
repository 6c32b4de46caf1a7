// SPDX-License-Identifier: Apache-2.0

/// A decoder's view of an object. One generic method implements the fourteen of the protocol.
struct JSONKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let place: JSONPlace

  var codingPath: [any CodingKey] { place.codingPath }

  /// All keys, each once, without remarks. Marks every key as known.
  var allKeys: [Key] {
    if place.isPlaceholder { return [] }
    var seen: Set<String> = ["$comment"]
    return place.value.members.compactMap { member in
      guard let key = Key(stringValue: member.key), seen.insert(member.key).inserted else { return nil }
      place.reader.marks[member.value.node] |= JSONReader.Mark.asked | JSONReader.Mark.found
      return key
    }
  }

  private func find(_ key: String) -> JSONPlace? {
    place.isPlaceholder ? nil : place.reader.find(key, in: place.node).map(place.child)
  }

  /// The place of a required key; a placeholder when the key was reported as missing.
  private func require(_ key: any CodingKey, as type: Any.Type = Any.self) throws -> JSONPlace {
    if let found = find(key.stringValue) { return found }
    let missing = JSONReader.MissingKey(object: place.node, key: key.stringValue)
    if place.isPlaceholder || place.reader.missing.contains(missing) { return place.placeholder }
    throw DecodingError.keyNotFound(
      key,
      place.context(
        "missing-key", JSONReader.missingMessage(key.stringValue, type), missing: key.stringValue))
  }

  func contains(_ key: Key) -> Bool { find(key.stringValue) != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try require(key).isNull }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try require(key, as: type).decode(type) }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    guard let found = find(key.stringValue), !found.isNull else { return nil }
    return try found.decode(type)
  }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws -> KeyedDecodingContainer<Nested> {
    try require(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { try require(key).unkeyedContainer() }

  func superDecoder() throws -> any Decoder { try require(JSONKey(stringValue: "super")) }

  func superDecoder(forKey key: Key) throws -> any Decoder { try require(key) }
}

/// A decoder's view of an array. Stays at an element that fails to decode, like Foundation's.
struct JSONUnkeyedContainer: UnkeyedDecodingContainer {
  let place: JSONPlace
  private(set) var currentIndex = 0
  private var next: Int
  private let end: Int

  init(place: JSONPlace) {
    self.place = place
    next = place.node + 1
    end = place.isPlaceholder ? 0 : Int(place.reader.document.nodes[place.node].end)
  }

  var codingPath: [any CodingKey] { place.codingPath }
  var count: Int? { place.isPlaceholder ? 0 : place.value.count }
  var isAtEnd: Bool { next >= end }

  private func current(_ type: Any.Type) throws -> JSONPlace {
    if place.isPlaceholder { return place.placeholder }
    if !isAtEnd { return place.child(next) }
    let message = "Expected at least \(currentIndex + 1) elements in this array, but found \(currentIndex). Add what is missing."
    throw DecodingError.valueNotFound(type, place.context("type-mismatch", message))
  }

  /// Reads the current element and, on success, moves to the next.
  @inline(__always) private mutating func take<T>(_ read: (JSONPlace) throws -> T) throws -> T {
    let result = try read(current(T.self))
    if !isAtEnd { (next, currentIndex) = (place.reader.document.next(next), currentIndex + 1) }
    return result
  }

  mutating func decodeNil() throws -> Bool {
    guard try current(Never.self).isNull else { return false }
    return try take { _ in true }
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try take { try $0.decode(type) } }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
    try take { try $0.container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try take { try $0.unkeyedContainer() } }

  mutating func superDecoder() throws -> any Decoder { try take { $0 } }
}

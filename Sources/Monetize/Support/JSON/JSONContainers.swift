// SPDX-License-Identifier: Apache-2.0

/// A decoder's view of an object. One generic method each stands for the fourteen that the protocol lists.
struct JSONKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let place: JSONPlace

  var codingPath: [any CodingKey] { place.codingPath }

  /// Whoever looks at all keys knows them all. A key that stands twice is given once.
  var allKeys: [Key] {
    guard place.node >= 0 else { return [] }
    let reader = place.reader
    var seen: Set<String> = []
    return JSONValue(storage: reader.storage, node: place.node).members.compactMap { member in
      guard let key = Key(stringValue: member.key), seen.insert(member.key).inserted else { return nil }
      reader.marks[member.value.node] |= JSONReader.Mark.asked
      return key
    }
  }

  private func find(_ key: Key) -> JSONPlace? {
    guard place.node >= 0 else { return nil }
    return place.reader.find(key.stringValue, in: place.node).map(place.child)
  }

  /// The place of a key that must be there; a placeholder when it has been reported before.
  private func require(_ key: Key) throws -> JSONPlace {
    if let found = find(key) { return found }
    let reader = place.reader
    if place.isPlaceholder || reader.missing.contains(JSONReader.MissingKey(object: place.node, key: key.stringValue)) {
      return place.instead
    }
    throw DecodingError.keyNotFound(
      key, .init(codingPath: codingPath, debugDescription: JSONReader.missingMessage(key.stringValue)))
  }

  func contains(_ key: Key) -> Bool { find(key) != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try require(key).isNull }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try require(key).decode(type) }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    guard let found = find(key), !found.isNull else { return nil }
    return try found.decode(type)
  }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws -> KeyedDecodingContainer<Nested> {
    try require(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { try require(key).unkeyedContainer() }

  func superDecoder() throws -> any Decoder { superPlace("super") }

  func superDecoder(forKey key: Key) throws -> any Decoder { superPlace(key.stringValue) }

  private func superPlace(_ key: String) -> JSONPlace {
    guard place.node >= 0 else { return place.instead }
    if let node = place.reader.find(key, in: place.node) { return place.child(node) }
    return JSONPlace(reader: place.reader, node: JSONPlace.absent, origin: place.node)
  }
}

/// A decoder's view of an array. It stays where it is when an element cannot be decoded, as Foundation's does.
struct JSONUnkeyedContainer: UnkeyedDecodingContainer {
  let place: JSONPlace
  private(set) var currentIndex = 0
  private var next: Int
  private let end: Int

  init(place: JSONPlace) {
    self.place = place
    next = place.node + 1
    end = place.node >= 0 ? Int(place.reader.storage.nodes[place.node].end) : 0
  }

  var codingPath: [any CodingKey] { place.codingPath }
  var count: Int? { place.node >= 0 ? place.reader.storage.nodes[place.node].childCount : 0 }
  var isAtEnd: Bool { next >= end }

  private func current(_ type: Any.Type) throws -> JSONPlace {
    if !isAtEnd { return place.child(next) }
    if place.isPlaceholder { return place.instead }
    let message = "Expected at least \(currentIndex + 1) elements in this array, but found \(currentIndex). Add what is missing."
    throw DecodingError.valueNotFound(type, .init(codingPath: codingPath, debugDescription: message))
  }

  private mutating func advance() {
    guard !isAtEnd else { return }
    next = place.reader.storage.next(next)
    currentIndex += 1
  }

  mutating func decodeNil() throws -> Bool {
    guard try current(Never.self).isNull else { return false }
    advance()
    return true
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let value = try current(type).decode(type)
    advance()
    return value
  }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
    let container = try current(KeyedDecodingContainer<Nested>.self).container(keyedBy: type)
    advance()
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let container = try current((any UnkeyedDecodingContainer).self).unkeyedContainer()
    advance()
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = try current((any Decoder).self)
    advance()
    return decoder
  }
}

/// A decoder's view of one value.
struct JSONSingleContainer: SingleValueDecodingContainer {
  let place: JSONPlace

  var codingPath: [any CodingKey] { place.codingPath }

  func decodeNil() -> Bool { place.isNull }

  func decode<T: Decodable>(_ type: T.Type) throws -> T { try place.decode(type) }
}

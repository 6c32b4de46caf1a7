// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The decoder: a reader and a node. Three words, so that an `any Decoder` of it needs no allocation.
///
/// Two nodes are no places in the text: a placeholder stands for something already reported, gives what anyone asks for and never throws
/// on its own; an absent one is the `null` of a `superDecoder()` without a key.
struct JSONPlace: Decoder {
  static let placeholder = -1
  static let absent = -2

  let reader: JSONReader
  let node: Int
  /// The container that a place without a node belongs to; else the node itself.
  let origin: Int

  var isPlaceholder: Bool { node == Self.placeholder }
  var userInfo: [CodingUserInfoKey: Any] { reader.userInfo }

  var codingPath: [any CodingKey] {
    let path = reader.codingPath(of: origin)
    guard isPlaceholder else { return path }
    return path + [JSONNodeKey(storage: ObjectIdentifier(reader.storage), node: -1, stringValue: "?", intValue: nil)]
  }

  /// The place of a child: a placeholder when it has been papered over.
  @inline(__always) func child(_ child: Int) -> JSONPlace {
    let mark = reader.marks[child]
    if mark & JSONReader.Mark.papered != 0 { return JSONPlace(reader: reader, node: Self.placeholder, origin: origin) }
    reader.marks[child] = mark | JSONReader.Mark.asked
    return JSONPlace(reader: reader, node: child, origin: child)
  }

  var instead: JSONPlace { JSONPlace(reader: reader, node: Self.placeholder, origin: origin) }

  var isNull: Bool { node < 0 || reader.storage.nodes[node].kind == JSONNode.null }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    if !isPlaceholder { try expect(JSONNode.object, .object, [String: Any].self) }
    return KeyedDecodingContainer(JSONKeyedContainer<Key>(place: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    if !isPlaceholder { try expect(JSONNode.array, .array, [Any].self) }
    return JSONUnkeyedContainer(place: self)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { JSONSingleContainer(place: self) }

  private func expect(_ kind: UInt32, _ expectation: JSONExpectation, _ type: Any.Type) throws {
    guard node >= 0, reader.storage.nodes[node].kind == kind else { throw mismatch(expectation, type) }
  }

  func mismatch(_ expectation: JSONExpectation, _ type: Any.Type) -> DecodingError {
    guard node >= 0 else {
      let message = "Expected \(expectation.rawValue), but the key \"super\" is missing. Add it to this object."
      return .valueNotFound(type, .init(codingPath: codingPath, debugDescription: message))
    }
    let value = JSONValue(storage: reader.storage, node: node)
    if value.kind == .object { reader.marks[node] |= JSONReader.Mark.clashed }
    let context = DecodingError.Context(codingPath: codingPath, debugDescription: expectation.sentence(value))
    return value.isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  func corrupted(_ message: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: codingPath, debugDescription: message))
  }

  // MARK: - Decoding any type

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    if isPlaceholder { return try placeholder(type) }
    if let scalar = try scalar(type) { return scalar }
    if node >= 0, reader.marks[node] & JSONReader.Mark.fatal != 0, let splittable = T.self as? any JSONSplittable.Type,
      let result = splittable.split(reader, at: node) as? T
    {
      return result
    }
    if reader.inFlight != nil { reader.inFlight = nil }
    do {
      return try T(from: self)
    } catch {
      if reader.inFlight == nil { reader.inFlight = (origin, T.self) }
      throw error
    }
  }

  private func placeholder<T: Decodable>(_ type: T.Type) throws -> T {
    if let provider = T.self as? any JSONPlaceholder.Type, let value = provider.jsonPlaceholder as? T { return value }
    if let cases = T.self as? any CaseIterable.Type, let value = Self.firstCase(cases) as? T {
      reader.marks[origin] |= JSONReader.Mark.guessed
      return value
    }
    if let value = Self.emptyScalar(type) { return value }
    reader.placeholderDepth += 1
    defer { reader.placeholderDepth -= 1 }
    guard reader.placeholderDepth < 64 else { throw corrupted("A placeholder would never end. Correct what was reported before.") }
    return try T(from: self)
  }

  private static func firstCase<C: CaseIterable>(_ type: C.Type) -> Any? { C.allCases.first }
}

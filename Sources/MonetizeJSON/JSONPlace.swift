// SPDX-License-Identifier: Apache-2.0

/// The decoder: a reader and a node. Three words, so that an `any Decoder` of it needs no allocation.
struct JSONPlace: Decoder, SingleValueDecodingContainer {
  let reader: JSONReader
  /// The node of the value. For a placeholder, the node of the surrounding value.
  let node: Int
  /// The nesting depth of a placeholder, which replaces a reported value and decodes to anything; 0 for a real value.
  var placeholderDepth = 0

  var isPlaceholder: Bool { placeholderDepth > 0 }
  var placeholder: JSONPlace { JSONPlace(reader: reader, node: node, placeholderDepth: placeholderDepth + 1) }
  var value: JSONValue { JSONValue(document: reader.document, node: node) }
  var userInfo: [CodingUserInfoKey: Any] { reader.userInfo }
  var codingPath: [any CodingKey] { reader.codingPath(of: node) }
  var isNull: Bool { isPlaceholder || holds(.null) }

  func holds(_ kind: JSONValue.Kind) -> Bool { reader.document.nodes[node].kind == kind }

  /// The place of a child; a placeholder when the child was reported.
  @inline(__always) func child(_ child: Int) -> JSONPlace {
    let mark = reader.marks[child]
    if mark & JSONReader.Mark.replaced != 0 { return placeholder }
    reader.marks[child] = mark | JSONReader.Mark.asked
    return JSONPlace(reader: reader, node: child)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    if !isPlaceholder {
      guard holds(.object) else { throw noObject(keyedBy: type) }
      reader.marks[node] &= ~JSONReader.Mark.unopened
    }
    return KeyedDecodingContainer(JSONKeyedContainer<Key>(place: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard isPlaceholder || holds(.array) else { throw mismatch(.array, [Any].self) }
    return JSONUnkeyedContainer(place: self)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { isNull }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    if isPlaceholder { return try placeholderValue(type) }
    if T.self == String.self { return Self.cast(try expect(value.wording, .string), type) }
    if T.self == Int.self { return Self.cast(try whole(Int.self), type) }
    if T.self == Bool.self { return Self.cast(try expect(value.bool, .bool), type) }
    if T.self == Double.self { return Self.cast(try real(reader.document.double, Double.self), type) }
    return try JSONDocument.foreign.contains { $0 == type } ? foreign(type) : attempt(type) { try T(from: self) }
  }

  @inline(never) private func placeholderValue<T: Decodable>(_ type: T.Type) throws -> T {
    if let provider = T.self as? any JSONPlaceholder.Type, let value = provider.jsonPlaceholder as? T { return value }
    if let cases = T.self as? any CaseIterable.Type, let value = Self.firstCase(cases) as? T {
      if placeholderDepth == 1 { reader.marks[node] |= JSONReader.Mark.guessed }
      return value
    }
    if let value = Self.emptyScalar(type) { return value }
    guard placeholderDepth < 64, let value = try? T(from: self) else { throw corrupted(JSONFailure(), "") }
    return value
  }

  private static func firstCase<C: CaseIterable>(_ type: C.Type) -> Any? { C.allCases.first }

  // MARK: - Errors

  /// An object was expected. The message names its keys if their type lists them.
  @inline(never) private func noObject<Key: CodingKey>(keyedBy type: Key.Type) -> DecodingError {
    func names<C: CaseIterable>(_ cases: C.Type) -> [String] { cases.allCases.compactMap { ($0 as? Key)?.stringValue } }
    return mismatch(.object, [String: Any].self, keys: (type as? any CaseIterable.Type).map { names($0) } ?? [])
  }

  func mismatch(_ expectation: JSONExpectation, _ type: Any.Type, keys: [String] = []) -> DecodingError {
    if holds(.object) { reader.marks[node] |= JSONReader.Mark.unopened }
    let context = context("type-mismatch", expectation.sentence(value, keys: keys))
    return value.isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  func corrupted(_ message: String) -> DecodingError { .dataCorrupted(context("bad-value", message)) }

  func corrupted(_ failure: JSONFailure, _ message: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: codingPath, debugDescription: message, underlyingError: failure))
  }

  func context(_ code: Diagnostic.Code, _ message: String, missing key: String? = nil) -> DecodingError.Context {
    var failure = JSONFailure(notes: [note(code, message)], node: node)
    if let key { (failure.node, failure.missing) = (nil, [JSONReader.MissingKey(object: node, key: key)]) }
    return .init(codingPath: codingPath, debugDescription: message, underlyingError: failure)
  }

  func note(_ code: Diagnostic.Code, _ message: String) -> JSONReader.Note {
    JSONReader.Note(severity: .error, code: code, node: node, offset: value.offset, message: message)
  }
}

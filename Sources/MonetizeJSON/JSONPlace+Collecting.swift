// SPDX-License-Identifier: Apache-2.0

/// A type with a placeholder for a wrong value, used while the other mistakes of the same object are searched. The placeholder must pass
/// the type's own checks; it never leaves the reader.
package protocol JSONPlaceholder {
  static var jsonPlaceholder: Self { get }
  /// The form of a value with an example, for the message about a missing one, such as `a length such as "P1M"`.
  static var jsonForm: String? { get }
}

extension JSONPlaceholder {
  package static var jsonForm: String? { nil }
}

/// The mistakes behind a `DecodingError`, as its underlying error. An error that `try?` discards is never reported.
struct JSONFailure: Error {
  /// The mistakes; empty when the error only follows from known ones.
  var notes: [JSONReader.Note] = []
  /// The value to replace with a placeholder to find more mistakes; `nil` when the notes are complete.
  var node: Int?
  var replaced: [Int] = []
  var missing: [JSONReader.MissingKey] = []
  /// Values that could not be read further.
  var skipped: [Int] = []
}

/// Arrays, sets and dictionaries. After the first mistake their elements are decoded one by one: two passes rather than one per mistake.
private protocol JSONElements {
  static var element: any Decodable.Type { get }
}
extension Array: JSONElements where Element: Decodable { static var element: any Decodable.Type { Element.self } }
extension Set: JSONElements where Element: Decodable { static var element: any Decodable.Type { Element.self } }
extension Dictionary: JSONElements where Key == String, Value: Decodable { static var element: any Decodable.Type { Value.self } }

/// Finds all mistakes although a decoder throws at the first. The wrong value becomes a placeholder, and the type is decoded again until it
/// succeeds or finds nothing new. Then the value is dropped and an error with all mistakes is thrown.
///
/// Limitation: if a type's own validation throws, only its first error may be reported.
extension JSONPlace {
  /// Runs `make`, which decodes this place. Every error that it throws contains a `JSONFailure`.
  @inline(__always) func attempt<T>(_ type: T.Type, _ make: () throws -> T) throws -> T {
    do { return try make() } catch { throw reader.isPlain ? error : failed(error, type, make) }
  }

  // Not inlined: otherwise the type of an optional `T` would be looked up before each value, even when nothing is wrong.
  @inline(never) private func failed<T>(_ first: any Error, _ type: T.Type, _ make: () throws -> T) -> DecodingError {
    collect(first, type, make).error
  }

  /// The error with all mistakes, and the value with placeholders for them, if it could be made.
  @inline(never) func collect<T>(_ first: any Error, _ type: T.Type, _ make: () throws -> T) -> (error: DecodingError, repaired: T?) {
    var all = JSONFailure(node: node)
    var error: (any Error)? = first
    var repaired: T?
    while let current = error {
      let failure = failure(of: current, type)
      guard add(failure, to: &all) else {
        all.skipped.append(node)
        break
      }
      if let elements = type as? any JSONElements.Type,
        let wrong = failure.node ?? failure.replaced.first ?? failure.missing.first?.object
      {
        for child in value.children where child.node > wrong {
          do { _ = try self.child(child.node).decode(elements.element) } catch { _ = add(self.failure(of: error, type), to: &all) }
        }
        repaired = try? make()
        break
      }
      do {
        repaired = try make()
        error = nil
      } catch let next { error = next }
    }
    // The surrounding value can have the same placeholders. Otherwise one placeholder replaces the whole value, if its type has one.
    if repaired != nil || all.skipped.last != node && !hasPlaceholder(type) { all.node = nil }
    for node in all.replaced { reader.marks[node] &= ~JSONReader.Mark.replaced }
    reader.missing.subtract(all.missing)
    return ((first as? DecodingError)?.carrying(all) ?? corrupted(all, JSONReader.describe(first)), repaired)
  }

  /// Adds placeholders for a failure. Returns `false` when there is no new one, so that decoding again would find nothing.
  private func add(_ failure: JSONFailure, to all: inout JSONFailure) -> Bool {
    all.notes += failure.notes
    all.skipped += failure.skipped
    let isBelow = failure.node != nil && failure.node != node
    let before = all.replaced.count + all.missing.count
    for node in isBelow ? [failure.node ?? node] : failure.replaced where reader.marks[node] & JSONReader.Mark.replaced == 0 {
      reader.marks[node] |= JSONReader.Mark.replaced
      all.replaced.append(node)
    }
    if !isBelow { all.missing += failure.missing.filter { reader.missing.insert($0).inserted } }
    return all.replaced.count + all.missing.count > before
  }

  /// Whether a placeholder can replace the whole value.
  private func hasPlaceholder(_ type: Any.Type) -> Bool {
    guard let type = type as? any Decodable.Type else { return true }
    return (try? placeholder.placeholder.decode(type)) != nil
  }

  /// Converts an error. The reader's own errors contain their failure; a type's own error is located by its coding path.
  private func failure<T>(of error: any Error, _ type: T.Type) -> JSONFailure {
    let context = (error as? DecodingError)?.context
    if let known = context?.underlyingError as? JSONFailure { return known }
    let place = JSONPlace(reader: reader, node: located(context?.codingPath ?? []))
    let range = place.node..<reader.document.next(place.node)
    // An error of a type's own check about a placeholder is not a mistake in the text.
    let isConsequence =
      reader.marks[range].contains { $0 & JSONReader.Mark.replaced != 0 } || reader.missing.contains { range.contains($0.object) }
    if isConsequence { return JSONFailure() }
    let code: Diagnostic.Code =
      switch error {
      case DecodingError.typeMismatch, DecodingError.valueNotFound: "type-mismatch"
      case DecodingError.keyNotFound: "missing-key"
      default: "bad-value"
      }
    let message = (place.node == node ? enumerated(context, type) : nil) ?? place.value.found(in: JSONReader.describe(error))
    return JSONFailure(notes: [place.note(code, message)], node: place.node)
  }

  /// The value at a coding path, as far as its keys exist in the text.
  private func located(_ path: [any CodingKey]) -> Int {
    var value = value
    for key in path.dropFirst(codingPath.count) {
      let child = key.intValue.flatMap { value.elements.dropFirst(max(0, $0)).first } ?? value[key.stringValue]
      guard let child else { break }
      value = child
    }
    return value.node
  }
}

extension DecodingError {
  var context: Context? {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context), .dataCorrupted(let context): context
    default: nil
    }
  }

  fileprivate func carrying(_ failure: JSONFailure) -> DecodingError? {
    guard let old = context else { return nil }
    let context = Context(codingPath: old.codingPath, debugDescription: old.debugDescription, underlyingError: failure)
    switch self {
    case .typeMismatch(let type, _): return .typeMismatch(type, context)
    case .valueNotFound(let type, _): return .valueNotFound(type, context)
    case .keyNotFound(let key, _): return .keyNotFound(key, context)
    default: return .dataCorrupted(context)
    }
  }
}

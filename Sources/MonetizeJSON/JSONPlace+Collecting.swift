// SPDX-License-Identifier: Apache-2.0

/// A type that can stand in for a wrong value while the other mistakes of the same object are looked for. A value that passes its own
/// checks is enough; it never leaves the reader.
package protocol JSONPlaceholder {
  /// The stand-in.
  static var jsonPlaceholder: Self { get }
}

/// The mistakes behind a `DecodingError`, as its underlying error. One that `try?` drops is never reported.
struct JSONFailure: Error {
  /// Empty when the error only follows from mistakes that are known already.
  var notes: [JSONReader.Note] = []
  /// The value to replace by a placeholder to find more; nil when what is listed below is enough.
  var node: Int?
  var papered: [Int] = []
  var missing: [JSONReader.MissingKey] = []
  /// Values whose reading was given up.
  var skipped: [Int] = []
}

/// Arrays, sets and dictionaries, whose elements are decoded one by one after the first mistake: two passes, not one for each mistake.
private protocol JSONElements {
  static var element: any Decodable.Type { get }
}
extension Array: JSONElements where Element: Decodable { static var element: any Decodable.Type { Element.self } }
extension Set: JSONElements where Element: Decodable { static var element: any Decodable.Type { Element.self } }
extension Dictionary: JSONElements where Key == String, Value: Decodable { static var element: any Decodable.Type { Value.self } }

/// How all mistakes are found although a decoder throws at the first: the place of the mistake becomes a placeholder, and the type is
/// decoded again, until it succeeds or finds nothing new. Then the value is dropped and an error with all mistakes is thrown.
///
/// Limitation: if a type's own validation throws, only its first error may be reported.
extension JSONPlace {
  /// Runs `make`, which decodes this place. Every error that it throws has a `JSONFailure`.
  @inline(__always) func attempt<T>(_ type: T.Type, _ make: () throws -> T) throws -> T {
    do { return try make() } catch { throw collect(error, type, make) }
  }

  @inline(never) private func collect<T>(_ first: any Error, _ type: T.Type, _ make: () throws -> T) -> DecodingError {
    var all = JSONFailure(node: node)
    var error: (any Error)? = first
    while let current = error {
      let failure = failure(of: current, type)
      guard add(failure, to: &all) else {
        all.skipped.append(node)
        break
      }
      if let elements = type as? any JSONElements.Type,
        let wrong = failure.node ?? failure.papered.first ?? failure.missing.first?.object
      {
        for child in value.children where child.node > wrong {
          do { _ = try self.child(child.node).decode(elements.element) } catch { _ = add(self.failure(of: error, type), to: &all) }
        }
        break
      }
      do {
        _ = try make()
        error = nil
      } catch let next { error = next }
    }
    if all.skipped.last != node, !hasStandIn(type) { all.node = nil }
    for node in all.papered { reader.marks[node] &= ~JSONReader.Mark.papered }
    reader.missing.subtract(all.missing)
    return (first as? DecodingError)?.carrying(all) ?? corrupted(all, JSONReader.describe(first))
  }

  /// Puts placeholders where a failure was. False when there is no new one, so that decoding again would find nothing.
  private func add(_ failure: JSONFailure, to all: inout JSONFailure) -> Bool {
    all.notes += failure.notes
    all.skipped += failure.skipped
    let isBelow = failure.node != nil && failure.node != node
    let before = all.papered.count + all.missing.count
    for node in isBelow ? [failure.node ?? node] : failure.papered where reader.marks[node] & JSONReader.Mark.papered == 0 {
      reader.marks[node] |= JSONReader.Mark.papered
      all.papered.append(node)
    }
    if !isBelow { all.missing += failure.missing.filter { reader.missing.insert($0).inserted } }
    return all.papered.count + all.missing.count > before
  }

  /// Whether a placeholder can replace the whole value.
  private func hasStandIn(_ type: Any.Type) -> Bool {
    guard let type = type as? any Decodable.Type else { return true }
    return (try? placeholder.placeholder.decode(type)) != nil
  }

  /// What an error says: ours carry their failure, a type's own is placed by its coding path.
  private func failure<T>(of error: any Error, _ type: T.Type) -> JSONFailure {
    let context = (error as? DecodingError)?.context
    if let known = context?.underlyingError as? JSONFailure { return known }
    let place = JSONPlace(reader: reader, node: located(context?.codingPath ?? []))
    let range = place.node..<reader.storage.next(place.node)
    // A type's own check over a placeholder has no meaning for the text.
    let isConsequence =
      reader.marks[range].contains { $0 & JSONReader.Mark.papered != 0 } || reader.missing.contains { range.contains($0.object) }
    if isConsequence { return JSONFailure() }
    let code: Diagnostic.Code =
      switch error {
      case DecodingError.typeMismatch, DecodingError.valueNotFound: "type-mismatch"
      case DecodingError.keyNotFound: "missing-key"
      default: "bad-value"
      }
    let message = (place.node == node ? enumerated(context, type) : nil) ?? JSONReader.describe(error)
    return JSONFailure(notes: [place.note(code, message)], node: place.node)
  }

  /// The value that a coding path leads to, as far as its keys are in the text.
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

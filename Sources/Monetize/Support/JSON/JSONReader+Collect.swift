// SPDX-License-Identifier: Apache-2.0

/// A type that can stand in for a wrong value while the other mistakes of the same object are looked for. A value that passes its own
/// checks is enough; it never leaves the reader.
package protocol JSONPlaceholder {
  /// The stand-in.
  static var jsonPlaceholder: Self { get }
}

/// How all mistakes are found although a decoder throws at the first: the mistake is noted, its place papered over (a placeholder stands
/// there from now on), and the value decoded again, until it comes through or cannot. Then it is thrown away. So `try?` in a type means
/// what it means, and nothing half-read escapes.
///
/// The limit: a type's own check that throws, and has no placeholder, may end its object; then at least its first mistake is reported.
extension JSONReader {
  func outermost<T>(_ body: () -> T?) -> T? {
    attemptDepth += 1
    defer {
      attemptDepth -= 1
      if attemptDepth == 0 {
        for node in touched { marks[node] &= ~Mark.passing }
        touched.removeAll(keepingCapacity: true)
        missing.removeAll(keepingCapacity: true)
      }
    }
    return body()
  }

  func attempt<T>(_ node: Int, _ make: (JSONPlace) throws -> T) -> T? {
    marks[node] |= Mark.asked
    let before = mistakes
    while true {
      inFlight = nil
      do {
        let result = try make(JSONPlace(reader: self, node: node, origin: node))
        return mistakes == before ? result : nil
      } catch {
        if note(error, within: node) { continue }
        if mistakes == before { mistake("bad-value", at: node, Self.describe(error)) }
        marks[node] |= Mark.skipped
        return nil
      }
    }
  }

  /// Notes a mistake and papers its place over. False when another attempt could not find more.
  private func note(_ error: any Error, within root: Int) -> Bool {
    let (node, key, isConsequence) = locate(error, within: root)
    if isConsequence { return paperOver(node, within: root) }
    if let key {
      guard missing.insert(MissingKey(object: node, key: key)).inserted else { return paperOver(node, within: root) }
      mistake("missing-key", at: node, Self.describe(error))
      touch(node, Mark.lacking)
      markFatal(from: node, to: root)
      return true
    }
    if marks[node] & Mark.papered != 0 { return paperOver(node, within: root) }
    let code: Diagnostic.Code
    switch error {
    case DecodingError.typeMismatch, DecodingError.valueNotFound: code = "type-mismatch"
    case DecodingError.keyNotFound: code = "missing-key"
    default:
      // A type's own check over a place that has been papered over says nothing about the text.
      if marks[node..<storage.next(node)].contains(where: { $0 & (Mark.papered | Mark.lacking) != 0 }) {
        return paperOver(node, within: root)
      }
      code = "bad-value"
    }
    mistake(code, at: node, enumerated(error, at: node) ?? Self.describe(error))
    if node == root { return false }
    touch(node, Mark.papered)
    marks[node] |= Mark.skipped
    markFatal(from: parents.parent(of: node) ?? root, to: root)
    return true
  }

  /// A placeholder did not satisfy the type around it: the next larger value gets one instead, without a word, because all of this follows
  /// from what has been reported. False when that would be all there is.
  private func paperOver(_ node: Int, within root: Int) -> Bool {
    var current = node
    while current > root, marks[current] & Mark.papered != 0 { current = parents.parent(of: current) ?? root }
    guard current > root else { return false }
    touch(current, Mark.papered)
    marks[current] |= Mark.skipped
    return true
  }

  private func mistake(_ code: Diagnostic.Code, at node: Int, _ message: String) {
    mistakes += 1
    notes.append(Note(severity: .error, code: code, node: node, offset: Int(storage.nodes[node].start), message: message))
  }

  func touch(_ node: Int, _ mark: UInt8) {
    marks[node] |= mark
    touched.append(node)
  }

  private func markFatal(from node: Int, to root: Int) {
    var current: Int? = node
    while let node = current, node >= root {
      touch(node, Mark.fatal)
      current = parents.parent(of: node)
    }
  }

  /// Where an error belongs: the last of our keys in its path, then as far as the foreign keys after it lead.
  private func locate(_ error: any Error, within root: Int) -> (node: Int, missing: String?, isConsequence: Bool) {
    let thrower = inFlight?.node ?? root
    let context: DecodingError.Context
    var key: String?
    switch error {
    case DecodingError.typeMismatch(_, let found), DecodingError.valueNotFound(_, let found), DecodingError.dataCorrupted(let found):
      context = found
    case DecodingError.keyNotFound(let name, let found):
      context = found
      key = name.stringValue
    default: return (thrower, nil, false)
    }
    var node: Int?
    if context.codingPath.isEmpty { node = root == 0 ? 0 : thrower }
    for step in context.codingPath {
      if let known = step as? JSONNodeKey {
        guard known.storage == ObjectIdentifier(storage) else { continue }
        if known.node < 0 { return (node ?? root, nil, true) }
        node = known.node
      } else if let parent = node {
        guard let child = child(of: parent, step) else { break }
        node = child
      } else if let child = child(of: root, step) {
        node = child
      }
    }
    let place = node ?? thrower
    let isInside = place >= root && place < storage.next(root)
    guard isInside else { return (root, nil, false) }
    if let name = key, storage.nodes[place].kind != JSONNode.object || storage.member(name, of: place) != nil { key = nil }
    return (place, key, false)
  }

  private func child(of node: Int, _ key: any CodingKey) -> Int? {
    if storage.nodes[node].kind == JSONNode.array, let index = key.intValue {
      let elements = JSONValue(storage: storage, node: node).elements
      return elements.indices.contains(index) ? elements[index].node : nil
    }
    return storage.member(key.stringValue, of: node)
  }

  /// Every key from the root to a value, as Foundation's decoder gives it; ours know their nodes, which places errors exactly.
  func codingPath(of node: Int) -> [any CodingKey] {
    parents.chain(to: node).map { step in
      let isMember = parents.parent(of: step).map { storage.nodes[$0].kind == JSONNode.object } ?? false
      let identity = ObjectIdentifier(storage)
      if isMember { return JSONNodeKey(storage: identity, node: step, stringValue: storage.string(step - 1), intValue: nil) }
      let ordinal = parents.ordinal(of: step)
      return JSONNodeKey(storage: identity, node: step, stringValue: "Index \(ordinal)", intValue: ordinal)
    }
  }
}

/// A key of a coding path that remembers which node it stands for; -1 for a placeholder.
struct JSONNodeKey: CodingKey {
  let storage: ObjectIdentifier
  let node: Int
  let stringValue: String
  let intValue: Int?

  init(storage: ObjectIdentifier, node: Int, stringValue: String, intValue: Int?) {
    self.storage = storage
    self.node = node
    self.stringValue = stringValue
    self.intValue = intValue
  }

  init?(stringValue: String) { nil }
  init?(intValue: Int) { nil }
}

/// Arrays and dictionaries that are read element by element once it is known that nobody above swallows their mistakes: each element
/// finds its own mistakes, so a file of thousands of broken elements takes two passes and not thousands.
protocol JSONSplittable {
  static func split(_ reader: JSONReader, at node: Int) -> Any?
}

extension JSONReader {
  fileprivate func element<T: Decodable>(_ node: Int, as type: T.Type) -> T? {
    if marks[node] & (Mark.broken | Mark.papered) != 0 { return nil }
    if let element = attempt(node, { try $0.decode(T.self) }) { return element }
    touch(node, Mark.broken)
    return nil
  }
}

extension Array: JSONSplittable where Element: Decodable {
  static func split(_ reader: JSONReader, at node: Int) -> Any? {
    guard reader.storage.nodes[node].kind == JSONNode.array else { return nil }
    var child = node + 1
    var result: [Element] = []
    while child < Int(reader.storage.nodes[node].end) {
      if let element = reader.element(child, as: Element.self) { result.append(element) }
      child = reader.storage.next(child)
    }
    return result
  }
}

extension Dictionary: JSONSplittable where Key == String, Value: Decodable {
  static func split(_ reader: JSONReader, at node: Int) -> Any? {
    guard reader.storage.nodes[node].kind == JSONNode.object else { return nil }
    var result: [String: Value] = [:]
    for member in JSONValue(storage: reader.storage, node: node).members {
      if let element = reader.element(member.value.node, as: Value.self), result[member.key] == nil { result[member.key] = element }
    }
    return result
  }
}

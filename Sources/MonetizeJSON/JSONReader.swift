// SPDX-License-Identifier: Apache-2.0

/// One reading of a document: decodes, collects every mistake instead of stopping at the first, and knows at the end which keys were never
/// asked for. Not Sendable; made, used and dropped by one function.
package final class JSONReader {
  /// What is known of a node. One byte each: the sweep for unknown keys needs no lists of known ones.
  struct Mark {
    /// Its key is known, because it was looked for.
    static let asked: UInt8 = 1
    /// It is wrong and reported; while its object is decoded again, a placeholder replaces it.
    static let papered: UInt8 = 2
    /// Its reading was given up, or all of it counts as read: nothing in it is unknown.
    static let skipped: UInt8 = 4
    /// An object where a wrong case was replaced by the first one: other keys may have been asked for than were meant.
    static let guessed: UInt8 = 8
    /// An object where something else was expected (`try?` of a string) and that was never opened: its keys are not unknown.
    static let unopened: UInt8 = 16
  }

  struct Note {
    var severity: Diagnostic.Severity
    var code: Diagnostic.Code
    var node: Int
    var offset: Int
    var message: String
  }

  struct MissingKey: Hashable {
    var object: Int
    var key: String
  }

  let storage: JSONStorage
  let userInfo: [CodingUserInfoKey: Any]
  var marks: [UInt8]
  var notes: [Note] = []
  /// The nodes of the errors among so many notes, sorted.
  private var wrong: (notes: Int, nodes: [Int]) = (0, [])
  /// Keys that were asked for and are not there, for "did you mean".
  var absent: [MissingKey] = []
  /// Keys that are reported as missing; while their object is decoded again, a placeholder replaces their value.
  var missing: Set<MissingKey> = []
  private(set) lazy var parents = JSONParents(storage)
  private var indexes: [Int: [String: Int]] = [:]
  private var foreign: [Diagnostic] = []
  /// How much had been found when the reading ended.
  private var readCount: Int?

  /// Begins a reading. `userInfo` reaches every decoded type.
  package init(_ document: JSONDocument, userInfo: [CodingUserInfoKey: any Sendable] = [:]) {
    storage = document.storage
    self.userInfo = userInfo
    marks = Array(repeating: 0, count: storage.nodes.count)
  }

  /// Whether reading found an error in a value or in anything in it. What is reported after ``finish()`` does not count. O(log notes) then.
  package func hasErrors(in value: JSONValue) -> Bool {
    let count = readCount ?? notes.count
    if wrong.notes != count { wrong = (count, notes.prefix(count).filter { $0.severity == .error }.map(\.node).sorted()) }
    var range = wrong.nodes.startIndex..<wrong.nodes.endIndex
    while let middle = range.isEmpty ? nil : (range.lowerBound + range.upperBound) / 2 {
      range = wrong.nodes[middle] < value.node ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound < wrong.nodes.count && wrong.nodes[range.lowerBound] < storage.next(value.node)
  }

  // MARK: - Decoding

  /// Decodes a type at a value. Every mistake is noted; nil when there was one. What a type's own `try?` drops is no mistake.
  package func decode<T: Decodable>(_ type: T.Type = T.self, from value: JSONValue) -> T? {
    noting(value) { try $0.decode(type) }
  }

  /// The same for code that wants a decoder: `reader.collect(at: v) { try shape.grant(from: $0) }`. The closure may run several times.
  package func collect<T>(at value: JSONValue, _ make: (any Decoder) throws -> T) -> T? {
    noting(value) { place in try place.attempt(T.self) { try make(place) } }
  }

  private func noting<T>(_ value: JSONValue, _ read: (JSONPlace) throws -> T) -> T? {
    guard owns(value) else { return nil }
    marks[value.node] |= Mark.asked
    do { return try read(JSONPlace(reader: self, node: value.node)) } catch {
      let failure = (error as? DecodingError)?.context?.underlyingError as? JSONFailure
      notes += failure?.notes ?? []
      for node in failure?.skipped ?? [] { marks[node] |= Mark.skipped }
      return nil
    }
  }

  /// Opens an object that is read by hand; reports it when it is none. `what` names it with its article: "a product".
  package func object(_ value: JSONValue, _ what: String) -> JSONFields? {
    guard owns(value) else { return nil }
    marks[value.node] |= Mark.asked
    if value.kind == .object { return JSONFields(reader: self, value: value) }
    report("type-mismatch", at: value, "Expected \(what) here, but found \(value.shortDescription). Write it in braces: { … }.")
    return nil
  }

  /// Lets a value and everything in it count as read: nothing in it is an unknown key.
  package func markRead(_ value: JSONValue) {
    if owns(value) { marks[value.node] |= Mark.asked | Mark.skipped }
  }

  /// A value of another document has no marks here; reading it through this reader is a slip in the program, reported and not fatal.
  private func owns(_ value: JSONValue) -> Bool {
    if value.storage === storage { return true }
    report("bad-value", at: value, "This value belongs to another text than the one that is read. Read it with a reader of its own.")
    return false
  }

  /// The value of a key in an object, marked as asked for.
  func find(_ key: String, in object: Int) -> Int? {
    guard let found = first(key, in: object) else {
      absent.append(MissingKey(object: object, key: key))
      return nil
    }
    marks[found] |= Mark.asked
    return found
  }

  /// The value of the first member of that name. Large objects get a table at the first question, so that reading them stays linear.
  func first(_ key: String, in object: Int) -> Int? {
    guard storage.nodes[object].childCount > 32 else { return storage.member(key, of: object) }
    if let index = indexes[object] { return index[key] }
    let members = JSONValue(storage: storage, node: object).members
    let index = Dictionary(members.map { ($0.key, $0.value.node) }) { first, _ in first }
    indexes[object] = index
    return index[key]
  }

  /// Every key from the root to a value, as Foundation's decoder gives it.
  func codingPath(of node: Int) -> [any CodingKey] {
    parents.chain(to: node).map { step in
      if let key = storage.key(of: step, in: parents.parent(of: step)) { return JSONKey(stringValue: key) }
      return JSONKey(intValue: parents.ordinal(of: step))
    }
  }

  // MARK: - Reporting

  /// Notes an error about a value, where it begins, or about a key, where it stands.
  package func report(_ code: Diagnostic.Code, at place: any JSONSite, _ message: String) { report(.error, code, at: place, message) }

  /// Notes something about a value, where it begins, or about a key, where it stands.
  package func report(_ severity: Diagnostic.Severity, _ code: Diagnostic.Code, at place: any JSONSite, _ message: String) {
    let (value, offset) = (place.value, place.offset)
    if value.storage === storage {
      notes.append(Note(severity: severity, code: code, node: value.node, offset: offset, message: message))
    } else {
      foreign.append(Diagnostic(severity, code, path: value.path, position: value.storage.position(of: offset), message: message))
    }
  }

  /// Reports the key of an object that was probably meant to be `key`, and lets the whole object count as read: what the key would have said
  /// is not known. False when there is no such key.
  package func reportMisspelt(_ key: String, in object: JSONValue) -> Bool {
    guard object[key] == nil, let member = object.members.first(where: { closestMatch(to: $0.key, in: [key]) != nil }) else { return false }
    report("unknown-key", at: member, "Unknown key \(JSONWriter.quoted(member.key)). Did you mean \(JSONWriter.quoted(key))?")
    markRead(object)
    return true
  }

  /// Ends the reading: reports unknown and repeated keys, and gives everything that was found, sorted by position.
  package func finish() -> [Diagnostic] {
    if readCount == nil {
      sweep()
      readCount = notes.count
    }
    return diagnostics
  }

  /// What has been found so far, sorted by position. Unknown and repeated keys are only known after `finish()`.
  package var diagnostics: [Diagnostic] {
    var seen: Set<Diagnostic> = []
    let own = notes.enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }.map { _, note in
      Diagnostic(
        note.severity, note.code, path: parents.path(of: note.node, in: storage), position: storage.position(of: note.offset),
        message: note.message)
    }
    return own.filter { seen.insert($0).inserted } + foreign
  }
}

/// Any key of an object, or an index of an array.
package struct JSONKey: CodingKey {
  package let stringValue: String
  package var intValue: Int?

  package init(stringValue: String) { self.stringValue = stringValue }
  package init(intValue: Int) { (stringValue, self.intValue) = ("Index \(intValue)", intValue) }
}

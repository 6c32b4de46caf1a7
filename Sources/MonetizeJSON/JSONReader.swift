// SPDX-License-Identifier: Apache-2.0

/// Reads a document once: decodes values, collects every mistake, and reports at the end the keys that were never requested. Not Sendable;
/// used by one function.
package final class JSONReader {
  /// The marks of a node, one byte each. They make lists of known keys unnecessary.
  struct Mark {
    /// The key was requested, so it is known.
    static let asked: UInt8 = 1
    /// The value was reported as wrong. A placeholder replaces it while its object is decoded again.
    static let replaced: UInt8 = 2
    /// The value was not read further, or counts as read completely. Nothing inside it is unknown.
    static let skipped: UInt8 = 4
    /// An object in which a wrong enum case was replaced by the first one, so that other keys may have been requested than intended.
    static let guessed: UInt8 = 8
    /// An object where another type was expected (a string read with `try?`) and that was never opened. Its keys are not unknown.
    static let unopened: UInt8 = 16
    /// A value inside one that was decoded with placeholders, so that a rule about it may be about a placeholder.
    static let repaired: UInt8 = 32
    /// The value was found by its key, so it is the first one with that key.
    static let found: UInt8 = 64
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

  let document: JSONDocument
  let userInfo: [CodingUserInfoKey: Any]
  /// Whether nothing is reported, so that reading stops at the first mistake of a value.
  let isPlain: Bool
  /// Keys that are often written instead of known ones, with those, for suggestions.
  package var synonyms: [String: [String]] = [:]
  // Unchecked, because checks of exclusive access cost more than the marks, and no access overlaps another.
  @exclusivity(unchecked) var marks: [UInt8]
  var notes: [Note] = []
  /// The nodes of the errors among the first `notes` notes, sorted.
  private var wrong: (notes: Int, nodes: [Int]) = (0, [])
  /// Requested keys that do not exist, for suggestions.
  var absent: [MissingKey] = []
  /// Keys reported as missing. A placeholder replaces each while its object is decoded again.
  var missing: Set<MissingKey> = []
  private(set) lazy var parents = JSONParents(document)
  private var indexes: [Int: [String: Int]] = [:]
  private var foreign: [Diagnostic] = []
  /// The number of notes when the reading ended.
  private var readCount: Int?

  /// Starts reading. Every decoded type receives `userInfo`. A plain reader reports nothing, and stops at the first mistake of a value.
  package init(_ document: JSONDocument, userInfo: [CodingUserInfoKey: any Sendable] = [:], isPlain: Bool = false) {
    (self.document, self.userInfo, self.isPlain) = (document, userInfo, isPlain)
    marks = Array(repeating: 0, count: document.nodes.count)
  }

  /// Whether reading found an error in a value or inside it. Ignores reports after ``finish()``, and takes O(log notes) from then on.
  package func hasErrors(in value: JSONValue) -> Bool {
    let count = readCount ?? notes.count
    if wrong.notes != count { wrong = (count, notes.prefix(count).filter { $0.severity == .error }.map(\.node).sorted()) }
    var range = wrong.nodes.startIndex..<wrong.nodes.endIndex
    while let middle = range.isEmpty ? nil : (range.lowerBound + range.upperBound) / 2 {
      range = wrong.nodes[middle] < value.node ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound < wrong.nodes.count && wrong.nodes[range.lowerBound] < document.next(value.node)
  }

  // MARK: - Decoding

  /// Decodes a type from a value. Records every mistake; `nil` if there was one. Errors discarded with `try?` do not count.
  package func decode<T: Decodable>(_ type: T.Type = T.self, from value: JSONValue) -> T? {
    recordingMistakes(value) { try $0.decode(type) }
  }

  /// Decodes with a closure that needs a decoder: `reader.collect(at: v) { try shape.grant(from: $0) }`. The closure may run several times.
  package func collect<T>(at value: JSONValue, _ make: (any Decoder) throws -> T) -> T? {
    recordingMistakes(value) { place in try place.attempt(T.self) { try make(place) } }
  }

  /// Decodes with a closure. Records every mistake. A value with mistakes has placeholders for the wrong parts, so that rules can check the
  /// rest of it; `report` ignores mistakes that a rule finds in a placeholder.
  package func repair<T>(at value: JSONValue, _ make: (any Decoder) throws -> T) -> T? {
    guard let place = place(of: value) else { return nil }
    do { return try make(place) } catch {
      let (error, repaired) = place.collect(error, T.self) { try make(place) }
      note(error)
      markRepaired(value)
      return repaired
    }
  }

  /// Marks a value as having placeholders for wrong parts.
  package func markRepaired(_ value: JSONValue) {
    if owns(value) { for node in value.node..<document.next(value.node) { marks[node] |= Mark.repaired } }
  }

  /// Whether a value, or one around it, has placeholders for wrong parts.
  package func isRepaired(_ value: JSONValue) -> Bool { owns(value) && marks[value.node] & Mark.repaired != 0 }

  private func recordingMistakes<T>(_ value: JSONValue, _ read: (JSONPlace) throws -> T) -> T? {
    guard let place = place(of: value) else { return nil }
    do { return try read(place) } catch {
      note(error)
      return nil
    }
  }

  private func place(of value: JSONValue) -> JSONPlace? {
    guard owns(value) else { return nil }
    marks[value.node] |= Mark.asked
    return JSONPlace(reader: self, node: value.node)
  }

  private func note(_ error: any Error) {
    let failure = (error as? DecodingError)?.context?.underlyingError as? JSONFailure
    notes += failure?.notes ?? []
    for node in failure?.skipped ?? [] { marks[node] |= Mark.skipped }
  }

  /// Opens an object to read its fields. Reports a value that is not an object. `what` names it with its article: "a product".
  package func object(_ value: JSONValue, _ what: String) -> JSONFields? {
    guard place(of: value) != nil else { return nil }
    if value.kind == .object { return JSONFields(reader: self, value: value) }
    report("type-mismatch", at: value, "Expected \(what) here, but found \(value.shortDescription). Write it in braces: { … }.")
    return nil
  }

  /// The members of an object, without a `$comment`. Marks all of their keys as known. Reports a value that is not an object; empty when it
  /// is absent.
  package func members(_ value: JSONValue?, _ what: String) -> [JSONMember] {
    guard let value, let fields = object(value, what) else { return [] }
    let members = value.members.filter { $0.key != "$comment" }
    for member in members { _ = fields.value(member.key) }
    return members
  }

  /// The members of an object that are objects themselves, each with its fields. Reports the others. `each` names one of them.
  package func objects(_ value: JSONValue?, _ what: String, _ each: String) -> [(key: String, fields: JSONFields)] {
    members(value, what).compactMap { member in object(member.value, each).map { (member.key, $0) } }
  }

  /// Decodes the values of an object, each by itself, so that a wrong one drops no other.
  package func values<Value: Decodable>(_ value: JSONValue?, _ what: String) -> [(String, Value)] {
    members(value, what).compactMap { member in decode(from: member.value).map { (member.key, $0) } }
  }

  /// The elements of an array. Reports a value that is not an array, and does not read inside it.
  package func elements(_ value: JSONValue) -> [JSONValue] {
    if value.kind == .array { return value.elements }
    report("type-mismatch", at: value, JSONExpectation.array.sentence(value))
    markRead(value)
    return []
  }

  /// Marks a value and everything inside it as read, so that none of its keys is unknown.
  package func markRead(_ value: JSONValue) {
    if owns(value) { marks[value.node] |= Mark.asked | Mark.skipped }
  }

  /// Removes the reports that these keys are missing.
  func forget(_ missing: Set<MissingKey>) {
    let messages = Dictionary(grouping: missing, by: \.object).mapValues { keys in keys.map { Self.missing($0.key) } }
    notes.removeAll { note in note.code == "missing-key" && messages[note.node]?.contains(where: note.message.hasPrefix) == true }
    wrong = (-1, [])
  }

  /// Whether a value belongs to this document. Reading a value of another document is a programming error, which is reported and not fatal.
  private func owns(_ value: JSONValue) -> Bool {
    if value.document === document { return true }
    report("bad-value", at: value, "This value belongs to another document. Read it with a reader of that document.")
    return false
  }

  /// The value of a key in an object. Marks the key as requested.
  func find(_ key: String, in object: Int) -> Int? {
    guard let found = first(key, in: object) else {
      if !isPlain { absent.append(MissingKey(object: object, key: key)) }
      return nil
    }
    marks[found] |= Mark.asked | Mark.found
    return found
  }

  /// The value of the first member with a name. Builds a table for a large object on first use, so that reading it stays linear.
  func first(_ key: String, in object: Int) -> Int? {
    guard document.nodes[object].childCount > 32 else { return document.member(key, of: object) }
    if let index = indexes[object] { return index[key] }
    let members = JSONValue(document: document, node: object).members
    let index = Dictionary(members.map { ($0.key, $0.value.node) }) { first, _ in first }
    indexes[object] = index
    return index[key]
  }

  func codingPath(of node: Int) -> [any CodingKey] {
    parents.chain(to: node).map { step in
      if let key = document.key(of: step, in: parents.parent(of: step)) { return JSONKey(stringValue: key) }
      return JSONKey(intValue: parents.ordinal(of: step))
    }
  }

  // MARK: - Reporting

  /// Reports an error at the beginning of a value or a key.
  package func report(_ code: Diagnostic.Code, at place: any JSONSite, _ message: String) { report(.error, code, at: place, message) }

  /// Reports a diagnostic at the beginning of a value or a key.
  package func report(_ severity: Diagnostic.Severity, _ code: Diagnostic.Code, at place: any JSONSite, _ message: String) {
    let (value, offset) = (place.value, place.offset)
    if value.document === document {
      // A rule about a placeholder only repeats the mistake that it replaces.
      if readCount != nil, place is JSONValue, isRepaired(value), hasErrors(in: value) { return }
      notes.append(Note(severity: severity, code: code, node: value.node, offset: offset, message: message))
    } else {
      foreign.append(Diagnostic(severity, code, path: value.path, position: value.document.position(of: offset), message: message))
    }
  }

  /// Reports a key of an object that probably means `key`, and marks the whole object as read, because the key's value is unknown. Returns
  /// `false` when there is no such key.
  package func reportMisspelt(_ key: String, in object: JSONValue) -> Bool {
    guard object[key] == nil,
      let member = object.members.first(where: { closestMatch(to: $0.key, in: [key]) ?? synonym(of: $0.key, in: [key]) != nil })
    else { return false }
    report("unknown-key", at: member, "Unknown key \(JSONWriter.quoted(member.key)). Did you mean \(JSONWriter.quoted(key))?")
    markRead(object)
    return true
  }

  /// The known key that is often written as `unknown`.
  func synonym(of unknown: String, in known: [String]) -> String? { synonyms[unknown]?.first(where: known.contains) }

  /// Ends the reading: reports unknown and repeated keys, and returns all diagnostics sorted by position.
  /// - Parameter hint: Returns how to fix an unknown key, from the keys that its object may have; `nil` for the closest of them.
  package func finish(_ hint: (_ key: String, _ known: [String]) -> String? = { _, _ in nil }) -> [Diagnostic] {
    if readCount == nil {
      reportUnusedKeys(hint)
      readCount = notes.count
    }
    return diagnostics
  }

  /// The diagnostics so far, sorted by position. Excludes unknown and repeated keys until `finish()`.
  package var diagnostics: [Diagnostic] {
    var seen: Set<Diagnostic> = []
    let own = notes.enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }.map { _, note in
      Diagnostic(
        note.severity, note.code, path: parents.path(of: note.node, in: document), position: document.position(of: note.offset),
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

// SPDX-License-Identifier: Apache-2.0

/// One reading of a document: decodes, collects every mistake instead of stopping at the first, and knows at the end which keys nobody
/// asked for. Not Sendable; made, used and dropped by one function.
package final class JSONReader {
  /// What is known of a node. One byte each: the sweep for unknown keys needs no lists of known ones.
  struct Mark {
    /// Somebody looked for it: its key is known.
    static let asked: UInt8 = 1
    /// It is wrong and reported; in the attempts that follow a placeholder stands for it.
    static let papered: UInt8 = 2
    /// A mistake in it went all the way up, so nobody between swallows mistakes (`try?`): arrays may be read element by element.
    static let fatal: UInt8 = 4
    /// An element that was given up in an earlier attempt of the same array.
    static let broken: UInt8 = 8
    /// Its reading was given up, or all of it counts as read: nothing in it is unknown.
    static let skipped: UInt8 = 16
    /// An object where something else was tried (`try?` of a string): that nobody opened it does not make its keys unknown.
    static let clashed: UInt8 = 32
    /// An object that lacks a key, which is reported; a placeholder stands for the key's value.
    static let lacking: UInt8 = 64
    /// An object where a wrong case was replaced by the first one: other keys may have been asked for than were meant.
    static let guessed: UInt8 = 128
    /// What ends with the outermost attempt.
    static let passing = papered | fatal | broken | lacking
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

  /// The text that is read.
  package let document: JSONDocument
  let storage: JSONStorage
  let userInfo: [CodingUserInfoKey: Any]
  var marks: [UInt8]
  var notes: [Note] = []
  /// Keys that were asked for and are not there, for "did you mean".
  var absent: [MissingKey] = []
  private(set) lazy var parents = JSONParents(storage)
  private var indexes: [Int: [String: Int]] = [:]
  private var foreign: [Diagnostic] = []
  private var isFinished = false

  // What one outermost attempt knows; see JSONReader+Collect.swift.
  var attemptDepth = 0
  var mistakes = 0
  var touched: [Int] = []
  var missing: Set<MissingKey> = []
  var inFlight: (node: Int, type: Any.Type)?
  var placeholderDepth = 0

  /// Begins a reading. `userInfo` reaches every decoded type.
  package init(_ document: JSONDocument, userInfo: [CodingUserInfoKey: any Sendable] = [:]) {
    self.document = document
    storage = document.storage
    self.userInfo = userInfo
    marks = Array(repeating: 0, count: document.storage.nodes.count)
  }

  /// What has been found so far, sorted by position. Unknown and repeated keys are only known after `finish()`.
  package var diagnostics: [Diagnostic] { rendered() }

  /// Whether an error has been found so far.
  package var hasErrors: Bool { notes.contains { $0.severity == .error } || foreign.contains { $0.severity == .error } }

  /// Decodes a type at a value. Every mistake is noted; nil when there was one. What a type's own `try?` swallows is no mistake.
  package func decode<T: Decodable>(_ type: T.Type = T.self, from value: JSONValue) -> T? {
    guard owns(value) else { return nil }
    return outermost { attempt(value.node) { try $0.decode(T.self) } }
  }

  /// The same for code that wants a decoder: `reader.collect(at: v) { try shape.grant(from: $0) }`. The closure may run several times.
  package func collect<T>(at value: JSONValue, _ make: (any Decoder) throws -> T) -> T? {
    guard owns(value) else { return nil }
    return outermost { attempt(value.node) { try make($0) } }
  }

  /// Opens an object that is read by hand; reports it when it is none. `what` names it with its article: "a product".
  package func object(_ value: JSONValue, _ what: String) -> JSONFields? {
    guard owns(value) else { return nil }
    marks[value.node] |= Mark.asked
    guard value.kind == .object else {
      marks[value.node] |= Mark.skipped
      report("type-mismatch", at: value, "Expected \(what) here, but found \(value.shortDescription). Write it in braces: { … }.")
      return nil
    }
    return JSONFields(reader: self, value: value)
  }

  /// Notes something about a value, at the place where the value begins.
  package func report(_ severity: Diagnostic.Severity, _ code: Diagnostic.Code, at value: JSONValue, _ message: String) {
    report(severity, code, at: value, offset: value.offset, message)
  }

  /// Notes something about a key, at the place where the key stands.
  package func report(_ severity: Diagnostic.Severity, _ code: Diagnostic.Code, atKey member: JSONMember, _ message: String) {
    report(severity, code, at: member.value, offset: member.keyOffset, message)
  }

  /// Notes an error about a value.
  package func report(_ code: Diagnostic.Code, at value: JSONValue, _ message: String) { report(.error, code, at: value, message) }

  /// Notes an error about a key.
  package func report(_ code: Diagnostic.Code, atKey member: JSONMember, _ message: String) {
    report(.error, code, atKey: member, message)
  }

  private func report(
    _ severity: Diagnostic.Severity, _ code: Diagnostic.Code, at value: JSONValue, offset: Int, _ message: String
  ) {
    if value.storage === storage {
      notes.append(Note(severity: severity, code: code, node: value.node, offset: offset, message: message))
    } else {
      let position = value.storage.position(of: offset)
      foreign.append(Diagnostic(severity, code, path: value.path, position: position, message: message))
    }
  }

  /// Lets a value and everything in it count as read: nothing in it is an unknown key.
  package func markRead(_ value: JSONValue) {
    guard owns(value) else { return }
    marks[value.node] |= Mark.asked | Mark.skipped
  }

  /// Ends the reading: reports unknown and repeated keys, and gives everything that was found, sorted by position.
  package func finish() -> [Diagnostic] {
    if !isFinished {
      isFinished = true
      sweep()
    }
    return rendered()
  }

  /// A value of another document has no marks here; reading it through this reader is a slip in the program, reported and not fatal.
  private func owns(_ value: JSONValue) -> Bool {
    if value.storage === storage { return true }
    report("bad-value", at: value, "This value belongs to another text than the one that is read. Read it with a reader of its own.")
    return false
  }

  private func rendered() -> [Diagnostic] {
    var seen: Set<Diagnostic> = []
    let own = notes.enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }.compactMap { _, note in
      let diagnostic = Diagnostic(
        note.severity, note.code, path: parents.path(of: note.node, in: storage), position: storage.position(of: note.offset),
        message: note.message)
      return seen.insert(diagnostic).inserted ? diagnostic : nil
    }
    return own + foreign
  }

  // MARK: - Finding members

  /// The value of a key in an object, marked as asked for.
  func find(_ key: String, in object: Int) -> Int? {
    guard let found = look(key, in: object) else {
      absent.append(MissingKey(object: object, key: key))
      return nil
    }
    marks[found] |= Mark.asked
    return found
  }

  /// Large objects get a table at the first question, so that reading a dictionary of thousands stays linear.
  private func look(_ key: String, in object: Int) -> Int? {
    guard storage.nodes[object].childCount > 32 else { return storage.member(key, of: object) }
    if let index = indexes[object] { return index[key] }
    var index: [String: Int] = [:]
    index.reserveCapacity(storage.nodes[object].childCount)
    for member in JSONValue(storage: storage, node: object).members where index[member.key] == nil { index[member.key] = member.value.node }
    indexes[object] = index
    return index[key]
  }
}

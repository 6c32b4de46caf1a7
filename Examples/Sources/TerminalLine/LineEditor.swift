// SPDX-License-Identifier: Apache-2.0

/// A line while it is typed: keys in, text and cursor out. ``LineView`` does the display.
///
/// The cursor moves by visible letters: `é` in two scalars and a flag are one step each.
package struct LineEditor {
  /// The effect of a key, for the owner of the terminal.
  package enum Effect: Hashable, Sendable {
    /// Draw the line again.
    case draw
    /// The line is complete.
    case line(String)
    /// The end of the input.
    case end
    /// Possible completions of the word at the cursor.
    case offer([String])
    case clearScreen, interrupt, suspend
    /// The key has no effect here.
    case bell
  }

  package private(set) var text = ""
  /// The number of letters before the cursor.
  package private(set) var cursor = 0
  package private(set) var search: LineSearch?
  /// The earlier lines, and last the current one. Edits to any of them last until a line is complete.
  private var lines = [""]
  private var index = 0
  package private(set) var history: [String] = []
  private var erased = ""
  private let completions: (String) -> [String]

  /// - Parameter completions: Returns the completions of the last word of a text.
  package init(completions: @escaping (String) -> [String] = { _ in [] }) { self.completions = completions }

  package mutating func take(_ key: Key) -> Effect {
    if search != nil, let effect = takeInSearch(key) { return effect }
    switch key {
    case .text(let text): insert(text)
    case .left, .right, .wordLeft, .wordRight, .home, .end: return move(key)
    case .backspace, .delete, .eraseWord, .eraseNextWord, .eraseToStart, .eraseToEnd: return erase(key)
    case .putBack:
      guard !erased.isEmpty else { return .bell }
      insert(erased)
    case .up: return go(to: index - 1)
    case .down: return go(to: index + 1)
    case .search: search = LineSearch(text: text, cursor: cursor)
    case .tab: return complete()
    case .enter: return submit()
    case .escape: return .bell
    case .endOfInput: return text.isEmpty ? .end : erase(.delete)
    case .interrupt:
      begin()
      return .interrupt
    case .clearScreen: return .clearScreen
    case .suspend: return .suspend
    }
    return .draw
  }

  private mutating func submit() -> Effect {
    let line = text
    if !line.allSatisfy(\.isWhitespace), line != history.last { history.append(line) }
    begin()
    return .line(line)
  }

  /// Starts a new line.
  private mutating func begin() {
    lines = history + [""]
    index = history.count
    search = nil
    show("")
  }

  private mutating func show(_ line: String) {
    text = line
    cursor = line.count
  }

  /// Sets the text from two parts with the cursor between them. If their edges combine into one letter, the cursor is after it.
  private mutating func set(_ before: String, _ after: Substring) {
    text = before + after
    let scalars = before.unicodeScalars.count
    var passed = 0
    cursor =
      text.prefix { letter in
        defer { passed += letter.unicodeScalars.count }
        return passed < scalars
      }.count
  }

  private mutating func insert(_ piece: String) { set(text.prefix(cursor) + piece, text.dropFirst(cursor)) }

  // MARK: Moving

  private mutating func move(_ key: Key) -> Effect {
    let old = cursor
    cursor = target(key)
    return cursor == old ? .bell : .draw
  }

  /// The target of a key that moves the cursor.
  private func target(_ key: Key) -> Int {
    switch key {
    case .left: max(0, cursor - 1)
    case .right: min(text.count, cursor + 1)
    case .home: 0
    case .end: text.count
    case .wordLeft: cursor - Self.word(text.prefix(cursor).reversed())
    default: cursor + Self.word(Array(text.dropFirst(cursor)))
    }
  }

  /// The number of letters up to the end of the next word. Dots and slashes separate words, because ids contain them.
  private static func word(_ letters: [Character]) -> Int {
    let gap = letters.prefix { !($0.isLetter || $0.isNumber) }.count
    return gap + letters.dropFirst(gap).prefix { $0.isLetter || $0.isNumber }.count
  }

  private mutating func go(to new: Int) -> Effect {
    guard lines.indices.contains(new) else { return .bell }
    lines[index] = text
    index = new
    show(lines[new])
    return .draw
  }

  // MARK: Erasing

  private mutating func erase(_ key: Key) -> Effect {
    let (start, end): (Int, Int) =
      switch key {
      case .backspace: (target(.left), cursor)
      case .eraseWord: (cursor - Self.blankWord(text.prefix(cursor).reversed()), cursor)
      case .eraseToStart: (0, cursor)
      case .delete: (cursor, target(.right))
      case .eraseNextWord: (cursor, target(.wordRight))
      default: (cursor, text.count)
      }
    guard start < end else { return .bell }
    let piece = String(text.prefix(end).dropFirst(start))
    if key != .backspace && key != .delete { erased = piece }
    set(String(text.prefix(start)), text.dropFirst(end))
    return .draw
  }

  /// The start of the word before the cursor, up to a space, as for control-W in other programs.
  private static func blankWord(_ letters: [Character]) -> Int {
    let gap = letters.prefix(while: \.isWhitespace).count
    return gap + letters.dropFirst(gap).prefix { !$0.isWhitespace }.count
  }

  // MARK: Completing

  private mutating func complete() -> Effect {
    let before = text.prefix(cursor)
    let options = completions(String(before))
    guard let first = options.first else { return .bell }
    let start = before.lastIndex(of: " ").map(before.index(after:)) ?? before.startIndex
    let head = String(before[..<start])
    let after = text.dropFirst(cursor)
    if options.count == 1 {
      set(head + first + (first.hasSuffix("/") || after.first == " " ? "" : " "), after)
      return .draw
    }
    // Insert the common prefix of all options; then offer the options.
    let common = options.dropFirst().reduce(first) { common, option in String(zip(common, option).prefix { $0 == $1 }.map(\.0)) }
    guard common.count > before[start...].count else { return .offer(options) }
    set(head + common, after)
    return .draw
  }

  // MARK: Searching

  /// Handles a key during a search: letters extend the query; any other key accepts the found line and then has its usual effect.
  private mutating func takeInSearch(_ key: Key) -> Effect? {
    guard var looking = search else { return nil }
    var found = true
    switch key {
    case .text(let piece): found = looking.add(piece, in: history)
    case .backspace: looking.removeLast(in: history)
    case .search: found = looking.older(in: history)
    case .escape, .interrupt:
      search = nil
      (text, cursor) = (looking.text, looking.cursor)
      return .draw
    default:
      search = nil
      return nil
    }
    search = looking
    if let line = looking.found(in: history) { show(line) } else { (text, cursor) = (looking.text, looking.cursor) }
    return found ? .draw : .bell
  }
}

/// A search for an earlier line that contains a text.
package struct LineSearch: Hashable, Sendable {
  /// The line before the search.
  package let text: String
  package let cursor: Int
  package private(set) var query = ""
  private var index: Int?

  package init(text: String, cursor: Int) { (self.text, self.cursor) = (text, cursor) }

  package func found(in history: [String]) -> String? { index.map { history[$0] } }

  /// The newest line before an index that contains the query.
  private func newest(_ query: String, before end: Int, in history: [String]) -> Int? {
    query.isEmpty ? nil : history.prefix(end).lastIndex { $0.contains(query) }
  }

  fileprivate mutating func add(_ piece: String, in history: [String]) -> Bool {
    let longer = query + piece
    guard let found = newest(longer, before: (index ?? history.count - 1) + 1, in: history) else { return false }
    (query, index) = (longer, found)
    return true
  }

  fileprivate mutating func removeLast(in history: [String]) {
    query = String(query.dropLast())
    index = newest(query, before: history.count, in: history)
  }

  fileprivate mutating func older(in history: [String]) -> Bool {
    guard let index, let found = newest(query, before: index, in: history) else { return false }
    self.index = found
    return true
  }
}

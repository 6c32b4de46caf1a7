// SPDX-License-Identifier: Apache-2.0

/// The dependencies between the folders of a module, read from the text of its sources.
///
/// A file uses another one when it names a type or a free function that the other declares at top level. It also does when it calls a
/// member that only the other declares, in an extension of a foreign type. A call through an inferred type is not seen unless its type is
/// named, so some dependencies may be missing.
struct House {
  /// A file that uses another file, with the names that show it.
  struct Arrow: Hashable, CustomStringConvertible {
    var from: String
    var to: String
    var names: Set<String>
    var description: String { "\(from) uses \(to) (\(names.sorted().joined(separator: ", ")))" }
  }

  /// A function with too many lines.
  struct LongFunction: Hashable, CustomStringConvertible {
    var path: String
    var line: Int
    var name: String
    var length: Int
    var description: String { "\(path):\(line) \(name) has \(length) lines" }
  }

  /// A file of the module, by its path inside the module's folder.
  struct File {
    var path: String
    var tokens: [SwiftTokens.Token]
  }

  /// Names that the standard library or Foundation also has: they show no dependency.
  static let common: Set<String> = [
    "child", "clamped", "contains", "count", "decimal", "description", "double", "element", "elements", "enumerated", "filter", "find",
    "first",
    "float", "hash", "index", "integer", "isEmpty", "joined", "key", "last", "look", "map", "member", "members", "merging", "name", "next",
    "parent", "path", "place", "position", "sorted", "string", "sync", "text", "value", "words",
  ]

  let files: [File]
  /// The files that each file uses.
  let arrows: [Arrow]

  /// - Parameter sources: The text of each file, by its path inside the module's folder.
  init(_ sources: [String: String]) {
    files = sources.keys.sorted().map { File(path: $0, tokens: SwiftTokens(sources[$0] ?? "").tokens) }
    let names = Names(files)
    arrows = files.flatMap { names.arrows(from: $0) }
  }

  static func folder(_ path: String) -> String {
    let pieces = path.split(separator: "/")
    return pieces.count > 1 ? String(pieces[0]) : "(root)"
  }

  // MARK: Violations

  /// The dependencies that violate an order such as `Support | Facts | Kinds, Allowances | (root)`.
  func mistakes(order: String) -> [String] {
    var levels: [String: Int] = [:]
    for (level, names) in order.split(separator: "|").enumerated() {
      for name in names.split(separator: ",") { levels[name.filter { $0 != " " && $0 != "`" }] = level }
    }
    let unnamed = Set(files.map { Self.folder($0.path) }).filter { levels[$0] == nil }.sorted()
    var mistakes = unnamed.map { "The order does not name the folder \($0)." }
    for arrow in arrows {
      guard let from = levels[Self.folder(arrow.from)], let to = levels[Self.folder(arrow.to)], from < to else { continue }
      mistakes.append("\(arrow). That is an arrow up: \(Self.folder(arrow.to)) comes after \(Self.folder(arrow.from)).")
    }
    for folder in reachable.keys.sorted() where reachable[folder]?.contains(folder) == true {
      let others = reachable.keys.filter {
        $0 > folder && reachable[$0]?.contains(folder) == true && reachable[folder]?.contains($0) == true
      }
      for other in others.sorted() { mistakes.append("\(folder) and \(other) use each other.") }
    }
    return mistakes
  }

  /// The folders that each folder uses, directly or through others.
  private var reachable: [String: Set<String>] {
    var result: [String: Set<String>] = [:]
    for arrow in arrows where Self.folder(arrow.from) != Self.folder(arrow.to) {
      result[Self.folder(arrow.from), default: []].insert(Self.folder(arrow.to))
    }
    var isGrowing = true
    while isGrowing {
      isGrowing = false
      for (folder, used) in result {
        let all = used.reduce(into: used) { $0.formUnion(result[$1] ?? []) }
        if all != used { (result[folder], isGrowing) = (all, true) }
      }
    }
    return result
  }

  /// The functions with more than `limit` lines, from the line of their name to their closing brace; the longest first.
  func functions(over limit: Int) -> [LongFunction] {
    files.flatMap { file in
      file.tokens.indices.compactMap { start -> LongFunction? in
        guard let name = Self.function(at: start, file.tokens), let end = Self.end(of: start, file.tokens) else { return nil }
        let length = file.tokens[end].line - file.tokens[start].line + 1
        return length > limit ? LongFunction(path: file.path, line: file.tokens[start].line, name: name, length: length) : nil
      }
    }.sorted { $0.length > $1.length }
  }

  /// The number of calls of a member by name.
  func calls(of name: String) -> Int {
    files.reduce(0) { sum, file in
      sum + file.tokens.indices.dropFirst().filter { file.tokens[$0].text == name && file.tokens[$0 - 1].text == "." }.count
    }
  }

  /// The name of the function, initializer, subscript or computed variable that a token begins.
  private static func function(at start: Int, _ tokens: [SwiftTokens.Token]) -> String? {
    let before = start > 0 ? tokens[start - 1].text : ""
    guard tokens[start].isWord, before != ".", start + 1 < tokens.count else { return nil }
    switch tokens[start].text {
    case "func": return tokens[start + 1].text
    case "init", "subscript", "deinit": return ["(", "<", "?", "{"].contains(tokens[start + 1].text) ? tokens[start].text : nil
    case "var":
      // A computed variable: a type, and then a brace on the same line.
      guard start + 2 < tokens.count, tokens[start + 2].text == ":" else { return nil }
      let rest = tokens[(start + 3)...].prefix { $0.line == tokens[start].line }
      guard let brace = rest.firstIndex(where: { $0.text == "{" }), !rest[..<brace].contains(where: { $0.text == "=" }) else { return nil }
      return tokens[start + 1].text
    default: return nil
    }
  }

  /// The closing brace of the body that begins after `start`; `nil` without a body, as in a protocol.
  private static func end(of start: Int, _ tokens: [SwiftTokens.Token]) -> Int? {
    var brackets = 0
    for index in tokens.indices[(start + 1)...] {
      switch tokens[index].text {
      case "(", "[": brackets += 1
      case ")", "]": brackets -= 1
      case "{" where brackets == 0:
        return tokens.indices[(index + 1)...].first { tokens[$0].text == "}" && tokens[$0].depth == tokens[index].depth + 1 }
      case "}" where brackets == 0: return nil
      default: break
      }
      let startsLine = tokens[index].line > tokens[index - 1].line
      if brackets < 0 || (brackets == 0 && startsLine && declarations.contains(tokens[index].text)) { return nil }
    }
    return nil
  }

  private static let declarations: Set<String> = [
    "@", "public", "package", "private", "internal", "fileprivate", "static", "func", "var", "let", "init", "case", "struct", "enum",
    "mutating",
    "associatedtype", "subscript",
  ]
}

/// The files that declare each name.
private struct Names {
  private var types: [String: String] = [:]
  private var functions: [String: String] = [:]
  private var members: [String: String] = [:]
  private var nested: [String: Set<String>] = [:]

  private static let kinds: Set<String> = ["struct", "class", "enum", "protocol", "actor", "typealias"]

  init(_ files: [House.File]) {
    var declared: [String: Set<String>] = [:]
    var extended: [String: Set<[String]>] = [:]
    for file in files {
      var current: String?
      for (word, name) in zip(file.tokens, file.tokens.dropFirst()) where word.isWord && name.isWord {
        if word.text == "extension", word.depth == 0 { current = name.text }
        if Self.kinds.contains(word.text), name.isCapital {
          if word.depth == 0 {
            (types[name.text], current) = (types[name.text] ?? file.path, nil)
          } else {
            nested[file.path, default: []].insert(name.text)
          }
        }
        guard ["func", "var", "let", "case"].contains(word.text), !name.isCapital else { continue }
        declared[name.text, default: []].insert(file.path)
        if word.text == "func", word.depth == 0 { functions[name.text] = file.path }
        if let current, word.text != "case", word.depth == 1 { extended[name.text, default: []].insert([file.path, current]) }
      }
    }
    // A member shows a dependency when only one file declares its name, in extensions of a type that another file declares.
    for (name, owners) in extended where !House.common.contains(name) && declared[name]?.count == 1 {
      if let owner = owners.first, let home = types[owner[1]], home != owner[0] { members[name] = owner[0] }
    }
  }

  func arrows(from file: House.File) -> [House.Arrow] {
    var found: [String: Set<String>] = [:]
    for (index, token) in file.tokens.enumerated() where token.isWord {
      let before = index > 0 ? file.tokens[index - 1].text : ""
      let after = index + 1 < file.tokens.count ? file.tokens[index + 1].text : ""
      var target: String?
      if before == "." {
        target = members[token.text]
      } else if let home = types[token.text] {
        target = nested[file.path]?.contains(token.text) == true ? nil : home
      } else if after == "(" {
        target = functions[token.text]
      }
      if let target, target != file.path { found[target, default: []].insert(token.text) }
    }
    return found.keys.sorted().map { House.Arrow(from: file.path, to: $0, names: found[$0] ?? []) }
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation

/// One public declaration, as a row of the table has it and as the stand-in's source does.
struct StandInDeclaration: Hashable {
  /// The full name with its labels, such as `View.padding(_:_:)`.
  var symbol: String
  /// The declaration without `public`, body, initial value and the conformances of a type.
  var text: String
  /// The systems that introduced it, such as `iOS 15.0, macOS 12.0`.
  var since: String
  /// The constraint of the extension that declares it, such as `Label == Text`.
  var condition = ""
}

/// Reads the public declarations of a stand-in, in which each stands on one line.
///
/// Leaves out what Apple's pages leave out: attributes that begin with `@_`, raw values and the initializers from them.
struct StandInReader {
  private(set) var declarations: [StandInDeclaration] = []
  private struct Scope {
    var name = ""
    var since = ""
    var condition = ""
    var depth = 0
    /// Whether its members are public without the word: requirements and cases.
    var isOpen = false
  }
  private var scopes: [Scope] = [Scope()]
  private var scope: Scope { scopes[scopes.count - 1] }
  private var since: String?
  /// An attribute of its own line that belongs to the declaration.
  private var attribute = ""
  private var depth = 0

  init(_ source: String) {
    for line in source.components(separatedBy: "\n") { read(line.trimmingCharacters(in: .whitespaces)) }
  }

  private mutating func read(_ line: String) {
    if line.isEmpty || line.hasPrefix("//") { return }
    if line.hasPrefix("@available("), line.hasSuffix(")") {
      if line.contains("unavailable") { attribute = line + " " } else { since = Self.systems(line) }
      return
    }
    let opens = line.filter { $0 == "{" }.count - line.filter { $0 == "}" }.count
    if depth == scope.depth, !line.hasPrefix("}") { declare(line, opens: opens > 0) }
    depth += opens
    while scopes.count > 1, depth < scope.depth { scopes.removeLast() }
  }

  private mutating func declare(_ line: String, opens: Bool) {
    defer { (since, attribute) = (nil, "") }
    let (head, body) = Self.parts(line)
    let systems = since ?? scope.since
    if let type = Self.match("^(?:[@\\w]+ )*?(struct|enum|protocol|class|extension) ([\\w.]+)", head) {
      let name = scope.name.isEmpty ? type[1] : scope.name + "." + type[1]
      if type[0] != "extension", head.contains("public ") { add(name, type[0] == "protocol" ? head : Self.type(head), systems, "") }
      guard opens else { return }
      let constraint = type[0] == "extension" ? head.components(separatedBy: " where ").dropFirst().first ?? "" : ""
      let isOpen = head.contains("public ") && ["protocol", "enum"].contains(type[0])
      scopes.append(Scope(name: name, since: systems, condition: constraint, depth: depth + 1, isOpen: isOpen))
    } else if Self.match("^((?:@[\\w()]+ |nonisolated |static |mutating )*public )", head) != nil || scope.isOpen,
      let name = Self.name(head)
    {
      let isStored = head.contains("let ") || head.contains("var ")
      let text = isStored ? head.components(separatedBy: " = ")[0] : head
      let hasAccess = text == head && (isStored || head.contains("subscript"))
      add(scope.name + "." + name, text + (hasAccess ? Self.access(body) : ""), systems, scope.condition)
    }
  }

  private mutating func add(_ symbol: String, _ text: String, _ since: String, _ condition: String) {
    if symbol.hasSuffix(".rawValue") || symbol.hasSuffix("init(rawValue:)") { return }
    let plain = (attribute + text).replacingOccurrences(of: "@_\\w+ ", with: "", options: .regularExpression)
    let clean = plain.replacingOccurrences(of: "public ", with: "").replacingOccurrences(of: "`", with: "")
    declarations.append(StandInDeclaration(symbol: symbol, text: clean, since: since, condition: condition))
  }

  /// `iOS 13.0, macOS 10.15` of `@available(iOS 13.0, macOS 10.15, *)`.
  private static func systems(_ line: String) -> String {
    line.dropFirst("@available(".count).dropLast().replacingOccurrences(of: ", *", with: "")
  }

  /// The declaration, and its body from ` {`.
  private static func parts(_ line: String) -> (head: String, body: String) {
    var level = 0
    for index in line.indices {
      if level == 0, line[index...].hasPrefix(" {") { return (String(line[..<index]), String(line[index...])) }
      if "([".contains(line[index]) { level += 1 }
      if ")]".contains(line[index]) { level -= 1 }
    }
    return (line, "")
  }

  /// A type without its conformances.
  private static func type(_ head: String) -> String {
    let parts = head.components(separatedBy: " where ")
    let name = parts[0].components(separatedBy: ": ")[0]
    return ([name] + parts.dropFirst()).joined(separator: " where ")
  }

  /// How a property is read and written, of its body.
  private static func access(_ body: String) -> String {
    if body.isEmpty { return "" }
    return body.contains(" nonmutating set ") ? " { get nonmutating set }" : body.contains(" set ") ? " { get set }" : " { get }"
  }

  /// The name of a member with its labels.
  private static func name(_ head: String) -> String? {
    if let value = match("\\b(?:let|var|associatedtype|typealias) `?(\\w+)", head) { return value[0] }
    guard let start = head.range(of: "\\b(case |func |subscript|init)\\w*", options: .regularExpression) else { return nil }
    let word = head[start].components(separatedBy: " ").last ?? ""
    return word + labels(head[start.upperBound...], isCase: head.hasPrefix("case "))
  }

  /// `(_:in:)` of the parameters.
  private static func labels(_ text: Substring, isCase: Bool) -> String {
    guard let open = text.firstIndex(of: "(") else { return isCase ? "" : "()" }
    var (level, names, current) = (0, "", "")
    func label(_ parameter: String) -> String {
      let words = parameter.components(separatedBy: ":")[0].split(separator: " ").filter { !$0.hasPrefix("@") }
      return words.first.map { "\($0):" } ?? ""
    }
    var last: Character = " "
    for character in text[open...] {
      if ")]".contains(character) || (character == ">" && last != "-") { level -= 1 }
      if level == 0, character == ")" { break }
      if level == 1, character == "," { (names, current) = (names + label(current), "") } else if level > 0 { current.append(character) }
      if "([<".contains(character) { level += 1 }
      last = character
    }
    return "(" + names + label(current) + ")"
  }

  private static func match(_ pattern: String, _ text: String) -> [String]? {
    guard let expression = try? NSRegularExpression(pattern: pattern),
      let match = expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text))
    else { return nil }
    return (1..<match.numberOfRanges).compactMap { Range(match.range(at: $0), in: text).map { String(text[$0]) } }
  }
}

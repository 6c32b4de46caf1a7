// SPDX-License-Identifier: Apache-2.0
import Foundation

/// One public declaration of a stand-in, as its source declares it.
struct StandInDeclaration: Hashable {
  /// The full name with its labels, such as `View.padding(_:_:)`.
  var symbol: String
  /// The declaration without `public`, body and initial value.
  var text: String
  /// The systems, such as `iOS 15.0, macOS 12.0`; `not tvOS` where it is unavailable.
  var since: String
}

/// Reads the public declarations of a stand-in.
struct StandInReader {
  private(set) var declarations: [StandInDeclaration] = []
  private var scopes: [(name: String, since: String, depth: Int, isProtocol: Bool, isPublic: Bool)] = []
  private var availability: [String] = []
  private var depth = 0

  init(_ source: String) {
    for line in Self.joined(source.components(separatedBy: "\n")) { read(line) }
  }

  /// Declarations over several lines, each as one.
  private static func joined(_ lines: [String]) -> [String] {
    var result: [String] = []
    var open = ""
    for line in lines.map({ $0.trimmingCharacters(in: .whitespaces) }) where !line.isEmpty && !line.hasPrefix("//") {
      let text = open.isEmpty ? line : open + " " + line
      let isOpen = text.filter { $0 == "(" }.count > text.filter { $0 == ")" }.count
      let isHeader = text.contains("func ") || text.contains("init") || text.contains("struct ")
      // A header ends with its body; `where` and `->` may stand on a line of their own.
      let waits = isHeader && !text.contains("{") && (text.contains("public ") && !text.hasPrefix("public struct")) && !text.hasSuffix("}")
      if isOpen || (waits && !text.hasPrefix("@available")) {
        open = text
      } else {
        result.append(text.replacingOccurrences(of: "( ", with: "(").replacingOccurrences(of: " )", with: ")"))
        open = ""
      }
    }
    return result
  }

  private mutating func read(_ line: String) {
    if line.hasPrefix("@available("), !line.contains("public "), !line.contains("extension "), !line.contains("struct ") {
      return availability.append(line)
    }
    let since = availability.isEmpty ? scopes.last?.since ?? "" : Self.since(availability)
    availability = []
    let isPublic = line.contains("public ") || scopes.last.map { $0.isProtocol && $0.isPublic && $0.depth == depth } == true
    let opens = line.filter { $0 == "{" }.count - line.filter { $0 == "}" }.count
    let head = Self.head(line)
    if let type = Self.match("\\b(struct|enum|protocol|class|extension) ([A-Za-z_.]+)", head) {
      if type[0] != "extension", isPublic { add(type[1], head, since) }
      if opens > 0 {
        scopes.append((scope(type[1]), since, depth + 1, type[0] == "protocol", line.contains("public ") || type[0] == "extension"))
      }
    } else if isPublic {
      if let function = Self.match("\\bfunc ([A-Za-z_]+|[=<]+)", head) {
        add(function[0] + Self.labels(head), head, since)
      } else if head.contains("subscript") {
        add("subscript" + Self.labels(head), head, since)
      } else if Self.match("\\b(init)\\b[<(?]", head) != nil {
        add("init" + Self.labels(head), head, since)
      } else if let value = Self.match("\\b(?:var|let|typealias|associatedtype) `?([A-Za-z_]+)", head) {
        add(value[0], head, since)
      }
    } else if line.hasPrefix("case "), let scope = scopes.last, scope.depth == depth, scope.isPublic {
      add(line.dropFirst(5).components(separatedBy: ",")[0].components(separatedBy: "(")[0], line, since)
    }
    depth += opens
    while let last = scopes.last, depth < last.depth { scopes.removeLast() }
  }

  private func scope(_ name: String) -> String { scopes.last.map { $0.name + "." + name } ?? name }

  private mutating func add(_ name: String, _ text: String, _ since: String) {
    var text = text
    for word in ["public ", "final ", "@frozen ", "`"] { text = text.replacingOccurrences(of: word, with: "") }
    declarations.append(.init(symbol: scope(name), text: text.replacingOccurrences(of: "|", with: "¦"), since: since))
  }

  /// The declaration without its body and its value.
  private static func head(_ line: String) -> String {
    var (depth, text) = (0, "")
    for character in line {
      if depth == 0, character == "{" { break }
      if depth == 0, character == "=", !text.contains("func "), !text.contains("typealias"), !text.contains("associatedtype"),
        text.last == " "
      {
        break
      }
      if "([".contains(character) { depth += 1 }
      if ")]".contains(character) { depth -= 1 }
      text.append(character)
    }
    return text.trimmingCharacters(in: .whitespaces)
  }

  /// `(_:in:)` of the parameters.
  private static func labels(_ head: String) -> String {
    var (depth, names, current, isIn) = (0, [String](), "", false)
    guard let start = head.range(of: "(func [^(]*|subscript[^(]*|init[^(]*)\\(", options: .regularExpression)?.upperBound else { return "" }
    for character in "(" + head[start...] {
      if character == "(" || character == "<" || character == "[" { depth += 1 }
      if character == ")" || character == ">" || character == "]" { if !current.hasSuffix("-") || character != ">" { depth -= 1 } }
      if depth == 0 { break }
      if depth == 1, character == "(" {
        isIn = true
      } else if depth == 1, character == "," {
        names.append(current)
        current = ""
      } else if isIn {
        current.append(character)
      }
    }
    if !current.trimmingCharacters(in: .whitespaces).isEmpty { names.append(current) }
    let labels = names.map { name -> String in
      let before = name.components(separatedBy: ":")[0].split(separator: " ").filter { !$0.hasPrefix("@") }
      return (before.first.map(String.init) ?? "_") + ":"
    }
    return "(" + labels.joined() + ")"
  }

  private static func since(_ lines: [String]) -> String {
    let words = lines.map { String($0.dropFirst("@available(".count).dropLast()) }
    let versions = words.filter { $0.hasSuffix("*") }.last?.replacingOccurrences(of: ", *", with: "") ?? ""
    let missing = words.filter { $0.hasSuffix("unavailable") }.map { "not " + $0.components(separatedBy: ",")[0] }
    return ([versions] + missing).filter { !$0.isEmpty }.joined(separator: "; ")
  }

  private static func match(_ pattern: String, _ text: String) -> [String]? {
    guard let expression = try? NSRegularExpression(pattern: pattern),
      let match = expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text))
    else { return nil }
    return (1..<match.numberOfRanges).compactMap { Range(match.range(at: $0), in: text).map { String(text[$0]) } }
  }
}

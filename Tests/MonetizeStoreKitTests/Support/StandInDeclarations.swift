// SPDX-License-Identifier: Apache-2.0
import Foundation

/// One public declaration of a stand-in, as in its source.
struct StandInDeclaration: Hashable {
  /// The full name with its labels, such as `Product.products(for:)`.
  var symbol: String
  /// The declaration without `public`, body and initial value.
  var text: String
  /// The systems, such as `iOS 16.4, macOS 14.4; not tvOS`. `15.0–17.2` is introduced and deprecated.
  var since: String
}

/// Reads the declarations of a stand-in, in which each stands on one line.
///
/// Leaves out what comes with a protocol: raw values and the iteration of sequences.
struct StandInReader {
  private(set) var declarations: [StandInDeclaration] = []
  private var scopes: [(name: String, since: String, depth: Int)] = []
  private var availability: [String] = []
  private var depth = 0

  static let skipped: Set<String> = ["rawValue", "Element", "AsyncIterator", "makeAsyncIterator", "next", "init"]

  init(_ source: String) {
    for line in source.components(separatedBy: "\n") { read(line.trimmingCharacters(in: .whitespaces)) }
  }

  private mutating func read(_ line: String) {
    if line.isEmpty || line.hasPrefix("//") { return }
    if line.hasPrefix("@available(") { return availability.append(line) }
    let words = line.split(whereSeparator: { " :<{(".contains($0) }).map(String.init)
    let opens = line.filter { $0 == "{" }.count - line.filter { $0 == "}" }.count
    let since = availability.isEmpty ? scopes.last?.since ?? "" : Self.since(availability)
    let header = words.prefix(3).firstIndex { ["struct", "enum", "extension"].contains($0) }
    if let header, opens > 0 {
      if words[header] != "extension", line.contains("public ") { add(words[header + 1], Self.head(of: line), since) }
      // `A<B>` for an extension of `A` where its value is `B`.
      let value = line.components(separatedBy: " where SignedType == ").dropFirst().first.map { "<\($0.dropLast(2))>" }
      scopes.append((words[header + 1] + (value ?? ""), since, depth + 1))
    } else if line.hasPrefix("case "), scopes.last?.depth == depth, words.count > 1, !words[1].hasPrefix(".") {
      add(words[1], line, since)
    } else if let name = Self.member(line) {
      add(name, Self.cut(line.replacingOccurrences(of: "public ", with: "")), since)
    }
    availability = []
    depth += opens
    while let last = scopes.last, depth < last.depth { scopes.removeLast() }
  }

  private mutating func add(_ name: String, _ text: String, _ since: String) {
    let path = scopes.map(\.name) + [name]
    let plain = path.map { $0.components(separatedBy: "(")[0] }
    guard Self.skipped.isDisjoint(with: plain) else { return }
    declarations.append(StandInDeclaration(symbol: path.joined(separator: "."), text: text, since: since))
  }

  /// `@frozen enum A<B>` of `@frozen public enum A<B>: C {`.
  private static func head(of line: String) -> String {
    let text = line.replacingOccurrences(of: "public ", with: "").replacingOccurrences(of: " {", with: "")
    return text.components(separatedBy: ": ")[0]
  }

  /// The name of a public member with its labels; `nil` for another line.
  private static func member(_ line: String) -> String? {
    var words = line.split(separator: " ").map(String.init)
    if words.first == "@MainActor" { words.removeFirst() }
    guard words.first == "public" else { return nil }
    words.removeFirst()
    if words.first == "static" { words.removeFirst() }
    guard let sort = words.first, ["let", "var", "func", "typealias", "init"].contains(sort), words.count > 1 else {
      return words.first?.hasPrefix("init(") == true ? "init" : nil
    }
    let name = words[1].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    guard sort == "func", let open = line.firstIndex(of: "(") else { return String(name) }
    var (labels, level, isAtStart) = ("", 0, true)
    var label = ""
    for character in line[open...] {
      if "([<".contains(character) { level += 1 }
      if ")]>".contains(character) { level -= 1 }
      if level == 0 { break }
      if level == 1, character == "," { (isAtStart, label) = (true, "") }
      if isAtStart, character.isLetter || character.isNumber || character == "_" { label.append(character) }
      if isAtStart, !label.isEmpty, " :".contains(character) { (labels, isAtStart) = (labels + label + ":", false) }
    }
    return "\(name)(\(labels))"
  }

  /// A declaration without its body and initial value; a computed variable keeps how it is read.
  private static func cut(_ text: String) -> String {
    var level = 0
    for index in text.indices {
      if "([".contains(text[index]) { level += 1 }
      if ")]".contains(text[index]) { level -= 1 }
      guard level == 0 else { continue }
      if text[index...].hasPrefix(" = ") { return String(text[..<index]) }
      guard text[index...].hasPrefix(" {") else { continue }
      let (head, body) = (String(text[..<index]), text[index...].dropFirst(2).trimmingCharacters(in: .whitespaces))
      guard head.contains("var ") else { return head }
      let effects = ["get async throws", "get async"].first { body.hasPrefix($0) }
      return "\(head) { \(effects ?? "get") }"
    }
    return text
  }

  private static func since(_ lines: [String]) -> String {
    var (introduced, without): ([String], [String]) = ([], [])
    for line in lines {
      let parts = line.dropFirst("@available(".count).dropLast().components(separatedBy: ", ")
      if parts.count > 1, parts[1] == "unavailable" {
        without.append(parts[0])
      } else if parts.count == 3, parts[1].hasPrefix("introduced: ") {
        introduced.append("\(parts[0]) \(parts[1].dropFirst(12))–\(parts[2].dropFirst(12))")
      } else {
        introduced += parts.filter { $0 != "*" }
      }
    }
    return introduced.joined(separator: ", ") + (without.isEmpty ? "" : "; not " + without.joined(separator: ", "))
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// `Docs/ApplePlatforms.md` lists each symbol of StoreKit that is used, as Apple declares it.
@Suite("StoreKit: the table of symbols", .timeLimit(.minutes(30)))
struct StandInTableTests {
  struct Row: Hashable {
    var declaration: StandInDeclaration
    var source: String
    var usedIn: String
  }

  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static func text(_ path: String) throws -> String { try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8) }

  /// The rows under the heading `### StoreKit`.
  static func rows() throws -> [Row] {
    let page = try text("Docs/ApplePlatforms.md")
    let section = try #require(page.components(separatedBy: "\n### StoreKit\n").dropFirst().first).components(separatedBy: "\n### ")[0]
    return section.components(separatedBy: "\n").filter { $0.hasPrefix("| `") }.map { line in
      let cells = line.components(separatedBy: " | ").map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "|` ")) }
      let declaration = StandInDeclaration(symbol: cells[0], text: cells[1], since: cells[2])
      return Row(declaration: declaration, source: cells[3], usedIn: cells[4])
    }
  }

  static func declarations() throws -> [StandInDeclaration] {
    try ["Product", "Subscription", "Transaction", "AppStore"].flatMap {
      try StandInReader(text("Tests/StandIns/StoreKit/\($0).swift")).declarations
    }
  }

  /// The sources of the adapter by their file names, without comments.
  static func sources() throws -> [String: [String]] {
    let folder = root.appendingPathComponent("Sources/MonetizeStoreKit")
    let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") } ?? []
    return Dictionary(
      uniqueKeysWithValues: try paths.map { path in
        let lines = try text("Sources/MonetizeStoreKit/\(path)").components(separatedBy: "\n")
        return ((path as NSString).lastPathComponent, lines.map { $0.components(separatedBy: "//")[0] })
      })
  }

  @Test("The stand-in declares what the table lists, word by word, and nothing else") func table() throws {
    let (listed, declared) = (try Self.rows().map(\.declaration), try Self.declarations())
    #expect(declared.count > 200)
    for declaration in declared where !listed.contains(declaration) { Issue.record("not in the table: \(declaration)") }
    for declaration in listed where !declared.contains(declaration) { Issue.record("not in the stand-in: \(declaration)") }
    #expect(Set(listed).count == listed.count)
  }

  /// By the text alone; `.ci/check-uses` asks the compiler.
  @Test("Each row names a file of the adapter that uses it") func uses() throws {
    let sources = try Self.sources()
    for row in try Self.rows() where row.usedIn != "tests" {
      let lines = try #require(sources[row.usedIn], "there is no \(row.usedIn)")
      let names = try Self.rows().map(\.declaration.symbol).filter {
        $0 == row.declaration.symbol || $0.hasPrefix(row.declaration.symbol + ".")
      }
      let isUsed = names.contains { name in Self.find(Self.plain(name), in: lines).isEmpty == false }
      // A type that no line names is the type of another symbol there, such as that of `updates`.
      let isImplied = try Self.rows().contains { $0.usedIn == row.usedIn && $0.declaration.text.contains(": \(row.declaration.symbol)") }
      #expect(isUsed || isImplied, "\(row.declaration.symbol) in \(row.usedIn)")
      #expect(["Apple", "Listing"].contains(row.source))
    }
  }

  /// The last part of a name without its labels.
  private static func plain(_ symbol: String) -> String {
    symbol.components(separatedBy: "(")[0].components(separatedBy: ".").last ?? symbol
  }

  /// The lines, from 0, in which a word stands.
  private static func find(_ word: String, in lines: [String], after before: String = "\\b") -> [Int] {
    let expression = try? NSRegularExpression(pattern: "\(before)\(word)\\b")
    return lines.indices.filter { expression?.firstMatch(in: lines[$0], range: NSRange(lines[$0].startIndex..., in: lines[$0])) != nil }
  }

  // MARK: The floor

  /// Whether a line stands in a block, or in a declaration, that asks for a newer system.
  static func isGuarded(_ number: Int, in lines: [String]) -> Bool {
    if lines[number].contains("#available") { return true }
    // Whether the line below opens a block around the line, or is a part of the statement that does, or of the line's own.
    var (depth, wasEnclosing, isBelowABrace) = (0, true, false)
    for line in lines[..<number].reversed() where !line.allSatisfy(\.isWhitespace) {
      let isSibling = depth == 0
      var encloses = false
      for character in line.reversed() {
        if character == "}" { depth += 1 }
        if character == "{", depth == 0 { encloses = true } else if character == "{" { depth -= 1 }
      }
      if line.contains("available("), isSibling {
        // An `if` guards what it encloses, also over several lines; a `guard` what follows it; an attribute the declaration below it.
        let isContinued = line.hasSuffix(",") && wasEnclosing
        if encloses || isContinued || line.contains("guard ") || (line.contains("@available") && wasEnclosing) { return true }
      }
      let text = line.trimmingCharacters(in: .whitespaces)
      let goesOn = isSibling && depth == 0 && wasEnclosing && (text.hasPrefix("@") || text.hasSuffix(",") || isBelowABrace)
      (wasEnclosing, isBelowABrace) = (encloses || goesOn, text == "{")
    }
    return false
  }

  @Test("MAZE-21: what is newer than the floor stands behind #available") func floor() throws {
    let sources = try Self.sources()
    let common = try Self.commonNames()
    var checked = 0
    for row in try Self.rows() where !row.declaration.since.contains("iOS 15.0") {
      let name = Self.plain(row.declaration.symbol)
      guard !common.contains(name) else { continue }
      for (file, lines) in sources {
        // A member stands after a point; a type anywhere.
        let before = name.first?.isUppercase == true ? "\\b" : "\\."
        let own = ["Gateway.", "self."].map { $0 + name }
        for number in Self.find(name, in: lines, after: before) where !own.contains(where: lines[number].contains) {
          checked += 1
          let isGuarded = Self.isGuarded(number, in: lines)
          #expect(isGuarded, "\(file):\(number + 1) \(row.declaration.symbol) is \(row.declaration.since)")
        }
      }
    }
    #expect(checked > 20)
  }

  /// Names that Monetize declares too, or an older symbol of StoreKit: in the text alone they look the same.
  private static func commonNames() throws -> Set<String> {
    var names: Set<String> = try Set(rows().filter { $0.declaration.since.contains("iOS 15.0") }.map { plain($0.declaration.symbol) })
    let expression = try NSRegularExpression(pattern: "\\b(?:var|let|func|case|struct|enum) (\\w+)")
    for folder in ["Sources/Monetize/Stores", "Sources/Monetize/Listings", "Sources/Monetize/Facts"] {
      for file in try FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent(folder).path) {
        let source = try text("\(folder)/\(file)")
        for match in expression.matches(in: source, range: NSRange(source.startIndex..., in: source)) {
          if let range = Range(match.range(at: 1), in: source) { names.insert(String(source[range])) }
        }
      }
    }
    return names
  }

  @Test("What only the SDK of Xcode 26.5 declares stands behind #if compiler(>=6.3.2)") func compiler() throws {
    let common = try Self.commonNames()
    let newest = Set(try Self.rows().filter { $0.declaration.since.contains("26.4") }.map { Self.plain($0.declaration.symbol) })
    var checked = 0
    for (file, lines) in try Self.sources() {
      for name in newest.subtracting(common) {
        for number in Self.find(name, in: lines) {
          checked += 1
          #expect(Self.conditions(at: number, in: lines).contains { $0.contains("compiler(>=6.3.2)") }, "\(file):\(number + 1) \(name)")
        }
      }
    }
    #expect(checked > 4)
  }

  /// The conditions of the `#if` blocks around a line.
  private static func conditions(at number: Int, in lines: [String]) -> [String] {
    lines[..<number].reduce(into: []) { open, line in
      let text = line.trimmingCharacters(in: .whitespaces)
      if text.hasPrefix("#if ") { open.append(text) }
      if text.hasPrefix("#else") || text.hasPrefix("#elseif ") { open[open.count - 1] = text }
      if text == "#endif" { open.removeLast() }
    }
  }

  @Test("On visionOS, which sells only in a scene, a purchase without a place looks for one") func visionOS() throws {
    let lines = try #require(try Self.sources()["Gateway.swift"])
    let calls = lines.indices.filter { lines[$0].contains("purchase(confirmIn: scene") }
    let branch = try #require(calls.last { Self.conditions(at: $0, in: lines).last == "#if os(visionOS)" })
    #expect(lines[branch - 1].contains("= sceneInFront"))
  }

  @Test("The check of the floor sees a block, a guard, an attribute, and the branch without") func guards() {
    let lines = [
      "if #available(iOS 16.0, *) {", "  old()", "  new()", "} else {", "  bare()", "}", "guard #available(iOS 16.0, *) else { return }",
      "new()",
      "func next() {", "  new()", "}", "}", "func other() {", "bare()", "}", "@available(iOS 16.0, *)", "extension A {", "  new()", "}",
      "bare()", "if #available(iOS 16.0, *),", "  let a = new()", "{", "  new()", "}", "@available(iOS 16.0, *)", "@MainActor",
      "func new() {}", "func bare() {}",
    ]
    for number in lines.indices where lines[number].contains("new()") { #expect(Self.isGuarded(number, in: lines), "\(number)") }
    for number in lines.indices where lines[number].contains("bare()") { #expect(!Self.isGuarded(number, in: lines), "\(number)") }
  }

  @Test("The reader sees names, labels, effects and systems") func reader() {
    let source = """
      @available(iOS 15.0, macOS 12.0, *)
      public enum Shop: Sendable {
        case open(Int)
        @available(iOS 16.0, *)
        @available(tvOS, unavailable)
        @MainActor public static func buy(_ id: String, in place: [Int] = []) async throws -> Int { 1 }
        public static var here: Int? { get async { 1 } }
        @available(iOS, introduced: 15.0, deprecated: 17.2)
        public static let old: Int = 1
        package init() {}
      }
      """
    let expected = [
      ("Shop", "enum Shop", "iOS 15.0, macOS 12.0"), ("Shop.open", "case open(Int)", "iOS 15.0, macOS 12.0"),
      (
        "Shop.buy(_:in:)", "@MainActor static func buy(_ id: String, in place: [Int] = []) async throws -> Int", "iOS 16.0; not tvOS"
      ), ("Shop.here", "static var here: Int? { get async }", "iOS 15.0, macOS 12.0"), ("Shop.old", "static let old: Int", "iOS 15.0–17.2"),
    ].map { StandInDeclaration(symbol: $0.0, text: $0.1, since: $0.2) }
    #expect(StandInReader(source).declarations == expected)
  }
}

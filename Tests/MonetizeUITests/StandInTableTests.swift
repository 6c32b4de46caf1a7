// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// `Docs/ApplePlatforms-SwiftUI.md` lists each symbol of SwiftUI and Combine that is used, as Apple declares it. A person writes its rows from
/// Apple's pages; the stand-ins follow the rows.
@Suite("SwiftUI and Combine: the table of symbols", .timeLimit(.minutes(30)))
struct StandInTableTests {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  static func text(_ path: String) throws -> String { try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8) }

  struct Row {
    var declaration: StandInDeclaration
    var source: String
    /// A file and the text in it that uses the symbol; or the symbol that demands it.
    var use: String
  }

  static let sections = ["Combine", "SwiftUI", "WidgetKit", "Demanded by these"]
  static let files =
    ["Combine/Combine", "Combine/Names"] + ["View", "Data", "Drawing", "Controls", "Layout", "Modifiers", "Names"].map { "SwiftUI/\($0)" }
    + ["WidgetKit/WidgetKit"]

  static func declarations() throws -> [StandInDeclaration] {
    try files.flatMap { try StandInReader(text("Tests/StandIns/\($0).swift")).declarations }
  }

  static func rows(_ sections: [String] = sections) throws -> [Row] {
    let page = try text("Docs/ApplePlatforms-SwiftUI.md")
    return try sections.flatMap { title in
      let section = try #require(page.components(separatedBy: "\n### \(title)\n").dropFirst().first).components(separatedBy: "\n### ")[0]
      return section.components(separatedBy: "\n").filter { $0.hasPrefix("| `") }.map(row)
    }
  }

  private static func row(_ line: String) -> Row {
    let cells = line.dropFirst(2).dropLast(2).components(separatedBy: " | ")
    let parts = cells[1].components(separatedBy: " when ").map { $0.replacingOccurrences(of: "`", with: "") }
    let symbol = cells[0].replacingOccurrences(of: "`", with: "")
    return Row(
      declaration: .init(symbol: symbol, text: parts[0], since: cells[2], condition: parts.count > 1 ? parts[1] : ""), source: cells[3],
      use: cells[4].replacingOccurrences(of: "`", with: ""))
  }

  @Test("The stand-ins declare what the table lists, word by word, and nothing else") func table() throws {
    let (listed, declared) = (try Self.rows().map(\.declaration), try Self.declarations())
    #expect(listed.count > 200 && Set(listed).count == listed.count, "each row once")
    for row in listed where !declared.contains(row) { Issue.record("The stand-in must declare: \(row)") }
    for declaration in declared where !listed.contains(declaration) {
      Issue.record("Apple's declaration is not in the table: \(declaration)")
    }
  }

  @Test("Each row is a whole declaration of Apple's: five systems, a type, a constraint to its end, one case, no name of the stand-in")
  func form() throws {
    let own = try Self.ownNames()
    #expect(own.contains("PrimitiveView") && own.contains("ViewNode"))
    for row in try Self.rows() {
      let (symbol, text) = (row.declaration.symbol, row.declaration.text)
      let systems = row.declaration.since.components(separatedBy: ", ").map { $0.components(separatedBy: " ") }
      // tvOS has no widgets, and watchOS none of these sizes.
      let isWidgets = ["HeatlabApp", "HeatlabWidget", "WidgetTests"].contains(row.use.components(separatedBy: ".")[0])
      let missing = isWidgets ? ["tvOS", "watchOS"].filter { !row.declaration.since.contains($0) } : []
      #expect(systems.map(\.first) == ["iOS", "macOS", "tvOS", "watchOS", "visionOS"].filter { !missing.contains($0) }, "\(symbol)")
      #expect(systems.allSatisfy { $0.count == 2 && Double($0[1]) != nil }, "\(symbol)")
      if text.contains("let ") || text.contains("var ") { #expect(text.contains(": "), "\(symbol) has no type") }
      for constraint in text.components(separatedBy: " where ").dropFirst() + [row.declaration.condition] where !constraint.isEmpty {
        #expect(constraint.contains(": ") || constraint.contains(" == "), "\(symbol) where \(constraint)")
      }
      if text.hasPrefix("case ") { #expect(text.contains("(") || !text.contains(","), "\(symbol): one row a case") }
      let words = Set(text.components(separatedBy: CharacterSet.alphanumerics.union(["_"]).inverted))
      #expect(words.isDisjoint(with: own), "\(symbol) names \(words.intersection(own))")
      #expect(["Page", "Listing", "Apple"].contains(row.source), "\(symbol)")
    }
  }

  /// The types that only the stand-in has: those of its drawing, and those that are not public.
  private static func ownNames() throws -> Set<String> {
    var names: Set<String> = []
    for file in files + ["Drawn", "Node", "Host", "UIKit"].map({ "SwiftUI/\($0)" }) {
      for line in try text("Tests/StandIns/\(file).swift").components(separatedBy: "\n") {
        let words = line.components(separatedBy: CharacterSet.alphanumerics.union(["_"]).inverted).filter { !$0.isEmpty }
        guard let kind = words.firstIndex(where: { ["struct", "enum", "class", "protocol"].contains($0) }), !line.hasPrefix(" ") else {
          continue
        }
        if !line.hasPrefix("//"), !words.contains("public") || !files.contains(file) { names.insert(words[kind + 1]) }
      }
    }
    return names
  }

  /// The sources that use SwiftUI or Combine, by their file names, without comments.
  static func sources() throws -> [String: String] {
    var sources: [String: String] = [:]
    for folder in ["Sources/MonetizeUI", "Sources/MonetizePreview", "Examples/Sources", "Tests/MonetizeUITests"] {
      let paths = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)?.compactMap { $0 as? String } ?? []
      for path in paths where path.hasSuffix(".swift") && !path.contains("StandIn") {
        let source = try text("\(folder)/\(path)")
        guard source.contains("import SwiftUI") || source.contains("import Combine") else { continue }
        let lines = source.components(separatedBy: "\n").map { $0.components(separatedBy: "//")[0] }
        let known = sources.updateValue(lines.joined(separator: "\n"), forKey: (path as NSString).lastPathComponent)
        #expect(known == nil, "two files are \(path)")
      }
    }
    return sources
  }

  @Test("Each row names a file and the text in it that uses the symbol") func uses() throws {
    let sources = try Self.sources()
    for row in try Self.rows(["Combine", "SwiftUI", "WidgetKit"]) {
      let parts = row.use.components(separatedBy: ".swift: ")
      #expect(parts.count == 2 && !parts[1].isEmpty, "\(row)")
      #expect(sources["\(parts[0]).swift"]?.contains(parts.last ?? "") == true, "\(row.declaration.symbol): \(row.use)")
    }
  }

  @Test("What no source names is demanded by a declaration of the table: in its text, or as its requirement") func demanded() throws {
    let texts = Dictionary(try Self.rows().map { ($0.declaration.symbol, $0.declaration.text) }) { $0 + $1 }
    for row in try Self.rows(["Demanded by these"]) {
      let names = row.declaration.symbol.components(separatedBy: "(")[0].components(separatedBy: ".")
      let name = names.last == "init" ? names.dropLast().last : names.last
      let text = try #require(texts[row.use], "\(row.use) is in no row")
      #expect(row.declaration.symbol.hasPrefix(row.use + ".") || text.contains(name ?? "?"), "\(row.declaration.symbol) for \(row.use)")
    }
  }

  @Test("The reader sees labels, systems, constraints of extensions and how a property is written") func reader() {
    let source = """
      @available(iOS 15.0, *)
      @frozen public struct Shop<Item>: Sendable where Item: View {
        let hidden: Int
        @_disfavoredOverload nonisolated public init<S>(_ title: S, @ViewBuilder in place: (Int) -> [Int] = { [$0] }) where S: Hashable { hidden = 1 }
        public var count: Int { get { 1 } nonmutating set { print(newValue) } }
        @available(iOS 16.0, *)
        public static let here: Shop = Shop()
        public enum Size {
          case flexible(minimum: Int = 1, most: Int)
        }
      }
      @available(iOS 14.0, *)
      extension Shop where Item == Text {
        public func open() {
          public let no: Int = 1
        }
      }
      """
    let expected = [
      ("Shop", "@frozen struct Shop<Item> where Item: View", "iOS 15.0", ""),
      (
        "Shop.init(_:in:)", "nonisolated init<S>(_ title: S, @ViewBuilder in place: (Int) -> [Int] = { [$0] }) where S: Hashable",
        "iOS 15.0", ""
      ),
      ("Shop.count", "var count: Int { get nonmutating set }", "iOS 15.0", ""), ("Shop.here", "static let here: Shop", "iOS 16.0", ""),
      ("Shop.Size", "enum Size", "iOS 15.0", ""),
      ("Shop.Size.flexible(minimum:most:)", "case flexible(minimum: Int = 1, most: Int)", "iOS 15.0", ""),
      ("Shop.open()", "func open()", "iOS 14.0", "Item == Text"),
    ].map { StandInDeclaration(symbol: $0.0, text: $0.1, since: $0.2, condition: $0.3) }
    #expect(StandInReader(source).declarations == expected)
  }
}

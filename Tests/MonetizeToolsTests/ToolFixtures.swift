// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeJSON
import Testing

/// Files for the tests of lint, diff and the documents.
enum ToolFixtures {
  static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  static let products = tests.deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Products")
  static let shipped = ["dozzi", "heatlab", "magical-stories", "maxs-puzzles", "maze-packs"]

  static func text(_ path: String) throws -> String {
    try String(contentsOf: tests.appendingPathComponent("Fixtures/\(path)"), encoding: .utf8)
  }

  static func shipped(_ name: String) throws -> String {
    try String(contentsOf: products.appendingPathComponent("\(name).json"), encoding: .utf8)
  }

  /// A text with a JSON merge patch, over several lines.
  static func patched(_ text: String, _ patch: JSONValue) throws -> String {
    readable(try JSONDocument(parsing: JSONDocument(parsing: text).root.applying(mergePatch: patch)).root)
  }

  static func patched(_ text: String, _ patch: String) throws -> String { try patched(text, JSONDocument(parsing: patch).root) }

  /// A text with a passage replaced, which must occur once.
  static func replacing(_ old: String, _ new: String, in text: String) throws -> String {
    try #require(text.components(separatedBy: old).count == 2, "\(old)")
    return text.replacingOccurrences(of: old, with: new)
  }

  private static func readable(_ value: JSONValue, _ indent: String = "") -> String {
    let inner = indent + "  "
    if value.text().count < 100 { return value.text() }
    let lines =
      value.members.map { "\(inner)\(JSONWriter.quoted($0.key)): \(readable($0.value, inner))" }
      + value.elements.map { inner + readable($0, inner) }
    if lines.isEmpty { return value.text() }
    let (open, close) = value.kind == .object ? ("{", "}") : ("[", "]")
    return "\(open)\n\(lines.joined(separator: ",\n"))\n\(indent)\(close)"
  }

  /// Compares with `Tests/MonetizeToolsTests/Golden/NAME`; `RECORD_SNAPSHOTS=1` records it and fails if it changed.
  static func expectGolden(_ found: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let url = tests.appendingPathComponent("Golden/\(name)")
    let golden = try? String(contentsOf: url, encoding: .utf8)
    if golden == found { return }
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil {
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try found.write(to: url, atomically: true, encoding: .utf8)
      Issue.record("Recorded \(name). Look at the difference, then run again.", sourceLocation: sourceLocation)
      return
    }
    let (old, new) = ((golden ?? "").components(separatedBy: "\n"), found.components(separatedBy: "\n"))
    let changes = new.difference(from: old).map { change in
      switch change {
      case .remove(let line, let text, _): "- \(line + 1): \(text)"
      case .insert(let line, let text, _): "+ \(line + 1): \(text)"
      }
    }
    Issue.record("\(name) is different (- golden, + found):\n\(changes.prefix(40).joined(separator: "\n"))", sourceLocation: sourceLocation)
  }
}

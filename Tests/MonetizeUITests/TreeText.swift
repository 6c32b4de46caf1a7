// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwiftUI

/// A tree as text that a person can read: what is seen and what a screen reader speaks, without boxes.
@MainActor enum TreeText {
  static func of(_ nodes: [ViewNode]) -> String { nodes.flatMap { lines($0) }.joined(separator: "\n") }

  private static func lines(_ node: ViewNode) -> [String] {
    let below = (node.background + node.children + node.overlay)
    func inner(_ nodes: [ViewNode]) -> [String] { nodes.flatMap { lines($0) } }
    func indented(_ lines: [String]) -> [String] { lines.map { "  " + $0 } }
    switch node.kind {
    case .text: return [line("\"\(node.text ?? "")\"", node)]
    case .image: return node.isHidden ? [] : [line("image \(node.text ?? "")", node)]
    case .button, .link: return [line("[\(node.spoken)]", node)] + indented(seen(node))
    case .field: return [line("field \(node.spoken): \(node.value ?? "")", node)]
    case .toggle: return [line("switch \(node.spoken): \(node.isOn == true ? "on" : "off")", node)]
    case .progress: return [node.progress.map { "progress \(Int(($0 * 100).rounded(.down)))%" } ?? "progress"]
    case .sheet: return ["sheet"] + indented(inner(below))
    case .scroll, .list: return [node.kind.rawValue] + indented(inner(below))
    case .section: return ["section"] + indented(inner(below))
    case .spacer, .divider, .shape: return []
    case .column, .row, .layers, .grid, .box:
      if node.label != nil, node.element == "ignore" || node.value != nil { return [line("<\(node.spoken)>", node)] + indented(seen(node)) }
      let notes = notes(node)
      return notes.isEmpty ? inner(below) : [line("group", node)] + indented(inner(below))
    }
  }

  /// The texts within a control that differ from what is spoken for it.
  private static func seen(_ node: ViewNode) -> [String] {
    let texts = (node.children + node.overlay).flatMap(\.all).compactMap { part -> String? in
      switch part.kind {
      case .text: "\"\(part.text ?? "")\""
      case .progress: part.progress.map { "progress \(Int(($0 * 100).rounded(.down)))%" } ?? "progress"
      case .image: "image \(part.text ?? "")"
      default: nil
      }
    }
    return texts == ["\"\(node.spoken)\""] ? [] : texts
  }

  private static func line(_ text: String, _ node: ViewNode) -> String {
    ([text] + notes(node)).joined(separator: " ")
  }

  private static func notes(_ node: ViewNode) -> [String] {
    var notes = node.traits.subtracting(["updates"]).sorted()
    if node.isDisabled { notes.append("disabled") }
    if let value = node.value, !value.isEmpty, node.kind != .field { notes.append("value \"\(value)\"") }
    if let hint = node.hint, !hint.isEmpty { notes.append("hint \"\(hint)\"") }
    return notes.isEmpty ? [] : ["(" + notes.joined(separator: ", ") + ")"]
  }
}

/// A file of expectations. A passing test never writes it; `RECORD_SNAPSHOTS=1` does.
enum Golden {
  static func check(_ text: String, _ name: String) throws -> String? {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Golden/\(name).txt")
    let text = text + "\n"
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil {
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
      return nil
    }
    guard let expected = try? String(contentsOf: file, encoding: .utf8) else {
      return "There is no Golden/\(name).txt. Record it: RECORD_SNAPSHOTS=1."
    }
    if expected == text { return nil }
    let (old, new) = (expected.components(separatedBy: "\n"), text.components(separatedBy: "\n"))
    let index = zip(old, new).enumerated().first { $1.0 != $1.1 }?.offset ?? min(old.count, new.count)
    func at(_ lines: [String]) -> String { index < lines.count ? lines[index] : "nothing" }
    return "Golden/\(name).txt:\(index + 1): expected \(at(old)), found \(at(new))"
  }
}

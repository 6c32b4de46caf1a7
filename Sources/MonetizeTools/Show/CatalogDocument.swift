// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A page about a catalog with headings, sentences, lists and tables, to write as text, Markdown or HTML.
public struct CatalogDocument: ToolReport, Hashable {
  enum Block: Sendable, Hashable {
    case heading(String)
    case text(String)
    /// `isChecked` puts a box before each line.
    case list([String], isChecked: Bool)
    case steps([String])
    case table(head: [String], rows: [[String]])
  }

  /// The date of all questions; the document does not depend on it.
  static let date = Date(timeIntervalSince1970: 1_773_144_000)

  /// The title of the page.
  public let title: String
  let blocks: [Block]

  init(_ title: String, _ blocks: [Block?]) { (self.title, self.blocks) = (title, blocks.compactMap { $0 }) }

  /// The title and the document as Markdown.
  public var json: String { ToolJSON.text(["title": title, "markdown": markdown]) }

  /// ``text``, ``json``, ``markdown`` or ``html``.
  public func output(as format: String) -> String? {
    switch format {
    case "markdown": markdown
    case "html": html
    default: textOrJSON(format)
    }
  }

  // MARK: Text

  /// For a terminal: aligned columns, no colour.
  public var text: String {
    ([title, ""] + blocks.flatMap(Self.lines)).joined(separator: "\n").trimmingCharacters(in: .newlines) + "\n"
  }

  private static func lines(_ block: Block) -> [String] {
    switch block {
    case .heading(let text): [text]
    case .text(let text): ["  " + text, ""]
    case .list(let items, let isChecked): items.map { "  \(isChecked ? "[ ]" : "-") \($0)" } + [""]
    case .steps(let items): items.enumerated().map { "  \($0 + 1). \($1)" } + [""]
    case .table(let head, let rows): TextTable.lines([head] + rows) + [""]
    }
  }

  // MARK: Markdown

  /// For a repository, or a comment.
  public var markdown: String {
    let body = blocks.map { block -> String in
      switch block {
      case .heading(let text): return "## \(MarkdownText.escaped(text))\n"
      case .text(let text): return "\(MarkdownText.escaped(text))\n"
      case .list(let items, let isChecked): return items.map { "- \(isChecked ? "[ ] " : "")\(MarkdownText.escaped($0))\n" }.joined()
      case .steps(let items): return items.enumerated().map { "\($0 + 1). \(MarkdownText.escaped($1))\n" }.joined()
      case .table(let head, let rows):
        let line = { (cells: [String]) in "| " + cells.map(MarkdownText.escaped).joined(separator: " | ") + " |\n" }
        return line(head) + "|" + String(repeating: "---|", count: head.count) + "\n" + rows.map(line).joined()
      }
    }
    return (["# \(MarkdownText.escaped(title))\n"] + body).joined(separator: "\n")
  }

  // MARK: HTML

  /// A self-contained page: no script, no font, no external picture; light or dark by the reader's setting.
  public var html: String {
    var page = HTMLPage(title: title)
    for block in blocks {
      switch block {
      case .heading(let text): page.heading(text)
      case .text(let text): page.paragraph(text)
      case .list(let items, let isChecked): page.list(items, isChecked: isChecked)
      case .steps(let items): page.list(items, "ol")
      case .table(let head, let rows): page.table(nil, head, rows, hasNumbers: false)
      }
    }
    return page.html
  }
}

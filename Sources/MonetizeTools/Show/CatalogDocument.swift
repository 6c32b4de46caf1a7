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
    case "text": text
    case "json": json
    case "markdown": markdown
    case "html": html
    default: nil
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
    let body = blocks.map { block -> String in
      switch block {
      case .heading(let text): return "<h2>\(escaped(text))</h2>\n"
      case .text(let text): return "<p>\(escaped(text))</p>\n"
      case .list(let items, let isChecked):
        return "<ul\(isChecked ? " class=\"checks\"" : "")>\n" + items.map { "<li>\(escaped($0))</li>\n" }.joined() + "</ul>\n"
      case .steps(let items): return "<ol>\n" + items.map { "<li>\(escaped($0))</li>\n" }.joined() + "</ol>\n"
      case .table(let head, let rows):
        let heads = head.map { "<th scope=\"col\">\(escaped($0))</th>" }.joined()
        let lines = rows.map { row in
          "<tr>" + row.enumerated().map { $0 == 0 ? "<th scope=\"row\">\(escaped($1))</th>" : "<td>\(escaped($1))</td>" }.joined()
            + "</tr>\n"
        }
        return "<div class=\"wide\"><table>\n<thead><tr>\(heads)</tr></thead>\n<tbody>\n\(lines.joined())</tbody>\n</table></div>\n"
      }
    }
    return HTMLDocument(title: title, style: Self.style, body: "<h1>\(escaped(title))</h1>\n" + body.joined()).text
  }

  private static let style = """
    :root { color-scheme: light dark; --line: #d5d9de; --head: #f3f5f7; --quiet: #57606a; }
    @media (prefers-color-scheme: dark) { :root { --line: #3a4048; --head: #21262c; --quiet: #9aa4af; } }
    body { font: 16px/1.5 system-ui, sans-serif; margin: 0; background: Canvas; color: CanvasText; }
    main { max-width: 72rem; margin: 0 auto; padding: 1.5rem; }
    h1 { font-size: 1.6rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
    .wide { overflow-x: auto; }
    table { border-collapse: collapse; min-width: 50%; }
    th, td { text-align: left; vertical-align: top; padding: .45rem .8rem; border-bottom: 1px solid var(--line); }
    thead th { background: var(--head); position: sticky; top: 0; }
    tbody th { font-weight: 500; }
    ul.checks { list-style: none; padding-left: 0; } ul.checks li::before { content: "☐ "; color: var(--quiet); }
    """

  private func escaped(_ text: String) -> String { HTMLDocument.escaped(text) }
}

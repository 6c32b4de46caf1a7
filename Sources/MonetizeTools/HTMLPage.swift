// SPDX-License-Identifier: Apache-2.0

/// A page of headings, sentences, lists, tables and charts: no script, no external address, light and dark, readable at any text size.
package struct HTMLPage {
  private let title: String
  private var body: String
  /// The last heading, which names a table without a caption.
  private var section: String

  /// Makes a page with its title and, below it, a sentence about the whole.
  package init(title: String, lead: String? = nil) {
    (self.title, section) = (title, title)
    body = "<h1>\(HTMLDocument.escaped(title))</h1>\n"
    if let lead { body += "<p class=\"lead\">\(HTMLDocument.escaped(lead))</p>\n" }
  }

  /// Begins a section.
  package mutating func heading(_ text: String) {
    section = text
    body += "<h2>\(HTMLDocument.escaped(text))</h2>\n"
  }

  /// Adds a sentence.
  package mutating func paragraph(_ text: String) { body += "<p>\(HTMLDocument.escaped(text))</p>\n" }

  /// Adds a list.
  /// - Parameters:
  ///   - items: The items.
  ///   - kind: `ol` for numbers.
  ///   - isChecked: Whether each item has a box to check.
  package mutating func list(_ items: [String], _ kind: String = "ul", isChecked: Bool = false) {
    let lines = items.map { "<li>\(HTMLDocument.escaped($0))</li>\n" }.joined()
    body += "<\(kind)\(isChecked ? " class=\"checks\"" : "")>\n\(lines)</\(kind)>\n"
  }

  /// Adds a table whose first column names the rows. A table wider than the page scrolls by itself.
  /// - Parameters:
  ///   - caption: The title above it; `nil` where a heading is enough.
  ///   - head: The titles of the columns.
  ///   - rows: The cells.
  ///   - hasNumbers: Whether all columns but the first are numbers, which are aligned to the right.
  ///   - marks: The class of a row by its index: `good` or `bad`.
  package mutating func table(
    _ caption: String?, _ head: [String], _ rows: some Sequence<[String]>, hasNumbers: Bool = true, marks: [Int: String] = [:]
  ) {
    let escaped = HTMLDocument.escaped
    body += "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"\(escaped(caption ?? section))\">\n"
    body += "<table\(hasNumbers ? "" : " class=\"words\"")>\n" + (caption.map { "<caption>\(escaped($0))</caption>\n" } ?? "")
    body += "<thead><tr>" + head.map { "<th scope=\"col\">\(escaped($0))</th>" }.joined() + "</tr></thead>\n<tbody>\n"
    for (index, row) in rows.enumerated() {
      let mark = marks[index].map { " class=\"\($0)\"" } ?? ""
      body += "<tr\(mark)><th scope=\"row\">\(escaped(row.first ?? ""))</th>"
      body += row.dropFirst().map { "<td>\(escaped($0))</td>" }.joined() + "</tr>\n"
    }
    body += "</tbody></table></div>\n"
  }

  /// Adds a drawing under a title. One wider than the page scrolls by itself.
  package mutating func figure(_ title: String, svg: String) {
    let name = HTMLDocument.escaped(title)
    body += "<figure><figcaption>\(name)</figcaption>"
    body += "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"\(name)\">\(svg)</div></figure>\n"
  }

  /// Adds bars below one another, so that a long name wraps and grows with the text.
  package mutating func bars(_ title: String, _ rows: [(name: String, percent: Int, text: String)]) {
    let lines = rows.map { row in
      "<li><span>\(HTMLDocument.escaped(row.name))</span> <span class=\"track\"><span style=\"width:\(row.percent)%\"></span></span> "
        + "<b>\(HTMLDocument.escaped(row.text))</b></li>\n"
    }
    body += "<figure><figcaption>\(HTMLDocument.escaped(title))</figcaption>\n<ul class=\"steps\">\n\(lines.joined())</ul></figure>\n"
  }

  /// The whole page.
  package var html: String { HTMLDocument(title: title, style: Self.style, body: body).text }

  private static let style = """
    :root { --ground: #ffffff; --text: #1b1d21; --soft: #565b64; --line: #d5d8de; --one: #1f5fbf; --two: #b3541e; --band: #1f5fbf2e; --good: #1d6b34; --bad: #a52020 }
    @media (prefers-color-scheme: dark) {
      :root { --ground: #16181c; --text: #eceef2; --soft: #aab0bb; --line: #3b4049; --one: #7fb0ff; --two: #f2a468; --band: #7fb0ff38; --good: #7fd69a; --bad: #ff9c94 }
    }
    * { box-sizing: border-box }
    body { margin: 0; background: var(--ground); color: var(--text); font: 1rem/1.5 system-ui, sans-serif }
    main { max-width: 64rem; margin: 0 auto; padding: 1.5rem 1rem 3rem }
    h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 .5rem }
    h2 { font-size: 1.2rem; line-height: 1.3; margin: 2rem 0 .5rem }
    p, li { max-width: 46rem; overflow-wrap: anywhere }
    .lead { color: var(--soft); margin: 0 0 1rem }
    .scroll { overflow-x: auto; margin: .75rem 0; background: linear-gradient(to right, var(--ground) 40%, transparent) left / 3rem 100% local, linear-gradient(to left, var(--ground) 40%, transparent) right / 3rem 100% local, linear-gradient(to right, var(--line), transparent) left / 1rem 100% scroll, linear-gradient(to left, var(--line), transparent) right / 1rem 100% scroll; background-repeat: no-repeat }
    table { border-collapse: collapse; min-width: 60%; font-variant-numeric: tabular-nums }
    caption { text-align: start; color: var(--soft); padding-bottom: .25rem }
    th, td { padding: .3rem .75rem .3rem 0; border-bottom: 1px solid var(--line); text-align: end; vertical-align: top }
    td { white-space: nowrap }
    th:first-child { text-align: start; font-weight: 500; min-width: 9rem }
    thead th, thead th:first-child { font-weight: 600 }
    .words th, .words td { text-align: start; white-space: normal }
    .checks { list-style: none; padding: 0 } .checks li::before { content: "☐ "; color: var(--soft) }
    tr.good td:nth-of-type(2) { color: var(--good); font-weight: 600 }
    tr.bad td:nth-of-type(2) { color: var(--bad); font-weight: 600 }
    .steps { list-style: none; padding: 0; margin: 0 }
    .steps li { max-width: none; display: grid; grid-template-columns: minmax(0, 12rem) 1fr auto; gap: .25rem .75rem; align-items: center; padding: .2rem 0 }
    .track span { display: block; height: 1.1rem; background: var(--one) }
    @media (max-width: 34rem) { .steps li { grid-template-columns: 1fr auto } .track { grid-row: 2; grid-column: 1 / -1 } }
    figure { margin: .75rem 0 }
    figcaption { color: var(--soft); margin-bottom: .25rem }
    svg { display: block; width: 100%; min-width: 40rem; height: auto }
    svg text { fill: var(--soft); font: 12px system-ui, sans-serif }
    .axis { stroke: var(--line); stroke-width: 1 }
    .one { stroke: var(--one) } .two { stroke: var(--two) } .bar { fill: var(--one) } .band { fill: var(--band) }
    .line { fill: none; stroke-width: 2.5; stroke-linejoin: round }
    :focus-visible { outline: 2px solid var(--one); outline-offset: 2px }
    """
}

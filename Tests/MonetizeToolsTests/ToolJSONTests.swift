// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeTools
import Testing

@Suite("The JSON format of the tools") struct ToolJSONTests {
  private struct Page: Codable, Equatable {
    var lists: [[String]] = []
    var texts: [String] = []
    var counts: [String: Int] = [:]
  }

  @Test("Empty lists and objects take one line, and spaces in texts stay") func emptyValues() {
    let page = Page(lists: [[], ["", "  [ ]", "a  b"], []])
    #expect(
      ToolJSON.text(page) == """
        {
          "counts" : {},
          "lists" : [
            [],
            [
              "",
              "  [ ]",
              "a  b"
            ],
            []
          ],
          "texts" : []
        }
        """)
  }

  @Test("Characters that a terminal acts on are escaped, and can be read back") func hiddenCharacters() throws {
    let page = Page(texts: ["\u{1B}[31m", "\u{7F}", "\u{9B}1m", "\u{202E}evil\u{2066}", "line\n\n  end", "“é…” 👩‍👧", ""])
    let text = ToolJSON.text(page)
    let hidden: [Unicode.Scalar] = ["\u{1B}", "\u{7F}", "\u{9B}", "\u{202E}", "\u{2066}"]
    #expect(hidden.allSatisfy { !text.unicodeScalars.contains($0) })
    let escaped = ["\\u001b", "\\u007f", "\\u009b", "\\u202e", "\\u2066", "“é…” 👩‍👧"]
    #expect(escaped.allSatisfy(text.lowercased().contains))
    #expect(try JSONDecoder().decode(Page.self, from: Data(text.utf8)) == page)
  }
}

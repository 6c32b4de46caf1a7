// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON
import Testing

@Suite(.timeLimit(.minutes(30)))
struct DiagnosticTests {
  @Test func rendersAsCompilersDo() {
    let diagnostic = Diagnostic(
      .error, "unknown-key", path: "products[0]", position: SourcePosition(line: 12, column: 7), message: "Unknown key \"prise\".")
    #expect(diagnostic.rendered(file: "a.json") == "a.json:12:7: error: Unknown key \"prise\". [unknown-key] at products[0]")
  }
}

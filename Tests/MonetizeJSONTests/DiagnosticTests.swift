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

  @Test(
    "what a message quotes is cut after 60 characters, the sentence around it is not",
    arguments: [
      (String(repeating: "a", count: 60), String(repeating: "a", count: 60)),
      (String(repeating: "a", count: 5000), String(repeating: "a", count: 60) + "…"),
      (String(repeating: "é b", count: 2000), String(repeating: "é b", count: 20) + "…"),
      (String(repeating: #"\""#, count: 100), String(repeating: #"\""#, count: 30) + "…"),
    ])
  func cuts(name: String, shown: String) {
    let rest = "The verbs are launch, quit, purchase, restore and many others. Write one of them, or look into the guide."
    let message = Diagnostic(.error, "unknown-verb", path: "", position: nil, message: "There is no verb \"\(name)\". \(rest)").message
    #expect(message == "There is no verb \"\(shown)\". \(rest)")
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// A report's JSON: keys sorted, two spaces, decimal numbers as strings; the same on every machine.
func toolJSON(_ value: some Encodable) -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
  // What is encoded here has no value that JSON cannot hold.
  let text = (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
  // Foundation writes an empty list over three lines. A line end never stands inside a JSON string, so that only lists match.
  return text.replacingOccurrences(of: "\\[\n\n *\\]", with: "[]", options: .regularExpression)
}

/// A diagnostic in the documented, stable form of `--format json`.
struct DiagnosticEntry: Encodable {
  let severity: String
  let code: String
  let path: String
  let line: Int?
  let column: Int?
  let message: String

  init(_ diagnostic: Diagnostic) {
    (severity, code, path) = (diagnostic.severity.rawValue, diagnostic.code.rawValue, diagnostic.path)
    (line, column, message) = (diagnostic.position?.line, diagnostic.position?.column, diagnostic.message)
  }
}

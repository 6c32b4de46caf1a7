// SPDX-License-Identifier: Apache-2.0
import Monetize

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

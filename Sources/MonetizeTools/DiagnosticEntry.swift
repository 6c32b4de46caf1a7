// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// A diagnostic in the documented, stable form of `--format json`.
public struct DiagnosticEntry: Encodable, Sendable {
  /// How serious it is: `error`, `warning` or `note`.
  public let severity: String
  /// The code of the rule, such as `unknown-feature`.
  public let code: String
  /// The place in the file, such as `products[2].price`.
  public let path: String
  /// The line in the file, from 1, if known.
  public let line: Int?
  /// The column in the line, from 1, if known.
  public let column: Int?
  /// The sentence.
  public let message: String

  /// Makes the entry of a diagnostic.
  public init(_ diagnostic: Diagnostic) {
    (severity, code, path) = (diagnostic.severity.rawValue, diagnostic.code.rawValue, diagnostic.path)
    (line, column, message) = (diagnostic.position?.line, diagnostic.position?.column, diagnostic.message)
  }
}

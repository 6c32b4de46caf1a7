// SPDX-License-Identifier: Apache-2.0

/// The first syntax error of a text. There is only one, because nothing after it can be interpreted.
package struct JSONSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A message that explains the error and ends with the remedy.
  package let message: String
  /// The position of the offending character, or of the end of a text that ends too early.
  package let position: SourcePosition

  package var diagnostic: Diagnostic { Diagnostic(.error, "json-syntax", path: "", position: position, message: message) }

  /// `3:14: error: … [json-syntax]`.
  package var description: String { diagnostic.description }
}

// SPDX-License-Identifier: Apache-2.0

/// The first place where a text stops being JSON. There is only ever one: after it nothing can be told with certainty.
package struct JSONSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A sentence that says what is wrong and ends with how to mend it.
  package let message: String
  /// The offending character; the end of the text when the text ends too early.
  package let position: SourcePosition

  /// The same as a diagnostic about the whole file.
  package var diagnostic: Diagnostic { Diagnostic(.error, "json-syntax", path: "", position: position, message: message) }

  /// `3:14: error: … [json-syntax]`.
  package var description: String { diagnostic.description }
}

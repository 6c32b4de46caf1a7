// SPDX-License-Identifier: Apache-2.0

/// Where something stands in a text: line and column count from 1, a column is a Unicode scalar.
public struct SourcePosition: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The line, from 1.
  public let line: Int
  /// The column in Unicode scalars, from 1.
  public let column: Int

  /// Makes a position from a line and a column, both from 1.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// Earlier in the text comes first.
  public static func < (a: Self, b: Self) -> Bool { (a.line, a.column) < (b.line, b.column) }

  /// `12:7`.
  public var description: String { "\(line):\(column)" }
}

/// One thing that is wrong, or worth knowing, in a JSON file: what, where, what was expected, and how to mend it.
public struct Diagnostic: Error, Sendable, Hashable, CustomStringConvertible {
  /// How bad it is: an error refuses the file, a warning does not, a note only informs.
  public enum Severity: String, Sendable, Hashable, CaseIterable {
    /// The file is refused.
    case error
    /// The file is accepted, but this is probably not meant.
    case warning
    /// The file is accepted; this only informs.
    case note
  }

  /// A stable name of a sort of diagnostic, such as `unknown-key`. An open set: plug-ins may add their own.
  public struct Code: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The code as it is printed: lower case words joined by hyphens.
    public let rawValue: String
    /// Makes a code from its printed form.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Makes a code from its printed form.
    public init(stringLiteral value: String) { rawValue = value }
    /// The printed form.
    public var description: String { rawValue }
  }

  /// How bad it is.
  public let severity: Severity
  /// The stable code, for filters and documentation.
  public let code: Code
  /// The JSON path of the value, such as `products[0].price.amount`; empty for the whole file.
  public let path: String
  /// Where the value begins in the text, when there is a text.
  public let position: SourcePosition?
  /// A sentence that says what is wrong and ends with how to mend it.
  public let message: String

  /// Makes a diagnostic from its parts.
  public init(_ severity: Severity = .error, _ code: Code, path: String, position: SourcePosition?, message: String) {
    self.severity = severity
    self.code = code
    self.path = path
    self.position = position
    self.message = message
  }

  /// `12:7: error: … [unknown-key] at products[0]`, without the file's name.
  public var description: String { rendered(file: nil) }

  /// The diagnostic on one line as compilers print it, after the file's name when there is one.
  public func rendered(file: String?) -> String {
    let place = [file, position?.description].compactMap { $0 }.joined(separator: ":")
    let prefix = place.isEmpty ? "" : place + ": "
    return "\(prefix)\(severity.rawValue): \(message) [\(code)]" + (path.isEmpty ? "" : " at \(path)")
  }
}

// SPDX-License-Identifier: Apache-2.0

/// A position in a text. Lines and columns count from 1; a column is a Unicode scalar.
public struct SourcePosition: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The line, from 1.
  public let line: Int
  /// The column in Unicode scalars, from 1.
  public let column: Int

  /// Makes a position from a line and a column, both from 1.
  public init(line: Int, column: Int) { (self.line, self.column) = (line, column) }

  /// Earlier positions come first.
  public static func < (a: Self, b: Self) -> Bool { (a.line, a.column) < (b.line, b.column) }

  /// The position as text, such as `12:7`.
  public var description: String { "\(line):\(column)" }
}

/// A mistake or remark about a JSON file: what is wrong, where, what was expected, and how to fix it.
public struct Diagnostic: Error, Sendable, Hashable, CustomStringConvertible {
  /// The severity: an error refuses the file, a warning and a note do not.
  public enum Severity: String, Sendable, Hashable, CaseIterable {
    /// The file is refused.
    case error
    /// The file is accepted, but this is probably a mistake.
    case warning
    /// The file is accepted. For information only.
    case note
  }

  /// The stable name of a kind of diagnostic, such as `unknown-key`. An open set: plug-ins may add their own.
  public struct Code: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The printed form: lower case words joined by hyphens.
    public let rawValue: String
    /// Makes a code from its printed form.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Makes a code from its printed form.
    public init(stringLiteral value: String) { rawValue = value }
    /// The printed form.
    public var description: String { rawValue }
  }

  /// The severity.
  public let severity: Severity
  /// The stable code, for filters and documentation.
  public let code: Code
  /// The JSON path of the value, such as `products[0].price.amount`; empty for the whole file.
  public let path: String
  /// The position where the value begins; `nil` without a text.
  public let position: SourcePosition?
  /// A message that explains the problem and ends with the remedy. Quoted text is cut after 60 characters.
  public let message: String

  /// Makes a diagnostic from its parts. Cuts quoted text in the message after 60 characters, because a name in a file may have any length.
  public init(_ severity: Severity = .error, _ code: Code, path: String, position: SourcePosition?, message: String) {
    self.severity = severity
    self.code = code
    self.path = path
    self.position = position
    self.message = Self.cuttingQuotes(in: message)
  }

  private static func cuttingQuotes(in message: String) -> String {
    let most = 60
    guard message.utf8.count > most else { return message }
    var (shown, quoted) = (String.UnicodeScalarView(), String.UnicodeScalarView())
    var (isOpen, isEscaped) = (false, false)
    for scalar in message.unicodeScalars {
      let ends = scalar == "\"" && !isEscaped
      isEscaped = scalar == "\\" && !isEscaped
      if isOpen, !ends { quoted.append(scalar) }
      if isOpen, ends {
        shown += quoted.count > most ? Array(quoted.prefix(most)) + ["…"] : Array(quoted)
        quoted.removeAll()
      }
      if !isOpen || ends { shown.append(scalar) }
      if ends { isOpen.toggle() }
    }
    return String(shown + quoted)
  }

  /// `12:7: error: … [unknown-key] at products[0]`, without the file's name.
  public var description: String { rendered(file: nil) }

  /// The diagnostic on one line in the format of compilers, after the file's name if there is one.
  public func rendered(file: String?) -> String {
    let place = [file, position?.description].compactMap { $0 }.joined(separator: ":")
    let prefix = place.isEmpty ? "" : place + ": "
    return "\(prefix)\(severity.rawValue): \(message) [\(code)]" + (path.isEmpty ? "" : " at \(path)")
  }
}

// SPDX-License-Identifier: Apache-2.0

/// The result of a command-line verb: a value that a front end prints as text or as JSON.
///
/// A front end (the command line in Examples, a plugin, an app's own executable) parses arguments, calls the verb and prints its report. It
/// makes no decisions.
public protocol ToolReport: Sendable {
  /// The report for a person: aligned lines without colour, each with a final newline.
  var text: String { get }
  /// The report for a program: one JSON document with documented, stable keys.
  var json: String { get }
  /// Problems for a person to look at, one sentence per line, for standard error; empty for none. The JSON includes them.
  var problems: [String] { get }
  /// The report in a format by its name; `nil` for a format that it does not have. Default: `text` and `json`.
  func output(as format: String) -> String?
  /// The exit status of the report.
  var status: ToolStatus { get }
}

extension ToolReport {
  /// Nothing.
  public var problems: [String] { [] }

  /// ``ToolStatus/fine``.
  public var status: ToolStatus { .fine }

  /// ``text`` and ``json``.
  public func output(as format: String) -> String? { textOrJSON(format) }

  func textOrJSON(_ format: String) -> String? { format == "text" ? text : format == "json" ? json : nil }
}

/// The exit status of a command-line verb.
public enum ToolStatus: Int32, Sendable {
  /// Success.
  case fine = 0
  /// The answer is no: a mistake in a file, a failed expectation, different files.
  case no = 1
  /// The verb could not run: bad arguments, an unreadable file.
  case notRun = 2
}

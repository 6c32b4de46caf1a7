// SPDX-License-Identifier: Apache-2.0

/// What a verb of the command line found: a value that a front prints as text or as JSON.
///
/// A front (the command line in Examples, a plugin, an app's own executable) parses arguments, calls the verb and prints its report. It decides nothing.
public protocol ToolReport: Sendable {
  /// The report for a person: aligned lines without colour, each ended by a newline.
  var text: String { get }
  /// The report for a program: one JSON document with documented, stable keys.
  var json: String { get }
  /// What a person has to look at, one sentence a line, for standard error; empty for nothing. In the JSON it is part of the document.
  var problems: [String] { get }
  /// The report in a format by its name; `nil` for a format that it does not have. Default: `text` and `json`.
  func output(as format: String) -> String?
  /// The exit status that the report stands for.
  var status: ToolStatus { get }
}

extension ToolReport {
  /// Nothing.
  public var problems: [String] { [] }

  /// ``ToolStatus/fine``.
  public var status: ToolStatus { .fine }

  /// ``text`` and ``json``.
  public func output(as format: String) -> String? {
    switch format {
    case "text": text
    case "json": json
    default: nil
    }
  }
}

/// How a verb of the command line ended, as its exit status.
public enum ToolStatus: Int32, Sendable {
  /// All is well.
  case fine = 0
  /// The answer is no: a mistake in a file, an expectation that did not hold, files that differ.
  case no = 1
  /// The verb could not be run: bad arguments, an unreadable file.
  case notRun = 2
}

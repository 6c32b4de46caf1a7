// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator

/// The findings of lint in some files.
public struct LintReport: ToolReport {
  /// One file.
  public struct File: Sendable {
    /// The name of the file.
    public let name: String
    /// The findings in the order of the text, including accepted ones.
    public let findings: [LintFinding]
  }

  /// The files, in the given order.
  public let files: [File]
  let rules: [LintRule]

  /// The findings that are not accepted, each with its file.
  var open: [(file: String, finding: LintFinding)] {
    files.flatMap { file in file.findings.filter { $0.reason == nil }.map { (file.name, $0) } }
  }

  /// ``text``, ``json``, ``github`` or ``sarif``.
  public func output(as format: String) -> String? {
    switch format {
    case "github": github
    case "sarif": sarif
    default: textOrJSON(format)
    }
  }

  /// ``ToolStatus/no`` when an error is not accepted.
  public var status: ToolStatus { count(.error) > 0 ? .no : .fine }

  private func count(_ severity: Diagnostic.Severity) -> Int { open.filter { $0.finding.diagnostic.severity == severity }.count }

  /// Each finding on two lines, in the format of compilers, then the totals.
  public var text: String {
    let found = open.map { $0.finding.diagnostic.rendered(file: $0.file) + "\n    from \($0.finding.source)\n" }
    let accepted = files.map { $0.findings.count }.reduce(0, +) - found.count
    let severities = [(count(.error), "error"), (count(.warning), "warning")].filter { $0.0 > 0 }
    let counts = severities.map { CatalogWords.counted($0, $1) } + (accepted > 0 ? ["\(accepted) accepted"] : [])
    let summary = counts.isEmpty ? "Nothing found" : counts.joined(separator: ", ")
    return found.joined() + "\(summary) in \(files.count == 1 ? files[0].name : "\(files.count) files").\n"
  }

  /// A list of files, each with `file`, `errors`, `warnings` and `findings`: `severity`, `code`, `path`, `line`, `column`, `message`,
  /// `source`, and for an accepted finding `accepted`, the reason.
  public var json: String {
    ToolJSON.text(
      files.map { file in
        func count(_ severity: Diagnostic.Severity) -> Int {
          file.findings.filter { $0.reason == nil && $0.diagnostic.severity == severity }.count
        }
        return [
          "file": file.name, "errors": count(.error), "warnings": count(.warning), "findings": file.findings.map(Self.object),
        ] as ToolObject
      })
  }

  private static func object(_ finding: LintFinding) -> ToolObject {
    let entry = DiagnosticEntry(finding.diagnostic)
    return [
      "severity": entry.severity, "code": entry.code, "path": entry.path, "line": entry.line, "column": entry.column,
      "message": entry.message, "source": finding.source, "accepted": finding.reason,
    ]
  }
}

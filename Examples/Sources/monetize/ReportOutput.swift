// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import MonetizeReports

/// How a report is printed.
enum ReportFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json, html
}

extension Terminal {
  /// Prints a report, in which line breaks are the report's own.
  static func report(_ text: String) { line(text.hasSuffix("\n") ? String(text.dropLast()) : text) }
}

extension ReportProblem {
  /// Why a report cannot be made, as the command line says it.
  var problem: Problem { Problem(description) }
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import MonetizeReports

/// The format of a report.
enum ReportFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json, html
}

extension Terminal {
  /// Prints a report with its own line breaks.
  static func report(_ text: String) { line(text.hasSuffix("\n") ? String(text.dropLast()) : text) }
}

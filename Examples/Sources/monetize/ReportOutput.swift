// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import MonetizeTools

/// The format of results.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable { case text, json }

/// The format of a report that has a page.
enum ReportFormat: String, ExpressibleByArgument, CaseIterable { case text, json, html }

extension Terminal {
  /// Prints a report with its own line breaks, and nothing for an empty one.
  static func report(_ text: String) { block(text.isEmpty || text.hasSuffix("\n") ? text : text + "\n") }
}

extension ToolReport {
  /// Prints the report in one of its formats, and ends the command with its status.
  func show(_ format: some RawRepresentable<String>, problems showsProblems: Bool = true) throws {
    if format.rawValue == "text", showsProblems { for problem in problems { Terminal.problem(problem) } }
    Terminal.report(output(as: format.rawValue) ?? "")
    try Terminal.end(status)
  }
}

/// Writes a result to a path from the command line.
func write(_ text: String, to path: String) throws { try write(Data(text.utf8), to: path) }

/// Writes a table of texts, and makes its folder.
func writeTable(_ text: String, to path: String) throws {
  try? FileManager.default.createDirectory(at: URL(fileURLWithPath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
  try write(text, to: path)
}

/// Writes a result to a path from the command line.
func write(_ data: Data, to path: String) throws {
  do throws(InputFile.Unreadable) { try OutputFile.write(data, to: path) } catch {
    Terminal.problem("\(path): \(error.reason)")
    throw ExitCode.couldNotRun
  }
}

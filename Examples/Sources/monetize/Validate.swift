// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Monetize
import MonetizeSimulator
import MonetizeTools

struct Validate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Checks catalogs and lists all mistakes at once.",
    discussion:
      "A folder means all catalogs in it: its .json files other than scenarios and JSON Schemas. The exit status is 1 when a file has an "
      + "error."
  )

  @Argument(help: "Catalog files, or folders of them.", completion: .file(extensions: ["json"]))
  var files: [String]

  @Flag(help: "Print notes, such as sections that change no decision.")
  var notes = false

  @Option(help: "text or json.")
  var format = OutputFormat.text

  private struct Report: Encodable {
    let file: String
    let valid: Bool
    let diagnostics: [DiagnosticEntry]
  }

  func run() throws {
    var reports: [Report] = []
    let files = JSONFiles.readCatalogs(files)
    for (path, file) in files {
      switch file {
      case .failure(let error):
        reports.append(Report(file: path, valid: false, diagnostics: [DiagnosticEntry(error.diagnostic(path))]))
      case .success(let file): reports.append(report(on: file))
      }
    }
    if format == .json { Terminal.report(ToolJSON.text(reports)) }
    let broken = reports.filter { !$0.valid && $0.diagnostics.first?.code != "unreadable" }.count
    let errors = reports.flatMap(\.diagnostics).filter { $0.severity == "error" && $0.code != "unreadable" }.count
    if errors > 0, format == .text {
      let place = files.count == 1 ? "" : " in \(broken) of \(files.count) files"
      Terminal.problem("\(CatalogWords.counted(errors, "error"))\(place).")
    }
    if files.contains(where: { (try? $0.file.get()) == nil }) { throw ExitCode.couldNotRun }
    if broken > 0 { throw ExitCode.no }
  }

  private func report(on file: InputFile) -> Report {
    let mistake = file.mistake(expecting: .catalog)
    let reading = Catalog.validating(file.data)
    let diagnostics = mistake.map { [$0] } ?? reading.diagnostics
    let catalog = mistake == nil ? reading.catalog : nil
    if format == .text {
      file.report(diagnostics.filter { notes || $0.severity != .note })
      if let catalog { Terminal.line("\(file.path): \(Style.output.green("valid")), \(ValidateReport.summary(of: catalog))") }
    }
    return Report(file: file.path, valid: catalog != nil, diagnostics: diagnostics.map(DiagnosticEntry.init))
  }
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Monetize
import MonetizeSimulator

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
    let diagnostics: [DiagnosticJSON]
  }

  func run() throws {
    var reports: [Report] = []
    let files = JSONFiles.catalogs(files)
    for path in files {
      let file = try InputFile(path)
      let reading = Catalog.reading(file.data)
      let diagnostics = file.otherForCatalog.map { [$0] } ?? reading.diagnostics
      reports.append(Report(file: path, valid: reading.catalog != nil, diagnostics: diagnostics.map(DiagnosticJSON.init)))
      if format == .text {
        file.report(diagnostics.filter { notes || $0.severity != .note })
        if let catalog = reading.catalog { Terminal.line("\(path): \(Style.output.green("valid")), \(Self.summary(catalog))") }
      }
    }
    if format == .json { Terminal.line(try Terminal.json(reports)) }
    let broken = reports.filter { !$0.valid }.count
    if broken > 0 {
      if format == .text {
        let errors = reports.flatMap(\.diagnostics).filter { $0.severity == "error" }.count
        let place = files.count == 1 ? "" : " in \(broken) of \(files.count) files"
        Terminal.problem("\(CatalogWords.counted(errors, "error"))\(place).")
      }
      throw ExitCode.no
    }
  }

  static func summary(_ catalog: Catalog) -> String {
    var parts = [
      CatalogWords.counted(catalog.products.count, "product"), CatalogWords.counted(catalog.features.count, "feature"),
    ]
    if !catalog.collections.isEmpty {
      let items = catalog.collections.reduce(0) { $0 + $1.items.count }
      parts.append("\(CatalogWords.counted(catalog.collections.count, "collection")) of \(CatalogWords.counted(items, "item"))")
    }
    return parts.joined(separator: ", ")
  }
}

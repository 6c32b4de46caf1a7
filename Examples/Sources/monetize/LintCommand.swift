// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import MonetizeTools

struct LintCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint",
    abstract: "Checks catalogs against the store's review rules and good practice.",
    discussion: """
      The mistakes of `validate` come first. A finding is accepted with a reason in the catalog itself:
      "lint": { "accept": [{ "code": "…", "at": "…", "reason": "…" }] }. The exit status is 1 when an error remains.
      """)

  @Argument(help: "Catalog files, or folders of them.", completion: .file(extensions: ["json"]))
  var files: [String]

  @Option(help: "text, json, github (annotations of a pull request) or sarif (for code scanning).")
  var format = LintFormat.text

  @Option(
    help: ArgumentHelp("An Xcode StoreKit file whose prices the catalogs are compared with.", valueName: "file"),
    completion: .file(extensions: ["storekit"]))
  var storekit: String?

  enum LintFormat: String, ExpressibleByArgument, CaseIterable { case text, json, github, sarif }

  func run() throws {
    var rules = [LintRule].standard
    if let storekit { rules.append(.prices(match: try readStoreKit(storekit).prices, in: storekit)) }
    var (catalogs, status) = ([LintFile](), ToolStatus.fine)
    for (path, file) in JSONFiles.readCatalogs(files) {
      guard case .success(let file) = file else {
        status = .notRun
        continue
      }
      if let mistake = file.mistake(expecting: .catalog) {
        file.report([mistake])
        if status == .fine { status = .no }
        continue
      }
      let tables = try LintFile.tables(besideCatalog: path).map { (name: $0, json: try InputFile($0).data) }
      catalogs.append(LintFile(name: path, json: file.data, tables: tables))
    }
    if catalogs.isEmpty { return try Terminal.end(status) }
    let report = Lint(rules: rules).report(on: catalogs)
    Terminal.report(report.output(as: format.rawValue) ?? "")
    try Terminal.end(status == .fine ? report.status : status)
  }
}

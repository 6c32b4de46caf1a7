// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// The verbs for the review of a catalog and of its changes.
extension ToolVerb {
  static let lintCatalogs = ToolVerb(
    name: "lint", usage: "lint <catalog>… [--storekit <file>]", abstract: "Checks catalogs against the store's review rules.",
    options: ["storekit"], formats: ["text", "json", "github", "sarif"]
  ) { bench, arguments in
    if arguments.paths.isEmpty { throw ToolProblem("Expected catalogs, but found nothing. Write lint catalog.json.") }
    var rules = [LintRule].standard
    if let path = arguments["storekit"] { rules.append(.prices(match: try bench.storeKit(path).prices, in: path)) }
    let lint = Lint(rules: rules, kinds: bench.kinds, shapes: bench.shapes, conditions: bench.conditions)
    return lint.report(
      on: try arguments.paths.map { path in
        let tables = try LintFile.tables(besideCatalog: path).map { (name: $0, json: try ToolFiles.read($0)) }
        return LintFile(name: path, json: try ToolFiles.read(path), tables: tables)
      })
  }

  static let compareCatalogs = ToolVerb(
    name: "diff", usage: "diff <old catalog> <new catalog>|<catalog> --overlay <overlays>",
    abstract: "Shows the changes between two catalogs, or by remote configuration, and the customers they affect.",
    options: ["overlay"],
    formats: ["text", "json", "markdown"]
  ) { bench, arguments in
    if let overlays = arguments["overlay"] {
      let path = try arguments.path("catalog")
      return DiffReport(try bench.difference(of: bench.catalog(path), under: overlays), old: path, new: overlays)
    }
    let paths = try arguments.paths("old catalog", "new catalog")
    for path in paths { _ = try bench.catalog(path) }
    let diff = try CatalogDiff(
      old: ToolFiles.read(paths[0]), new: ToolFiles.read(paths[1]), kinds: bench.kinds, shapes: bench.shapes, conditions: bench.conditions)
    return DiffReport(diff, old: paths[0], new: paths[1])
  }

  static let showCatalog = ToolVerb(
    name: "show", usage: "show <catalog> [--as review-notes|privacy|testflight]", abstract: "Writes a catalog as a document.",
    options: ["as"],
    formats: ["text", "markdown", "html"]
  ) { bench, arguments in
    let path = try arguments.path("catalog")
    let catalog = try bench.catalog(path)
    switch arguments["as"] ?? "overview" {
    case "overview": return CatalogDocument.overview(of: catalog)
    case "review-notes": return CatalogDocument.reviewNotes(of: catalog)
    case "privacy": return try CatalogDocument.privacy(of: ToolFiles.read(path))
    case "testflight": return CatalogDocument.testFlight(of: catalog)
    case let other: throw ToolProblem("--as: There is no document \"\(other)\". Write overview, review-notes, privacy or testflight.")
    }
  }

  static let migrateCatalog = ToolVerb(
    name: "migrate", usage: "migrate <catalog> [--to <file>] [--check]",
    abstract: "Writes a catalog of an earlier schema version as the current one.",
    options: ["to"], flags: ["check"]
  ) { _, arguments in
    let path = try arguments.path("catalog")
    let data = try ToolFiles.read(path)
    let result: MigratedCatalog
    do throws(MigrationError) { result = try MigratedCatalog(data) } catch {
      ToolFiles.complain(error.diagnostic.rendered(file: path))
      throw ToolRefusal()
    }
    if arguments.flags.contains("check") {
      return DoneReport(text: "", problems: result.problems.map { "\(path): \($0)" }, status: result.from == result.to ? .fine : .no)
    }
    guard let to = arguments["to"] else { return result }
    try ToolFiles.write(result.text, to: to)
    return DoneReport(text: "\(to): written\n", problems: result.problems.map { "\(path): \($0)" })
  }
}

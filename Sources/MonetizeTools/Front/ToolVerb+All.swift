// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

extension ToolVerb {
  static let validate = ToolVerb(
    name: "validate", usage: "validate <catalog>… [--notes]", abstract: "Reports every mistake in catalogs.", flags: ["notes"]
  ) { bench, arguments in
    if arguments.paths.isEmpty { throw ToolProblem("Expected catalogs, but found nothing. Write validate catalog.json.") }
    let files = try arguments.paths.map { path in (path: path, reading: bench.reading(try ToolFiles.read(path))) }
    return ValidateReport(files, showsNotes: arguments.flags.contains("notes"))
  }

  static let check = ToolVerb(
    name: "check",
    usage: "check <catalog> [--depth <steps>] [--states <number>] [--changes <number>] [--skip <property>]… [--properties <file>]",
    abstract: "Searches a catalog for customers who are treated wrongly.",
    options: ["depth", "states", "changes", "skip", "properties"]
  ) { bench, arguments in
    let path = try arguments.path("catalog")
    let catalog = try bench.catalog(path)
    var options = CatalogCheck.Options()
    options.depth = try arguments.number("depth") ?? options.depth
    options.states = try arguments.number("states") ?? options.states
    options.changes = try arguments.number("changes") ?? options.changes
    options.skip = Set(arguments.all("skip"))
    if let file = arguments["properties"] {
      let data = try ToolFiles.read(file)
      do throws(CatalogError) { options.properties = try OwnProperty.read(data, for: catalog) } catch {
        for diagnostic in error.diagnostics { ToolFiles.complain(diagnostic.rendered(file: file)) }
        throw ToolRefusal()
      }
    }
    let check = try CatalogCheck(
      ToolFiles.read(path), kinds: bench.kinds, shapes: bench.shapes, conditions: bench.conditions, options: options)
    return await check.run(catalogPath: URL(fileURLWithPath: path).standardizedFileURL.path)
  }

  static let generate = ToolVerb(
    name: "generate",
    usage: "generate swift <catalog> [--to <file>] [--check] [--name <enum>] [--public], "
      + "generate texts <catalog> [--language <code>] [--to <file>]",
    abstract: "Generates Swift names, or a table of texts to translate, from a catalog.", options: ["to", "name", "language"],
    flags: ["public", "check"]
  ) { bench, arguments in
    let paths = try arguments.paths("swift or texts", "catalog")
    if paths[0] == "texts" { return try texts(try bench.catalog(paths[1]), arguments) }
    guard paths[0] == "swift" else {
      throw ToolProblem("\"\(paths[0])\" is not generated. Write generate swift \(paths[1]), or generate texts \(paths[1]).")
    }
    let (to, isCheck) = (arguments["to"], arguments.flags.contains("check"))
    if isCheck && to == nil { throw ToolProblem("--check needs the file to compare with. Add --to Names.swift.") }
    let existing = to.flatMap { FileManager.default.contents(atPath: $0) }.map { String(decoding: $0, as: UTF8.self) }
    let report = SwiftIdsReport(
      try bench.catalog(paths[1]), file: URL(fileURLWithPath: paths[1]).lastPathComponent,
      options: .init(name: arguments["name"], isPublic: arguments.flags.contains("public")), comparedWith: isCheck ? .some(existing) : .none
    )
    guard let to else { return report }
    if isCheck { return DoneReport(text: "", problems: report.problems, status: report.status) }
    // Leave an unchanged file alone, so that a build is not repeated.
    if existing != report.text { try ToolFiles.write(report.text, to: to) }
    return DoneReport(text: "")
  }

  private static func texts(_ catalog: Catalog, _ arguments: ToolArguments) throws -> any ToolReport {
    let (to, language) = (arguments["to"], arguments["language"])
    let report: TranslationTable
    do { report = try .of(catalog, in: language, at: to, existing: to.flatMap(FileManager.default.contents(atPath:))) } catch {
      guard let mistakes = error as? CatalogError, let to else { throw error }
      for diagnostic in mistakes.diagnostics { ToolFiles.complain(diagnostic.rendered(file: to)) }
      throw ToolRefusal()
    }
    guard let to else { return report }
    try ToolFiles.writeTable(report.text, to: to)
    return DoneReport(text: report.summary(of: to))
  }

  static let storekit = ToolVerb(
    name: "storekit",
    usage: "storekit check|import|export|diff <file>… [--to <file>] [--check] "
      + "[--currency <code>] [--app-id <id>] [--app-name <name>]",
    abstract: "Reads and writes Xcode's .storekit files.",
    options: ["to", "app-id", "app-name", "currency"], flags: ["check"]
  ) { bench, arguments in
    switch (arguments.paths.first, arguments.paths.count) {
    case ("check", 2):
      return StoreKitCheckReport(try ToolFiles.read(arguments.paths[1]), path: arguments.paths[1])
    case ("import", 2):
      let name = URL(fileURLWithPath: arguments.paths[1]).deletingPathExtension().lastPathComponent
      let result = try storeKit(arguments.paths[1], bench, arguments).imported(
        appID: arguments["app-id"], appName: arguments["app-name"] ?? name)
      guard let to = arguments["to"] else { return StoreKitImportReport(result) }
      try ToolFiles.write(result.json, to: to)
      let tables = result.newTables(besideCatalog: to)
      for (path, json) in tables { try ToolFiles.writeTable(json, to: path) }
      return DoneReport(text: ([to] + tables.map(\.path)).map { "\($0): written\n" }.joined(), problems: result.notes)
    case ("export", 2): return try export(bench, arguments)
    case ("diff", 3):
      let catalog = try bench.catalog(arguments.paths[1])
      let texts = try bench.texts(of: catalog, at: arguments.paths[1])
      return try StoreKitDifferenceReport(catalog, texts: texts, try storeKit(arguments.paths[2], bench, arguments))
    default:
      throw ToolProblem("Write storekit check <file>, import <file>, export <catalog> or diff <catalog> <file>.")
    }
  }

  /// Reads a `.storekit` file, with the currency in the arguments.
  private static func storeKit(_ path: String, _ bench: ToolBench, _ arguments: ToolArguments) throws -> StoreKitFile {
    var file = try bench.storeKit(path)
    if let code = arguments["currency"] {
      guard let currency = StoreKitFile.currency(named: code) else {
        throw ToolProblem("The App Store has no prices in \"\(code)\". Write an ISO 4217 code such as EUR after --currency.")
      }
      file.currency = currency
    }
    return file
  }

  private static func export(_ bench: ToolBench, _ arguments: ToolArguments) throws -> any ToolReport {
    let catalog = try bench.catalog(arguments.paths[1])
    var file = StoreKitFile(appID: catalog.app.id)
    if let to = arguments["to"], FileManager.default.fileExists(atPath: to) {
      file = try storeKit(to, bench, arguments)
    }
    let notes = file.notes(on: catalog)
    let texts = try bench.texts(of: catalog, at: arguments.paths[1])
    let differences = try file.update(from: catalog, texts: texts).map { "\($0)\n" }.joined()
    guard let to = arguments["to"] else { return DoneReport(text: file.text, problems: notes) }
    if !file.isChanged { return DoneReport(text: differences + "\(to): up to date\n", problems: notes) }
    if arguments.flags.contains("check") {
      return DoneReport(
        text: differences, problems: notes + ["\(to): differs from \(arguments.paths[1]). Run the same command without --check."],
        status: .no)
    }
    try ToolFiles.write(file.text, to: to)
    return DoneReport(text: differences + "\(to): written\n", problems: notes)
  }
}

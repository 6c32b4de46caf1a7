// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Monetize
import MonetizeTools

struct StoreKit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "storekit",
    abstract: "Reads and writes Xcode's StoreKit configurations (.storekit) without changing anything else.",
    subcommands: [Check.self, Import.self, Export.self, Diff.self])

  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Explains why Xcode would show an empty list of products.")

    @Argument(help: "The .storekit file.", completion: .file(extensions: ["storekit"]))
    var file: String

    @Option(help: "text or json.")
    var format = OutputFormat.text

    func run() throws {
      let input = try InputFile(file)
      let report = StoreKitCheckReport(input.data, path: file)
      if format == .text { input.report(report.diagnostics) }
      try report.show(format, problems: false)
    }
  }

  struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Makes a first catalog from a .storekit file, and lists what is missing.")

    @Argument(help: "The .storekit file.", completion: .file(extensions: ["storekit"]))
    var file: String

    @Option(help: ArgumentHelp("The app's bundle id. Default: the common prefix of the products' ids.", valueName: "id"))
    var appID: String?

    @Option(help: ArgumentHelp("The app's name. Default: the file's name.", valueName: "name"))
    var appName: String?

    @OptionGroup var prices: FileCurrency

    @Option(
      help: ArgumentHelp("The file for the catalog. Default: standard output.", valueName: "file"), completion: .file(extensions: ["json"]))
    var to: String?

    func run() throws {
      let name = appName ?? URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
      let report = StoreKitImportReport(try prices.read(file).imported(appID: appID, appName: name))
      guard let to else { return try report.show(OutputFormat.text) }
      for problem in report.result.notes { Terminal.problem(problem) }
      try write(report.text, to: to)
      for (path, json) in report.result.newTables(besideCatalog: to) {
        try writeTable(json, to: path)
        Terminal.line("\(path): written")
      }
    }
  }

  struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Writes a catalog's products into a .storekit file, and changes nothing else.",
      discussion: """
        Names in other languages are those of the tables in strings/<catalog>/ beside the catalog. Without --to, prints a new file. With \
        --check, writes nothing; the exit status is 1 when the file is outdated.
        """)

    @Argument(help: "The catalog file.", completion: .file(extensions: ["json"]))
    var catalog: String

    @Option(help: ArgumentHelp("The .storekit file to update or create.", valueName: "file"), completion: .file(extensions: ["storekit"]))
    var to: String?

    @Flag(help: "Only check whether the file is up to date.")
    var check = false

    @OptionGroup var prices: FileCurrency

    func run() throws {
      let catalog = try InputFile(catalog).catalog()
      var file = StoreKitFile(appID: catalog.app.id)
      if let to, FileManager.default.fileExists(atPath: to) { file = try prices.read(to) }
      for note in file.notes(on: catalog) { Terminal.problem(note) }
      let differences = try file.update(from: catalog, texts: InputFile.texts(of: catalog, at: self.catalog))
      guard let to else { return Terminal.block(file.text) }
      for difference in differences { Terminal.line(check ? "\(difference)" : difference.change) }
      guard file.isChanged else { return Terminal.line("\(to): up to date") }
      if check {
        Terminal.problem("\(to): differs from \(self.catalog). Run the same command without --check.")
        throw ExitCode.no
      }
      try write(file.text, to: to)
      Terminal.line("\(to): written")
    }
  }

  struct Diff: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Compares a catalog with a .storekit file: one line per difference. The exit status is 1 when there is one.")

    @Argument(help: "The catalog file.", completion: .file(extensions: ["json"]))
    var catalog: String

    @Argument(help: "The .storekit file.", completion: .file(extensions: ["storekit"]))
    var file: String

    @Option(help: "text or json.")
    var format = OutputFormat.text

    @OptionGroup var prices: FileCurrency

    func run() throws {
      let sold = try InputFile(catalog).catalog()
      try StoreKitDifferenceReport(sold, texts: InputFile.texts(of: sold, at: catalog), prices.read(file)).show(format)
    }
  }
}

/// The currency of a file's prices, which the file does not contain.
struct FileCurrency: ParsableArguments {
  @Option(
    help: ArgumentHelp("The currency of the file's prices, such as EUR. Default: that of its storefront.", valueName: "code"),
    transform: { code in
      guard let currency = StoreKitFile.currency(named: code) else {
        throw ValidationError("The App Store has no prices in \"\(code)\". Write an ISO 4217 code such as EUR.")
      }
      return currency
    })
  var currency: String?

  /// Reads a `.storekit` file with prices in this currency.
  func read(_ path: String) throws -> StoreKitFile {
    var file = try readStoreKit(path)
    if let currency { file.currency = currency }
    return file
  }
}

/// Reads a `.storekit` file. Prints an error for anything other than a JSON object, and ends the command with status 1.
func readStoreKit(_ path: String) throws -> StoreKitFile {
  let input = try InputFile(path)
  return try input.answering { try StoreKitFile(input.data) }
}

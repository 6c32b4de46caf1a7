// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Monetize
import MonetizeTools

struct Generate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Generates source code and tables of texts from a catalog.", subcommands: [Swift.self, Texts.self])

  struct Swift: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Generates Swift names from a catalog, so that a misspelt name does not compile.",
      discussion: "Without --to, prints the file. With --check, writes nothing; the exit status is 1 when the file is outdated.")

    @Argument(help: "The catalog file.", completion: .file(extensions: ["json"]))
    var catalog: String

    @Option(help: ArgumentHelp("The Swift file to write.", valueName: "file"), completion: .file(extensions: ["swift"]))
    var to: String?

    @Option(help: "The name of the outer enum. Default: the app's name and Catalog.")
    var name: String?

    @Flag(help: "Make the names public.")
    var `public` = false

    @Flag(help: "Only check whether the file matches the catalog.")
    var check = false

    func validate() throws {
      if check && to == nil { throw ValidationError("--check needs the file to compare with. Add --to Names.swift.") }
    }

    func run() throws {
      let input = try InputFile(catalog)
      let existing = to.flatMap { FileManager.default.contents(atPath: $0) }.map { String(decoding: $0, as: UTF8.self) }
      let report = SwiftIdsReport(
        try input.catalog(), file: URL(fileURLWithPath: catalog).lastPathComponent, options: .init(name: name, isPublic: `public`),
        comparedWith: check ? .some(existing) : .none)
      for problem in report.problems { Terminal.problem("\(to ?? catalog): \(problem)") }
      if report.status != .fine { throw ExitCode.no }
      guard let to else { return Terminal.report(report.text) }
      // Leave an unchanged file alone, so that a build is not repeated.
      if !check, existing != report.text { try write(report.text, to: to) }
    }
  }

  struct Texts: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Generates a table of all texts, to be translated.",
      discussion: """
        The table has each text of the catalog, and the framework's own in a language
        that the framework does not have. A file that exists keeps its texts; only
        the missing ones are added, in the words of the catalog.
        Example: monetize generate texts app.json --to strings/app/fr.json
        """)

    @Argument(help: "The catalog file.", completion: .file(extensions: ["json"]))
    var catalog: String

    @Option(help: ArgumentHelp("The language, such as fr. Default: the name of the file to write.", valueName: "code"))
    var language: String?

    @Option(
      help: ArgumentHelp("The table to write or to complete. Without it, prints the table.", valueName: "file"),
      completion: .file(extensions: ["json"]))
    var to: String?

    func run() throws {
      let catalog = try InputFile(catalog).catalog()
      let existing = try to.flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil }.map { try InputFile($0, expecting: .texts) }
      let table =
        try existing.map { file in
          try file.answering { try TranslationTable.of(catalog, in: language, at: file.path, existing: file.data) }
        } ?? TranslationTable.of(catalog, in: language, at: to, existing: nil)
      guard let to else { return Terminal.report(table.text) }
      try writeTable(table.text, to: to)
      Terminal.report(table.summary(of: to))
    }
  }
}

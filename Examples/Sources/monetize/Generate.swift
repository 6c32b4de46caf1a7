// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Monetize
import MonetizeTools

struct Generate: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Generates source code from a catalog.", subcommands: [Swift.self])

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
}

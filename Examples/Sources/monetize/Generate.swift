// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Monetize
import MonetizeTools

struct Generate: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Makes source code of a catalog.", subcommands: [Swift.self])

  struct Swift: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Makes a Swift file of a catalog's names, so that a misspelt one does not compile.",
      discussion: "Without --to the file is printed. With --check nothing is written, and the exit status is 1 when the file is another.")

    @Argument(help: "The catalog file.", completion: .file(extensions: ["json"]))
    var catalog: String

    @Option(help: "The Swift file that is written.", completion: .file(extensions: ["swift"]))
    var to: String?

    @Option(help: "The name of the enum around everything. Default: the app's name and Catalog.")
    var name: String?

    @Flag(help: "Other modules may use the names.")
    var `public` = false

    @Flag(help: "Only says whether the file fits the catalog.")
    var check = false

    func validate() throws {
      if check && to == nil { throw ValidationError("--check compares with a file. Name it: --to Names.swift.") }
    }

    func run() throws {
      let input = try InputFile(catalog)
      let existing = to.flatMap { FileManager.default.contents(atPath: $0) }.map { String(decoding: $0, as: UTF8.self) }
      let report = SwiftIdsReport(
        try input.catalog(), file: URL(fileURLWithPath: catalog).lastPathComponent, options: .init(name: name, isPublic: `public`),
        comparedWith: check ? .some(existing) : .none)
      for problem in report.problems { Terminal.problem("\(to ?? catalog): \(problem)") }
      if report.status != .fine { throw ExitCode.no }
      guard let to else { return Terminal.line(String(report.text.dropLast())) }
      // A build does not run anew for a file that says the same.
      if !check, existing != report.text { try write(report.text, to: to) }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Monetize
import MonetizeTools

struct Migrate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Writes a catalog of an earlier schema version as one of the current version.",
    discussion: """
      Edits only the values that a migration changes. Order, layout and "$comment" stay. Each change is listed on standard error.
      """)

  @Argument(help: "The catalog file.", completion: .file(extensions: ["json"]))
  var file: String

  @Option(
    help: ArgumentHelp("Where the catalog is written, such as the same file. Default: standard output.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var to: String?

  @Flag(help: "Writes nothing, and exits with status 1 when the catalog is of an earlier version.")
  var check = false

  @Option(help: "text or json.")
  var format = OutputFormat.text

  func run() throws {
    let input = try InputFile(file, expecting: .catalog)
    let result = try input.answering { try MigratedCatalog(input.data) }
    if check {
      for problem in result.problems { Terminal.problem("\(file): \(problem)") }
      if result.from < result.to { throw ExitCode.no }
      return
    }
    guard let to else { return try result.show(format) }
    for problem in result.problems { Terminal.problem("\(file): \(problem)") }
    try write(result.text, to: to)
  }
}

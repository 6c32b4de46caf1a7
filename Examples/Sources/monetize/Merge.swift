// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Monetize
import MonetizeTools

struct Merge: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Merges two records of a player's progress by a catalog's rules.",
    discussion: """
      Each file is a JSON object from the fields of "sync.merge" to values: whole numbers, true or false, dates such as 2026-01-02, or null for \
      none. A field has one type: true or false with the rule "or", numbers or dates with the others. Every device gets this result, whichever record it receives first.
      """)

  @Argument(help: "The catalog file.", completion: .file(extensions: ["json"]))
  var catalog: String

  @Argument(help: "The first record.", completion: .file(extensions: ["json"]))
  var first: String

  @Argument(help: "The second record.", completion: .file(extensions: ["json"]))
  var second: String

  func run() throws {
    let file = try InputFile(catalog)
    guard let policy = try file.catalog().sync else {
      file.report([
        Diagnostic(
          .error, "no-merge-rules", path: "", position: nil,
          message: "The catalog has no rules under \"sync.merge\". Add them, such as { \"stars\": \"max\" }.")
      ])
      throw ExitCode.no
    }
    let (one, other) = (try InputFile(first), try InputFile(second))
    let records = (
      try reading(one) { file throws(CatalogError) in try ProgressRecord(file.data, policy: policy) },
      try reading(other) { file throws(CatalogError) in try ProgressRecord(file.data, policy: policy) }
    )
    Terminal.line(try reading(other) { _ throws(CatalogError) in try records.0.merged(with: records.1) }.json)
  }

  /// A result of a file. Prints the file's mistakes, and ends the command with status 1.
  private func reading<Result>(_ file: InputFile, _ read: (InputFile) throws(CatalogError) -> Result) throws -> Result {
    do throws(CatalogError) { return try read(file) } catch {
      file.report(error.diagnostics)
      throw ExitCode.no
    }
  }
}

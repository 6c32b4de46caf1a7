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
    let records = try [one, other].map { file in try file.answering { try ProgressRecord(file.data, policy: policy) } }
    Terminal.report(try other.answering { try records[0].merged(with: records[1]) }.json)
  }
}

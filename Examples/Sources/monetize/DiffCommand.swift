// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Monetize
import MonetizeTools

struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Shows the changes between two catalogs, and the customers they affect.",
    discussion: """
      The engine decides whether the owners of a product lose something that they paid for. The exit status is 1 when they do, and when an \
      id, a kind, a group or a period changed that must stay the same.
      """)

  @Argument(
    help: "The old and the new catalog; with --git only the new one, with --arm or --overlay only the old one.",
    completion: .file(extensions: ["json"]))
  var files: [String]

  @Option(help: ArgumentHelp("A revision of the file's repository, such as main, that has the old catalog.", valueName: "revision"))
  var git: String?

  @OptionGroup var variant: VariantOptions

  @Option(help: "text, json or markdown (a comment for a pull request).")
  var format = DiffFormat.text

  enum DiffFormat: String, ExpressibleByArgument, CaseIterable { case text, json, markdown }

  func validate() throws {
    if git != nil, let option = variant.first { throw ValidationError("Write --git or \(option), not both.") }
    guard files.count == (git ?? variant.first == nil ? 2 : 1) else {
      throw ValidationError("Name the old and the new catalog, or one file and --git REVISION, --arm EXPERIMENT=ARM or --overlay FILE.")
    }
  }

  func run() throws {
    if variant.first != nil { return try showVariant() }
    let new = try InputFile(files[files.count - 1], expecting: .catalog)
    let old = try git.map { (name: "\($0):\(new.path)", data: try GitFile.data(of: new.path, at: $0)) } ?? plain(files[0])
    for (name, data) in [old, (new.path, new.data)] {
      let reading = Catalog.validating(data)
      guard reading.catalog == nil else { continue }
      for diagnostic in reading.diagnostics where diagnostic.severity == .error { Terminal.problem(diagnostic.rendered(file: name)) }
      throw ExitCode.no
    }
    try DiffReport(try CatalogDiff(old: old.data, new: new.data), old: old.name, new: new.path).show(format, problems: false)
  }

  private func showVariant() throws {
    let input = try InputFile(files[0])
    let diff = try variant.changes(of: input.catalog(), from: input)
    try DiffReport(diff, old: files[0], new: variant.name).show(format, problems: false)
  }

  private func plain(_ path: String) throws -> (name: String, data: Data) { (path, try InputFile(path, expecting: .catalog).data) }
}

/// The content of a file at a revision of its repository.
enum GitFile {
  /// - Throws: ``ToolProblem`` with git's message.
  static func data(of path: String, at revision: String) throws -> Data {
    // A revision is never an option, whatever its name.
    if revision.hasPrefix("-") { throw ToolProblem("\"\(revision)\" is not a revision. Name a branch, a tag or a commit.") }
    let url = URL(fileURLWithPath: path)
    let (process, output, errors) = (Process(), Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["git", "-C", url.deletingLastPathComponent().path, "show", "\(revision):./\(url.lastPathComponent)"]
    (process.standardOutput, process.standardError) = (output, errors)
    try process.run()
    // Read before waiting, because a full pipe stops git. Its message is short.
    let data = output.fileHandleForReading.readDataToEndOfFile()
    let message = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      let firstLine = message.split(separator: "\n").first.map(String.init) ?? "it failed"
      let reason = firstLine.replacingOccurrences(of: "fatal: ", with: "").trimmingCharacters(in: CharacterSet(charactersIn: ". "))
      throw ToolProblem("git has no \(path) at \(revision): \(reason). Check the revision and the path.")
    }
    return data
  }
}

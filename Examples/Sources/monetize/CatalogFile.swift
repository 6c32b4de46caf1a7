// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Monetize

/// How results are printed.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json
}

/// A diagnostic in the documented, stable form of `--format json`.
struct DiagnosticJSON: Encodable {
  let severity: String
  let code: String
  let path: String
  let line: Int?
  let column: Int?
  let message: String

  init(_ diagnostic: Diagnostic) {
    severity = diagnostic.severity.rawValue
    code = diagnostic.code.rawValue
    path = diagnostic.path
    line = diagnostic.position?.line
    column = diagnostic.position?.column
    message = diagnostic.message
  }
}

/// A file that a command reads, with its text for excerpts.
struct InputFile {
  let path: String
  let data: Data

  /// - Throws: exit status 2 after saying why it cannot be read.
  init(_ path: String) throws {
    do throws(Unreadable) { self = try InputFile(reading: path) } catch {
      Terminal.problem("\(path): \(error.reason)")
      throw ExitCode.couldNotRun
    }
  }

  /// Why a file cannot be read.
  struct Unreadable: Error {
    /// A sentence behind the file's name, with what to do.
    let reason: String
    /// The same in a few words, without what to do.
    let cause: String
    init(reason: String, cause: String = "") { (self.reason, self.cause) = (reason, cause) }
  }

  /// Says nothing.
  init(reading path: String) throws(Unreadable) {
    self.path = path
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    if isFolder.boolValue { throw Unreadable(reason: "is a folder. Name a file in it.", cause: "is a folder") }
    guard let data = FileManager.default.contents(atPath: path) else {
      if exists { throw Unreadable(reason: "cannot be read. You may not read it.", cause: "may not be read") }
      let base = path.hasPrefix("/") ? "Check the path." : "Check the path; it is relative to \(FileManager.default.currentDirectoryPath)."
      throw Unreadable(reason: "cannot be read. \(base)", cause: "cannot be found")
    }
    self.data = data
  }

  /// Diagnostics as compilers print them, each with its line and a mark under its place.
  func report(_ diagnostics: [Diagnostic]) {
    // By scalars: a carriage return and a line feed are one letter, and end a line all the same.
    let lines = String(decoding: data, as: UTF8.self).unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    let style = Style.errors
    for diagnostic in diagnostics {
      let text = diagnostic.rendered(file: path)
      Terminal.problem(
        diagnostic.severity == .error ? style.red(text) : diagnostic.severity == .warning ? style.yellow(text) : style.dim(text))
      guard diagnostic.severity != .note, let position = diagnostic.position, lines.indices.contains(position.line - 1) else { continue }
      let line = Self.shown(lines[position.line - 1])
      let before = Self.shown(lines[position.line - 1].prefix(position.column - 1))
      let head = "  \(position.line) | "
      // In a file a line is as long as it is still easily read.
      let room = (Terminal.width(of: 2) ?? 160) - head.count
      let view = LineView(prompt: "", text: line, cursor: before.count, columns: room)
      Terminal.problem(style.dim(head) + view.row)
      Terminal.problem(String(repeating: " ", count: head.count + view.column) + style.red("^"))
    }
  }

  /// A line with nothing in it that moves what stands behind.
  private static func shown(_ line: Substring.UnicodeScalarView) -> String {
    String(String.UnicodeScalarView(line.filter { $0 != "\r" }.map { $0 == "\t" ? " " : $0 }))
  }

  /// What to say when a catalog is wanted and this is a scenario: one mistake, not one for each of its keys.
  var scenarioForCatalog: Diagnostic? {
    guard FileHead(data)?.isScenario == true else { return nil }
    return Diagnostic(
      .error, "not-a-catalog", path: "", position: nil,
      message: "This is a scenario, and a catalog is wanted. Play it with: monetize simulate \(path)")
  }

  /// What to say when a scenario is wanted and this is a catalog.
  var catalogForScenario: Diagnostic? {
    guard FileHead(data)?.isCatalog == true else { return nil }
    return Diagnostic(
      .error, "not-a-scenario", path: "", position: nil,
      message:
        "This is a catalog, and a scenario is wanted. Check it with: monetize validate \(path), or try it with: monetize play \(path)")
  }

  /// The catalog in this file. Mistakes are printed, and end the command with status 1.
  func catalog() throws -> Catalog {
    if let mistake = scenarioForCatalog {
      report([mistake])
      throw ExitCode.no
    }
    let reading = Catalog.reading(data)
    report(reading.diagnostics.filter { $0.severity != .note })
    guard let catalog = reading.catalog else { throw ExitCode.no }
    return catalog
  }
}

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
  struct Unreadable: Error { let reason: String }

  /// Says nothing.
  init(reading path: String) throws(Unreadable) {
    self.path = path
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    if isFolder.boolValue { throw Unreadable(reason: "is a folder. Name a file in it.") }
    guard let data = FileManager.default.contents(atPath: path) else {
      let folder = FileManager.default.currentDirectoryPath
      throw Unreadable(reason: "cannot be read. " + (exists ? "You may not read it." : "Check the path; it is relative to \(folder)."))
    }
    self.data = data
  }

  /// Diagnostics as compilers print them, each with its line and a mark under its place.
  func report(_ diagnostics: [Diagnostic]) {
    let lines = String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    let style = Style.errors
    for diagnostic in diagnostics {
      let text = diagnostic.rendered(file: path)
      Terminal.problem(
        diagnostic.severity == .error ? style.red(text) : diagnostic.severity == .warning ? style.yellow(text) : style.dim(text))
      guard diagnostic.severity != .note, let position = diagnostic.position, lines.indices.contains(position.line - 1) else { continue }
      let line = lines[position.line - 1].replacingOccurrences(of: "\t", with: " ")
      guard line.count <= 400 else { continue }
      let number = String(position.line)
      Terminal.problem(style.dim("  \(number) | ") + line)
      let gap = String(repeating: " ", count: number.count + position.column + 4)
      Terminal.problem(gap + style.red("^"))
    }
  }

  /// The catalog in this file. Mistakes are printed, and end the command with status 1.
  func catalog() throws -> Catalog {
    let reading = Catalog.reading(data)
    report(reading.diagnostics.filter { $0.severity != .note })
    guard let catalog = reading.catalog else { throw ExitCode.no }
    return catalog
  }
}

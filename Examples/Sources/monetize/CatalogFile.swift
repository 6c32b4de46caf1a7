// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Monetize
import MonetizeTools
import TerminalLine

/// A file that a command reads. Keeps its text for excerpts.
struct InputFile {
  let path: String
  let data: Data

  /// - Throws: Exit status 2 after printing why it cannot be read.
  init(_ path: String) throws {
    do throws(Unreadable) { self = try InputFile(reading: path) } catch {
      Terminal.problem("\(path): \(error.reason)")
      throw ExitCode.couldNotRun
    }
  }

  /// Reads a file of a kind.
  /// - Throws: Exit status 2 when it cannot be read, and 1 for a file of another known kind, after printing why.
  init(_ path: String, expecting kind: FileKind) throws {
    self = try InputFile(path)
    try require(kind)
  }

  /// Refuses a file of another known kind: prints the mistake, and ends the command with status 1.
  private func require(_ kind: FileKind) throws {
    guard let mistake = mistake(expecting: kind) else { return }
    report([mistake])
    throw ExitCode.no
  }

  /// The reason why a file cannot be read.
  struct Unreadable: Error {
    /// A phrase after the file's name, with the fix.
    let reason: String
    /// The same in a few words, without the fix.
    let cause: String

    /// The mistake for a report.
    func diagnostic(_ path: String) -> Diagnostic {
      Diagnostic(.error, "unreadable", path: "", position: nil, message: "\(path): \(reason)")
    }
    init(reason: String, cause: String = "") { (self.reason, self.cause) = (reason, cause) }
  }

  /// Reads a file without printing anything.
  init(reading path: String) throws(Unreadable) {
    self.path = path
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    if isFolder.boolValue { throw Unreadable(reason: "is a folder. Name a file in it.", cause: "is a folder") }
    guard let data = FileManager.default.contents(atPath: path) ?? Self.piped(path) else {
      if exists { throw Unreadable(reason: "cannot be read. Check its permissions.", cause: "is not readable") }
      let base = path.hasPrefix("/") ? "Check the path." : "Check the path; it is relative to \(FileManager.default.currentDirectoryPath)."
      throw Unreadable(reason: "cannot be read. \(base)", cause: "cannot be found")
    }
    self.data = data
  }

  /// The content of a pipe, such as `/dev/stdin` or a shell's `<(…)`; `nil` for a device, which may have no end.
  private static func piped(_ path: String) -> Data? {
    let type = (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType
    guard type != .typeCharacterSpecial, type != .typeBlockSpecial, let file = FileHandle(forReadingAtPath: path) else { return nil }
    do { return try file.readToEnd() ?? Data() } catch { return nil }
  }

  /// Reads the tables of texts beside a catalog.
  /// - Throws: Exit status 1 or 2 after printing what is wrong with one.
  static func texts(of catalog: Catalog, at path: String) throws -> [CatalogStrings] {
    try LintFile.tables(besideCatalog: path).map { path in
      let table = try InputFile(path, expecting: .texts)
      return try table.answering { try CatalogStrings(json: table.data, of: catalog, file: path) }
    }
  }

  /// Prints diagnostics as compilers do, each with its line and a mark under the position.
  func report(_ diagnostics: [Diagnostic]) {
    var lines = ExcerptLines(data)
    let style = Style.errors
    for diagnostic in diagnostics {
      let text = diagnostic.rendered(file: path)
      Terminal.problem(
        diagnostic.severity == .error ? style.red(text) : diagnostic.severity == .warning ? style.yellow(text) : style.dim(text))
      guard diagnostic.severity != .note, let position = diagnostic.position, let scalars = lines.scalars(of: position.line) else {
        continue
      }
      // A line may be a whole file, so only a part of it is shown.
      let column = min(position.column - 1, scalars.count)
      let first = max(0, column - 400)
      let line = Self.shown(scalars[first..<min(scalars.count, column + 400)])
      let before = Self.shown(scalars[first..<column])
      let head = "  \(position.line) | "
      // In a file, limit a line to a readable length.
      let room = (LineReader.width(of: 2) ?? 160) - head.count
      let view = LineView(prompt: "", text: line, cursor: before.count, columns: room)
      Terminal.problem(style.dim(head) + view.row)
      Terminal.problem(String(repeating: " ", count: head.count + view.column) + style.red("^"))
    }
  }

  /// A line without characters that would move the mark below, and with an ellipsis for each hidden part.
  private static func shown(_ line: ArraySlice<Unicode.Scalar>) -> String {
    var shown = String.UnicodeScalarView()
    var last: Unicode.Scalar?
    for scalar in line where scalar != "\r" {
      if scalar != "\0" || last != "\0" { shown.append(scalar == "\t" ? " " : scalar == "\0" ? "…" : scalar) }
      last = scalar
    }
    return Terminal.clean(String(shown))
  }

  /// The diagnostic for a file of another kind than the expected one: one mistake, not one for each of its keys.
  func mistake(expecting expected: FileKind) -> Diagnostic? {
    let content = FileKind(data)
    let kind = content == .other && path.hasSuffix(".storekit") ? .storeKit : content
    if kind == .other || kind == expected { return nil }
    let hint = kind.hint(path).map { " \($0)" } ?? ""
    let code = "not-\(expected.rawValue.lowercased().replacingOccurrences(of: " ", with: "-"))"
    return Diagnostic(
      .error, Diagnostic.Code(rawValue: code), path: "", position: nil,
      message: "This is \(kind.rawValue), but \(expected.rawValue) is expected.\(hint)")
  }

  /// An answer that is made of this file. Prints the file's mistakes that prevent it, and ends the command with status 1.
  func answering<Answer>(_ make: () throws -> Answer) throws -> Answer {
    do { return try make() } catch {
      let mistakes: [Diagnostic]? =
        switch error {
        case let error as CatalogError: error.diagnostics
        case let error as StoreKitFileError: error.diagnostics
        case let error as MigrationError: [error.diagnostic]
        case let error as ToolProblem: error.mistake.map { [$0] }
        default: nil
        }
      guard let mistakes else { throw error }
      report(mistakes)
      throw ExitCode.no
    }
  }

  /// The catalog in this file. Prints mistakes, and ends the command with status 1.
  func catalog() throws -> Catalog {
    try require(.catalog)
    let reading = Catalog.validating(data)
    report(reading.diagnostics.filter { $0.severity != .note })
    guard let catalog = reading.catalog else { throw ExitCode.no }
    return catalog
  }
}

/// The lines for excerpts. The last one is kept, because a line with many mistakes may be a whole file.
private struct ExcerptLines {
  private let data: Data
  private lazy var bytes = [UInt8](StoreKitFile.hidingKeys(in: data))
  private var last: (line: Int, start: Int, scalars: [Unicode.Scalar])?

  /// Positions do not count a byte order mark.
  init(_ data: Data) { self.data = data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data }

  /// Searches from the last line on, because mistakes come in the order of the file: a table of all lines could be larger than the file.
  mutating func scalars(of line: Int) -> [Unicode.Scalar]? {
    if let last, last.line == line { return last.scalars }
    var (number, start) = last.map { $0.line < line ? ($0.line, $0.start) : (1, 0) } ?? (1, 0)
    while number < line {
      guard let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
      (number, start) = (number + 1, end + 1)
    }
    let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
    let scalars = Array(String(decoding: bytes[start..<end], as: UTF8.self).unicodeScalars)
    last = (line, start, scalars)
    return scalars
  }
}

/// Writes to a path from the command line.
enum OutputFile {
  /// Replaces the content of a file, or creates it. Follows links; refuses anything other than a file, such as a device or a folder, and a
  /// file of another kind than the new content, such as a catalog in place of a report.
  /// - Parameter replacesAnyKind: Whether a file of any kind may be replaced, because the user said so.
  static func write(_ data: Data, to path: String, replacesAnyKind: Bool = false) throws(InputFile.Unreadable) {
    var target = path
    // Resolve links by hand, because a link may lead to a file that does not exist yet.
    for _ in 0..<40 {
      guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: target) else { break }
      target = next.hasPrefix("/") ? next : URL(fileURLWithPath: target).deletingLastPathComponent().appendingPathComponent(next).path
    }
    let type = (try? FileManager.default.attributesOfItem(atPath: target))?[.type] as? FileAttributeType
    guard type == nil || type == .typeRegular else {
      throw InputFile.Unreadable(reason: "is not a file and was not changed. Name a file.")
    }
    if !replacesAnyKind, let old = FileManager.default.contents(atPath: target), !old.isEmpty, FileKind(old) != FileKind(data) {
      throw InputFile.Unreadable(
        reason: "is \(FileKind(old).rawValue) and was not changed. Name another file, or delete this one first.")
    }
    guard FileManager.default.createFile(atPath: target, contents: data) else {
      throw InputFile.Unreadable(reason: "cannot be written. Check that its folder exists.")
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Reads and writes the files of verbs, and prints.
enum ToolFiles {
  /// The bytes of a file.
  /// - Throws: ``ToolProblem`` when it cannot be read.
  static func read(_ path: String) throws(ToolProblem) -> Data {
    var isFolder: ObjCBool = false
    _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    if isFolder.boolValue { throw ToolProblem("\(path): is a folder. Name a file in it.") }
    guard let data = FileManager.default.contents(atPath: path) else { throw ToolProblem("\(path): cannot be read. Check the path.") }
    return data
  }

  /// Replaces a file, or makes it.
  /// - Throws: ``ToolProblem`` when it cannot be written.
  static func write(_ text: String, to path: String) throws(ToolProblem) {
    guard FileManager.default.createFile(atPath: path, contents: Data(text.utf8)) else {
      throw ToolProblem(
        "\(path): cannot be written. Check that its folder exists and is writable. In the plugin on macOS, run "
          + "swift package --disable-sandbox monetize ….")
    }
  }

  /// Writes a table of texts, and makes its folder.
  static func writeTable(_ text: String, to path: String) throws(ToolProblem) {
    try? FileManager.default.createDirectory(at: URL(fileURLWithPath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
    try write(text, to: path)
  }

  /// Prints a result to standard output.
  /// - Throws: ``ToolProblem`` when it cannot be written.
  static func show(_ text: String) throws(ToolProblem) {
    do { try FileHandle.standardOutput.write(contentsOf: Data((text.hasSuffix("\n") ? text : text + "\n").utf8)) } catch {
      throw ToolProblem("The output could not be written: \(error.localizedDescription)")
    }
  }

  /// Prints a problem to standard error.
  static func complain(_ line: String) { try? FileHandle.standardError.write(contentsOf: Data((clean(line) + "\n").utf8)) }

  /// Replaces control characters, so that a terminal cannot interpret them.
  private static func clean(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { ($0.value < 0x20 && $0 != "\t" && $0 != "\n") || (0x7F..<0xA0).contains($0.value) ? "\u{FFFD}" : $0 }))
  }
}

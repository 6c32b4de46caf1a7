// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Compiles files with the compiler and the modules of the tests' build.
enum SwiftCompiler {
  /// The messages for files of one module; empty for none.
  static func check(_ files: [String: String]) throws -> String {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("monetize-ids-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, text) in files { try Data(text.utf8).write(to: folder.appendingPathComponent(name)) }
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["swiftc", "-typecheck", "-swift-version", "6", "-warnings-as-errors", "-module-cache-path", folder.path, "-I", try modules().path]
      + ["ExistentialAny", "MemberImportVisibility", "InternalImportsByDefault"].flatMap { ["-enable-upcoming-feature", $0] }
      + files.keys.sorted().map { folder.appendingPathComponent($0).path }
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let said = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: said, as: UTF8.self)
  }

  /// The build's modules, in the folder of the running tests.
  private static func modules() throws -> URL {
    let tests = URL(fileURLWithPath: ProcessInfo.processInfo.arguments[0]).resolvingSymlinksInPath()
    let candidates =
      sequence(first: tests.deletingLastPathComponent()) { $0.path == "/" ? nil : $0.deletingLastPathComponent() }
      .map { $0.appendingPathComponent("Modules") } + [Samples.root.appendingPathComponent(".build/debug/Modules")]
    return try #require(candidates.first { FileManager.default.fileExists(atPath: $0.appendingPathComponent("Monetize.swiftmodule").path) })
  }
}

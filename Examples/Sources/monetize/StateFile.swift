// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Monetize

/// A state file, read without an app.
enum StateFile {
  /// All facts in it.
  /// - Throws: exit status 1 when it is damaged; the file is not touched.
  static func facts(at path: String) throws -> [Fact] {
    // A copy, because a storage puts a damaged file aside, and asking a question must change nothing. In a folder, with which that goes.
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("monetize-\(UUID().uuidString)")
    let copy = folder.appendingPathComponent("state")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.copyItem(at: URL(fileURLWithPath: path), to: copy)
    do {
      let stored = try FileStorage(copy).load()
      if stored.damaged != nil {
        Terminal.problem("\(path): this state file is damaged; what can be believed of it is used.")
      }
      return try stored.records.flatMap { try JSONDecoder().decode([Fact].self, from: $0) }
    } catch {
      Terminal.problem("\(path): this is no state file of this version: \(error)")
      throw ExitCode.no
    }
  }
}

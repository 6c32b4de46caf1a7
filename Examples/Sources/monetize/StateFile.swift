// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Monetize
import MonetizeSimulator

/// A state file, read without an app.
enum StateFile {
  /// The state in a file. A damaged file is read as an app does: metered features stay closed, because uses are unknown.
  /// - Throws: Exit status 1 for a file of a later version. The file is not changed.
  static func state(at path: String, _ catalog: Catalog, _ now: Date) throws -> CustomerState {
    // Read a copy, because a storage moves a damaged file aside and a question must change nothing. The copy has its own folder.
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("monetize-\(UUID().uuidString)")
    let copy = folder.appendingPathComponent("state")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.copyItem(at: URL(fileURLWithPath: path), to: copy)
    do {
      let stored = try FileStorage(copy).load()
      if stored.damaged != nil {
        Terminal.problem("\(path): this state file is damaged; metered features stay closed, as in the app.")
        try FileManager.default.removeItem(at: copy)
        try FileManager.default.copyItem(at: URL(fileURLWithPath: path), to: copy)
        return Monetizer(catalog: catalog) { configuration in
          configuration.storage = FileStorage(copy)
          configuration.time = ManualClock(now)
          configuration.startsByItself = false
        }.state
      }
      return CustomerState(try stored.records.flatMap { try JSONDecoder().decode([Fact].self, from: $0) })
    } catch {
      Terminal.problem("\(path): this is not a state file of this version: \(error)")
      throw ExitCode.no
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Monetize
import MonetizeSimulator

/// A state file, read without an app.
enum StateFile {
  /// What it says. Of a damaged one, what an app makes of it: metered features stay closed, because nothing says what was used.
  /// - Throws: exit status 1 when it is of a later version. The file is not touched.
  static func state(at path: String, _ catalog: Catalog, _ now: Date) throws -> CustomerState {
    // A copy, because a storage puts a damaged file aside, and asking a question must change nothing. In a folder, with which that goes.
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
      Terminal.problem("\(path): this is no state file of this version: \(error)")
      throw ExitCode.no
    }
  }
}

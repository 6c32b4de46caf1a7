// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The files of this repository.
enum Repository {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static func text(_ path: String) throws -> String { try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8) }

  static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: root.appendingPathComponent(path).path) }

  /// The names in a folder, sorted, without build products.
  static func names(in path: String = "") -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent(path).path)) ?? []
    return names.filter { !$0.hasPrefix(".build") && $0 != "Package.resolved" }.sorted()
  }

  /// The paths of all files under a folder with one of these endings.
  static func files(under path: String, endings: [String]) -> [String] {
    names(in: path).flatMap { name -> [String] in
      let inner = "\(path)/\(name)"
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: root.appendingPathComponent(inner).path, isDirectory: &isFolder) else { return [] }
      if isFolder.boolValue { return files(under: inner, endings: endings) }
      return endings.contains { name.hasSuffix($0) } ? [inner] : []
    }
  }
}

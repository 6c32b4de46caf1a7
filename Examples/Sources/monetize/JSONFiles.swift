// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The files that the paths of a command line stand for: a file itself; for a folder the `.json` files in it and below, without those of
/// another type.
///
/// A file is of another type only if its keys show it: a file with a mistake is included, so that the mistake is reported.
enum JSONFiles {
  /// The scenarios at the paths: in a folder all files but catalogs (they have a `schemaVersion`), tables of texts and JSON Schemas.
  static func scenarios(_ paths: [String]) -> [String] { named(by: paths, without: [.catalog, .texts, .schema]) }

  /// The catalogs at the paths: in a folder all files but scenarios (they have `steps`), tables of texts (they have a `language`) and JSON
  /// Schemas.
  static func catalogs(_ paths: [String]) -> [String] { named(by: paths, without: [.scenario, .texts, .schema]) }

  /// The problem of a folder without scenarios.
  static let noScenario = InputFile.Unreadable(
    reason: "There is no scenario in this folder. Scenarios are its .json files other than catalogs, tables of texts and JSON Schemas.")

  /// The problem of a folder without catalogs.
  static let noCatalog = InputFile.Unreadable(
    reason: "There is no catalog in this folder. Catalogs are its .json files other than scenarios, tables of texts and JSON Schemas.")

  /// Reads the catalogs at the paths, and prints which files cannot be read.
  static func readCatalogs(_ paths: [String]) -> [(path: String, file: Result<InputFile, InputFile.Unreadable>)] {
    catalogs(paths).map { path in
      let file: Result<InputFile, InputFile.Unreadable>
      do throws(InputFile.Unreadable) {
        if isFolder(path) { throw noCatalog }
        file = .success(try InputFile(reading: path))
      } catch {
        Terminal.problem("\(path): \(error.reason)")
        file = .failure(error)
      }
      return (path, file)
    }
  }

  static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }

  /// The files of folders, sorted by path, without hidden ones. An empty folder stays in the list.
  private static func named(by paths: [String], without others: [FileKind]) -> [String] {
    paths.flatMap { path -> [String] in
      guard isFolder(path) else { return [path] }
      let found = files(in: path).filter { file in
        // An unreadable file is included, so that it is reported.
        !(FileManager.default.contents(atPath: file).map { others.contains(FileKind($0)) } ?? false)
      }
      return found.isEmpty ? [path] : found
    }
  }

  private static func files(in folder: String) -> [String] {
    let base = folder.hasSuffix("/") ? folder : folder + "/"
    // Follow a link that was named, but not links inside, because they may lead back.
    let target = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
    let paths = FileManager.default.enumerator(atPath: target)?.compactMap { $0 as? String } ?? []
    return paths.filter { $0.hasSuffix(".json") && !$0.split(separator: "/").contains { $0.hasPrefix(".") } }.sorted().map { base + $0 }
      .filter { !isFolder($0) }
  }
}

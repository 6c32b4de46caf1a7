// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What the paths of a command line mean: a file is itself, a folder the `.json` files in it and below, but for those of another sort.
///
/// Of another sort is only what says so itself: a file with a mistake is told, so that no mistake hides one.
enum JSONFiles {
  /// The scenarios that the paths mean: in a folder all but catalogs (they have a `schemaVersion`), tables of texts and JSON Schemas.
  static func scenarios(_ paths: [String]) -> [String] { named(by: paths) { $0.isCatalog || $0.isStrings || $0.isSchema } }

  /// The catalogs that the paths mean: in a folder all but scenarios (they have `steps`), tables of texts (they have a `language`) and JSON
  /// Schemas.
  static func catalogs(_ paths: [String]) -> [String] { named(by: paths) { $0.isScenario || $0.isStrings || $0.isSchema } }

  /// Why a folder that was named is no scenario.
  static let noScenario = InputFile.Unreadable(
    reason: "There is no scenario in this folder. Scenarios are its .json files, but for catalogs and JSON Schemas.")

  static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }

  /// The files of folders are sorted by path, without what is hidden. A folder without any stays itself.
  private static func named(by paths: [String], without isOther: (FileHead) -> Bool) -> [String] {
    paths.flatMap { path -> [String] in
      guard isFolder(path) else { return [path] }
      let found = files(in: path).filter { file in
        // What cannot be read is told as any file.
        !(FileManager.default.contents(atPath: file).flatMap(FileHead.init).map(isOther) ?? false)
      }
      return found.isEmpty ? [path] : found
    }
  }

  private static func files(in folder: String) -> [String] {
    let base = folder.hasSuffix("/") ? folder : folder + "/"
    // A link that was named is followed, links inside are not: they may lead back.
    let target = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
    let paths = FileManager.default.enumerator(atPath: target)?.compactMap { $0 as? String } ?? []
    return paths.filter { $0.hasSuffix(".json") && !$0.split(separator: "/").contains { $0.hasPrefix(".") } }.sorted().map { base + $0 }
      .filter { !isFolder($0) }
  }
}

/// What sort of file the keys of a JSON object say it is.
struct FileHead: Decodable {
  private enum Key: String, CodingKey { case schema = "$schema", schemaVersion, steps, language }

  let isCatalog: Bool
  let isSchema: Bool
  let isScenario: Bool
  let isStrings: Bool

  init(from decoder: any Decoder) throws {
    let keys = try decoder.container(keyedBy: Key.self)
    isCatalog = keys.contains(.schemaVersion)
    isSchema = (try? keys.decode(String.self, forKey: .schema))?.contains("json-schema.org") == true
    isScenario = keys.contains(.steps) && !isCatalog
    isStrings = keys.contains(.language) && !isCatalog && !isScenario
  }

  /// `nil` for what is no JSON object.
  init?(_ data: Data) {
    guard let head = try? JSONDecoder().decode(FileHead.self, from: data) else { return nil }
    self = head
  }
}

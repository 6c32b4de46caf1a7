// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What the paths of a command line mean: a file is itself, a folder all scenarios in it.
///
/// In a folder and the folders in it, a scenario is each `.json` file that is neither a catalog (it has a `schemaVersion`) nor a JSON Schema
/// (its `$schema` is one of json-schema.org). A file with a mistake is a scenario as well, so that no mistake hides one.
enum ScenarioFiles {
  /// The scenarios that the paths mean: those of a folder sorted by path, without what is hidden. A folder without any stays itself.
  static func named(by paths: [String]) -> [String] {
    paths.flatMap { path in
      guard isFolder(path) else { return [path] }
      let found = scenarios(in: path)
      return found.isEmpty ? [path] : found
    }
  }

  /// Why a folder that was named is no scenario.
  static let noScenario = InputFile.Unreadable(
    reason: "There is no scenario in this folder. Scenarios are its .json files, but for catalogs and JSON Schemas.")

  static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }

  private static func scenarios(in folder: String) -> [String] {
    let base = folder.hasSuffix("/") ? folder : folder + "/"
    let paths = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    let candidates = paths.filter { $0.hasSuffix(".json") && !$0.split(separator: "/").contains { $0.hasPrefix(".") } }
    return candidates.sorted().map { base + $0 }.filter { path in
      // What cannot be read is told as any file.
      !isFolder(path) && !(FileManager.default.contents(atPath: path).flatMap(FileHead.init).map { $0.isCatalog || $0.isSchema } ?? false)
    }
  }
}

/// What sort of file the keys of a JSON object say it is.
struct FileHead: Decodable {
  private enum Key: String, CodingKey { case schema = "$schema", schemaVersion, steps }

  let isCatalog: Bool
  let isSchema: Bool
  let isScenario: Bool

  init(from decoder: any Decoder) throws {
    let keys = try decoder.container(keyedBy: Key.self)
    isCatalog = keys.contains(.schemaVersion)
    isSchema = (try? keys.decode(String.self, forKey: .schema))?.contains("json-schema.org") == true
    isScenario = keys.contains(.steps) && !isCatalog
  }

  /// `nil` for what is no JSON object.
  init?(_ data: Data) {
    guard let head = try? JSONDecoder().decode(FileHead.self, from: data) else { return nil }
    self = head
  }
}

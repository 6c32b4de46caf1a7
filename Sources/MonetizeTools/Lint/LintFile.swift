// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A catalog to check, with the tables of its texts in other languages. The caller reads the files.
public struct LintFile: Sendable {
  /// The name of the file, for messages.
  public let name: String
  /// The catalog.
  public let json: Data
  /// The tables of texts, by name and content.
  public let tables: [(name: String, json: Data)]

  /// Makes a file, by default without tables.
  public init(name: String, json: Data, tables: [(name: String, json: Data)] = []) {
    (self.name, self.json, self.tables) = (name, json, tables)
  }

  /// The paths of the tables that belong to the catalog at a path, sorted: `strings/dozzi/de.json` beside `dozzi.json`. Empty when there are
  /// none.
  public static func tables(besideCatalog path: String) -> [String] {
    let url = URL(fileURLWithPath: path)
    let base = path.hasSuffix(url.lastPathComponent) ? String(path.dropLast(url.lastPathComponent.count)) : ""
    let folder = base + "strings/" + url.deletingPathExtension().lastPathComponent
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }.sorted().map { "\(folder)/\($0)" }
  }
}

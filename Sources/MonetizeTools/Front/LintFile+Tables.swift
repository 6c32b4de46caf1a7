// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

extension LintFile {
  /// The paths of the tables beside a catalog, sorted: `strings/<app>/<language>.json` for `<app>.json`. Empty when there are none.
  public static func tables(besideCatalog path: String) -> [String] {
    let folder = folder(besideCatalog: path)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }.sorted().map { "\(folder)/\($0)" }
  }

  /// The folder of the tables beside a catalog: `strings/<app>` for `<app>.json`.
  static func folder(besideCatalog path: String) -> String {
    let url = URL(fileURLWithPath: path)
    let base = path.hasSuffix(url.lastPathComponent) ? String(path.dropLast(url.lastPathComponent.count)) : ""
    return base + "strings/" + url.deletingPathExtension().lastPathComponent
  }
}

extension CatalogStrings {
  /// Reads a catalog's table of texts.
  /// - Parameter file: The path of the file, whose name is the language.
  /// - Throws: `CatalogError` for a table that cannot be read, is in another language, or does not fit the catalog.
  public init(json: Data, of catalog: Catalog, file: String) throws(CatalogError) {
    try self.init(json: json)
    if let mistake = mistake(inFileFor: URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent) {
      throw CatalogError(diagnostics: [mistake])
    }
    _ = try catalog.localized(by: self)
  }
}

extension StoreKitFile.Import {
  /// The tables that do not exist yet beside a catalog, each with its path. Their folder may not exist either.
  public func newTables(besideCatalog path: String) -> [(path: String, json: String)] {
    let folder = LintFile.folder(besideCatalog: path)
    return tables.map { ("\(folder)/\($0.language).json", $0.json) }.filter { !FileManager.default.fileExists(atPath: $0.path) }
  }
}

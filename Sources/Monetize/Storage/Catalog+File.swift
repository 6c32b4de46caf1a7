// SPDX-License-Identifier: Apache-2.0
public import Foundation

extension Catalog {
  /// Reads a catalog from a file.
  /// - Throws: ``CatalogError`` with every mistake of the file, or a Foundation error when it cannot be read.
  public init(
    contentsOf url: URL, kinds: ProductKinds = .standard, shapes: AllowanceShapes = .standard, conditions: Conditions = .standard
  ) throws {
    try self.init(json: Data(contentsOf: url), kinds: kinds, shapes: shapes, conditions: conditions)
  }

  /// The catalog in the customer's language, by the tables in a folder, each in a file with the name of its language, such as `de.json`.
  ///
  /// Uses the first of the languages that has a table or is the catalog's own; the catalog itself if there is none, also without the folder.
  /// - Parameters:
  ///   - folder: The folder.
  ///   - languages: The languages, the preferred one first. Default: those of the device, with the choice for this app.
  /// - Throws: ``CatalogError`` for a table that does not fit the catalog, or a Foundation error when it cannot be read.
  public func localized(
    in folder: URL, for languages: [Language] = Locale.preferredLanguages.map(Language.init(rawValue:))
  ) throws -> Catalog {
    let files = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).filter { $0.hasSuffix(".json") }
    let tables = files.map { Language(String($0.dropLast(5))) }
    guard let language = Language.match(languages, in: tables + [self.language]), tables.contains(language) else { return self }
    let strings = try CatalogStrings(json: Data(contentsOf: folder.appendingPathComponent("\(language).json")))
    if let mistake = strings.mistake(inFileFor: language.rawValue) { throw CatalogError(diagnostics: [mistake]) }
    return try localized(by: strings)
  }
}

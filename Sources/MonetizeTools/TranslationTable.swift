// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize
import MonetizeJSON

/// The result of `monetize generate texts`: a table of all texts of a catalog in a language, and of the framework's own in a language that the
/// framework does not have. A text that is not translated yet has the words of the catalog, or the English ones.
public struct TranslationTable: ToolReport {
  /// The table, as a text that `CatalogStrings` reads.
  public let text: String
  /// The language of the table.
  public let language: Language
  /// The number of texts that a table in this language has.
  public let count: Int
  /// The paths of the texts that have the words of the catalog, or the framework's English ones: not translated yet, or equal in both
  /// languages.
  public let untranslated: [String]

  /// Makes a table without translations. O(length of the catalog).
  public init(of catalog: Catalog, in language: Language) throws(CatalogError) {
    try self.init(of: catalog, continuing: Self.empty(language))
  }

  /// Adds the missing texts to a table, whose content stays. O(length of both).
  /// - Throws: `CatalogError` when the table does not fit the catalog.
  public init(of catalog: Catalog, continuing table: Data) throws(CatalogError) {
    let strings = try CatalogStrings(json: table)
    _ = try catalog.localized(by: strings)
    let added = try JSONDocument(catalog: Self.tree(catalog.words(missingIn: strings)[...], depth: 0).utf8).root
    let whole = try JSONDocument(catalog: JSONDocument(catalog: table).root.applying(mergePatch: added).utf8).root
    let all = try catalog.words(missingIn: CatalogStrings(json: Self.empty(strings.language)))
    let same = all.filter { keys, words in keys.reduce(whole as JSONValue?) { $0?[$1] }?.string == words }
    (text, language, count) = (Self.indented(whole, "") + "\n", strings.language, all.count)
    untranslated = same.map { $0.keys.joined(separator: ".") }
  }

  private static func empty(_ language: Language) -> Data { Data("{ \"language\": \(JSONWriter.quoted(language.rawValue)) }".utf8) }

  /// The table for a file: the completed one that exists, or one without translations.
  /// - Parameters:
  ///   - catalog: The catalog.
  ///   - language: The language; `nil` for that of the existing table, or else the name of the file.
  ///   - path: The path of the file; `nil` for none.
  ///   - existing: The content of the file, if it exists.
  /// - Throws: ``ToolProblem`` when the language is missing, or is not that of the existing table; `CatalogError` when the table does not fit
  ///   the catalog.
  public static func of(_ catalog: Catalog, in language: String?, at path: String?, existing: Data?) throws -> TranslationTable {
    if let path, let existing {
      let table = try TranslationTable(of: catalog, continuing: existing)
      if let language, Language(language) != table.language {
        throw ToolProblem("\(path) has texts in \"\(table.language)\", not in \"\(language)\". Name another file after --to.")
      }
      return table
    }
    guard let name = language ?? path.map({ URL(fileURLWithPath: $0).deletingPathExtension().lastPathComponent }), !name.isEmpty else {
      throw ToolProblem("Which language? Add it, such as --language fr.")
    }
    guard Language(name).isCode else { throw ToolProblem("\(Language(name).mistake) Add it, such as --language fr.") }
    return try TranslationTable(of: catalog, in: Language(name))
  }

  /// A line about a table that was written.
  public func summary(of path: String) -> String {
    "\(path): \(untranslated.count) of \(count) texts have the words of the original\n"
  }

  /// `{ "language", "count", "untranslated", "texts" }`.
  public var json: String {
    ToolJSON.object(["language": language.rawValue, "count": count, "untranslated": untranslated, "texts": text])
  }

  /// An object of texts by their keys. Texts with a common first key follow one another.
  private static func tree(_ texts: ArraySlice<(keys: [String], words: String)>, depth: Int) -> String {
    var members: [String] = []
    var rest = texts
    while let first = rest.first {
      let end = rest.firstIndex { $0.keys[depth] != first.keys[depth] } ?? rest.endIndex
      let value = first.keys.count == depth + 1 ? JSONWriter.quoted(first.words) : tree(rest[..<end], depth: depth + 1)
      members.append("\(JSONWriter.quoted(first.keys[depth])): \(value)")
      rest = rest[end...]
    }
    return "{\(members.joined(separator: ","))}"
  }

  private static func indented(_ value: JSONValue, _ margin: String) -> String {
    guard value.kind == .object, !value.members.isEmpty else { return value.text() }
    let members = value.members.map { "\(margin)  \(JSONWriter.quoted($0.key)): \(indented($0.value, margin + "  "))" }
    return "{\n\(members.joined(separator: ",\n"))\n\(margin)}"
  }
}

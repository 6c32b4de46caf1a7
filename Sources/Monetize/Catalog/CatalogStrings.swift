// SPDX-License-Identifier: Apache-2.0
public import Foundation
import MonetizeJSON

/// The texts of a catalog in another language: one JSON file in the shape of the catalog that contains only texts.
///
/// ```json
/// { "language": "de",
///   "features": { "story": { "title": "Geschichten diesen Monat", "unit": { "one": "Geschichte", "other": "Geschichten" } } },
///   "paywalls": { "default": { "trust": { "Cancel anytime": "Jederzeit kündbar" } } } }
/// ```
///
/// An element of a list is identified by its `id`, or else by its title or text in the catalog, never by its index. A new order then
/// changes nothing, and a changed text counts as not translated.
public struct CatalogStrings: Sendable, Hashable {
  /// The language of the texts.
  public let language: Language
  let json: String
  private let languagePlace: SourcePosition

  /// Reads a table of texts.
  /// - Throws: ``CatalogError`` for a syntax error, a repeated key or a missing `language`. ``Catalog/localized(by:)`` checks whether the texts fit a
  ///   catalog.
  public init(json: Data) throws(CatalogError) {
    let document = try JSONDocument(catalog: json)
    guard let place = document.root["language"], let language = place.string, !language.isEmpty else {
      throw CatalogError(diagnostics: [
        Diagnostic(
          .error, "missing-key", path: "", position: document.root.position,
          message: "A table of texts needs its language. Add \"language\", such as \"de\".")
      ])
    }
    // A reader that reads nothing reports only repeated keys.
    let repeated = JSONReader(document).finish()
    guard repeated.isEmpty else { throw CatalogError(diagnostics: repeated) }
    (self.language, languagePlace) = (Language(language), place.position)
    self.json = String(decoding: json, as: UTF8.self)
  }

  /// The mistake of a table in a file for another language; `nil` when they agree.
  /// - Parameter name: The name of the file without `.json`, such as `de`.
  public func mistake(inFileFor name: String) -> Diagnostic? {
    if language == Language(name) { return nil }
    return Diagnostic(
      .error, "bad-value", path: "language", position: languagePlace,
      message: "The texts are in \"\(language.rawValue)\", but the file is named \"\(name)\". Correct one of them.")
  }

  /// The texts of a catalog's file that the table does not have: the keys of each in the table, and its place in the file. O(length of both).
  package func textsMissing(of root: JSONValue) -> [(keys: [String], place: JSONValue)] {
    guard let table = try? JSONDocument(parsing: json).root else { return [] }
    let known = Set(CatalogTexts.leaves(table, []).map(\.path))
    return CatalogTexts(in: root).sites.filter { !known.contains($0.path) }.map { ($0.path, $0.value) }
  }
}

extension Catalog {
  /// The language of the catalog's texts: English unless it was localized.
  public var language: Language { source.strings?.language ?? .english }

  /// Replaces the catalog's texts with those of a table. A text that the table lacks stays. An overlay that is applied later keeps the
  /// table.
  /// - Throws: ``CatalogError`` when the table names a text that the catalog lacks, or a text breaks a rule of catalogs.
  /// - Complexity: O(length of the catalog), the same as reading it.
  public func localized(by strings: CatalogStrings) throws(CatalogError) -> Catalog {
    var localized = source
    localized.strings = strings
    return try Catalog(source: localized)
  }

  /// The JSON paths of the texts that a table does not translate, in the catalog's order.
  public func textsMissing(in strings: CatalogStrings) -> [String] {
    guard let root = try? JSONDocument(parsing: source.text).root else { return [] }
    return strings.textsMissing(of: root).map { $0.keys.joined(separator: ".") }
  }

  /// Reads a catalog again, in the language of its source.
  init(source: CatalogSource) throws(CatalogError) {
    var text = source.text
    if let strings = source.strings { text = try CatalogTexts.translate(text, by: strings) }
    let reading = Catalog.reading(Data(text.utf8), source: source)
    guard let catalog = reading.catalog else {
      let mistakes = source.strings.map { CatalogTexts.located(reading.diagnostics, in: text, of: source.text, by: $0) }
      throw CatalogError(diagnostics: mistakes ?? reading.diagnostics)
    }
    self = catalog
  }
}

/// The texts of a catalog that people see, with the position of each.
struct CatalogTexts {
  struct Site {
    let path: [String]
    let value: JSONValue
    var name: String { path.joined(separator: ".") }

    func mistake(_ code: Diagnostic.Code, _ message: String) -> Diagnostic {
      Diagnostic(.error, code, path: name, position: value.position, message: message)
    }
  }

  static let sections = [
    "features", "freeTier", "entitlements", "products", "paywalls", "onboarding", "collections", "modules", "legal",
  ]
  private static let keys: Set<String> = [
    "title", "name", "description", "unlockMessage", "one", "other", "headline", "subtitle", "benefitsTitle", "purchaseLabel", "renewal",
    "cancellation", "text",
  ]
  /// The keys of objects and lists that contain only texts.
  private static let containers: Set<String> = ["labels", "trust"]

  private(set) var sites: [Site] = []

  /// Finds the texts in sections of a catalog's file, in its order.
  init(in root: JSONValue, sections: [String] = Self.sections) {
    for member in root.members where sections.contains(member.key) { add(member.value, [member.key]) }
  }

  private mutating func add(_ value: JSONValue, _ path: [String], isText: Bool = false) {
    switch value.kind {
    case .string where isText: sites.append(Site(path: path, value: value))
    case .object:
      let holdsTexts = Self.containers.contains(path.last ?? "")
      for member in value.members where member.key != "$comment" {
        add(member.value, path + [member.key], isText: holdsTexts || Self.keys.contains(member.key))
      }
    case .array:
      let holdsTexts = Self.containers.contains(path.last ?? "")
      for element in value.elements {
        guard let key = element.string ?? element["id"]?.string ?? element["title"]?.string ?? element["feature"]?.string
        else { continue }
        add(element, path + [key], isText: holdsTexts)
      }
    default: break
    }
  }

  /// The text of a catalog with the translations of a table. Everything else stays byte for byte.
  static func translate(_ text: String, by strings: CatalogStrings) throws(CatalogError) -> String {
    let sites = CatalogTexts(in: try JSONDocument(catalog: text.utf8).root).sites
    let table = try JSONDocument(catalog: strings.json.utf8).root
    let known = Set(sites.map(\.path) + [["language"]])
    let leaves = leaves(table, [])
    let noTexts = leaves.filter { $0.value.kind != .string && known.contains($0.path) }.map { leaf in
      leaf.mistake("type-mismatch", "Expected a text here, but found \(leaf.value.shortDescription). Write it in quotes.")
    }
    if !noTexts.isEmpty { throw CatalogError(diagnostics: noTexts) }
    let names = sites.map(\.name)
    let unknown = leaves.filter { !known.contains($0.path) }.enumerated().map { index, leaf in
      // Suggests names only for the first 100 mistakes, because each suggestion compares all names.
      let guess = index < 100 ? closestMatch(to: leaf.name, in: names) : nil
      let hint = didYouMean(guess, or: "Remove it, or use the name from the catalog.")
      return leaf.mistake("unknown-text", "The catalog has no text \"\(leaf.name)\".\(hint)")
    }
    if !unknown.isEmpty { throw CatalogError(diagnostics: unknown) }
    let translations = Dictionary(leaves.map { ($0.path, $0.value) }) { first, _ in first }
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var copied = 0
    for site in sites {
      guard let translation = translations[site.path]?.string else { continue }
      result += bytes[copied..<site.value.byteRange.lowerBound] + Array(JSONWriter.quoted(translation).utf8)
      copied = site.value.byteRange.upperBound
    }
    return String(decoding: result + bytes[copied...], as: UTF8.self)
  }

  /// The mistakes in the translations of a text, at their places in the table; all mistakes unchanged if none is in a translation.
  static func located(_ mistakes: [Diagnostic], in translated: String, of text: String, by strings: CatalogStrings) -> [Diagnostic] {
    let roots = [translated, text, strings.json].compactMap { try? JSONDocument(parsing: $0).root }
    guard roots.count == 3 else { return mistakes }
    // Elements of a list are identified by their texts, which differ in the translation. Pairs them by order, which is the same in both.
    let paths = zip(CatalogTexts(in: roots[0]).sites, CatalogTexts(in: roots[1]).sites).map { ($0.value.position, $1.path) }
    let pathOf = Dictionary(paths) { first, _ in first }
    let placeOf = Dictionary(leaves(roots[2], []).map { ($0.path, $0.value.position) }) { first, _ in first }
    let found = mistakes.compactMap { mistake -> Diagnostic? in
      guard let place = mistake.position.flatMap({ pathOf[$0] }).flatMap({ placeOf[$0] }), mistake.severity == .error else { return nil }
      return Diagnostic(mistake.severity, mistake.code, path: mistake.path, position: place, message: mistake.message)
    }
    return found.isEmpty ? mistakes : found
  }

  fileprivate static func leaves(_ value: JSONValue, _ path: [String]) -> [Site] {
    if value.kind != .object { return [Site(path: path, value: value)] }
    return value.members.filter { $0.key != "$comment" && $0.key != "$schema" }.flatMap { leaves($0.value, path + [$0.key]) }
  }
}

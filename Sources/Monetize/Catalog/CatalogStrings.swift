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
/// changes nothing, and a changed text counts as not translated. A noun beside a number also has the forms `zero`, `two`, `few` and `many`
/// of a language that has them.
///
/// The section `framework` replaces the framework's own texts, in any language: `{ "buttonRestore": "Restaurer les achats" }`.
/// `Docs/Guides/Framework-texts.md` lists them.
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
    let reader = JSONReader(document)
    self.language = Language(language, texts: FrameworkText.texts(in: document.root["framework"], reader))
    if !self.language.isCode { reader.report("bad-value", at: place, self.language.mistake) }
    let mistakes = reader.finish()
    guard mistakes.isEmpty else { throw CatalogError(diagnostics: mistakes) }
    languagePlace = place.position
    self.json = String(decoding: json, as: UTF8.self)
  }

  /// A table without texts.
  init(_ language: Language) {
    (self.language, json, languagePlace) = (language, "{}", SourcePosition(line: 1, column: 1))
  }

  /// The mistake of a table in a file for another language; `nil` when they agree.
  /// - Parameter name: The name of the file without `.json`, such as `de`.
  public func mistake(inFileFor name: String) -> Diagnostic? {
    if language == Language(name) { return nil }
    return Diagnostic(
      .error, "bad-value", path: "language", position: languagePlace,
      message: "The texts are in \"\(language.rawValue)\", but the file is named \"\(name)\". Correct one of them.")
  }

  /// The keys of each text, such as `products`, the id and `name`. O(length).
  package var paths: [[String]] { (try? JSONDocument(parsing: json).root).map { CatalogTexts.leaves($0).map(\.path) } ?? [] }

  /// The texts of a catalog's file that the table does not have, with the forms of nouns that its language has: the keys of each in the
  /// table, and its place in the file. A table in the file's own language lacks none. O(length of both).
  package func textsMissing(of root: JSONValue) -> [(keys: [String], place: JSONValue)] {
    guard isForeign(to: root) else { return [] }
    let known = Set(paths)
    let forms = language.plurals
    return CatalogTexts(in: root).sites.flatMap { site in site.paths(with: forms).map { ($0, site.value) } }.filter {
      !known.contains($0.0)
    }
  }

  /// The texts that a file's arms change without a text in the table's language: the keys of each in the arm, and its place in the file.
  /// O(length of the file).
  package func textsMissing(inArmsOf root: JSONValue) -> [(keys: [String], place: JSONValue)] {
    guard isForeign(to: root) else { return [] }
    let words = Dictionary(CatalogTexts(in: root).sites.map { ($0.path, $0.value.string) }) { first, _ in first }
    return root.runningArms.flatMap { arm in
      let languages = (arm["texts"]?.members ?? []).map { Language($0.key) }
      let table = Language.match([language], in: languages).flatMap { arm["texts"]?[$0.rawValue] }
      let known = Set((table.map { CatalogTexts.leaves($0) } ?? []).map(\.path))
      let changed = (arm["set"].map { CatalogTexts(in: $0).sites } ?? []).filter { words[$0.path] != $0.value.string }
      return changed.filter { !known.contains($0.path) }.map { (["texts", language.rawValue] + $0.path, $0.value) }
    }
  }

  private func isForeign(to root: JSONValue) -> Bool {
    let own = (root["app"]?["language"]?.string).map(Language.init(rawValue:)) ?? .english
    return own.base != language.base
  }

  /// The framework's own texts that customers of the language read in English. Empty in a language that the framework has.
  package var frameworkTextsMissing: [FrameworkText] {
    language.hasFrameworkTexts ? [] : FrameworkText.needed(in: language).filter { language.texts[$0] == nil }
  }
}

extension Catalog {
  /// The language of the catalog's texts: that of the table by which it was localized, or else `language` of its `app`, or else English.
  public var language: Language { source.strings?.language ?? app.language ?? .english }

  /// Replaces the catalog's texts with those of a table. A text that the table lacks stays, and so does one that an overlay or an arm has
  /// changed, because its translation is that of another text. An overlay that is applied later keeps the table.
  /// - Throws: ``CatalogError`` when the table names a text that the catalog lacks, or a text breaks a rule of catalogs.
  /// - Complexity: O(length of the catalog), the same as reading it.
  public func localized(by strings: CatalogStrings) throws(CatalogError) -> Catalog {
    var localized = source
    localized.strings = strings
    return try Catalog(source: localized)
  }

  /// The JSON paths of the texts that a table does not translate: those of the catalog, in its order, and those of the framework, if it does
  /// not have the language.
  public func textsMissing(in strings: CatalogStrings) -> [String] {
    words(missingIn: strings).map { $0.keys.joined(separator: ".") }
  }

  /// The texts that a table does not translate, with their present words; see ``textsMissing(in:)``.
  package func words(missingIn strings: CatalogStrings) -> [(keys: [String], words: String)] {
    guard let root = try? JSONDocument(parsing: source.text).root else { return [] }
    return strings.textsMissing(of: root).map { ($0.keys, $0.place.string ?? "") }
      + strings.frameworkTextsMissing.map { (["framework", $0.rawValue], $0.original) }
  }

  /// Reads a catalog again, in the language and with the variants of its source.
  init(source: CatalogSource) throws(CatalogError) {
    var text = source.text
    if let strings = source.strings { text = try CatalogTexts.translate(source, by: strings) }
    let reading = Catalog.reading(Data(text.utf8), source: source)
    guard let catalog = reading.catalog else {
      let mistakes = source.strings.map { CatalogTexts.located(reading.diagnostics, in: text, of: source.text, by: $0) }
      throw CatalogError(diagnostics: mistakes ?? reading.diagnostics)
    }
    self = catalog.offeringVariants()
  }
}

/// The texts of a catalog that people see, with the position of each.
struct CatalogTexts {
  struct Site {
    let path: [String]
    let value: JSONValue
    var name: String { path.joined(separator: ".") }
    /// The object of a noun's forms; `nil` for any other text.
    private var noun: [String]? { path.dropLast().last == "unit" ? Array(path.dropLast()) : nil }
    /// The form of a noun; `nil` for any other text.
    var form: Plural? { noun == nil ? nil : path.last.flatMap(Plural.init) }
    /// Whether only some languages have it.
    var isExtraForm: Bool { form.map { $0 != .one && $0 != .other } ?? false }

    /// The paths of a translation with these forms of nouns. All extra forms belong to the plural.
    func paths(with forms: [Plural]) -> [[String]] {
      guard let noun, let form else { return [path] }
      if form == .other { return forms.filter { $0 != .one }.map { noun + [$0.rawValue] } }
      return form == .one && forms.contains(.one) ? [path] : []
    }

    func mistake(_ code: Diagnostic.Code, _ message: String) -> Diagnostic {
      Diagnostic(.error, code, path: name, position: value.position, message: message)
    }
  }

  static let sections = [
    "features", "freeTier", "entitlements", "products", "paywalls", "onboarding", "collections", "modules", "legal",
  ]
  private static let keys: Set<String> = [
    "title", "name", "description", "unlockMessage", "headline", "subtitle", "benefitsTitle", "purchaseLabel", "renewal", "cancellation",
    "text",
  ]
  /// Whether an object or a list contains only texts. The second key of a path may be an id.
  private static func holdsTexts(_ path: [String]) -> Bool { path.count > 2 && ["labels", "badges", "trust", "unit"].contains(path.last) }
  /// Whether an object has ids as its keys, and no texts.
  private static func isAmounts(_ path: [String]) -> Bool {
    path == ["freeTier", "grants"] || path.count > 2 && ["grants", "credits"].contains(path.last)
  }

  private(set) var sites: [Site] = []

  /// Finds the texts in sections of a catalog's file, in its order.
  init(in root: JSONValue, sections: [String] = Self.sections) {
    for member in root.members where sections.contains(member.key) { add(member.value, [member.key]) }
  }

  private mutating func add(_ value: JSONValue, _ path: [String], isText: Bool = false) {
    switch value.kind {
    case .string where isText: sites.append(Site(path: path, value: value))
    case .object where !Self.isAmounts(path):
      let holdsTexts = Self.holdsTexts(path)
      for member in value.members where member.key != "$comment" {
        add(member.value, path + [member.key], isText: holdsTexts || Self.keys.contains(member.key))
      }
    case .array:
      let holdsTexts = Self.holdsTexts(path)
      for element in value.elements {
        guard let key = element.string ?? element["id"]?.string ?? element["title"]?.string ?? element["feature"]?.string
        else { continue }
        add(element, path + [key], isText: holdsTexts)
      }
    default: break
    }
  }

  /// The text of a catalog in the language of a table, which fits the file without patches. A text that a patch has changed has the patch's
  /// own translation, if any. Everything else stays byte for byte.
  static func translate(_ source: CatalogSource, by strings: CatalogStrings) throws(CatalogError) -> String {
    let original = CatalogTexts(in: try JSONDocument(catalog: source.original.utf8).root).sites
    let leaves = leaves(try JSONDocument(catalog: strings.json.utf8).root).filter { !["framework", "language"].contains($0.path.first) }
    let unknown = unknown(leaves, among: original)
    if !unknown.isEmpty { throw CatalogError(diagnostics: unknown) }
    let noTexts = leaves.filter { $0.value.kind != .string }.map { $0.mistake("type-mismatch", $0.value.expectedText) }
    if !noTexts.isEmpty { throw CatalogError(diagnostics: noTexts) }
    var translations = Dictionary(leaves.map { ($0.path, $0.value.string) }) { first, _ in first }
    let words = Dictionary(original.map { ($0.path, $0.value.string) }) { first, _ in first }
    let sites = CatalogTexts(in: try JSONDocument(catalog: source.text.utf8).root).sites.filter { site in
      guard let patched = source.patchedTexts.translation(of: site, into: strings.language) else {
        return words[site.path] == site.value.string
      }
      translations[site.path] = patched
      return true
    }
    return replace(sites, with: translations.compactMapValues(\.self), in: source.text)
  }

  /// The mistakes of texts in a table that the catalog does not have.
  static func unknown(_ leaves: [Site], among sites: [Site]) -> [Diagnostic] {
    let known = Set(sites.map(\.path) + sites.flatMap { $0.paths(with: Plural.allCases) })
    let names = sites.map(\.name)
    return leaves.filter { !known.contains($0.path) }.enumerated().map { index, leaf in
      // Suggests names only for the first 100 mistakes, because each suggestion compares all names.
      let guess = index < 100 ? closestMatch(to: leaf.name, in: names) : nil
      let hint = didYouMean(guess, or: "Remove it, or use the name from the catalog.")
      return leaf.mistake("unknown-text", "The catalog has no text \"\(leaf.name)\".\(hint)")
    }
  }

  /// The text with translations in place of the values of sites, and with the forms of a noun that only the translation has.
  private static func replace(_ sites: [Site], with translations: [[String]: String], in text: String) -> String {
    let present = Set(sites.map(\.path))
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var copied = 0
    for site in sites {
      let added =
        site.form != .other
        ? []
        : site.paths(with: Plural.allCases).filter { !present.contains($0) }.compactMap { path in
          translations[path].map { ", \(JSONWriter.quoted(path.last ?? "")): \(JSONWriter.quoted($0))" }
        }
      let translation = translations[site.path].map(JSONWriter.quoted)
      let end = site.value.byteRange.upperBound
      result += bytes[copied..<(translation == nil ? end : site.value.byteRange.lowerBound)]
      result += Array(((translation ?? "") + added.joined()).utf8)
      copied = end
    }
    return String(decoding: result + bytes[copied...], as: UTF8.self)
  }

  /// The mistakes in the translations of a text, at their places in the table; all mistakes unchanged if none is in a translation.
  static func located(_ mistakes: [Diagnostic], in translated: String, of text: String, by strings: CatalogStrings) -> [Diagnostic] {
    let roots = [translated, text, strings.json].compactMap { try? JSONDocument(parsing: $0).root }
    guard roots.count == 3 else { return mistakes }
    // Elements of a list are identified by their texts, which differ in the translation. Pairs them by order, which is the same in both.
    let sites = roots[0...1].map { CatalogTexts(in: $0).sites.filter { !$0.isExtraForm } }
    let paths = zip(sites[0], sites[1]).map { ($0.value.position, $1.path) }
    let pathOf = Dictionary(paths) { first, _ in first }
    let placeOf = Dictionary(leaves(roots[2]).map { ($0.path, $0.value.position) }) { first, _ in first }
    let found = mistakes.compactMap { mistake -> Diagnostic? in
      mistake.position.flatMap { pathOf[$0] }.flatMap { placeOf[$0] }.map { place in
        Diagnostic(mistake.severity, mistake.code, path: mistake.path, position: place, message: mistake.message)
      }
    }
    return found.isEmpty ? mistakes : found
  }

  /// The texts of a table, with their positions in it.
  static func leaves(_ value: JSONValue, _ path: [String] = []) -> [Site] {
    if value.kind != .object { return [Site(path: path, value: value)] }
    return value.members.filter { $0.key != "$comment" && $0.key != "$schema" }.flatMap { leaves($0.value, path + [$0.key]) }
  }
}

extension JSONValue {
  /// The mistake of a value in place of a text.
  var expectedText: String { "Expected a text here, but found \(shortDescription). Write it in quotes." }
}

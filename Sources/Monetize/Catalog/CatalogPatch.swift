// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// The change of a catalog by an overlay or an arm: a JSON merge patch (RFC 7396), and the changed texts in other languages.
///
/// ```json
/// "patch": { "paywalls": { "default": { "headline": "One more story?" } } },
/// "texts": { "de": { "paywalls": { "default": { "headline": "Noch eine Geschichte?" } } } }
/// ```
struct CatalogPatch: Sendable, Hashable {
  /// A patch that removes the experiments.
  static let withoutExperiments = CatalogPatch(merge: #"{ "experiments": null }"#)

  /// The merge patch, as JSON.
  let merge: String
  /// The tables of texts by their language, without the key `language`.
  let texts: [Language: JSONValue]
  private let place: JSONValue?
  private let key: String

  /// The texts in other languages, by language, each with its keys in a table.
  var translations: [(language: Language, keys: [String], text: String)] {
    texts.sorted { $0.key < $1.key }.flatMap { language, table in
      CatalogTexts.leaves(table).map { (language, $0.path, $0.value.string ?? "") }
    }
  }

  private init(merge: String) { (self.merge, texts, place, key) = (merge, [:], nil, "") }

  /// Reads a change and reports its mistakes. `nil` without a patch and texts.
  /// - Parameter key: The key of the merge patch.
  init?(_ fields: JSONFields, key: String, _ reader: JSONReader) {
    let patch = fields.value(key)
    if let patch, reader.object(patch, "a merge patch") != nil {
      Self.check(patch, of: ["monetization", "freeTier", "paywalls", "onboarding", "releases"], reader)
    }
    let tables = reader.objects(
      fields.value("texts").flatMap { $0.isNull ? nil : $0 }, "an object from languages to texts", "an object of texts")
    for (language, table) in tables {
      if !Language(language).isCode { reader.report("bad-value", at: table.value, Language(language).mistake) }
      Self.check(table.value, of: ["freeTier", "paywalls", "onboarding"], reader)
      for text in CatalogTexts.leaves(table.value) where text.value.kind != .string {
        reader.report("type-mismatch", at: text.value, text.value.expectedText)
      }
    }
    if patch == nil, tables.isEmpty { return nil }
    texts = Dictionary(tables.map { (Language($0.key), $0.fields.value) }) { first, _ in first }
    (merge, place, self.key) = (patch?.text() ?? "{}", fields.value, key)
  }

  private static func check(_ sections: JSONValue, of allowed: [String], _ reader: JSONReader) {
    reader.markRead(sections)
    for member in sections.members where member.key != "$comment" && !allowed.contains(member.key) {
      reader.report(
        "overlay-key", at: member,
        "An overlay cannot change \"\(member.key)\". It may change \(allowed.joined(separator: ", ")); anything else needs a release of the app."
      )
    }
  }

  private var content: [String] { [merge] + texts.sorted { $0.key < $1.key }.flatMap { [$0.key.rawValue, $0.value.text()] } }

  static func == (a: Self, b: Self) -> Bool { a.content == b.content }
  func hash(into hasher: inout Hasher) { hasher.combine(content) }

  /// A mistake in a catalog with this patch, at the value of the patch that is nearest to it.
  /// - Parameter language: The language of the text with the mistake; `nil` for a mistake that the merge patch makes.
  func located(_ mistake: Diagnostic, in language: Language? = nil) -> Diagnostic {
    let keys = language.map { ["texts", $0.rawValue] } ?? [key]
    guard let place, let part = keys.reduce(place as JSONValue?, { $0?[$1] }) else { return mistake }
    let path = "\(part.path).\(mistake.path)"
    let nearest = part.nearest(to: path)
    // A mistake in a part of the catalog that the patch does not name keeps its path there.
    return Diagnostic(
      mistake.severity, mistake.code, path: nearest.offset == part.offset ? mistake.path : path, position: nearest.position,
      message: mistake.message)
  }
}

extension JSONValue {
  /// The arms of a catalog's file that customers can have now; see ``Experiment/running``.
  package var runningArms: [JSONValue] {
    (self["experiments"]?.members ?? []).flatMap { experiment in
      let stopped = experiment.value["stopped"]?.string
      return (experiment.value["arms"]?.elements ?? []).filter { stopped == nil || $0["id"]?.string == stopped }
    }
  }
}

/// The texts of patches in other languages, each with the words that it translates: those that the patch left in the catalog.
struct PatchedTexts: Sendable {
  private struct Text: Sendable {
    let language: Language
    let words: String?
    let translation: String
  }

  private var texts: [[String]: [Text]] = [:]

  /// Adds the texts of a patch.
  /// - Parameter sites: The texts of the catalog with the patch.
  mutating func add(_ patch: CatalogPatch, at sites: [CatalogTexts.Site]) {
    let words = Dictionary(sites.map { ($0.path, $0.value.string) }) { first, _ in first }
    for (language, table) in patch.texts {
      for leaf in CatalogTexts.leaves(table) {
        guard let translation = leaf.value.string, let words = words[leaf.path] else { continue }
        texts[leaf.path, default: []].append(Text(language: language, words: words, translation: translation))
      }
    }
  }

  /// The translation of a text into a language, or its base: that of the last patch. `nil` when a later patch has changed the text.
  func translation(of site: CatalogTexts.Site, into language: Language) -> String? {
    let current = (texts[site.path] ?? []).filter { $0.words == site.value.string }
    guard let match = Language.match([language], in: current.map(\.language)) else { return nil }
    return current.last { $0.language == match }?.translation
  }
}

extension CatalogSource {
  /// The mistakes of a patch's texts, at their places in the patch. None when the merge patch itself is wrong.
  /// - Complexity: O(languages × length of the catalog).
  func mistakes(inTextsOf patch: CatalogPatch) -> [Diagnostic] {
    var own = self
    own.strings = nil
    guard !patch.texts.isEmpty, let patched = try? own.reading(patches: [patch, .withoutExperiments]).source,
      let root = try? JSONDocument(catalog: patched.text.utf8).root
    else { return [] }
    let sites = CatalogTexts(in: root).sites
    return patch.texts.sorted { $0.key < $1.key }.flatMap { language, table in
      let unknown = CatalogTexts.unknown(CatalogTexts.leaves(table), among: sites)
      if !unknown.isEmpty { return unknown.map { patch.located($0, in: language) } }
      var translated = patched
      translated.strings = CatalogStrings(language)
      do throws(CatalogError) { _ = try Catalog(source: translated) } catch {
        return error.diagnostics.filter { $0.severity == .error }.map { patch.located($0, in: language) }
      }
      return []
    }
  }
}

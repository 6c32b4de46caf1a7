// SPDX-License-Identifier: Apache-2.0
public import Foundation
import MonetizeJSON

/// A change to a catalog without a release: remote configuration, a soft launch, a rollback. A JSON merge patch (RFC 7396) for all
/// customers or a share of them:
///
/// ```json
/// { "id": "five-stories", "percent": 10, "patch": { "freeTier": { "grants": { "story": 5 } } } }
/// ```
///
/// An overlay may change `monetization`, `freeTier`, `paywalls` and `onboarding`, and add to `releases`. It cannot change products or
/// entitlements, so it cannot take a purchase away. An overlay that breaks a rule is refused as a whole.
///
/// `"texts": { "de": { "paywalls": { … } } }` has the changed texts in other languages, as in ``CatalogStrings``.
public struct Overlay: Sendable, Hashable {
  /// The id, which also decides which customers belong to its share.
  public let id: String
  /// The share of customers, in percent from 0 to 100.
  public let percent: Double
  let patch: CatalogPatch

  /// Reads an overlay.
  /// - Throws: ``CatalogError`` with every mistake in its structure. ``Catalog/applying(_:)`` checks whether it fits a catalog.
  public init(json: Data) throws(CatalogError) {
    self = try Self.read(json, Self.init)
  }

  /// Reads a JSON list of overlays.
  /// - Throws: ``CatalogError`` with every mistake in the list.
  public static func list(json: Data) throws(CatalogError) -> [Overlay] {
    try read(json) { root, reader in reader.elements(root).compactMap { Overlay($0, reader) } }
  }

  private static func read<Value>(_ json: Data, _ make: (JSONValue, JSONReader) -> Value?) throws(CatalogError) -> Value {
    let root = try JSONDocument(catalog: json).root
    let reader = JSONReader(root.document)
    let made = make(root, reader)
    let diagnostics = reader.finish()
    guard let made, !diagnostics.contains(where: { $0.severity == .error }) else { throw CatalogError(diagnostics: diagnostics) }
    return made
  }

  /// Reads an overlay and reports its mistakes. `nil` when something is missing.
  private init?(_ value: JSONValue, _ reader: JSONReader) {
    guard let fields = reader.object(value, "an overlay") else { return nil }
    let id = fields.required("id", as: String.self)
    let percent = fields.optional("percent", as: Double.self) ?? 100
    if !(0...100).contains(percent), let value = fields.value("percent") {
      reader.report("bad-value", at: value, "A share must be from 0 to 100 percent.")
    }
    let patch = CatalogPatch(fields, key: "patch", reader)
    if patch == nil, !["patch", "texts"].contains(where: { reader.reportMisspelt($0, in: value) }) {
      reader.report("missing-key", at: value, "An overlay needs a \"patch\". Add it.")
    }
    guard let id, let patch else { return nil }
    (self.id, self.percent, self.patch) = (id, percent, patch)
  }

  /// The texts in other languages, by language, each with its keys in a table.
  package var translations: [(language: Language, keys: [String], text: String)] { patch.translations }

  /// Whether a customer belongs to its share. The answer is stable, and stays `true` when the share grows.
  public func includes(_ unit: String) -> Bool { Assignment.includes(unit, in: id, percent: percent) }
}

extension Catalog {
  /// Applies an overlay. The rules of catalogs hold for the result.
  /// - Throws: ``CatalogError`` when the overlay breaks a rule, with the positions in the overlay's text. Nothing of it applies then.
  public func applying(_ overlay: Overlay) throws(CatalogError) -> Catalog {
    let mistakes = source.mistakes(inTextsOf: overlay.patch)
    guard mistakes.isEmpty else { throw CatalogError(diagnostics: mistakes) }
    do { return try source.reading(patches: [overlay.patch]) } catch {
      throw CatalogError(diagnostics: error.diagnostics.filter { $0.severity != .note }.map { overlay.patch.located($0) })
    }
  }
}

/// The source of a catalog, to read it again with a patch or in another language.
struct CatalogSource: Sendable {
  /// The text of the file, without patches.
  let original: String
  private(set) var text: String
  /// The texts of the patches in other languages.
  private(set) var patchedTexts = PatchedTexts()
  var strings: CatalogStrings?
  /// The products that arms of experiments sell instead of their original products.
  var variants: [ProductID] = []
  let kinds: ProductKinds
  let shapes: AllowanceShapes
  let conditions: Conditions

  init(_ text: String, _ kinds: ProductKinds, _ shapes: AllowanceShapes, _ conditions: Conditions) {
    (original, self.text, self.kinds, self.shapes, self.conditions) = (text, text, kinds, shapes, conditions)
  }

  /// Reads the text with merge patches applied one after another, in the language of the source. In a patch's `onboarding`, a string is the
  /// id of a step in the text before all patches, so that an arm can list only the order.
  /// - Throws: ``CatalogError`` when the result breaks a rule, or lacks a release, which would close what customers have bought.
  func reading(patches: [CatalogPatch]) throws(CatalogError) -> Catalog {
    var patched = self
    let root = try JSONDocument(catalog: text.utf8).root
    let steps = root["onboarding"]?.elements ?? []
    for patch in patches {
      let whole = Self.replacingNames(in: try JSONDocument(catalog: patch.merge.utf8).root, by: steps)
      let target = try JSONDocument(catalog: patched.text.utf8).root
      patched.text = target.applying(mergePatch: try JSONDocument(catalog: whole.utf8).root)
      if patch.texts.isEmpty { continue }
      patched.patchedTexts.add(patch, at: CatalogTexts(in: try JSONDocument(catalog: patched.text.utf8).root).sites)
    }
    let changed = try Catalog(source: patched)
    let releases = (root["releases"]?.elements ?? []).compactMap(\.string)
    if let missing = releases.first(where: { !changed.releases.contains($0) }) {
      throw CatalogError(diagnostics: [
        Diagnostic(
          .error, "overlay-release", path: "releases", position: nil,
          message: "This removes the release \"\(missing)\", but releases can only be added. List it as well.")
      ])
    }
    return changed
  }

  /// Replaces the ids of steps in a patch with the whole steps. An unknown id stays, and the reader reports it.
  private static func replacingNames(in patch: JSONValue, by steps: [JSONValue]) -> String {
    var bytes = Array(patch.text().utf8)
    guard let names = try? JSONDocument(parsing: bytes).root["onboarding"]?.elements else { return patch.text() }
    for name in names.reversed() {
      guard let id = name.string, let step = steps.first(where: { $0["id"]?.string == id }) else { continue }
      bytes.replaceSubrange(name.byteRange, with: step.text().utf8)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

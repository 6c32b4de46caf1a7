// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize
import MonetizeJSON
import MonetizeSimulator

/// The changes between two catalogs and the customers they affect.
///
/// The engine decides whether something paid for is taken away (law 10): it answers the same questions of each product's owner under both
/// catalogs. Two equal catalogs have no changes. O(length of both files + questions about the differences).
public struct CatalogDiff: Sendable {
  /// The changes, the worst first.
  public let changes: [CatalogChange]

  /// Compares two files of catalogs.
  /// - Throws: `CatalogError` of the first invalid file.
  public init(
    old: Data, new: Data, kinds: ProductKinds = .standard, shapes: AllowanceShapes = .standard, conditions: Conditions = .standard
  ) throws(CatalogError) {
    func side(_ json: Data) throws(CatalogError) -> DiffSide {
      DiffSide(try Catalog(json: json, kinds: kinds, shapes: shapes, conditions: conditions), try JSONDocument(catalog: json).root)
    }
    changes = Self.changes(try side(old), try side(new))
  }

  /// Compares a catalog with the same one under overlays, for the customers who get all of them.
  /// - Throws: `CatalogError` when an overlay breaks a rule.
  public init(of catalog: Catalog, applying overlays: [Overlay]) throws(CatalogError) {
    try self.init(of: catalog, arms: [], applying: overlays)
  }

  /// Compares a catalog with the same one for customers who have arms of its experiments, and overlays over them.
  /// - Parameters:
  ///   - catalog: The catalog without arms.
  ///   - arms: At most one of each experiment, in the order of the catalog's experiments.
  ///   - overlays: The overlays; all apply, in their order.
  /// - Throws: `CatalogError` when the arms together or an overlay break a rule.
  public init(of catalog: Catalog, arms: [Experiment.Arm], applying overlays: [Overlay]) throws(CatalogError) {
    var changed = try catalog.applying(arms: arms)
    for overlay in overlays { changed = try changed.applying(overlay) }
    // A catalog with arms has no experiments, and overlays cannot change them.
    let none = try JSONDocument(catalog: #"{ "experiments": null }"#.utf8).root
    func side(_ catalog: Catalog) throws(CatalogError) -> DiffSide {
      let root = try JSONDocument(catalog: catalog.text.utf8).root
      return DiffSide(catalog, try JSONDocument(catalog: root.applying(mergePatch: none).utf8).root)
    }
    let texts = (arms.flatMap(\.translations) + overlays.flatMap(\.translations)).map { language, keys, text in
      let path = keys.joined(separator: ".")
      return CatalogChange(
        topic: .texts, severity: .note, code: "text", path: "texts.\(language).\(path)", new: text,
        sentence: "The text \(path) in \"\(language)\": “\(text)” is set.")
    }
    changes = Self.sorted(Self.changes(try side(catalog), try side(changed)) + texts)
  }

  private static func changes(_ old: DiffSide, _ new: DiffSide) -> [CatalogChange] {
    let leaves = JSONChange.all(old.root, new.root)
    let variants = ProductChanges.variants(old, new)
    if leaves.isEmpty { return variants }
    let access = AccessChanges(old, new).changes
    let all = IdentityChanges.changes(old, new) + access + ProductChanges.changes(old, new) + variants
    let explained = ExplainedNames(access, old, new)
    let others = LeafChanges(words: (old.words, new.words))
    let rest = leaves.compactMap { leaf in others.change(leaf) { explained.explains(leaf) } }
    return sorted(all + rest)
  }

  private static func sorted(_ changes: [CatalogChange]) -> [CatalogChange] {
    let order = Dictionary(CatalogChange.Topic.allCases.enumerated().map { ($1, $0) }) { first, _ in first }
    return changes.enumerated().sorted {
      (order[$0.element.topic] ?? 0, $0.offset) < (order[$1.element.topic] ?? 0, $1.offset)
    }.map(\.element)
  }
}

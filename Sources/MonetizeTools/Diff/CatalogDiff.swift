// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize
import MonetizeJSON
import MonetizeSimulator

/// What changes for whom between two catalogs.
///
/// Whether something that was paid for is taken away (law 10) is decided by the engine: an owner of each product is asked the same questions
/// under both. Comparing two equal catalogs finds nothing. O(length of both files + questions about what differs).
public struct CatalogDiff: Sendable {
  /// The changes, what is worst first.
  public let changes: [CatalogChange]

  /// Compares two files of catalogs.
  /// - Throws: ``CatalogError`` of the first one that cannot be read.
  public init(
    old: Data, new: Data, kinds: ProductKinds = .standard, shapes: AllowanceShapes = .standard, conditions: Conditions = .standard
  ) throws(CatalogError) {
    func side(_ json: Data) throws(CatalogError) -> DiffSide {
      let catalog = try Catalog(json: json, kinds: kinds, shapes: shapes, conditions: conditions)
      do throws(JSONSyntaxError) { return DiffSide(catalog, try JSONDocument(parsing: [UInt8](json)).root) } catch {
        throw CatalogError(diagnostics: [error.diagnostic])
      }
    }
    changes = Self.changes(try side(old), try side(new))
  }

  private static func changes(_ old: DiffSide, _ new: DiffSide) -> [CatalogChange] {
    let leaves = JSONChange.all(old.root, new.root)
    if leaves.isEmpty { return [] }
    let access = AccessChanges(old, new).changes
    let all = IdentityChanges.changes(old, new) + access + ProductChanges.changes(old, new)
    let explained = !access.isEmpty
    let rest = leaves.compactMap { LeafChanges.change($0, old, new, isAccessExplained: explained) }
    let order = Dictionary(CatalogChange.Topic.allCases.enumerated().map { ($1, $0) }) { first, _ in first }
    return (all + rest).enumerated().sorted {
      (order[$0.element.topic] ?? 0, $0.offset) < (order[$1.element.topic] ?? 0, $1.offset)
    }.map(\.element)
  }
}

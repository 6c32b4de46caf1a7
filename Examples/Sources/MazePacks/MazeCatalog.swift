// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

/// The maze app's catalog: a ``Monetize/Catalog`` that also meets this app's own requirements, so no later check is needed.
///
/// A new pack is an entry under `collections` and a product in the file, without code.
public struct MazeCatalog: Sendable {
  /// The framework's catalog.
  public let catalog: Catalog
  /// The packs, in the file's order; at least one.
  public let packs: [Pack]

  /// Reads the file.
  /// - Throws: ``Monetize/CatalogError`` for mistakes in any app, ``MazeCatalogError`` for those of this app.
  public init(contentsOf url: URL) throws { try self.init(Catalog(contentsOf: url)) }

  /// Reads the file's content.
  /// - Throws: As ``init(contentsOf:)``.
  public init(json: Data) throws { try self.init(Catalog(json: json)) }

  /// Checks a catalog.
  /// - Throws: ``MazeCatalogError`` with all problems.
  public init(_ catalog: Catalog) throws(MazeCatalogError) {
    var check = MazeCatalogCheck(catalog)
    packs = check.packs()
    if !check.problems.isEmpty { throw MazeCatalogError(problems: check.problems) }
    self.catalog = catalog
  }

  /// The pack with an id.
  public func pack(_ id: CollectionID) -> Pack? { packs.first { $0.id == id } }

  /// The pack that a product opens: for a purchase that was started in the store.
  public func pack(openedBy product: ProductID) -> Pack? { packs.first { $0.product == product } }

  /// The devices of the app, such as `ipad`.
  public var devices: [String] { catalog.app.devices ?? [] }

  /// The orientations of the app. With `landscape` alone, a paywall and a gate have a wide and short canvas.
  public var orientations: [String] { catalog.app.orientations ?? [] }
}

/// The error for a valid catalog that does not fit the maze app.
public struct MazeCatalogError: Error, Sendable, Hashable, CustomStringConvertible {
  /// All problems; each message ends with its fix.
  public let problems: [Diagnostic]

  /// One problem a line.
  public var description: String { problems.map(\.description).joined(separator: "\n") }
}

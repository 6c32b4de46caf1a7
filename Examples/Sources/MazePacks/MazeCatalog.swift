// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

/// The maze app's catalog: a ``Monetize/Catalog`` that also keeps what this app relies on, so that nothing has to be checked later.
///
/// A new pack is an entry under `collections` and a product in the file, and no code.
public struct MazeCatalog: Sendable {
  /// The catalog as the framework reads it.
  public let catalog: Catalog
  /// The packs, in the file's order; at least one.
  public let packs: [Pack]

  /// Opens the file.
  /// - Throws: ``Monetize/CatalogError`` for what no app could use, ``MazeCatalogError`` for what this one cannot.
  public init(contentsOf url: URL) throws { try self.init(Catalog(contentsOf: url)) }

  /// Reads the file's content.
  /// - Throws: as ``init(contentsOf:)``.
  public init(json: Data) throws { try self.init(Catalog(json: json)) }

  /// Checks a catalog.
  /// - Throws: ``MazeCatalogError`` with all that is missing.
  public init(_ catalog: Catalog) throws(MazeCatalogError) {
    var check = MazeCatalogCheck(catalog)
    packs = check.packs()
    if !check.problems.isEmpty { throw MazeCatalogError(problems: check.problems) }
    self.catalog = catalog
  }

  /// The pack of that id.
  public func pack(_ id: CollectionID) -> Pack? { packs.first { $0.id == id } }

  /// The pack that a product opens: for a purchase that was started in the store.
  public func pack(openedBy product: ProductID) -> Pack? { packs.first { $0.product == product } }

  /// The devices that the app is made for, such as `ipad`.
  public var devices: [String] { catalog.app.devices ?? [] }

  /// The orientations that the app is made for. With `landscape` alone, a paywall and a gate have a wide and short canvas.
  public var orientations: [String] { catalog.app.orientations ?? [] }
}

/// That a catalog is sound, and yet not one for the maze app.
public struct MazeCatalogError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Everything that is wrong; each message ends with how to mend it.
  public let problems: [Diagnostic]

  /// One problem a line.
  public var description: String { problems.map(\.description).joined(separator: "\n") }
}

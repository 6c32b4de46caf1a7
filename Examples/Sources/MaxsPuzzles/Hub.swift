// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

/// The hub of puzzle modules, with a seat for each player. It sells nothing; `Products/maxs-puzzles.json` lists what is out and for whom.
public struct Hub: Sendable {
  /// The monetizer of the hub.
  public let monetizer: Monetizer

  /// Opens the app's catalog.
  /// - Throws: as ``Monetize/Catalog/init(contentsOf:kinds:shapes:)``.
  public init(contentsOf url: URL, _ configure: (inout Monetizer.Configuration) -> Void = { _ in }) throws {
    self.init(try Catalog(contentsOf: url), configure)
  }

  /// Opens with a catalog in memory.
  public init(_ catalog: Catalog, _ configure: (inout Monetizer.Configuration) -> Void = { _ in }) {
    monetizer = Monetizer(catalog: catalog) {
      $0.facts = .standard.adding(PlayRecord.self)
      configure(&$0)
    }
  }

  /// A puzzle module of the hub.
  public struct Module: Sendable, Hashable, Identifiable {
    /// The prefix of its features' ids.
    public let id: String
    /// The title that people see.
    public let title: String
    /// Its features that are out, in the file's order.
    public let features: [FeatureID]
  }

  /// The modules, in the file's order. Another module is a change of the file.
  public var modules: [Module] {
    let catalog = monetizer.catalog
    return catalog.modules.map { module in
      let features = catalog.features.filter { feature in
        feature.id.rawValue.hasPrefix(module.id + ".") && feature.release.map(catalog.releases.contains) ?? true
      }
      return Module(id: module.id, title: module.title ?? module.id, features: features.map(\.id))
    }
  }

  /// A seat for a player.
  public func seat(for player: Player) -> Seat { Seat(player: player, access: monetizer.as(player.member)) }
}

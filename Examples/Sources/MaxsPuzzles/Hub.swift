// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

/// The hub: modules plug in, and everybody has a seat. It sells nothing; `Products/maxs-puzzles.json` says what is out and for whom.
public struct Hub: Sendable {
  /// Who answers and remembers.
  public let monetizer: Monetizer

  /// Opens the app's catalog.
  /// - Throws: as ``Monetize/Catalog/init(contentsOf:kinds:shapes:)``.
  public init(contentsOf url: URL, _ configure: (inout Monetizer.Configuration) -> Void = { _ in }) throws {
    self.init(try Catalog(contentsOf: url), configure)
  }

  /// Opens with a catalog that was read already.
  public init(_ catalog: Catalog, _ configure: (inout Monetizer.Configuration) -> Void = { _ in }) {
    monetizer = Monetizer(catalog: catalog) {
      $0.facts = .standard.adding(PlayRecord.self)
      configure(&$0)
    }
  }

  /// One puzzle that plugs into the hub.
  public struct Module: Sendable, Hashable, Identifiable {
    /// The first part of its features' ids.
    public let id: String
    /// What a person calls it.
    public let title: String
    /// Its features that are out, in the file's order.
    public let features: [FeatureID]
  }

  /// The modules, in the file's order. Another one is a change of the file.
  public var modules: [Module] {
    let catalog = monetizer.effectiveCatalog
    return catalog.modules.map { module in
      let features = catalog.features.filter { feature in
        feature.id.rawValue.hasPrefix(module.id + ".") && feature.release.map(catalog.releases.contains) ?? true
      }
      return Module(id: module.id, title: module.title ?? module.id, features: features.map(\.id))
    }
  }

  /// A place in front of the hub.
  public func seat(for player: Player) -> Seat { Seat(player: player, access: monetizer.as(player.member)) }
}

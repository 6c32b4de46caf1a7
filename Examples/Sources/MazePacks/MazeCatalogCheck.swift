// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// Checks the maze app's requirements beyond the framework's own rules. Finds all problems in one pass.
struct MazeCatalogCheck {
  let catalog: Catalog
  /// The snapshot of a customer without purchases: the check uses the engine's answers, not the text of the file.
  let nothingBought: Snapshot
  private(set) var problems: [Diagnostic] = []

  init(_ catalog: Catalog) {
    self.catalog = catalog
    nothingBought = Snapshot(of: CustomerState(), catalog: catalog, at: Date(timeIntervalSince1970: 0))
  }

  /// The packs without problems; those of the others are in `problems`.
  mutating func packs() -> [Pack] {
    let canAsk = checkFeatures()
    checkGate()
    if catalog.collections.isEmpty {
      report("maze-no-pack", at: "collections", "There is no pack. Declare one under \"collections\".")
    }
    let packs = catalog.collections.compactMap { canAsk ? pack($0) : nil }
    for (product, shared) in Dictionary(grouping: packs, by: \.product).sorted(by: { $0.key < $1.key }) where shared.count > 1 {
      let names = shared.map(\.id.rawValue).joined(separator: ", ")
      report("maze-shared-product", at: "products", "\"\(product)\" opens several packs (\(names)). Give each pack a product of its own.")
    }
    return packs
  }

  private mutating func checkFeatures() -> Bool {
    let missing = [FeatureID.packOpen, .storyPlay].filter { catalog.feature($0) == nil }
    for feature in missing {
      report("maze-feature", at: "features", "The feature \"\(feature)\" is missing. Declare it under \"features\".")
    }
    if catalog.feature(.packOpen) != nil, !nothingBought.allows(.packOpen) {
      report("maze-pack-locked", at: "freeTier.grants", "Opening a pack must be free, only stories lock. Grant \"pack.open\": true here.")
    }
    guard let play = catalog.feature(.storyPlay) else { return false }
    guard play.shape is ItemsShape else {
      report("maze-story-shape", at: "features.story.play", "Stories open one by one. Write \"allowance\": \"items\".")
      return false
    }
    return true
  }

  private mutating func checkGate() {
    guard catalog.parentalGate?.covers(.purchase) != true else { return }
    report("maze-no-gate", at: "parentalGate", "A child must not reach the store alone. Let \"parentalGate\" cover \"purchase\".")
  }

  private mutating func pack(_ collection: CatalogCollection) -> Pack? {
    let at = "collections.\(collection.id)"
    let difficulties = Difficulty.allCases.map(\.rawValue)
    if collection.parts != difficulties {
      let found = collection.parts.isEmpty ? "none" : collection.parts.joined(separator: ", ")
      report(
        "maze-parts", at: "\(at).parts",
        "Each story has the parts \(difficulties.joined(separator: ", ")), in this order; found \(found). Write these three.")
    }
    if collection.cover == nil { report("maze-cover", at: at, "A pack card shows a cover. Name one with \"cover\".") }
    if collection.theme == nil { report("maze-theme", at: at, "A pack card shows a theme. Name one with \"theme\".") }
    let product = product(opening: collection, at: at)
    guard let cover = collection.cover, let theme = collection.theme, let product else { return nil }
    return Pack(
      id: collection.id, title: collection.title, cover: cover, theme: theme,
      stories: collection.paths.map { Story(pack: collection.id, id: $0.item) }, product: product)
  }

  /// The product that opens every story that is not free: only one, so that the paywall has one clear offer.
  private mutating func product(opening collection: CatalogCollection, at path: String) -> ProductID? {
    let closed = collection.paths.map { nothingBought.decision(for: .storyPlay, item: $0) }.filter { !$0.isAllowed }
    guard let first = closed.first else {
      report("maze-nothing-locked", at: path, "All stories of this pack are free. Sell some: grant fewer under \"freeTier\".")
      return nil
    }
    guard closed.allSatisfy({ $0.unlockedBy == first.unlockedBy }), let product = first.unlockedBy.first else {
      report("maze-no-product", at: path, "No product opens all stories of this pack. Grant it \"unlimited\" in a product that is on sale.")
      return nil
    }
    guard first.unlockedBy.count == 1 else {
      let names = first.unlockedBy.map(\.rawValue).joined(separator: ", ")
      report("maze-several-products", at: path, "Several products open this pack (\(names)). Keep one on sale.")
      return nil
    }
    return product
  }

  private mutating func report(_ code: Diagnostic.Code, at path: String, _ message: String) {
    problems.append(Diagnostic(.error, code, path: path, position: nil, message: message))
  }
}

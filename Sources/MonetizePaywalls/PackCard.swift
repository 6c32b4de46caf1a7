// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// A collection on a shelf: its title, its completed items, and the access to its locked ones.
public struct PackCard: Sendable, Hashable, Identifiable {
  /// The collection.
  public let id: CollectionID
  /// The title that people see.
  public let title: String
  /// The name of a picture.
  public let cover: String?
  /// The number of completed items: completed as a whole, or in all of their parts.
  public let completed: Int
  /// The number of items.
  public let count: Int
  /// The completed items as a text, such as `5 of 20 completed`.
  public let progress: String
  /// The view to show in place of the locked items; open when all are open.
  public let access: FeatureAccess
  /// The first locked item, which leads to the paywall; `nil` when all are open.
  public let locked: ItemPath?
  /// The text that a screen reader speaks.
  public let accessibilityLabel: String
}

/// One item of a collection: a tile of a grid.
public struct ItemCell: Sendable, Hashable, Identifiable {
  /// The item.
  public let id: ItemPath
  /// The text on the tile: the item's number, from 1, or its own id.
  public let title: String
  /// The view to show: the item, or a lock.
  public let access: FeatureAccess
  /// Whether it is completed.
  public let isCompleted: Bool
  /// The text that a screen reader speaks.
  public let accessibilityLabel: String
}

extension Snapshot {
  /// The shelf of a feature: a card for each of its collections, in the catalog's order. Empty for a feature that is not about items.
  /// O(items).
  /// - Parameter isCompleted: Whether an item was completed.
  public func shelf(of feature: FeatureID, isCompleted: (ItemPath) -> Bool = { _ in false }) -> [PackCard] {
    guard let known = catalog.feature(feature) else { return [] }
    let language = catalog.language
    return catalog.collections(of: known).compactMap { collection in
      let accesses = collection.paths.map { ($0, access(to: feature, item: $0)) }
      guard let first = accesses.first else { return nil }
      let locked = accesses.first { !$0.1.isOpen }
      let completed = collection.paths.count { collection.has($0, isCompleted) }
      let progress = language.text(.itemProgress, ["done": "\(completed)", "count": "\(collection.items.count)"])
      let state: String? = if case .offer = locked?.1 { language.text(.featureLocked) } else { nil }
      return PackCard(
        id: collection.id, title: collection.title, cover: collection.cover, completed: completed, count: collection.items.count,
        progress: progress, access: (locked ?? first).1, locked: locked?.0,
        accessibilityLabel: [collection.title, progress, state].compactMap { $0 }.joined(separator: language.text(.comma)))
    }
  }

  /// The tiles of a collection, in order, all from this snapshot, so that their locks agree; empty for an unknown collection. O(items).
  /// - Parameters:
  ///   - feature: The feature that opens items.
  ///   - collection: The collection.
  ///   - part: The part of each item, such as a difficulty; `nil` for whole items.
  ///   - isCompleted: Whether an item was completed.
  public func cells(
    of feature: FeatureID, in collection: CollectionID, part: String? = nil, isCompleted: (ItemPath) -> Bool = { _ in false }
  ) -> [ItemCell] {
    guard let collection = catalog.collection(collection) else { return [] }
    let language = catalog.language
    return collection.items.map { item in
      let path = ItemPath(collection: collection.id, item: item.id, part: part)
      let access = access(to: feature, item: path)
      let isDone = collection.has(path, isCompleted)
      let state: String? =
        switch access {
        case .open: isDone ? language.text(.itemCompleted) : nil
        case .offer, .closed: language.text(.featureLocked)
        case .waiting: language.text(.featureChecking)
        }
      return ItemCell(
        id: path, title: item.id, access: access, isCompleted: isDone,
        accessibilityLabel: [item.id, state].compactMap { $0 }.joined(separator: language.text(.comma)))
    }
  }
}

extension CatalogCollection {
  /// Whether an item or a part is completed. An item is completed when all of its parts are, in any order.
  fileprivate func has(_ path: ItemPath, _ isCompleted: (ItemPath) -> Bool) -> Bool {
    isCompleted(path)
      || path.part == nil && !parts.isEmpty && parts.allSatisfy { isCompleted(ItemPath(collection: id, item: path.item, part: $0)) }
  }
}

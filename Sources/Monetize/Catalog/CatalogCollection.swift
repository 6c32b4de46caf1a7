// SPDX-License-Identifier: Apache-2.0

/// A set of items that is opened or sold in parts: a pack of stories, a list of levels.
public struct CatalogCollection: Sendable, Hashable {
  /// One item.
  public struct Item: Sendable, Hashable {
    /// Its id in the collection; of numbered items the number, from 1.
    public let id: String
    /// What it costs in coins, if it has such a price.
    public let coins: Int?
  }

  /// What code calls it.
  public let id: CollectionID
  /// What a person calls it.
  public let title: String
  /// The name of a picture.
  public let cover: String?
  /// The name of a look.
  public let theme: String?
  /// The items in order; the position of an item, from 1, decides what is free.
  public let items: [Item]
  /// The parts that each item has, such as difficulties.
  public let parts: [String]
  private let ordinals: [String: Int]

  init(id: CollectionID, title: String, cover: String?, theme: String?, items: [Item], parts: [String]) {
    self.id = id
    self.title = title
    self.cover = cover
    self.theme = theme
    self.items = items
    self.parts = parts
    ordinals = Dictionary(items.enumerated().map { ($1.id, $0 + 1) }) { first, _ in first }
  }

  /// The position of an item, from 1.
  public func ordinal(of item: String) -> Int? { ordinals[item] }

  /// The paths of all items, in order.
  public var paths: [ItemPath] { items.map { ItemPath(collection: id, item: $0.id) } }

  /// What a path names here; `nil` for an item or a part that does not exist.
  func item(at path: ItemPath) -> CatalogItem? {
    guard let ordinal = ordinals[path.item] else { return nil }
    if let part = path.part, !parts.contains(part) { return nil }
    let previous = ordinal > 1 ? ItemPath(collection: id, item: items[ordinal - 2].id) : nil
    return CatalogItem(path: path.part == nil ? path : path.whole, ordinal: ordinal, previous: previous, coins: items[ordinal - 1].coins)
  }
}

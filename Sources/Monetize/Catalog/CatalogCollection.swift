// SPDX-License-Identifier: Apache-2.0

/// A set of items that is opened or sold in parts: a pack of stories, a list of levels.
public struct CatalogCollection: Sendable, Hashable {
  /// One item.
  public struct Item: Sendable, Hashable {
    /// The item's id in the collection; for numbered items the number, from 1.
    public let id: String
    /// The price in coins; `nil` when the item has none.
    public let coins: Int?
  }

  /// The id that code uses.
  public let id: CollectionID
  /// The title that people see.
  public let title: String
  /// The name of an image.
  public let cover: String?
  /// The name of a visual theme.
  public let theme: String?
  /// The items in order. An item's position, from 1, decides whether it is free.
  public let items: [Item]
  /// The parts that each item has, such as difficulties.
  public let parts: [String]

  /// The paths of all items, in order.
  public var paths: [ItemPath] { items.map { ItemPath(collection: id, item: $0.id) } }

  /// All items in order, in the form that judgements use.
  var found: [CatalogItem] {
    var previous: ItemPath?
    return items.enumerated().map { index, item in
      let path = ItemPath(collection: id, item: item.id)
      defer { previous = path }
      return CatalogItem(path: path, ordinal: index + 1, previous: previous, coins: item.coins)
    }
  }
}

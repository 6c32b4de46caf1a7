// SPDX-License-Identifier: Apache-2.0

/// One item of a collection, or one part of it: `forest/4`, `forest/4/easy`.
public struct ItemPath: Sendable, Hashable, Comparable, Codable, LosslessStringConvertible, ExpressibleByStringLiteral {
  /// The collection that holds the item.
  public let collection: CollectionID
  /// The item's id in its collection; for numbered items its number, from 1.
  public let item: String
  /// A part of the item, such as a difficulty.
  public let part: String?

  /// Makes a path from its parts.
  public init(collection: CollectionID, item: String, part: String? = nil) {
    (self.collection, self.item, self.part) = (collection, item, part)
  }

  /// Parses `collection/item` or `collection/item/part`. Returns `nil` when a component is missing or empty, or there are too many.
  public init?(_ description: String) {
    let pieces = description.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { String(Substring($0)) }
    guard pieces.count == 2 || pieces.count == 3, !pieces.contains("") else { return nil }
    self.init(collection: CollectionID(pieces[0]), item: pieces[1], part: pieces.count == 3 ? pieces[2] : nil)
  }

  /// Makes a path from a literal. An invalid literal names no item, and asking for it gives the error `unknownItem`.
  public init(stringLiteral value: String) {
    self = ItemPath(value) ?? ItemPath(collection: CollectionID(value), item: "")
  }

  /// `collection/item[/part]`.
  public var description: String { "\(collection)/\(item)" + (part.map { "/" + $0 } ?? "") }
  /// The whole item, without the part.
  public var whole: ItemPath { part == nil ? self : ItemPath(collection: collection, item: item) }

  /// Sorts by text.
  public static func < (a: Self, b: Self) -> Bool { a.description < b.description }

  /// Reads `collection/item[/part]`.
  public init(from decoder: any Decoder) throws {
    let text = try String(from: decoder)
    guard let path = ItemPath(text) else {
      throw decoder.mistake("\"\(text)\" is not an item. Write collection/item or collection/item/part.")
    }
    self = path
  }

  /// Writes `collection/item[/part]`.
  public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}

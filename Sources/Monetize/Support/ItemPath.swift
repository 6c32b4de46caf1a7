// SPDX-License-Identifier: Apache-2.0

/// One item of a collection, or one part of it: `forest/4`, `forest/4/easy`.
///
/// It is one text, so that a copy counts one reference, and carries its hash, as a ``FeatureID`` does.
public struct ItemPath: Sendable, Hashable, Comparable, Codable, LosslessStringConvertible, ExpressibleByStringLiteral {
  /// `collection/item[/part]`.
  public let description: String
  /// The lengths of the first two pieces in UTF-8: an id may have a slash in it, and then names nothing.
  private let collectionLength: Int32
  private let itemLength: Int32
  let hash: UInt64

  /// Makes a path from its parts.
  public init(collection: CollectionID, item: String, part: String? = nil) {
    description = "\(collection)/\(item)" + (part.map { "/" + $0 } ?? "")
    collectionLength = Int32(clamping: collection.rawValue.utf8.count)
    itemLength = Int32(clamping: item.utf8.count)
    hash = stableHash(of: description)
  }

  /// The collection that holds the item.
  public var collection: CollectionID { CollectionID(piece(0, Int(collectionLength))) }
  /// The item's id in its collection; for numbered items its number, from 1.
  public var item: String { piece(Int(collectionLength) + 1, Int(itemLength)) }
  /// A part of the item, such as a difficulty.
  public var part: String? {
    let start = Int(collectionLength) + Int(itemLength) + 2
    return hasPart ? piece(start, description.utf8.count - start) : nil
  }
  var hasPart: Bool { Int(collectionLength) + Int(itemLength) + 1 < description.utf8.count }

  private func piece(_ start: Int, _ length: Int) -> String {
    let utf8 = description.utf8
    let first = utf8.index(utf8.startIndex, offsetBy: start)
    return String(description[first..<utf8.index(first, offsetBy: length)])
  }

  /// Reads `collection/item` or `collection/item/part`. `nil` when a piece is missing, empty or one too many.
  public init?(_ description: String) {
    let pieces = description.split(separator: "/", omittingEmptySubsequences: false)
    guard pieces.count == 2 || pieces.count == 3, !pieces.contains(where: \.isEmpty) else { return nil }
    self.init(collection: CollectionID(String(pieces[0])), item: String(pieces[1]), part: pieces.count == 3 ? String(pieces[2]) : nil)
  }

  /// A literal that is not a path names no item: asking for it answers with the error `unknownItem`.
  public init(stringLiteral value: String) {
    self = ItemPath(value) ?? ItemPath(collection: CollectionID(value), item: "")
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(hash) }

  /// Equal when all parts are.
  public static func == (a: Self, b: Self) -> Bool {
    a.hash == b.hash && a.collectionLength == b.collectionLength && a.itemLength == b.itemLength && a.description == b.description
  }

  /// The whole item, without the part.
  public var whole: ItemPath { hasPart ? ItemPath(collection: collection, item: item) : self }

  /// Sorts by text.
  public static func < (a: Self, b: Self) -> Bool { a.description < b.description }

  /// Reads `collection/item[/part]`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let path = ItemPath(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\"\(text)\" names no item. Write collection/item or collection/item/part.")
    }
    self = path
  }

  /// Writes `collection/item[/part]`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

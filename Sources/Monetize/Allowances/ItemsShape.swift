// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// The leading items of collections: the first `n` of every collection, or `n` by collection. All parts of an item go with it.
///
/// Grants: `3`, or `{ "forest": 5, "other": "unlimited" }`. An unlimited collection includes items that are added later.
public struct ItemsShape: AllowanceShape {
  /// `items`.
  public static let name = "items"
  /// Opened item by item.
  public static let isAboutItems = true

  /// How many leading items of which collection.
  public struct Grant: Allowance, Decodable {
    /// Of every collection.
    let base: Int
    /// Of some collections, where it is more.
    let raised: [CollectionID: Int]

    private init(base: Int, raised: [CollectionID: Int]) {
      self.base = base
      self.raised = raised.filter { $0.value > base }
    }

    /// Reads a number, or an object from collections to numbers or `"unlimited"`.
    public init(from decoder: any Decoder) throws {
      if let base = try? decoder.singleValueContainer().decode(Int.self) {
        self.init(base: try decoder.amount(base), raised: [:])
        return
      }
      guard let container = try? decoder.container(keyedBy: JSONKey.self) else {
        throw decoder.mistake("Expected a number of items, an object from collections to numbers, or \"unlimited\".")
      }
      var raised: [CollectionID: Int] = [:]
      for key in container.allKeys where key.stringValue != "$comment" {
        let decoder = try container.superDecoder(forKey: key)
        let value = try decoder.singleValueContainer()
        if let text = try? value.decode(String.self), text == "unlimited" {
          raised[CollectionID(key.stringValue)] = .max
        } else {
          raised[CollectionID(key.stringValue)] = try decoder.amount(value.decode(Int.self))
        }
      }
      self.init(base: 0, raised: raised)
    }

    /// The higher number of each collection.
    public func joined(with other: Self) -> Self {
      if self == other { return self }
      return Grant(base: max(base, other.base), raised: raised.merging(other.raised, uniquingKeysWith: max))
    }

    /// Without an item: allowed when any item is. Not `unlimited`: which items, the question has to say.
    public func judge(_ request: AccessRequest, in context: AllowanceContext) -> Verdict {
      guard let item = context.foundItem else { return base > 0 || !raised.isEmpty ? .allowed : .denied(.requiresPurchase) }
      let limit = max(base, raised.isEmpty ? 0 : raised[item.value.path.collection] ?? 0)
      return item.value.ordinal <= limit ? .allowed : .denied(.requiresPurchase)
    }

    /// The collections named.
    public var collections: [CollectionID] { raised.keys.sorted() }
  }
}

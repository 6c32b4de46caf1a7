// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// The first items of collections: the first `n` of every collection, or a number for each collection. Includes all parts of an item.
///
/// Grants: `3`, or `{ "forest": 5, "other": "unlimited" }`. An unlimited collection includes items that are added later.
public struct ItemsShape: AllowanceShape {
  /// `items`.
  public static let name = "items"
  /// `true`.
  public static let isAboutItems = true

  /// The number of leading items for each collection.
  public struct Grant: Allowance, Decodable {
    let base: Int
    let raised: [CollectionID: Int]

    private init(base: Int, raised: [CollectionID: Int]) {
      self.base = base
      self.raised = raised.filter { $0.value > base }
    }

    /// Decodes a number, or an object from collections to numbers or `"unlimited"`.
    public init(from decoder: any Decoder) throws {
      if let base = try? decoder.singleValueContainer().decode(Int.self) {
        self.init(base: try decoder.amount(base), raised: [:])
        return
      }
      guard let container = try? decoder.container(keyedBy: JSONKey.self) else {
        throw decoder.mistake("Expected a number of items, an object from collections to numbers, or \"unlimited\".")
      }
      var raised: [CollectionID: Int] = [:]
      for key in container.allKeys {
        let decoder = try container.superDecoder(forKey: key)
        let value = try decoder.singleValueContainer()
        if let text = try? value.decode(String.self), text == "unlimited" {
          raised[CollectionID(key.stringValue)] = .max
        } else if let number = try? value.decode(Int.self) {
          raised[CollectionID(key.stringValue)] = try decoder.amount(number)
        } else {
          throw decoder.mistake("Expected a number of items of this collection, or \"unlimited\".")
        }
      }
      self.init(base: 0, raised: raised)
    }

    /// The higher number for each collection.
    public func joined(with other: Self) -> Self {
      if self == other { return self }
      return Grant(base: max(base, other.base), raised: raised.merging(other.raised, uniquingKeysWith: max))
    }

    /// Without an item: allowed when any item is. The verdict is never unlimited, because it depends on the item.
    public func judge(_ request: AccessRequest, in context: AllowanceContext) -> Verdict {
      guard let item = context.foundItem else { return base > 0 || !raised.isEmpty ? .allowed : .denied(.requiresPurchase) }
      let limit = max(base, raised.isEmpty ? 0 : raised[item.value.path.collection] ?? 0)
      return item.value.ordinal <= limit ? .allowed : .denied(.requiresPurchase)
    }

    /// The collections that the grant names; empty if it has a number for all.
    public var collections: [CollectionID] { base > 0 ? [] : raised.keys.sorted() }
  }
}

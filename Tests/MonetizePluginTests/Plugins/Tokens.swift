// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// A consumable with credits, written again with public API only.
struct Tokens: ProductKind {
  static let name = "test.tokens"
  static let storeType = StoreProductType.consumable

  func ownership(from history: ProductHistory, at now: Date) -> Ownership { .none }
}

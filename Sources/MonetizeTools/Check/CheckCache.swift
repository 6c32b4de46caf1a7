// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// Which products give nothing to a customer who owns some: worked out once for each set that a task meets. One task's own, and so no `Sendable`.
final class CheckCache {
  private var known: [UInt64: Set<ProductID>] = [:]

  func useless(_ active: UInt64, _ model: CheckModel) -> Set<ProductID> {
    if let found = known[active] { return found }
    let catalog = model.catalog
    // Beyond 64 products the bits of two of them are one, and nothing is claimed.
    guard catalog.products.count <= 64, catalog.isMonetized else { return [] }
    let owned = catalog.products.indices.filter { active & (1 << UInt64($0)) != 0 }.map { catalog.products[$0] }
    let grants = owned.reduce(catalog.freeTier) { $0.merging($1.grants) { $0.joined(with: $1) } }
    let found = catalog.products.filter { product in
      !type(of: product.kind).sellsCredits && product.isOnSale && !owned.contains { $0.id == product.id }
        && product.grants.allSatisfy { grants[$0.key]?.gives(atLeast: $0.value) ?? false }
    }
    known[active] = Set(found.map(\.id))
    return known[active] ?? []
  }
}

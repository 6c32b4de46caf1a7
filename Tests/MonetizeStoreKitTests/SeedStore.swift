// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import StoreKit

/// The seed's way (004 L77–240): its decisions in its order, over StoreKit, without its views. What the tests show to be wrong.
@MainActor final class SeedStore {
  /// `UserDefaults`.
  final class Defaults: Sendable { let isUnlimited = Locked(false) }

  private let defaults: Defaults
  private(set) var purchased: Set<String> = []
  private(set) var isUnlimited: Bool
  private var listener: Task<Void, Never>?
  /// Whether any instance was ever released.
  nonisolated static let released = Locked(0)

  init(_ defaults: Defaults) {
    self.defaults = defaults
    isUnlimited = defaults.isUnlimited.copy
    // Retains self for ever, because it waits inside a method of self.
    listener = Task { await self.listen() }
  }

  deinit { Self.released.withLock { $0 += 1 } }

  func update() async {
    for await result in StoreKit.Transaction.currentEntitlements {
      // Inserts, and never removes.
      if case .verified(let transaction) = result, transaction.revocationDate == nil { purchased.insert(transaction.productID) }
    }
    // One direction only.
    if purchased.contains("pack") { unlock() }
  }

  private func listen() async {
    for await result in StoreKit.Transaction.updates {
      guard case .verified(let transaction) = result else { continue }
      await update()
      await transaction.finish()
    }
  }

  /// Cancelled, pending and unknown are all the same.
  func purchase(_ product: Product) async -> StoreKit.Transaction? {
    guard let result = try? await product.purchase(), case .success(.verified(let transaction)) = result else { return nil }
    await update()
    await transaction.finish()
    unlock()
    return transaction
  }

  /// At the end of every paywall.
  func closePaywall() async {
    try? await AppStore.sync()
    await update()
  }

  private func unlock() {
    isUnlimited = true
    defaults.isUnlimited.set(true)
  }
}

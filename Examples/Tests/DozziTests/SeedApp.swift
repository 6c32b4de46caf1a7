// SPDX-License-Identifier: Apache-2.0
import Dozzi
import Monetize
import MonetizeSimulator

/// The subject of the laws of `SeedCodeTests`: the app, or the code of the plan that it was written from.
protocol StoryApp {
  var isUnlimited: Bool { get async }
  /// Whether a story was made; `id` is the story's id.
  func makes(_ id: String, fails: Bool) async -> Bool
  /// The number of simultaneous taps that made a story.
  func makeAtOnce(_ count: Int) async -> Int
  /// A second screen of the app.
  func secondScreen() async throws -> Self
  func pay() async throws
  func refund() async throws
  func relaunch() async throws -> Self
  func reinstall() async throws -> Self
}

/// The plan's own logic (004 L47–63, L77–160, L163–240), without StoreKit and SwiftUI: the same decisions in the same order.
final class SeedApp: StoryApp {
  /// `UserDefaults`.
  final class Defaults {
    var remaining: Int?
    var unlimited = false
  }
  /// The list of `Transaction.currentEntitlements`.
  final class Store { var owned: Set<String> = [] }
  enum Status {
    case free(storiesRemaining: Int)
    case unlimited
  }

  private static let product = "com.dozzi.unlimited_stories"
  private let defaults: Defaults
  private let store: Store
  private var purchasedProductIDs: Set<String> = []
  private var status = Status.free(storiesRemaining: 2)

  init(_ defaults: Defaults = Defaults(), _ store: Store = Store()) {
    self.defaults = defaults
    self.store = store
    loadSubscriptionStatus()
    updatePurchasedProducts()
  }

  // L129–140: listed products are inserted, and none is ever removed; L179–185: the sink has one direction.
  private func updatePurchasedProducts() {
    for id in store.owned where id == Self.product { purchasedProductIDs.insert(id) }
    if purchasedProductIDs.contains(Self.product) {
      status = .unlimited
      saveSubscriptionStatus()
    }
  }

  // L189–201.
  private func createStory() -> Bool {
    switch status {
    case .free(let remaining) where remaining > 0:
      status = .free(storiesRemaining: remaining - 1)
      saveSubscriptionStatus()
      return true
    case .unlimited: return true
    default: return false
    }
  }

  // L222–229.
  private func loadSubscriptionStatus() {
    status = defaults.unlimited ? .unlimited : .free(storiesRemaining: defaults.remaining ?? 2)
  }

  // L231–239.
  private func saveSubscriptionStatus() {
    switch status {
    case .free(let remaining): (defaults.remaining, defaults.unlimited) = (remaining, false)
    case .unlimited: defaults.unlimited = true
    }
  }

  var isUnlimited: Bool { if case .unlimited = status { true } else { false } }

  // L459–467: the credit is spent before the story is generated.
  func makes(_ id: String, fails: Bool) async -> Bool { createStory() && !fails }

  /// L626–649, `trackStoryCreation`: reads, then writes. Each call waits for the database between both, so that all calls may read first.
  func makeAtOnce(_ count: Int) async -> Int {
    guard case .free(let remaining) = status else { return count }
    let reads = Array(repeating: remaining, count: count)
    for read in reads where read > 0 { status = .free(storiesRemaining: read - 1) }
    return reads.filter { $0 > 0 }.count
  }

  // L252, L432: each screen has its own manager.
  func secondScreen() -> SeedApp { SeedApp(defaults, store) }

  func pay() {
    store.owned.insert(Self.product)
    updatePurchasedProducts()
  }

  // L142–154: the listener reads purchases again.
  func refund() {
    store.owned = []
    updatePurchasedProducts()
  }

  func relaunch() -> SeedApp { SeedApp(defaults, store) }
  func reinstall() -> SeedApp { SeedApp(Defaults(), store) }
}

extension App: StoryApp {
  var isUnlimited: Bool { dozzi.status.look == .unlimited }
  func makes(_ id: String, fails: Bool) async -> Bool { await make(id, fails: fails) == "story" }
  func makeAtOnce(_ count: Int) async -> Int {
    await withTaskGroup(of: Bool.self) { group in
      for index in 0..<count { group.addTask { await self.make("\(index)") == "story" } }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
  }
  func secondScreen() -> App { self }
  func pay() async throws { try await buy() }
  func refund() async throws { try await store.refund(.unlimited, customer: "ann") }
  func relaunch() async throws -> App { try await restart() }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The App Store behind the stand-in: a test sets what it answers, sends what it announces, and reads which calls were made.
///
/// Each test binds one of its own with ``run(_:)``, so that tests do not see each other.
package final class StandInStore: @unchecked Sendable {
  /// What the store answers.
  package struct Script: Sendable {
    package var products: @Sendable ([String]) async throws -> [Product] = { _ in [] }
    package var purchase: @Sendable (Product, Set<Product.PurchaseOption>, (any Sendable)?) async throws -> Product.PurchaseResult = {
      _, _, _ in .userCancelled
    }
    package var entitlements: @Sendable () async -> [VerificationResult<Transaction>] = { [] }
    package var history: @Sendable () async -> [VerificationResult<Transaction>] = { [] }
    package var unfinished: @Sendable () async -> [VerificationResult<Transaction>] = { [] }
    package var statuses: @Sendable (String) async throws -> [Product.SubscriptionInfo.Status] = { _ in [] }
    package var isEligible: @Sendable (String) async -> Bool = { _ in true }
    package var sync: @Sendable () async throws -> Void = {}
    package var storefront: @Sendable () async -> Storefront? = { Storefront(countryCode: "USA", id: "143441") }
    package var appTransaction: @Sendable () async throws -> VerificationResult<AppTransaction> = { throw StoreKitError.unknown }
    /// A sheet by its name; whether the person went on.
    package var sheet: @Sendable (String) async throws -> Bool = { _ in true }
    package var finish: @Sendable (UInt64) async -> Void = { _ in }

    package init() {}
  }

  @TaskLocal package static var current = StandInStore()

  package let updates = StandInChannel<VerificationResult<Transaction>>()
  package let statuses = StandInChannel<Product.SubscriptionInfo.Status>()
  package let storefronts = StandInChannel<Storefront>()
  package let intents = StandInChannel<PurchaseIntent>()
  package let messages = StandInChannel<Message>()
  private let lock = NSLock()
  private var storedScript = Script()
  private var storedCalls: [String] = []

  package init() {}

  package var script: Script {
    get { lock.withLock { storedScript } }
    set { lock.withLock { storedScript = newValue } }
  }

  /// The calls so far, in order, such as `finish 7`.
  package var calls: [String] { lock.withLock { storedCalls } }

  func called(_ call: String) -> Self {
    lock.withLock { storedCalls.append(call) }
    return self
  }

  /// Runs `body`, and every task that it starts, with this store as the App Store.
  package func run<Result: Sendable>(_ body: @Sendable () async throws -> Result) async rethrows -> Result {
    try await Self.$current.withValue(self) { try await body() }
  }
}

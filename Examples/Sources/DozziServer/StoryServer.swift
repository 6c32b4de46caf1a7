// SPDX-License-Identifier: Apache-2.0
public import Dozzi
public import Foundation
public import Monetize

/// Dozzi's backend: the three functions of the plan, decided by the same catalog and the same engine as on the device.
///
/// Each account has facts, and every answer is computed from them: a number of remaining stories is never stored. The actor changes facts
/// without a suspension in between, so calls at once never count a story twice or more stories than are left.
public actor StoryServer {
  /// What is known of a signed transaction.
  public enum Evidence: Sendable, Hashable {
    /// The store signed it.
    case genuine(StoreTransaction)
    /// The store did not sign it.
    case forged
    /// The store does not answer.
    case unavailable
  }

  /// A call without an answer.
  public enum Failure: String, Error, Sendable, Hashable {
    /// The call has no signed-in user.
    case unauthenticated = "UNAUTHENTICATED"
    /// The store does not answer: call again later.
    case retryLater = "UNAVAILABLE"
  }

  private struct Account {
    var facts = CustomerState()
    let created: Date
  }

  private let catalog: Catalog
  private let environments: Set<StoreEnvironment>
  private let now: @Sendable () -> Date
  private let verify: @Sendable (String) async -> Evidence
  private var accounts: [String: Account] = [:]
  private var owners: [TransactionID: String] = [:]

  /// Makes a server without accounts.
  /// - Parameters:
  ///   - catalog: The app's catalog, with the limit of the free tier.
  ///   - environments: The environments whose purchases count. App Review and TestFlight buy in the sandbox.
  ///   - now: The present time.
  ///   - verify: Checks the signature of a transaction (JWS), with a library for cryptography or Apple's server.
  public init(
    _ catalog: Catalog, environments: Set<StoreEnvironment> = [.production], now: @escaping @Sendable () -> Date = { Date() },
    verify: @escaping @Sendable (String) async -> Evidence
  ) {
    (self.catalog, self.environments, self.now, self.verify) = (catalog, environments, now, verify)
  }

  /// `verifyPurchase`: records a genuine purchase for a user, also one who is not known yet.
  ///
  /// A purchase and its renewals belong to the first account that shows them. Its dates are the store's.
  public func verifyPurchase(_ signed: String, of product: ProductID, by user: String?) async throws(Failure) -> PurchaseVerification {
    guard let user else { throw .unauthenticated }
    switch await verify(signed) {
    case .unavailable: throw .retryLater
    case .forged: return .invalid
    case .genuine(let transaction):
      guard transaction.productID == product, transaction.appID == nil || transaction.appID == catalog.app.id,
        environments.contains(transaction.environment), owners[transaction.originalID, default: user] == user
      else { return .invalid }
      owners[transaction.originalID] = user
      account(user) { _ = $0.facts.insert(.transaction(transaction)) }
      if let revocation = transaction.revocation { return .revoked(at: revocation.date) }
      return decision(facts(of: user)).reason == .owned ? .verified : .invalid
    }
  }

  /// `getSubscriptionStatus`: the status of a user. Asking again changes nothing.
  public func subscriptionStatus(of user: String?) throws(Failure) -> AccountStatus {
    guard let user else { throw .unauthenticated }
    let record = record(of: user)
    return record.subscription == .unlimited
      ? .unlimited(since: record.purchaseDate ?? record.createdAt) : .free(storiesRemaining: record.storiesRemaining)
  }

  /// `trackStoryCreation`: counts one story, once for each id.
  public func trackStoryCreation(_ id: String, by user: String?) throws(Failure) -> StoryTracking {
    guard let user else { throw .unauthenticated }
    let (facts, now) = (facts(of: user), now())
    let decision = decision(facts)
    if facts.usage.use(id, of: .story, by: .customer) == nil {
      guard decision.isAllowed else { return .refused }
      let use = Use(
        key: id, feature: .story, source: "server", date: now, day: Int((now.timeIntervalSince1970 / 86400).rounded(.down)), zone: "GMT",
        counted: decision.remaining != nil)
      account(user) { _ = $0.facts.insert(.use(use)) }
    }
    return .counted(remaining: self.decision(self.facts(of: user)).remaining)
  }

  /// A revocation that Apple's server reported (`REFUND`, `REVOKE`).
  public func revoked(_ transaction: StoreTransaction) {
    guard let user = owners[transaction.originalID] else { return }
    account(user) { _ = $0.facts.insert(.transaction(transaction)) }
  }

  // MARK: Accounts

  /// The record of a user, made at the first request. O(n) in the user's stories.
  public func record(of user: String) -> StoryRecord {
    account(user)
    let facts = facts(of: user)
    let purchases = facts.transactions.values.filter { $0.revocation == nil }
    let owned = decision(facts).reason == .owned ? purchases.max { $0.purchaseDate < $1.purchaseDate } : nil
    // Without the purchase: a refund gives no stories back.
    let free = decision(CustomerState(facts.facts.filter { $0.name != "transaction" }))
    return StoryRecord(
      subscription: owned == nil ? .free : .unlimited, productId: owned?.productID.rawValue, purchaseDate: owned?.purchaseDate,
      platform: owned == nil ? nil : "ios", storiesRemaining: free.remaining ?? 0,
      createdAt: accounts[user]?.created ?? now(), lastStoryCreated: facts.usage.uses.map(\.date).max())
  }

  private func account(_ user: String, _ change: (inout Account) -> Void = { _ in }) {
    change(&accounts[user, default: Account(created: now())])
  }

  private func facts(of user: String) -> CustomerState { accounts[user]?.facts ?? CustomerState() }

  private func decision(_ facts: CustomerState) -> Decision {
    Snapshot(of: facts, catalog: catalog, at: now()).decision(for: .story)
  }
}

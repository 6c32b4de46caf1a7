// SPDX-License-Identifier: Apache-2.0
import Foundation
public import Monetize

// Events of the store. Each call notifies the customer's devices before it returns.
extension SimulatedStore {
  /// Accepts the pending request to buy, interrupted purchase or price increase of a product, in this order if there are several.
  /// - Throws: ``SimulationError`` when nothing is pending for the product.
  public func approve(_ product: ProductID, customer: CustomerID = .customer) async throws(SimulationError) {
    try await act { world throws(SimulationError) in try world.approve(product, customer: customer) }
  }

  /// Declines the same. A declined request sends no notification; a declined price ends the subscription with its period.
  /// - Throws: ``SimulationError`` when nothing is pending for the product.
  public func decline(_ product: ProductID, customer: CustomerID = .customer) async throws(SimulationError) {
    try await act { world throws(SimulationError) in try world.decline(product, customer: customer) }
  }

  /// Refunds the latest purchase of a product.
  /// - Throws: ``SimulationError`` when there is no such purchase to refund.
  public func refund(
    _ product: ProductID, customer: CustomerID = .customer, part: RefundPart = .full,
    reason: StoreTransaction.Revocation.Reason = .other
  ) async throws(SimulationError) {
    try await act { world throws(SimulationError) in try world.refund(product, customer: customer, part: part, reason: reason) }
  }

  /// Refunds one transaction; one of a past period revokes only that period.
  /// - Throws: ``SimulationError`` when there is no such purchase to refund.
  public func refund(
    transaction: TransactionID, customer: CustomerID = .customer, part: RefundPart = .full,
    reason: StoreTransaction.Revocation.Reason = .other
  ) async throws(SimulationError) {
    try await act { world throws(SimulationError) in
      try world.refund(transaction: transaction, customer: customer, part: part, reason: reason)
    }
  }

  /// Reverses the latest refund of a product.
  /// - Throws: ``SimulationError`` when there is no such refund to reverse.
  public func reverseRefund(_ product: ProductID, customer: CustomerID = .customer) async throws(SimulationError) {
    try await act { world throws(SimulationError) in try world.reverseRefund(product, customer: customer) }
  }

  /// Declines a request for a refund, which only the log shows.
  /// - Throws: ``SimulationError`` when it was never bought.
  public func declineRefund(_ product: ProductID, customer: CustomerID = .customer) async throws(SimulationError) {
    try await act { world throws(SimulationError) in try world.declineRefund(product, customer: customer) }
  }

  /// Renews a subscription now, regardless of the payment method.
  /// - Throws: ``SimulationError`` when the customer has no such subscription, or it has ended.
  public func renew(_ product: ProductID, customer: CustomerID = .customer) async throws(SimulationError) {
    try await act { world throws(SimulationError) in try world.renew(product, customer: customer) }
  }

  /// Ends a subscription now.
  /// - Throws: ``SimulationError`` when the customer has no such subscription, or it has ended.
  public func expire(_ product: ProductID, customer: CustomerID = .customer) async throws(SimulationError) {
    try await act { world throws(SimulationError) in try world.expire(product, customer: customer) }
  }

  /// Extends the current period by 1 to 90 days.
  /// - Throws: ``SimulationError`` when the customer has no such active subscription, or the length is not 1 to 90 days.
  public func extend(_ product: ProductID, by length: Period, customer: CustomerID = .customer) async throws(SimulationError) {
    try await act { world throws(SimulationError) in try world.extend(product, by: length, customer: customer) }
  }

  /// Turns auto-renew on or off for one subscription or, without a product, for all active ones.
  /// - Throws: ``SimulationError`` when there is no such active subscription.
  public func setAutoRenew(_ isOn: Bool, product: ProductID? = nil, customer: CustomerID = .customer) async throws(SimulationError) {
    try await act { world throws(SimulationError) in
      guard let product else { return try world.setAutoRenew(isOn, customer: customer) }
      return try world.setAutoRenew(product, isOn, customer: customer)
    }
  }

  /// Adds a person to a customer's family.
  /// - Throws: ``SimulationError`` when the person is in a family already, is the customer, or the family has six people.
  public func joinFamily(_ member: CustomerID, of customer: CustomerID = .customer) async throws(SimulationError) {
    try await act { world throws(SimulationError) in try world.joinFamily(member, of: customer) }
  }

  /// Removes a person from their family; shared purchases are revoked in both directions.
  /// - Throws: ``SimulationError`` when the person is in no family.
  public func leaveFamily(_ member: CustomerID) async throws(SimulationError) {
    try await act { world throws(SimulationError) in try world.leaveFamily(member) }
  }

  /// Delivers all of a customer's transactions and subscription states again, `times` times, to all of the customer's devices.
  public func deliverAgain(customer: CustomerID = .customer, times: Int = 1) async {
    await act { $0.deliverAgain(customer: customer, times: times) }
  }

  /// Clears a customer's purchase history and offer eligibility.
  public func forget(customer: CustomerID = .customer) async { await act { $0.forget(customer: customer) } }

  /// Deletes a customer's transactions of one product, or the newest of them.
  /// - Throws: ``SimulationError`` when there is no such product, or nothing of it to delete.
  public func forget(_ product: ProductID, newestOnly: Bool = false, customer: CustomerID = .customer) async throws(SimulationError) {
    try await act { world throws(SimulationError) in try world.forget(product, newestOnly: newestOnly, customer: customer) }
  }

  // MARK: History

  /// Every notification of Apple's server, in order.
  public var log: [ServerNotification] { state.withLock { $0.log } }

  /// All transactions of a customer in an environment, oldest first; `nil` means the account's current environment.
  public func transactions(of customer: CustomerID = .customer, in environment: StoreEnvironment? = nil) -> [StoreTransaction] {
    state.withLock { $0.world.transactions(of: customer, in: environment) }
  }

  /// The total charges and refunds of a customer in an environment; `nil` means the account's current environment.
  public func money(of customer: CustomerID = .customer, in environment: StoreEnvironment? = nil) -> MoneyLedger {
    state.withLock { $0.world.money(of: customer, in: environment) }
  }

  /// The ledgers of all customers, each with its environment, in the order of their first contact with the store.
  var ledgers: [(id: CustomerID, ledgers: [(environment: StoreEnvironment, money: MoneyLedger)])] {
    state.withLock { state in state.world.customers.map { ($0.id, $0.ledgers) } }
  }

  /// A customer's subscriptions in an environment; `nil` means the account's current environment.
  public func subscriptions(of customer: CustomerID = .customer, in environment: StoreEnvironment? = nil) -> [RenewalInfo] {
    state.withLock { $0.world.subscriptions(of: customer, in: environment) }
  }

  /// The products whose purchases wait for a parent or for the customer.
  public func waitingPurchases(of customer: CustomerID = .customer) -> [ProductID] {
    state.withLock { $0.world.waitingPurchases(of: customer) }
  }

  /// Whether a customer may use an offer; `nil` means the introductory one.
  public func eligibility(of offer: String? = nil, for product: ProductID, customer: CustomerID = .customer) -> OfferEligibility {
    state.withLock { $0.world.eligibility(of: offer, for: product, customer: customer) }
  }

  /// Explains in a sentence why the store refuses an offer to a customer; `nil` if it does not.
  func reasonAgainst(offer: String, for product: ProductID, customer: CustomerID) -> String? {
    switch state.withLock({ $0.world.refusal(of: offer, for: product, customer: customer) }) {
    case .refused(let reason): reason
    case .unknown: "The product has no offer \"\(offer)\"."
    case nil: nil
    }
  }

  /// A copy of the current world.
  public var world: StoreWorld { state.withLock { $0.world } }
}

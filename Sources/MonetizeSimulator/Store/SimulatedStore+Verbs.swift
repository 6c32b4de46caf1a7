// SPDX-License-Identifier: Apache-2.0
import Foundation
public import Monetize

// What happens: one verb, one call. Each tells the customer's devices before it returns.
extension SimulatedStore {
  /// Answers yes to what the store waits for: Ask to Buy, an interrupted purchase, a price rise; in this order when there are several.
  /// - Throws: ``SimulationError`` when nothing waits for an answer about it.
  public func approve(_ product: ProductID, customer: CustomerID = .customer) async throws(SimulationError) {
    try await act { world throws(SimulationError) in try world.approve(product, customer: customer) }
  }

  /// Answers no to the same. A declined request tells nobody; a declined price ends the subscription with its period.
  /// - Throws: ``SimulationError`` when nothing waits for an answer about it.
  public func decline(_ product: ProductID, customer: CustomerID = .customer) async throws(SimulationError) {
    try await act { world throws(SimulationError) in try world.decline(product, customer: customer) }
  }

  /// Takes back the latest purchase of a product.
  /// - Throws: ``SimulationError`` when there is no such purchase that could be refunded.
  public func refund(
    _ product: ProductID, customer: CustomerID = .customer, part: RefundPart = .full,
    reason: StoreTransaction.Revocation.Reason = .other
  ) async throws(SimulationError) {
    try await act { world throws(SimulationError) in try world.refund(product, customer: customer, part: part, reason: reason) }
  }

  /// Takes back one transaction; one of a past period revokes only that.
  /// - Throws: ``SimulationError`` when there is no such purchase that could be refunded.
  public func refund(
    transaction: TransactionID, customer: CustomerID = .customer, part: RefundPart = .full,
    reason: StoreTransaction.Revocation.Reason = .other
  ) async throws(SimulationError) {
    try await act { world throws(SimulationError) in
      try world.refund(transaction: transaction, customer: customer, part: part, reason: reason)
    }
  }

  /// Takes the latest refund of a product back.
  /// - Throws: ``SimulationError`` when no refund of it could be reversed.
  public func reverseRefund(_ product: ProductID, customer: CustomerID = .customer) async throws(SimulationError) {
    try await act { world throws(SimulationError) in try world.reverseRefund(product, customer: customer) }
  }

  /// A refund was asked for and not given: only the log says so.
  /// - Throws: ``SimulationError`` when it was never bought.
  public func declineRefund(_ product: ProductID, customer: CustomerID = .customer) async throws(SimulationError) {
    try await act { world throws(SimulationError) in try world.declineRefund(product, customer: customer) }
  }

  /// Renews now, paid whatever the payment method says.
  /// - Throws: ``SimulationError`` when the customer has no such subscription, or it has ended.
  public func renew(_ product: ProductID, customer: CustomerID = .customer) async throws(SimulationError) {
    try await act { world throws(SimulationError) in try world.renew(product, customer: customer) }
  }

  /// Ends a subscription now.
  /// - Throws: ``SimulationError`` when the customer has no such subscription, or it has ended.
  public func expire(_ product: ProductID, customer: CustomerID = .customer) async throws(SimulationError) {
    try await act { world throws(SimulationError) in try world.expire(product, customer: customer) }
  }

  /// Extends the running period by 1 to 90 days.
  /// - Throws: ``SimulationError`` when the customer has no such subscription that runs, or the length is not 1 to 90 days.
  public func extend(_ product: ProductID, by length: Period, customer: CustomerID = .customer) async throws(SimulationError) {
    try await act { world throws(SimulationError) in try world.extend(product, by: length, customer: customer) }
  }

  /// Turns auto-renew on or off, of one subscription or, without a product, of all that run.
  /// - Throws: ``SimulationError`` when no such subscription runs.
  public func setAutoRenew(_ isOn: Bool, product: ProductID? = nil, customer: CustomerID = .customer) async throws(SimulationError) {
    try await act { world throws(SimulationError) in
      guard let product else { return try world.setAutoRenew(isOn, customer: customer) }
      return try world.setAutoRenew(product, isOn, customer: customer)
    }
  }

  /// A person joins a customer's family.
  /// - Throws: ``SimulationError`` when the person is in a family already, is the customer, or the family has six people.
  public func joinFamily(_ member: CustomerID, of customer: CustomerID = .customer) async throws(SimulationError) {
    try await act { world throws(SimulationError) in try world.joinFamily(member, of: customer) }
  }

  /// A person leaves their family; what was shared is revoked, both ways.
  /// - Throws: ``SimulationError`` when the person is in no family.
  public func leaveFamily(_ member: CustomerID) async throws(SimulationError) {
    try await act { world throws(SimulationError) in try world.leaveFamily(member) }
  }

  /// Delivers all of a customer's transactions and subscription states again, `times` times, to all of the customer's devices.
  public func deliverAgain(customer: CustomerID = .customer, times: Int = 1) async {
    await change { $0.deliverAgain(customer: customer, times: times) }
  }

  /// Clears a customer's purchase history, and eligibility with it.
  public func forget(customer: CustomerID = .customer) async { await change { $0.forget(customer: customer) } }

  /// Deletes a customer's transactions of one product, or the newest of them.
  /// - Throws: ``SimulationError`` when there is no such product, or nothing of it to delete.
  public func forget(_ product: ProductID, newestOnly: Bool = false, customer: CustomerID = .customer) async throws(SimulationError) {
    try await act { world throws(SimulationError) in try world.forget(product, newestOnly: newestOnly, customer: customer) }
  }

  /// Runs a verb of ``StoreWorld`` that has no call of its own here, and delivers what it caused.
  /// - Throws: what the verb throws.
  public func perform(_ verb: (inout StoreWorld) throws(SimulationError) -> [StoreEvent]) async throws(SimulationError) {
    try await act(verb)
  }

  // MARK: History

  /// Everything that Apple's server would have said, in order.
  public var log: [ServerNotification] { state.withLock { $0.log } }

  /// The same about one customer.
  public func log(of customer: CustomerID) -> [ServerNotification] { log.filter { $0.customer == customer } }

  /// All transactions of a customer in an environment, in the order in which they were made; `nil` is the one that the account is in.
  public func transactions(of customer: CustomerID = .customer, in environment: StoreEnvironment? = nil) -> [StoreTransaction] {
    state.withLock { $0.world.transactions(of: customer, in: environment) }
  }

  /// What a customer paid, refunds not taken off, and got back in an environment; `nil` is the one that the account is in.
  public func money(of customer: CustomerID = .customer, in environment: StoreEnvironment? = nil) -> MoneyLedger {
    state.withLock { $0.world.money(of: customer, in: environment) }
  }

  /// Where a customer's subscriptions stand in an environment; `nil` is the one that the account is in.
  public func subscriptions(of customer: CustomerID = .customer, in environment: StoreEnvironment? = nil) -> [RenewalInfo] {
    state.withLock { $0.world.subscriptions(of: customer, in: environment) }
  }

  /// Purchases that wait for a parent, or for the customer.
  public func waitingPurchases(of customer: CustomerID = .customer) -> [ProductID] {
    state.withLock { $0.world.waitingPurchases(of: customer) }
  }

  /// Whether a customer may use an offer; `nil` asks for the introductory one.
  public func eligibility(of offer: String? = nil, for product: ProductID, customer: CustomerID = .customer) -> OfferEligibility {
    state.withLock { $0.world.eligibility(of: offer, for: product, customer: customer) }
  }

  /// The world as it is now: a copy to look at.
  public var world: StoreWorld { state.withLock { $0.world } }
}

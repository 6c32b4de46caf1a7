// SPDX-License-Identifier: Apache-2.0
import Foundation
public import Monetize

extension StoreWorld {
  /// Renews a subscription now, regardless of the payment method, as `forceRenewalOfSubscription` does.
  ///
  /// An active subscription begins its next period now and ends the current one; in grace the next period begins at the end of the last
  /// one; in billing retry it begins now. An obstacle other than the payment, such as no consent to a higher price or a product off sale,
  /// ends the subscription as at any renewal. (Our choice.)
  /// - Throws: ``SimulationError`` when the customer has no such subscription, it has ended, or the next period is already paid.
  public mutating func renew(_ product: ProductID, customer: CustomerID) throws(SimulationError) -> [StoreEvent] {
    let (buyer, chain) = try running(product, customer)
    let current = self[buyer, chain]
    guard current.start <= now else {
      throw SimulationError(
        .nothingToDo, "The next period of \(product) is already paid; it begins at \(ISODate.text(current.start)).")
    }
    let terms = nextTerms(buyer, chain)
    if current.isActive { cut(buyer, chain, at: now) }
    if let obstacle = terms.obstacle {
      expire(buyer, chain, for: obstacle, at: now)
    } else {
      renew(buyer, chain, terms, at: now, isNewStart: !current.isInGrace)
    }
    return settled()
  }

  /// Ends a subscription now, as `expireSubscription` does. The recorded reason is that auto-renew was off. (Our choice.)
  /// - Throws: ``SimulationError`` when the customer has no such subscription, or it has ended.
  public mutating func expire(_ product: ProductID, customer: CustomerID) throws(SimulationError) -> [StoreEvent] {
    let (buyer, chain) = try running(product, customer)
    if now < self[buyer, chain].expires { cut(buyer, chain, at: now) }
    expire(buyer, chain, .autoRenewDisabled, .voluntary, at: now)
    return settled()
  }

  /// Ends the current period now, and a paid period that has not begun.
  private mutating func cut(_ buyer: Row<Customer>, _ chain: Row<SubscriptionChain>, at date: Date) {
    for index in periods(buyer, self[buyer, chain]) {
      emit(buyer, at: date, [change(buyer, index, at: date) { $0.expirationDate = date }], nil)
    }
    self[buyer, chain].end(at: date)
  }

  /// Extends the current period, or the next one if it is paid. Source: Apple, "Extend a Subscription Renewal Date": by at most 90 days.
  /// - Throws: ``SimulationError`` when the customer has no such active subscription, or the length is not 1 to 90 days.
  public mutating func extend(_ product: ProductID, by length: Period, customer: CustomerID) throws(SimulationError) -> [StoreEvent] {
    let (buyer, chain) = try subscription(product, customer)
    let current = self[buyer, chain]
    guard current.isActive else { throw ended(product, customer, current) }
    let end = length.added(to: current.expires, in: .storeCalendar)
    guard length == Period(days: length.days), (1...90).contains(length.days) else {
      throw SimulationError(.invalidValue, "A renewal date can be extended by 1 to 90 whole days, not by \(length).")
    }
    self[buyer, chain].end(at: end)
    if let period = products[current.product].terms?.period { self[buyer, chain].foreseeCommitment(period, settings) }
    planRenewal(buyer, chain)
    emit(buyer, at: now, [change(buyer, current.latest, at: now) { $0.expirationDate = end }], nil)
    publish(.renewalExtended, nil, buyer, chain, at: now)
    return settled()
  }

  /// Turns auto-renew on or off. For a commitment, off takes effect after the last payment. In billing retry, off ends it at once.
  /// - Throws: ``SimulationError`` when the customer has no such subscription, or it has ended.
  public mutating func setAutoRenew(_ product: ProductID, _ isOn: Bool, customer: CustomerID) throws(SimulationError) -> [StoreEvent] {
    let (buyer, chain) = try running(product, customer)
    setAutoRenew(buyer, chain, isOn)
    return settled()
  }

  /// Turns auto-renew on or off for all active subscriptions of a customer.
  /// - Throws: ``SimulationError`` when no subscription is active.
  public mutating func setAutoRenew(_ isOn: Bool, customer: CustomerID) throws(SimulationError) -> [StoreEvent] {
    guard let buyer = known(customer), case let running = customers[buyer].runningChains, !running.isEmpty else {
      throw SimulationError(.nothingToDo, "\(customer) has no active subscription. Buy one first.")
    }
    for chain in running { setAutoRenew(buyer, chain, isOn) }
    return settled()
  }

  private mutating func setAutoRenew(_ buyer: Row<Customer>, _ chain: Row<SubscriptionChain>, _ isOn: Bool) {
    let current = self[buyer, chain]
    if let commitment = current.commitment {
      guard commitment.renews != isOn else { return }
      self[buyer, chain].commitment?.renews = isOn
      // A refund turned both off.
      if isOn { self[buyer, chain].autoRenew = true }
    } else {
      guard current.autoRenew != isOn else { return }
      self[buyer, chain].autoRenew = isOn
    }
    publish(.didChangeRenewalStatus, isOn ? .autoRenewEnabled : .autoRenewDisabled, buyer, chain, at: now)
    if current.isInRetry, !self[buyer, chain].isToRenew {
      expire(buyer, chain, .autoRenewDisabled, .voluntary, at: now)
    }
  }

  /// Clears a customer's purchase history and introductory eligibility, as `clearTransactions` does. The charges and refunds stay in
  /// the customer's ``MoneyLedger``; shared copies in the family are revoked.
  public mutating func forget(customer: CustomerID) -> [StoreEvent] {
    let buyer = index(of: customer)
    revokeShared(by: buyer)
    for index in customers[buyer].purchases.rows { self[buyer, index].isForgotten = true }
    for index in customers[buyer].chains.rows {
      self[buyer, index].isForgotten = true
      planNothing(buyer, index)
    }
    (customers[buyer].copies, customers[buyer].originals) = ([:], [:])
    customers[buyer].waiting = []
    customers[buyer].redeemed = [:]
    return settled()
  }

  /// Deletes a customer's own transactions of one product, or the newest of them, as `deleteTransaction(identifier:)` does. Devices get no
  /// update; their next read shows it.
  ///
  /// The offers of deleted transactions become available again. A subscription ends when its current period is deleted, and disappears when
  /// all its periods are deleted. (Our choice: Apple does not document this for its test session.)
  /// - Throws: ``SimulationError`` when there is no such product, or nothing of it to delete.
  public mutating func forget(_ product: ProductID, newestOnly: Bool = false, customer: CustomerID) throws(SimulationError) -> [StoreEvent]
  {
    let row = try index(of: product)
    guard let buyer = known(customer), case let all = customers[buyer].own(of: product), !all.isEmpty else {
      throw SimulationError(.nothingToDo, "\(customer) has no purchase of \(product). Buy it first.")
    }
    let environment = customers[buyer].settings.environment
    let deleted = newestOnly ? all.suffix(1) : all[...]
    for index in deleted { self[buyer, index].isForgotten = true }
    for index in deleted {
      guard let offer = self[buyer, index].transaction.offer, !hasUsed(offer, of: product, buyer, environment) else { continue }
      if let use = use(of: offer.type, offer.id, row, environment) { customers[buyer].redeemed[use] = nil }
    }
    revokeShared(by: buyer, only: deleted.map { self[buyer, $0].transaction.id })
    for chain in customers[buyer].chains.rows where deleted.contains(self[buyer, chain].latest) { shorten(buyer, chain) }
    return settled()
  }

  /// Whether a remaining transaction used an offer; for an introductory offer, that of any product of the group.
  private func hasUsed(
    _ offer: StoreTransaction.Offer, of product: ProductID, _ buyer: Row<Customer>, _ environment: StoreEnvironment
  ) -> Bool {
    func group(_ product: ProductID) -> String? { known(product).flatMap { products[$0].terms?.group } }
    return customers[buyer].purchases.contains { purchase in
      let transaction = purchase.transaction
      guard !purchase.isForgotten, transaction.environment == environment, transaction.offer == offer else { return false }
      return offer.type == .introductory ? group(transaction.productID) == group(product) : transaction.productID == product
    }
  }

  /// Resets a chain to its last remaining transaction, and ends it.
  private mutating func shorten(_ buyer: Row<Customer>, _ chain: Row<SubscriptionChain>) {
    var current = self[buyer, chain]
    guard !current.isShared, !current.isForgotten else { return }
    planNothing(buyer, chain)
    let left = customers[buyer].purchases.lastRow { $0.transaction.originalID == current.originalID && !$0.isForgotten }
    current.generation = self[buyer, chain].generation
    if let left, let product = known(self[buyer, left].transaction.productID) {
      let transaction = self[buyer, left].transaction
      if product != current.product { current.price = products[product].agreed(in: customers[buyer].settings.storefront) }
      (current.latest, current.previous, current.product, current.renewsInto) = (left, nil, product, product)
      current.commitment = nil
      current.start = transaction.purchaseDate
      current.end(at: transaction.expirationDate ?? now)
      // The period before one that was paid early may still run.
      let runs = now < current.expires && transaction.revocation == nil && !transaction.isUpgraded
      current.ends(.autoRenewDisabled, at: now)
      if runs { current.isPaid() }
      current.revision = current.revision.next(at: now)
    } else {
      current.isForgotten = true
    }
    self[buyer, chain] = current
    if !current.isForgotten, current.isActive { plan(buyer, chain, at: current.expires) }
  }

  /// Delivers all updates to a customer's devices again, `times` times.
  public mutating func deliverAgain(customer: CustomerID, times: Int = 1) -> [StoreEvent] {
    let account = customers[index(of: customer)]
    let updates =
      account.purchases(in: nil).map { StoreUpdate.transaction($0.signed) } + account.chains(in: nil).map { .renewal($0.info(products)) }
    let event = StoreEvent(
      customer: customer, date: now, updates: updates, notification: nil, origin: nil, environment: account.settings.environment)
    return settled() + Array(repeating: event, count: max(0, times))
  }

  // MARK: Finding a subscription

  /// The customer's own chain whose current or next product this is, or that is of the product's group.
  func subscription(_ product: ProductID, _ customer: CustomerID) throws(SimulationError) -> (
    buyer: Row<Customer>, chain: Row<SubscriptionChain>
  ) {
    let index = try index(of: product)
    guard let terms = products[index].terms else {
      throw SimulationError(.invalidValue, "\(product) is not a subscription, so it does not renew or end.")
    }
    guard let buyer = known(customer), let chain = customers[buyer].chain(of: terms.group) else {
      throw SimulationError(.nothingToDo, "\(customer) never subscribed to \(product). Buy it first.")
    }
    let current = self[buyer, chain]
    guard current.product == index || current.renewsInto == index else {
      throw SimulationError(
        .nothingToDo, "\(customer) is subscribed to \(products[current.product].id), not to \(product). Name the former.")
    }
    return (buyer, chain)
  }

  /// The same, if it has not ended.
  private func running(_ product: ProductID, _ customer: CustomerID) throws(SimulationError) -> (
    buyer: Row<Customer>, chain: Row<SubscriptionChain>
  ) {
    let found = try subscription(product, customer)
    let chain = self[found.buyer, found.chain]
    guard !chain.isOver else { throw ended(product, customer, chain) }
    return found
  }

  private func ended(_ product: ProductID, _ customer: CustomerID, _ chain: SubscriptionChain) -> SimulationError {
    let when = ISODate.text(chain.endedAt ?? chain.expires)
    return SimulationError(.nothingToDo, "\(customer)'s \(product) is not running (\(chain.state), \(when)). Buy it again first.")
  }
}

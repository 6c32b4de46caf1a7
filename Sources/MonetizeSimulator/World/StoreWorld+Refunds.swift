// SPDX-License-Identifier: Apache-2.0
import Foundation
public import Monetize

/// The refunded part of a purchase.
public enum RefundPart: String, Sendable, Hashable, CaseIterable {
  /// The full price.
  case full
  /// The share for the rest of the period; subscriptions only.
  case prorated
}

extension StoreWorld {
  /// Refunds the latest purchase of a product, and ends its access.
  ///
  /// A refund of the current period of a subscription revokes the period and turns auto-renew off. In billing retry the latest period is
  /// over, so that only its transaction is revoked.
  /// - Throws: ``SimulationError`` when there is no such purchase to refund.
  public mutating func refund(
    _ product: ProductID, customer: CustomerID, part: RefundPart = .full, reason: StoreTransaction.Revocation.Reason = .other
  ) throws(SimulationError) -> [StoreEvent] {
    guard let (buyer, index) = try lastPurchase(of: product, customer, where: { $0.transaction.revocation == nil }) else {
      throw SimulationError(.nothingToDo, "\(customer) has no purchase of \(product) to refund. Buy it first.")
    }
    return try refund(at: index, buyer, part, reason)
  }

  /// Refunds one transaction. Source: lessons.md 4.4: refunding a past period revokes only that transaction.
  /// - Throws: ``SimulationError`` when there is no such purchase to refund, or it belongs to another environment than the account.
  public mutating func refund(
    transaction: TransactionID, customer: CustomerID, part: RefundPart = .full, reason: StoreTransaction.Revocation.Reason = .other
  ) throws(SimulationError) -> [StoreEvent] {
    guard let buyer = known(customer), let index = customers[buyer].index(of: transaction),
      self[buyer, index].transaction.revocation == nil, customers[buyer].isOwn(self[buyer, index])
    else {
      throw SimulationError(
        .nothingToDo, "\(customer) has no transaction \(transaction) to refund. Name one of the customer's own that is not revoked.")
    }
    return try refund(at: index, buyer, part, reason)
  }

  private mutating func refund(
    at index: Row<Purchase>, _ buyer: Row<Customer>, _ part: RefundPart, _ reason: StoreTransaction.Revocation.Reason
  ) throws(SimulationError) -> [StoreEvent] {
    let purchase = self[buyer, index]
    let price = purchase.transaction.price ?? Money(amount: 0, currency: "USD")
    let rest = price.amount - purchase.refunded
    if part == .prorated, purchase.transaction.expirationDate == nil {
      throw SimulationError(
        .invalidValue, "\(purchase.transaction.productID) has no period, so a part of it cannot be refunded. Refund it in \"full\".")
    }
    let date = now
    if part == .full {
      giveBack(rest, index, buyer, canBeReversed: true)
    } else {
      giveBackRest(of: index, buyer, at: date, canBeReversed: true)
    }
    let chain = chainOf(purchase: index, buyer)
    let current = chain.map { self[buyer, $0] }
    let periods = current.map { $0.isEntitled ? self.periods(buyer, $0) : [] } ?? []
    var updates: [StoreUpdate] = []
    for taken in periods.contains(index) ? periods : [index] {
      if taken != index { giveBackRest(of: taken, buyer, at: date, canBeReversed: true) }
      updates.append(change(buyer, taken, at: date) { $0.revocation = .init(date: date, reason: reason) })
    }
    var turnedOff: Row<SubscriptionChain>?
    if let chain, var current, periods.contains(index) {
      if current.autoRenew, current.commitment?.renews ?? true { turnedOff = chain }
      current.isTakenBack(at: date)
      current.revision = current.revision.next(at: date)
      self[buyer, chain] = current
      planNothing(buyer, chain)
      updates.append(.renewal(current.info(products)))
    }
    emit(buyer, at: date, updates, line(.refund, nil, buyer, chain: chain, purchase: index, at: date))
    // Source: Apple, `notificationType`: "the App Store disabled subscription auto-renewal after the customer requested a refund". The
    // order of the two is not documented. (Our choice.)
    if let turnedOff { emit(buyer, at: date, [], line(.didChangeRenewalStatus, .autoRenewDisabled, buyer, chain: turnedOff, at: date)) }
    return settled()
  }

  /// Refunds the rest of a period: all of a period that has not begun, the remaining share of a current one. What an upgrade has refunded
  /// already is part of that share.
  mutating func giveBackRest(of index: Row<Purchase>, _ buyer: Row<Customer>, at date: Date, canBeReversed: Bool) {
    let purchase = self[buyer, index]
    guard let price = purchase.transaction.price, let end = purchase.transaction.expirationDate else { return }
    let share = MoneyLedger.share(
      of: price.amount, currency: price.currency, leftAt: date, from: purchase.transaction.purchaseDate, to: end)
    giveBack(share - purchase.refunded, index, buyer, canBeReversed: canBeReversed)
  }

  /// Reverses a refund: charges the customer again and restores the purchase.
  /// - Throws: ``SimulationError`` when there is no refund of it to reverse.
  public mutating func reverseRefund(_ product: ProductID, customer: CustomerID) throws(SimulationError) -> [StoreEvent] {
    guard let (buyer, index) = try lastPurchase(of: product, customer, where: { $0.transaction.revocation != nil }) else {
      throw SimulationError(.nothingToDo, "\(customer) has no refund of \(product) to reverse. Refund it first.")
    }
    let date = now
    let chain = chainOf(purchase: index, buyer)
    let periods = chain.map { self.periods(buyer, self[buyer, $0]) } ?? []
    var updates = (periods.contains(index) ? periods : [index]).map { giveAgain($0, buyer, at: date) }
    if let chain, periods.contains(index), self[buyer, chain].isRevoked {
      self[buyer, chain].isGivenAgain(at: date)
      self[buyer, chain].revision = self[buyer, chain].revision.next(at: date)
      if self[buyer, chain].isActive { planRenewal(buyer, chain) }
      updates.append(.renewal(self[buyer, chain].info(products)))
    }
    emit(buyer, at: date, updates, line(.refundReversed, nil, buyer, chain: chain, purchase: index, at: date))
    return settled()
  }

  private mutating func giveAgain(_ index: Row<Purchase>, _ buyer: Row<Customer>, at date: Date) -> StoreUpdate {
    let purchase = self[buyer, index]
    if let price = purchase.transaction.price {
      customers[buyer].account(purchase.transaction.environment) { $0.refund(-purchase.reversible, price.currency) }
      self[buyer, index].refunded -= purchase.reversible
      self[buyer, index].reversible = 0
    }
    return change(buyer, index, at: date) { $0.revocation = nil }
  }

  /// Records a request for a refund, for which Apple asks the developer for consumption data. There is no decision yet.
  /// - Throws: ``SimulationError`` when the customer never bought it.
  public mutating func requestRefund(_ product: ProductID, customer: CustomerID) throws(SimulationError) -> [StoreEvent] {
    try logRefundStep(.consumptionRequest, product, customer)
  }

  /// Declines a request for a refund.
  /// - Throws: ``SimulationError`` when the customer never bought it.
  public mutating func declineRefund(_ product: ProductID, customer: CustomerID) throws(SimulationError) -> [StoreEvent] {
    try logRefundStep(.refundDeclined, product, customer)
  }

  private mutating func logRefundStep(
    _ type: ServerNotification.Kind, _ product: ProductID, _ customer: CustomerID
  ) throws(SimulationError) -> [StoreEvent] {
    guard let (buyer, index) = try lastPurchase(of: product, customer, where: { _ in true }) else {
      throw SimulationError(.nothingToDo, "\(customer) never bought \(product). Buy it first.")
    }
    emit(buyer, at: now, [], line(type, nil, buyer, purchase: index, at: now))
    return settled()
  }

  /// The customer's newest own purchase of a product, in the account's current environment.
  private func lastPurchase(
    of product: ProductID, _ customer: CustomerID, where isMeant: (Purchase) -> Bool
  ) throws(SimulationError) -> (buyer: Row<Customer>, index: Row<Purchase>)? {
    _ = try index(of: product)
    guard let buyer = known(customer) else { return nil }
    let owner = customers[buyer]
    let index = owner.purchases.lastRow { $0.transaction.productID == product && owner.isOwn($0) && isMeant($0) }
    return index.map { (buyer, $0) }
  }

  mutating func giveBack(_ amount: Decimal, _ index: Row<Purchase>, _ buyer: Row<Customer>, canBeReversed: Bool) {
    guard amount > 0, let price = self[buyer, index].transaction.price else { return }
    self[buyer, index].refunded += amount
    if canBeReversed { self[buyer, index].reversible += amount }
    customers[buyer].account(self[buyer, index].transaction.environment) { $0.refund(amount, price.currency) }
  }

  /// The customer's own chain of a purchase.
  func chainOf(purchase index: Row<Purchase>, _ buyer: Row<Customer>) -> Row<SubscriptionChain>? {
    let original = self[buyer, index].transaction.originalID
    return customers[buyer].chains.firstRow { $0.originalID == original && !$0.isForgotten && !$0.isShared }
  }
}

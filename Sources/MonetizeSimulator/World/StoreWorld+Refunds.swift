// SPDX-License-Identifier: Apache-2.0
import Foundation
public import Monetize

/// How much of a purchase is refunded.
public enum RefundPart: String, Sendable, Hashable, CaseIterable {
  /// All of it.
  case full
  /// The share for what is left of the period; subscriptions only. What was used up to now stays paid.
  case prorated
}

extension StoreWorld {
  /// Takes back the latest purchase of a product, and ends the access that it gives.
  ///
  /// Refunding the running period of a subscription revokes it and turns auto-renew off.
  /// - Throws: ``SimulationError`` when there is no such purchase that could be refunded.
  public mutating func refund(
    _ product: ProductID, customer: CustomerID, part: RefundPart = .full, reason: StoreTransaction.Revocation.Reason = .other
  ) throws(SimulationError) -> [StoreEvent] {
    guard let (buyer, place) = try lastPurchase(of: product, customer, where: { $0.transaction.revocation == nil }) else {
      throw SimulationError(.nothingToDo, "\(customer) has no purchase of \(product) that could be refunded. Buy it first.")
    }
    return try refund(at: place, buyer, part, reason)
  }

  /// Takes back one transaction. Source: lessons.md 4.4: refunding a past period revokes only that transaction.
  /// - Throws: ``SimulationError`` when there is no such purchase that could be refunded, or it is of another environment than the account.
  public mutating func refund(
    transaction: TransactionID, customer: CustomerID, part: RefundPart = .full, reason: StoreTransaction.Revocation.Reason = .other
  ) throws(SimulationError) -> [StoreEvent] {
    guard let buyer = known(customer), let place = customers[buyer].place(of: transaction),
      customers[buyer].purchases[place].transaction.revocation == nil, customers[buyer].isOwn(customers[buyer].purchases[place])
    else {
      throw SimulationError(
        .nothingToDo, "\(customer) has no transaction \(transaction) that could be refunded. Name an own, unrevoked one.")
    }
    return try refund(at: place, buyer, part, reason)
  }

  private mutating func refund(
    at place: Int, _ buyer: Int, _ part: RefundPart, _ reason: StoreTransaction.Revocation.Reason
  ) throws(SimulationError) -> [StoreEvent] {
    let purchase = customers[buyer].purchases[place]
    let price = purchase.transaction.price ?? Money(amount: 0, currency: "USD")
    let rest = price.amount - purchase.refunded
    switch part {
    case .full: giveBack(rest, place, buyer, canBeReversed: true)
    case .prorated:
      guard purchase.transaction.expirationDate != nil else {
        throw SimulationError(
          .invalidValue, "\(purchase.transaction.productID) has no period, so that no part of it is left. Refund it in \"full\".")
      }
      giveBackRest(of: place, buyer)
    }
    let date = now
    let chain = chainOf(purchase: place, buyer)
    let periods = chain.map { self.periods(buyer, customers[buyer].chains[$0]) } ?? []
    var updates: [StoreUpdate] = []
    for taken in Set(periods.contains(place) ? periods : []).union([place]).sorted() {
      if taken != place { giveBackRest(of: taken, buyer) }
      customers[buyer].purchases[taken].change(at: date) { $0.revocation = .init(date: date, reason: reason) }
      updates.append(.transaction(customers[buyer].purchases[taken].signed))
    }
    var turnedOff: Int?
    if let chain, periods.contains(place), customers[buyer].chains[chain].standing != .expired {
      var current = customers[buyer].chains[chain]
      if current.autoRenew, current.commitment?.renews ?? true { turnedOff = chain }
      (current.standing, current.autoRenew, current.isFlickering) = (.revoked, false, false)
      current.commitment?.renews = false
      (current.graceUntil, current.retryUntil, current.endedAt) = (nil, nil, date)
      current.revision = current.revision.next(at: date)
      customers[buyer].chains[chain] = current
      planNothing(buyer, chain)
      updates.append(.renewal(current.info(products)))
    }
    emit(buyer, at: date, updates, line(.refund, nil, buyer, chain: chain, purchase: place, at: date))
    // Source: Apple, `notificationType`: "the App Store disabled subscription auto-renewal after the customer requested a refund". Which of
    // the two comes first is not documented. (Our choice.)
    if let turnedOff { emit(buyer, at: date, [], line(.didChangeRenewalStatus, .autoRenewDisabled, buyer, chain: turnedOff, at: date)) }
    return settled()
  }

  /// What is left of a period is given back: all of what has not begun, the rest of what runs.
  private mutating func giveBackRest(of place: Int, _ buyer: Int) {
    let purchase = customers[buyer].purchases[place]
    guard let price = purchase.transaction.price, let end = purchase.transaction.expirationDate else { return }
    let share = MoneyLedger.share(
      of: price.amount, currency: price.currency, leftAt: now, from: purchase.transaction.purchaseDate, to: end)
    giveBack(min(share, price.amount - purchase.refunded), place, buyer, canBeReversed: true)
  }

  /// Takes a refund back: the customer pays again, and has again what they had.
  /// - Throws: ``SimulationError`` when no refund of it could be reversed.
  public mutating func reverseRefund(_ product: ProductID, customer: CustomerID) throws(SimulationError) -> [StoreEvent] {
    guard let (buyer, place) = try lastPurchase(of: product, customer, where: { $0.transaction.revocation != nil }) else {
      throw SimulationError(.nothingToDo, "No refund of \(product) to \(customer) could be reversed. Refund it first.")
    }
    let date = now
    let chain = chainOf(purchase: place, buyer)
    let periods = chain.map { self.periods(buyer, customers[buyer].chains[$0]) } ?? []
    var updates: [StoreUpdate] = []
    for returned in Set(periods.contains(place) ? periods : []).union([place]).sorted() {
      updates.append(giveAgain(returned, buyer, at: date))
    }
    if let chain, periods.contains(place), customers[buyer].chains[chain].standing == .revoked {
      // Auto-renew stays off: the refund turned it off, and only the customer turns it on. A period that is over meanwhile stays over.
      let isOver = customers[buyer].chains[chain].expires <= date
      customers[buyer].chains[chain].standing = isOver ? .expired : .active
      customers[buyer].chains[chain].reason = isOver ? .autoRenewDisabled : nil
      if !isOver { customers[buyer].chains[chain].endedAt = nil }
      customers[buyer].chains[chain].revision = customers[buyer].chains[chain].revision.next(at: date)
      if !isOver { planRenewal(buyer, chain) }
      updates.append(.renewal(customers[buyer].chains[chain].info(products)))
    }
    emit(buyer, at: date, updates, line(.refundReversed, nil, buyer, chain: chain, purchase: place, at: date))
    return settled()
  }

  private mutating func giveAgain(_ place: Int, _ buyer: Int, at date: Date) -> StoreUpdate {
    let purchase = customers[buyer].purchases[place]
    if let price = purchase.transaction.price {
      customers[buyer].account(purchase.transaction.environment) { $0.refund(-purchase.reversible, price.currency) }
      customers[buyer].purchases[place].refunded -= purchase.reversible
      customers[buyer].purchases[place].reversible = 0
    }
    customers[buyer].purchases[place].change(at: date) { $0.revocation = nil }
    return .transaction(customers[buyer].purchases[place].signed)
  }

  /// The customer asks for a refund; Apple asks the developer what was consumed. Nothing is decided yet.
  /// - Throws: ``SimulationError`` when it was never bought.
  public mutating func requestRefund(_ product: ProductID, customer: CustomerID) throws(SimulationError) -> [StoreEvent] {
    try logRefundStep(.consumptionRequest, product, customer)
  }

  /// The customer asked for a refund, and does not get it.
  /// - Throws: ``SimulationError`` when it was never bought.
  public mutating func declineRefund(_ product: ProductID, customer: CustomerID) throws(SimulationError) -> [StoreEvent] {
    try logRefundStep(.refundDeclined, product, customer)
  }

  private mutating func logRefundStep(
    _ type: ServerNotification.Kind, _ product: ProductID, _ customer: CustomerID
  ) throws(SimulationError) -> [StoreEvent] {
    guard let (buyer, place) = try lastPurchase(of: product, customer, where: { _ in true }) else {
      throw SimulationError(.nothingToDo, "\(customer) never bought \(product). Buy it first.")
    }
    emit(buyer, at: now, [], line(type, nil, buyer, purchase: place, at: now))
    return settled()
  }

  /// The customer's newest own purchase of a product, of the environment that the account is in.
  private func lastPurchase(
    of product: ProductID, _ customer: CustomerID, where isMeant: (Purchase) -> Bool
  ) throws(SimulationError) -> (buyer: Int, place: Int)? {
    _ = try place(of: product)
    guard let buyer = known(customer) else { return nil }
    let owner = customers[buyer]
    let place = owner.purchases.lastIndex { $0.transaction.productID == product && owner.isOwn($0) && isMeant($0) }
    return place.map { (buyer, $0) }
  }

  mutating func giveBack(_ amount: Decimal, _ place: Int, _ buyer: Int, canBeReversed: Bool) {
    guard amount > 0, let price = customers[buyer].purchases[place].transaction.price else { return }
    customers[buyer].purchases[place].refunded += amount
    if canBeReversed { customers[buyer].purchases[place].reversible += amount }
    customers[buyer].account(customers[buyer].purchases[place].transaction.environment) { $0.refund(amount, price.currency) }
  }

  /// The customer's own chain that a purchase belongs to.
  func chainOf(purchase place: Int, _ buyer: Int) -> Int? {
    let original = customers[buyer].purchases[place].transaction.originalID
    return customers[buyer].chains.firstIndex { $0.originalID == original && !$0.isForgotten && $0.sharedBy == nil }
  }
}

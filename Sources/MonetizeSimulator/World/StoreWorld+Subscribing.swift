// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

extension StoreWorld {
  /// Buys a subscription: the first in its group, one after a lapse, the same again, or a change of plan (app-store-rules E.2).
  mutating func subscribe(_ order: Order) -> SignedTransaction {
    guard let terms = products[order.product].terms else { return buyWithoutTerms(order) }
    guard let chain = customers[order.buyer].chain(of: terms.group) else { return start(order, terms, nil, .initialBuy) }
    let current = self[order.buyer, chain]
    guard current.isEntitled else { return resubscribe(order, terms, chain) }
    if current.product == order.product { return buyAgain(order, chain) }
    guard let old = products[current.product].terms else { return resubscribe(order, terms, chain) }
    // A commitment stays in force: any other choice begins after it.
    if !current.isCommitted, terms.level < old.level || (terms.level == old.level && terms.period.isSame(as: old.period)) {
      return upgrade(order, terms, chain)
    }
    return changeAtRenewal(order, chain)
  }

  // A catalog cannot contain a product of this type without terms; one made by hand is an ordinary purchase for ever.
  private mutating func buyWithoutTerms(_ order: Order) -> SignedTransaction {
    let settings = customers[order.buyer].settings
    let price = products[order.product].price(in: settings.storefront)
    return self[order.buyer, record(order, settings.environment, from: order.date, to: nil, price: price)].signed
  }

  /// Starts a first period now, in a new chain or in the customer's own.
  private mutating func start(
    _ order: Order, _ terms: SubscriptionTerms, _ existing: Row<SubscriptionChain>?, _ subtype: ServerNotification.Subtype
  ) -> SignedTransaction {
    let (product, buyer, date) = (order.product, order.buyer, order.date)
    let old = existing.map { self[buyer, $0] }
    let environment = customers[buyer].settings.environment
    let period = self.terms(buying: order, terms, after: old)
    var chain =
      old
      ?? SubscriptionChain(
        originalID: "", group: terms.group, environment: environment, product: product, renewsInto: product,
        anchor: date, start: date, expires: date, latest: customers[buyer].purchases.nextRow, price: period.full, revision: Revision(date))
    chain.price = period.full
    (chain.product, chain.renewsInto, chain.autoRenew, chain.priceRise, chain.nextOffer) = (product, product, true, nil, nil)
    chain.isPaid()
    (chain.offer, chain.stackedOffer) = (period.runsOn, period.laterOffer)
    chain.begin(period.length, at: date, settings)
    chain.commit(to: products[product].commitmentPeriods, terms.period, isPayment: period.isPayment(of: terms.period), settings)
    let index = record(
      order, environment, originalID: old?.originalID, from: chain.start, to: chain.expires, price: period.price,
      offer: period.offer?.offer)
    (chain.previous, chain.latest) = (nil, index)
    chain.originalID = self[buyer, index].transaction.originalID
    chain.revision = existing == nil ? Revision(date) : chain.revision.next(at: date)
    let row = existing ?? customers[buyer].chains.nextRow
    if existing == nil { customers[buyer].chains.append(chain) } else { self[buyer, row] = chain }
    let redeemed = [period.offer, period.laterOffer].compactMap { $0?.offer }
    for offer in redeemed { redeem(offer, of: product, buyer, environment, at: date) }
    planRenewal(buyer, row)
    let signed = self[buyer, index].signed
    let type = subtype == .upgrade ? changeOfPlan(by: redeemed) : .subscribed
    emit(
      buyer, at: date, [.transaction(signed), .renewal(chain.info(products))],
      line(type, subtype, buyer, chain: row, at: date, reason: .purchase), origin: order.origin)
    return signed
  }

  private mutating func resubscribe(_ order: Order, _ terms: SubscriptionTerms, _ chain: Row<SubscriptionChain>) -> SignedTransaction {
    guard settings.quirks.contains(.repurchaseReturnsOldTransaction) else { return start(order, terms, chain, .resubscribe) }
    let old = self[order.buyer, self[order.buyer, chain].latest].signed
    var elsewhere = order
    elsewhere.origin = nil
    _ = start(elsewhere, terms, chain, .resubscribe)
    return old
  }

  /// Upgrades at once: ends the old period and refunds the rest of its price.
  private mutating func upgrade(_ order: Order, _ terms: SubscriptionTerms, _ chain: Row<SubscriptionChain>) -> SignedTransaction {
    let (buyer, date) = (order.buyer, order.date)
    // A period that has not begun is refunded in full.
    for old in periods(buyer, self[buyer, chain]) {
      giveBackRest(of: old, buyer, at: date, canBeReversed: false)
      emit(buyer, at: date, [change(buyer, old, at: date) { $0.isUpgraded = true }], nil)
    }
    return start(order, terms, chain, .upgrade)
  }

  private mutating func changeAtRenewal(_ order: Order, _ chain: Row<SubscriptionChain>) -> SignedTransaction {
    let (product, buyer, date) = (order.product, order.buyer, order.date)
    let offer = namedOffer(order)
    self[buyer, chain].renewsInto = product
    self[buyer, chain].autoRenew = true
    self[buyer, chain].commitment?.renews = true
    self[buyer, chain].nextOffer = offer.flatMap { agreed($0, of: product, buyer) }
    if let offer { redeem(offer, of: product, buyer, self[buyer, chain].environment, at: date) }
    publish(changeOfPlan(by: offer.map { [$0] } ?? []), .downgrade, buyer, chain, at: date, origin: order.origin)
    return answerOfChange(buyer, chain)
  }

  /// Source: Apple, `notificationType`: a change of plan with an offer is logged as a redeemed offer only.
  private func changeOfPlan(by offers: [SubscriptionOffer]) -> ServerNotification.Kind {
    offers.contains { $0.type != .introductory } ? .offerRedeemed : .didChangeRenewalPref
  }

  /// Buys the running subscription again: no charge; auto-renew is on again, a planned change is dropped, an offer waits for the renewal.
  private mutating func buyAgain(_ order: Order, _ chain: Row<SubscriptionChain>) -> SignedTransaction {
    let (product, buyer, date) = (order.product, order.buyer, order.date)
    let (current, offer) = (self[buyer, chain], namedOffer(order))
    if let offer {
      self[buyer, chain].nextOffer = agreed(offer, of: product, buyer)
      redeem(offer, of: product, buyer, current.environment, at: date)
      publish(.offerRedeemed, nil, buyer, chain, at: date, origin: order.origin)
    }
    if current.renewsInto != product {
      // Dropping the planned change also drops its offer.
      if offer == nil { self[buyer, chain].nextOffer = nil }
      self[buyer, chain].renewsInto = product
      publish(.didChangeRenewalPref, nil, buyer, chain, at: date, origin: order.origin)
    }
    if !current.autoRenew || current.commitment?.renews == false {
      self[buyer, chain].autoRenew = true
      self[buyer, chain].commitment?.renews = true
      publish(.didChangeRenewalStatus, .autoRenewEnabled, buyer, chain, at: date, origin: order.origin)
    }
    return self[buyer, self[buyer, chain].latest].signed
  }

  private func answerOfChange(_ buyer: Row<Customer>, _ chain: Row<SubscriptionChain>) -> SignedTransaction {
    let chain = self[buyer, chain]
    if settings.quirks.contains(.downgradeReturnsOldTransaction), let first = customers[buyer].index(of: chain.originalID) {
      return self[buyer, first].signed
    }
    return self[buyer, chain.latest].signed
  }

  /// Signs and logs a chain's new renewal information, and notifies devices.
  mutating func publish(
    _ type: ServerNotification.Kind?, _ subtype: ServerNotification.Subtype?, _ buyer: Row<Customer>, _ chain: Row<SubscriptionChain>,
    at date: Date, origin: DeviceID? = nil, isSilent: Bool = false
  ) {
    self[buyer, chain].revision = self[buyer, chain].revision.next(at: date)
    let info = StoreUpdate.renewal(self[buyer, chain].info(products))
    emit(
      buyer, at: date, isSilent ? [] : [info], type.map { line($0, subtype, buyer, chain: chain, at: date) }, origin: origin,
      environment: self[buyer, chain].environment)
    if isSilent { share(info, of: buyer, at: date) }
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

extension StoreWorld {
  /// Buys a subscription: the first in its group, one after a lapse, the same again, or a change of plan (app-store-rules E.2).
  mutating func subscribe(
    _ request: PurchaseRequest, _ product: Row<SimulatedProduct>, _ buyer: Row<Customer>, at date: Date, origin: DeviceID?
  ) -> SignedTransaction {
    guard let terms = products[product].terms else { return buyWithoutTerms(request, product, buyer, at: date) }
    guard let chain = customers[buyer].chain(of: terms.group) else {
      return start(request, product, terms, buyer, nil, at: date, .initialBuy, origin: origin)
    }
    let current = customers[buyer].chains[chain]
    guard current.isEntitled else { return resubscribe(request, product, terms, buyer, chain, at: date, origin: origin) }
    if current.product == product { return buyAgain(request, buyer, chain, at: date, origin: origin) }
    guard let old = products[current.product].terms else {
      return resubscribe(request, product, terms, buyer, chain, at: date, origin: origin)
    }
    // A commitment stays in force: any other choice begins after it.
    if !current.isCommitted, terms.level < old.level || (terms.level == old.level && terms.period.isSame(as: old.period)) {
      return upgrade(request, product, terms, buyer, chain, at: date, origin: origin)
    }
    return changeAtRenewal(request, product, buyer, chain, at: date, origin: origin)
  }

  // A catalog cannot contain a product of this type without terms; one made by hand is an ordinary purchase for ever.
  private mutating func buyWithoutTerms(_ request: PurchaseRequest, _ product: Row<SimulatedProduct>, _ buyer: Row<Customer>, at date: Date)
    -> SignedTransaction
  {
    let (price, environment) = (products[product].price(in: customers[buyer].settings.storefront), customers[buyer].settings.environment)
    return customers[buyer].purchases[record(request, product, buyer, environment, from: date, to: nil, price: price)].signed
  }

  /// Starts a first period now, in a new chain or in the customer's own.
  private mutating func start(
    _ request: PurchaseRequest, _ product: Row<SimulatedProduct>, _ terms: SubscriptionTerms, _ buyer: Row<Customer>,
    _ existing: Row<SubscriptionChain>?, at date: Date,
    _ subtype: ServerNotification.Subtype, origin: DeviceID?
  ) -> SignedTransaction {
    let old = existing.map { customers[buyer].chains[$0] }
    let environment = customers[buyer].settings.environment
    let period = self.terms(buying: request, product, terms, buyer, after: old, at: date)
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
    chain.commit(
      to: products[product].commitmentPeriods, terms.period, isPayment: period.isPayment(of: terms.period), settings)
    let index = record(
      request, product, buyer, environment, originalID: old?.originalID, from: chain.start, to: chain.expires, price: period.price,
      offer: period.offer?.offer)
    (chain.previous, chain.latest) = (nil, index)
    chain.originalID = customers[buyer].purchases[index].transaction.originalID
    chain.revision = existing == nil ? Revision(date) : chain.revision.next(at: date)
    let row = existing ?? customers[buyer].chains.nextRow
    if existing == nil { customers[buyer].chains.append(chain) } else { customers[buyer].chains[row] = chain }
    let redeemed = [period.offer, period.laterOffer].compactMap { $0?.offer }
    for offer in redeemed { redeem(offer, of: product, buyer, environment, at: date) }
    planRenewal(buyer, row)
    let signed = customers[buyer].purchases[index].signed
    emit(
      buyer, at: date, [.transaction(signed), .renewal(chain.info(products))],
      line(
        subtype != .upgrade ? .subscribed : changeOfPlan(by: redeemed), subtype, buyer, chain: row, at: date, reason: .purchase),
      origin: origin)
    return signed
  }

  private mutating func resubscribe(
    _ request: PurchaseRequest, _ product: Row<SimulatedProduct>, _ terms: SubscriptionTerms, _ buyer: Row<Customer>,
    _ chain: Row<SubscriptionChain>, at date: Date, origin: DeviceID?
  ) -> SignedTransaction {
    let old = customers[buyer].purchases[customers[buyer].chains[chain].latest].signed
    let returnsOld = settings.quirks.contains(.repurchaseReturnsOldTransaction)
    let new = start(request, product, terms, buyer, chain, at: date, .resubscribe, origin: returnsOld ? nil : origin)
    return returnsOld ? old : new
  }

  /// Upgrades at once: ends the old period and refunds the rest of its price.
  private mutating func upgrade(
    _ request: PurchaseRequest, _ product: Row<SimulatedProduct>, _ terms: SubscriptionTerms, _ buyer: Row<Customer>,
    _ chain: Row<SubscriptionChain>, at date: Date, origin: DeviceID?
  ) -> SignedTransaction {
    // A period that has not begun is refunded in full.
    for old in periods(buyer, customers[buyer].chains[chain]) {
      let transaction = customers[buyer].purchases[old].transaction
      if let price = transaction.price, let end = transaction.expirationDate {
        let rest = price.amount - customers[buyer].purchases[old].refunded
        let share = MoneyLedger.share(of: rest, currency: price.currency, leftAt: date, from: transaction.purchaseDate, to: end)
        giveBack(share, old, buyer, canBeReversed: false)
      }
      customers[buyer].purchases[old].change(at: date) { $0.isUpgraded = true }
      emit(buyer, at: date, [.transaction(customers[buyer].purchases[old].signed)], nil)
    }
    return start(request, product, terms, buyer, chain, at: date, .upgrade, origin: origin)
  }

  private mutating func changeAtRenewal(
    _ request: PurchaseRequest, _ product: Row<SimulatedProduct>, _ buyer: Row<Customer>, _ chain: Row<SubscriptionChain>, at date: Date,
    origin: DeviceID?
  ) -> SignedTransaction {
    let offer = namedOffer(request, product)
    customers[buyer].chains[chain].renewsInto = product
    customers[buyer].chains[chain].autoRenew = true
    customers[buyer].chains[chain].commitment?.renews = true
    customers[buyer].chains[chain].nextOffer = offer.flatMap { agreed($0, of: product, buyer) }
    if let offer { redeem(offer, of: product, buyer, customers[buyer].chains[chain].environment, at: date) }
    say(changeOfPlan(by: offer.map { [$0] } ?? []), .downgrade, buyer, chain, at: date, origin: origin)
    return answerOfChange(buyer, chain)
  }

  /// Source: Apple, `notificationType`: a change of plan with an offer is logged as a redeemed offer only.
  private func changeOfPlan(by offers: [SubscriptionOffer]) -> ServerNotification.Kind {
    offers.contains { $0.type != .introductory } ? .offerRedeemed : .didChangeRenewalPref
  }

  /// Buys the running subscription again: no charge; auto-renew is on again, a planned change is dropped, an offer waits for the renewal.
  private mutating func buyAgain(
    _ request: PurchaseRequest, _ buyer: Row<Customer>, _ chain: Row<SubscriptionChain>, at date: Date, origin: DeviceID?
  ) -> SignedTransaction {
    let current = customers[buyer].chains[chain]
    if let offer = namedOffer(request, current.product) {
      customers[buyer].chains[chain].nextOffer = agreed(offer, of: current.product, buyer)
      redeem(offer, of: current.product, buyer, current.environment, at: date)
      say(.offerRedeemed, nil, buyer, chain, at: date, origin: origin)
    }
    if current.renewsInto != current.product {
      // Dropping the planned change also drops its offer.
      if namedOffer(request, current.product) == nil { customers[buyer].chains[chain].nextOffer = nil }
      customers[buyer].chains[chain].renewsInto = current.product
      say(.didChangeRenewalPref, nil, buyer, chain, at: date, origin: origin)
    }
    if !current.autoRenew || current.commitment?.renews == false {
      customers[buyer].chains[chain].autoRenew = true
      customers[buyer].chains[chain].commitment?.renews = true
      say(.didChangeRenewalStatus, .autoRenewEnabled, buyer, chain, at: date, origin: origin)
    }
    return customers[buyer].purchases[customers[buyer].chains[chain].latest].signed
  }

  private func answerOfChange(_ buyer: Row<Customer>, _ chain: Row<SubscriptionChain>) -> SignedTransaction {
    let chain = customers[buyer].chains[chain]
    if settings.quirks.contains(.downgradeReturnsOldTransaction), let first = customers[buyer].index(of: chain.originalID) {
      return customers[buyer].purchases[first].signed
    }
    return customers[buyer].purchases[chain.latest].signed
  }

  /// Signs and logs a chain's new renewal information, and notifies devices.
  mutating func say(
    _ type: ServerNotification.Kind?, _ subtype: ServerNotification.Subtype?, _ buyer: Row<Customer>, _ chain: Row<SubscriptionChain>,
    at date: Date,
    origin: DeviceID? = nil, isSilent: Bool = false
  ) {
    customers[buyer].chains[chain].revision = customers[buyer].chains[chain].revision.next(at: date)
    let info = StoreUpdate.renewal(customers[buyer].chains[chain].info(products))
    emit(
      buyer, at: date, isSilent ? [] : [info], type.map { line($0, subtype, buyer, chain: chain, at: date) }, origin: origin,
      environment: customers[buyer].chains[chain].environment)
    if isSilent { share(info, of: buyer, at: date) }
  }
}

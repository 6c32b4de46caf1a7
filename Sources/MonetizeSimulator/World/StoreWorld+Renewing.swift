// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

extension StoreWorld {
  /// Handles the end of a period, a grace period or a retry period.
  mutating func chainIsDue(_ buyer: Row<Customer>, _ chain: Row<SubscriptionChain>, at date: Date) {
    switch self[buyer, chain].standing {
    case .active, .flickering:
      if date < self[buyer, chain].expires { renewEarly(buyer, chain, at: date) } else { periodEnds(buyer, chain, at: date) }
    case .grace: graceEnds(buyer, chain, at: date)
    case .retry: expire(buyer, chain, .billingError, .billingRetry, at: date)
    case .expired, .revoked: break
    }
  }

  /// Plans the next renewal, or the end.
  mutating func planRenewal(_ buyer: Row<Customer>, _ chain: Row<SubscriptionChain>) {
    plan(buyer, chain, at: renewalDate(from: self[buyer, chain].start, to: self[buyer, chain].expires))
  }

  /// The date of the first attempt to renew: the end of the period, or earlier with the quirk. After a failed early attempt, the end.
  func renewalDate(from start: Date, to end: Date) -> Date {
    guard settings.quirks.contains(.earlyRenewal) else { return end }
    let early = end.addingTimeInterval(-settings.renewalLead)
    return early > max(now, start) ? early : end
  }

  /// Tries to renew before the period ends. An obstacle is checked again at the end, and nothing is announced before. (Our choice.)
  private mutating func renewEarly(_ buyer: Row<Customer>, _ chain: Row<SubscriptionChain>, at date: Date) {
    let terms = nextTerms(buyer, chain)
    let isPaid = terms.price.amount == 0 || customers[buyer].settings.payment == .works
    guard settings.quirks.contains(.earlyRenewal), self[buyer, chain].isToRenew, terms.obstacle == nil, isPaid else {
      return plan(buyer, chain, at: self[buyer, chain].expires)
    }
    renew(buyer, chain, terms, at: date)
  }

  func periods(_ buyer: Row<Customer>, _ chain: SubscriptionChain) -> [Row<Purchase>] { customers[buyer].periods(of: chain, at: now) }

  private mutating func periodEnds(_ buyer: Row<Customer>, _ chain: Row<SubscriptionChain>, at date: Date) {
    if settings.quirks.contains(.expiredAtRenewal), !self[buyer, chain].isFlickering {
      self[buyer, chain].flickers()
      publish(nil, nil, buyer, chain, at: date)
      return plan(buyer, chain, at: date.addingTimeInterval(settings.renewalDelay))
    }
    self[buyer, chain].isPaid()
    guard self[buyer, chain].isToRenew else { return expire(buyer, chain, .autoRenewDisabled, .voluntary, at: date) }
    let terms = nextTerms(buyer, chain)
    if let obstacle = terms.obstacle { return expire(buyer, chain, for: obstacle, at: date) }
    if terms.price.amount > 0, customers[buyer].settings.payment == .fails { return fail(buyer, chain, terms.price, at: date) }
    renew(buyer, chain, terms, at: date)
  }

  /// Renews a paid subscription. After a failure within grace the dates are unchanged; later, or forced, a new period begins now.
  mutating func renew(
    _ buyer: Row<Customer>, _ index: Row<SubscriptionChain>, _ terms: PeriodTerms, at date: Date, isNewStart: Bool = false
  ) {
    var chain = self[buyer, index]
    let (wasActive, wasCommitted, isChange) = (chain.isActive, chain.isCommitted, terms.product != chain.product)
    chain.product = terms.product
    (chain.offer, chain.stackedOffer) = (terms.runsOn, terms.laterOffer)
    if chain.renewsInto == terms.product { chain.nextOffer = nil }
    // An offer's price or a commitment postpones the price rise.
    if isChange || terms.offer == nil && !wasCommitted { (chain.price, chain.priceRise) = (terms.full, nil) }
    chain.isPaid()
    if isNewStart {
      chain.begin(terms.length, at: date, settings)
    } else {
      chain.proceed(by: terms.length, settings)
    }
    if chain.commitment != nil || isChange { goOnWithCommitment(of: &chain, wasCommitted, terms) }
    let account = self[buyer, chain.latest].transaction.account
    let request = PurchaseRequest(products[chain.product].id, account: account)
    let purchase = record(
      Order(request: request, product: chain.product, buyer: buyer, date: date), chain.environment, originalID: chain.originalID,
      from: chain.start, to: chain.expires, price: terms.price, offer: terms.offer?.offer, reason: .renewal)
    if date != chain.start { self[buyer, purchase].transaction.revision = Revision(date) }
    if date < chain.start, self[buyer, purchase].listedFrom != nil {
      self[buyer, purchase].listedFrom = date.addingTimeInterval(settings.listingDelay)
    }
    (chain.previous, chain.latest) = (chain.latest, purchase)
    chain.revision = chain.revision.next(at: date)
    self[buyer, index] = chain
    if terms.isOfferNew, let offer = terms.offer?.offer { redeem(offer, of: terms.product, buyer, chain.environment, at: date) }
    plan(buyer, index, at: renewalDate(from: chain.start, to: chain.expires))
    emit(
      buyer, at: date, [.transaction(self[buyer, purchase].signed), .renewal(chain.info(products))],
      line(.didRenew, wasActive ? nil : .billingRecovery, buyer, chain: index, at: date, reason: .renewal))
  }

  /// Continues a commitment with another payment, or begins one.
  private func goOnWithCommitment(of chain: inout SubscriptionChain, _ wasCommitted: Bool, _ terms: PeriodTerms) {
    let period = products[terms.product].terms?.period ?? terms.length
    if wasCommitted {
      chain.commitment?.left -= 1
      chain.foreseeCommitment(period, settings)
    } else {
      chain.commit(
        to: products[terms.product].commitmentPeriods, period, isPayment: terms.isPayment(of: period), settings)
    }
  }

  private mutating func fail(_ buyer: Row<Customer>, _ index: Row<SubscriptionChain>, _ price: Money, at date: Date) {
    let chain = self[buyer, index]
    let isCommitted = chain.commitment != nil
    let wasPaid = (self[buyer, chain.latest].transaction.price?.amount ?? 0) > 0
    let hasGrace = !isCommitted && (settings.graceFor == .all || wasPaid && price.amount > 0)
    let period = products[chain.product].terms?.period ?? Period(months: 1)
    let retry = isCommitted ? settings.commitmentRetry : settings.billingRetry
    let retryUntil = retry.added(to: chain.expires, in: .storeCalendar)
    let grace = hasGrace ? settings.gracePeriod(at: date) : nil
    let graceUntil = grace.map { Period(days: $0.days(for: period)).added(to: chain.expires, in: .storeCalendar) }
    self[buyer, index].fails(graceUntil: graceUntil, retryUntil: retryUntil)
    plan(buyer, index, at: graceUntil ?? retryUntil)
    publish(.didFailToRenew, graceUntil == nil ? nil : .gracePeriod, buyer, index, at: date)
  }

  private mutating func graceEnds(_ buyer: Row<Customer>, _ index: Row<SubscriptionChain>, at date: Date) {
    let chain = self[buyer, index]
    if !chain.autoRenew { return expire(buyer, index, .autoRenewDisabled, .voluntary, at: date) }
    self[buyer, index].graceEnds()
    if let end = chain.retryUntil { plan(buyer, index, at: end) }
    publish(.gracePeriodExpired, nil, buyer, index, at: date)
  }

  /// Ends a subscription because of an obstacle to the next period.
  mutating func expire(_ buyer: Row<Customer>, _ index: Row<SubscriptionChain>, for obstacle: PeriodTerms.Obstacle, at date: Date) {
    switch obstacle {
    case .notSold: expire(buyer, index, .productUnavailable, .productNotForSale, at: date)
    case .noConsent: expire(buyer, index, .didNotConsentToPriceIncrease, .priceIncrease, at: date)
    }
  }

  mutating func expire(
    _ buyer: Row<Customer>, _ index: Row<SubscriptionChain>, _ reason: RenewalInfo.ExpirationReason, _ subtype: ServerNotification.Subtype?,
    at date: Date
  ) {
    self[buyer, index].ends(reason, at: date)
    planNothing(buyer, index)
    publish(.expired, subtype, buyer, index, at: date, isSilent: settings.quirks.contains(.noUpdateAtExpiry))
  }

  /// Retries the failed renewal after the payment method works again. (Our choice: Apple tries on a schedule of its own.) Without consent
  /// to a higher price the subscription ends, as at any renewal. (Our choice.)
  mutating func recover(_ buyer: Row<Customer>, at date: Date) {
    for index in customers[buyer].chains.rows {
      let chain = self[buyer, index]
      guard chain.isInGrace || chain.isInRetry, !chain.isShared, !chain.isForgotten, chain.isToRenew else {
        continue
      }
      let terms = nextTerms(buyer, index)
      if let obstacle = terms.obstacle {
        expire(buyer, index, for: obstacle, at: date)
      } else {
        renew(buyer, index, terms, at: date, isNewStart: chain.isInRetry)
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

extension StoreWorld {
  /// A period, a grace period or the time of trying again is over.
  mutating func chainIsDue(_ buyer: Int, _ chain: Int, at date: Date) {
    switch customers[buyer].chains[chain].standing {
    case .active:
      if date < customers[buyer].chains[chain].expires { renewEarly(buyer, chain, at: date) } else { periodEnds(buyer, chain, at: date) }
    case .grace: graceEnds(buyer, chain, at: date)
    case .retry: expire(buyer, chain, .billingError, .billingRetry, at: date)
    case .expired, .revoked: break
    }
  }

  /// The next renewal, or the end.
  mutating func planRenewal(_ buyer: Int, _ chain: Int) {
    plan(buyer, chain, at: renewalDate(from: customers[buyer].chains[chain].start, to: customers[buyer].chains[chain].expires))
  }

  /// When a renewal is tried first: at the end of the period, or earlier with the quirk. Once tried in vain, at the end.
  func renewalDate(from start: Date, to end: Date) -> Date {
    guard settings.quirks.contains(.earlyRenewal) else { return end }
    let early = end.addingTimeInterval(-settings.renewalLead)
    return early > max(now, start) ? early : end
  }

  /// Tries to renew before the period ends. What hinders it is looked at again at the end, and until then nothing is said. (Our choice.)
  private mutating func renewEarly(_ buyer: Int, _ chain: Int, at date: Date) {
    let current = customers[buyer].chains[chain]
    let renews = (current.commitmentLeft ?? 0) > 0 || current.autoRenew && !(current.commitmentLeft == 0 && !current.commitmentRenews)
    let isAgreed = current.priceRise.map { !$0.needsConsent || $0.isAgreed } ?? true
    let isPaid = nextCharge(buyer, chain).charge.price.amount == 0 || customers[buyer].settings.payment == .works
    guard settings.quirks.contains(.earlyRenewal), renews, isAgreed, isPaid,
      products[current.renewsInto].isSold(in: customers[buyer].settings.storefront)
    else { return plan(buyer, chain, at: current.expires) }
    renew(buyer, chain, at: date)
  }

  /// The transactions that a chain's access rests on now: that of its current period and, where that has not begun, the running one before it.
  func periods(_ buyer: Int, _ chain: SubscriptionChain) -> [Int] {
    guard let previous = chain.previous, let end = customers[buyer].purchases[previous].transaction.expirationDate, now < end,
      now < chain.start, !customers[buyer].purchases[previous].isForgotten
    else { return [chain.latest] }
    return [previous, chain.latest]
  }

  private mutating func periodEnds(_ buyer: Int, _ chain: Int, at date: Date) {
    if settings.quirks.contains(.expiredAtRenewal), !customers[buyer].chains[chain].isFlickering {
      customers[buyer].chains[chain].isFlickering = true
      say(nil, nil, buyer, chain, at: date)
      return plan(buyer, chain, at: date.addingTimeInterval(settings.renewalDelay))
    }
    customers[buyer].chains[chain].isFlickering = false
    let current = customers[buyer].chains[chain]
    let isCommitted = (current.commitmentLeft ?? 0) > 0
    let commitmentEnds = current.commitmentLeft == 0 && !current.commitmentRenews
    if !isCommitted, !current.autoRenew || commitmentEnds { return expire(buyer, chain, .autoRenewDisabled, .voluntary, at: date) }
    // What is no longer sold does not renew. Source: App Store Connect help, "Remove a subscription from sale".
    guard products[current.renewsInto].isSold(in: customers[buyer].settings.storefront) else {
      return expire(buyer, chain, .productUnavailable, .productNotForSale, at: date)
    }
    if let rise = current.priceRise, rise.needsConsent, !rise.isAgreed {
      return expire(buyer, chain, .didNotConsentToPriceIncrease, .priceIncrease, at: date)
    }
    let next = nextCharge(buyer, chain)
    if next.charge.price.amount > 0, customers[buyer].settings.payment == .fails { return fail(buyer, chain, next.charge.price, at: date) }
    renew(buyer, chain, at: date)
  }

  /// What the next period costs and how long it is.
  private func nextCharge(_ buyer: Int, _ place: Int) -> (charge: Charge, full: Money, offer: SubscriptionOffer?) {
    let chain = customers[buyer].chains[place]
    let product = products[chain.renewsInto]
    let store = product.price(in: customers[buyer].settings.storefront)
    let isSame = chain.renewsInto == chain.product && chain.agreedPrice.currency == store.currency
    let full = isSame ? chain.priceRise?.price ?? chain.agreedPrice : store
    let offer = chain.beginningOffer ?? (chain.renewsInto == chain.product ? chain.offer?.offer : nil)
    let terms = product.terms ?? SubscriptionTerms(group: chain.group, level: 1, period: Period(months: 1))
    return (Charge(terms, offer, full), full, offer)
  }

  /// A renewal is paid. After a failure within grace the dates are as if nothing had happened; later, or forced, a new period begins then.
  mutating func renew(_ buyer: Int, _ place: Int, at date: Date, isNewStart: Bool = false) {
    let (charge, full, offer) = nextCharge(buyer, place)
    let wasActive = customers[buyer].chains[place].standing == .active
    var chain = customers[buyer].chains[place]
    let next = chain.beginningOffer
    if next != nil {
      chain.offer = charge.runsOn
      if chain.nextOffer == nil { chain.stackedOffer = nil }
    } else if chain.renewsInto != chain.product {
      chain.offer = nil
    } else if let running = chain.offer {
      chain.offer = running.left > 1 ? (running.offer, running.left - 1) : nil
    }
    if let left = chain.commitmentLeft {
      chain.commitmentLeft = left > 0 ? left - 1 : (products[chain.renewsInto].commitmentPeriods ?? 1) - 1
    }
    if chain.renewsInto != chain.product {
      chain.product = chain.renewsInto
      chain.stackedOffer = nil
      chain.commitmentLeft = products[chain.product].commitmentPeriods.map { $0 - 1 }
    }
    (chain.agreedPrice, chain.priceRise, chain.nextOffer) = (full, nil, nil)
    (chain.standing, chain.graceUntil, chain.retryUntil, chain.isFlickering) = (.active, nil, nil, false)
    if isNewStart {
      chain.begin(charge.length, at: date, settings.monthEnd)
    } else {
      chain.proceed(by: charge.length, settings.monthEnd)
    }
    let account = customers[buyer].purchases[chain.latest].transaction.account
    let request = PurchaseRequest(products[chain.product].id, account: account)
    let environment = customers[buyer].settings.environment
    customers[buyer].settings.environment = chain.environment
    let purchase = record(
      request, chain.product, buyer, originalID: chain.originalID, from: chain.start, to: chain.expires, price: charge.price, offer: offer,
      isRenewal: true)
    customers[buyer].settings.environment = environment
    if date != chain.start { customers[buyer].purchases[purchase].transaction.revision = Revision(date) }
    if date < chain.start, customers[buyer].purchases[purchase].listedFrom != nil {
      customers[buyer].purchases[purchase].listedFrom = date.addingTimeInterval(settings.listingDelay)
    }
    (chain.previous, chain.latest) = (chain.latest, purchase)
    chain.revision = chain.revision.next(at: date)
    customers[buyer].chains[place] = chain
    if let next { redeem(next, of: chain.group, buyer, at: date) }
    plan(buyer, place, at: renewalDate(from: chain.start, to: chain.expires))
    emit(
      buyer, at: date, [.transaction(customers[buyer].purchases[purchase].signed), .renewal(chain.info(products))],
      line(.didRenew, wasActive ? nil : .billingRecovery, buyer, chain: place, at: date, reason: .renewal))
  }

  private mutating func fail(_ buyer: Int, _ place: Int, _ price: Money, at date: Date) {
    let chain = customers[buyer].chains[place]
    let isCommitted = chain.commitmentLeft != nil
    let wasPaid = (customers[buyer].purchases[chain.latest].transaction.price?.amount ?? 0) > 0
    let hasGrace = !isCommitted && (settings.graceFor == .all || wasPaid && price.amount > 0)
    let period = products[chain.product].terms?.period ?? Period(months: 1)
    let retry = isCommitted ? settings.commitmentRetry : settings.billingRetry
    let retryUntil = retry.added(to: chain.expires, in: Instant.utc)
    customers[buyer].chains[place].retryUntil = retryUntil
    if hasGrace, let grace = settings.gracePeriod(at: date) {
      let end = Period(days: grace.days(for: period)).added(to: chain.expires, in: Instant.utc)
      customers[buyer].chains[place].standing = .grace
      customers[buyer].chains[place].graceUntil = end
      plan(buyer, place, at: end)
      return say(.didFailToRenew, .gracePeriod, buyer, place, at: date)
    }
    customers[buyer].chains[place].standing = .retry
    plan(buyer, place, at: retryUntil)
    say(.didFailToRenew, nil, buyer, place, at: date)
  }

  private mutating func graceEnds(_ buyer: Int, _ place: Int, at date: Date) {
    let chain = customers[buyer].chains[place]
    if !chain.autoRenew { return expire(buyer, place, .autoRenewDisabled, .voluntary, at: date) }
    customers[buyer].chains[place].standing = .retry
    customers[buyer].chains[place].graceUntil = nil
    plan(buyer, place, at: chain.retryUntil ?? settings.billingRetry.added(to: chain.expires, in: Instant.utc))
    say(.gracePeriodExpired, nil, buyer, place, at: date)
  }

  mutating func expire(
    _ buyer: Int, _ place: Int, _ reason: RenewalInfo.ExpirationReason, _ subtype: ServerNotification.Subtype?, at date: Date
  ) {
    var chain = customers[buyer].chains[place]
    (chain.standing, chain.reason, chain.endedAt, chain.isFlickering) = (.expired, reason, date, false)
    (chain.autoRenew, chain.graceUntil, chain.retryUntil, chain.priceRise) = (false, nil, nil, nil)
    (chain.offer, chain.nextOffer, chain.stackedOffer) = (nil, nil, nil)
    customers[buyer].chains[place] = chain
    planNothing(buyer, place)
    say(.expired, subtype, buyer, place, at: date, isSilent: settings.quirks.contains(.noUpdateAtExpiry))
  }

  /// The payment method works again: the store tries at once what it was trying. (Our choice: Apple tries on a schedule of its own.)
  mutating func recover(_ buyer: Int, at date: Date) {
    for place in customers[buyer].chains.indices {
      let chain = customers[buyer].chains[place]
      guard chain.standing == .grace || chain.standing == .retry, chain.sharedBy == nil, !chain.isForgotten, chain.autoRenew else {
        continue
      }
      guard products[chain.renewsInto].isSold(in: customers[buyer].settings.storefront) else {
        expire(buyer, place, .productUnavailable, .productNotForSale, at: date)
        continue
      }
      renew(buyer, place, at: date, isNewStart: chain.standing == .retry)
    }
  }
}

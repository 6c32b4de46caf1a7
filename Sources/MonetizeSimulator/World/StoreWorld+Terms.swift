// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// What a period is of, what it costs and why. Made in one place, for first periods and for renewals.
struct PeriodTerms {
  /// The index of the product.
  let product: Int
  /// What a period costs offers aside, and by which storefront's prices.
  var full: AgreedPrice
  /// The offer that it is bought with.
  var offer: SubscriptionOffer?
  /// Whether this is the offer's first period.
  var isOfferNew = false
  /// The code's offer that comes after the introductory one.
  var laterOffer: SubscriptionOffer?
  /// How long it is.
  var length: Period
  /// What is charged.
  var price: Money
  /// The offer that runs on after it, and for how many periods.
  var runsOn: (offer: SubscriptionOffer, left: Int)? { offerLeft > 0 ? offer.map { ($0, offerLeft) } : nil }
  /// For how many more periods the offer runs on after it.
  var offerLeft = 0
  /// Why there cannot be such a period.
  var obstacle: Obstacle?

  enum Obstacle {
    /// What is no longer sold does not renew. Source: App Store Connect help, "Remove a subscription from sale".
    case notSold
    /// The price is higher than the one that the customer agreed to, and was to be agreed to.
    case noConsent
  }
}

/// What a period costs a customer, offers aside.
struct AgreedPrice: Sendable {
  var money: Money
  /// The storefront whose own price it is; `nil` for the price everywhere else.
  var storefront: String?
  /// Whether it is preserved: below what others pay.
  var isPreserved = false
}

extension StoreWorld {
  /// The period that begins with a purchase. `chain` is where the customer subscribed before in this group, if they did.
  func terms(
    buying request: PurchaseRequest, _ product: Int, _ terms: SubscriptionTerms, _ buyer: Int, after chain: SubscriptionChain?,
    at date: Date
  ) -> PeriodTerms {
    let storefront = customers[buyer].settings.storefront
    let store = products[product].agreed(in: storefront)
    var full = store
    // Source: App Store Connect help: who comes back within 60 days keeps a preserved price.
    if let chain, chain.product == product, chain.price.isPreserved, chain.price.isOfList(store),
      let ended = chain.endedAt, date.timeIntervalSince(ended) <= 60 * 86400
    {
      full = chain.price
    }
    let offers = offers(named: namedOffer(request, product), product, buyer, customers[buyer].settings.environment)
    var period = PeriodTerms(product: product, full: full, length: terms.period, price: full.money)
    if let offer = offers.now { apply(offer, left: nil, to: &period, storefront) }
    period.laterOffer = offers.later
    return period
  }

  /// The next period of a subscription.
  func nextTerms(_ buyer: Int, _ index: Int) -> PeriodTerms { nextTerms(of: customers[buyer].chains[index], buyer) }

  // The chain is a parameter so that it is not copied: this happens at every renewal of everybody.
  private func nextTerms(of chain: borrowing SubscriptionChain, _ buyer: Int) -> PeriodTerms {
    let storefront = customers[buyer].settings.storefront
    let product = chain.nextProduct
    let isSame = product == chain.product
    let store = products[product].agreed(in: storefront)
    var full = store
    var isUnanswered = false
    if isSame {
      // A price belongs to a storefront: who has moved pays what it costs there. (Our choice.)
      if let rise = chain.priceRise, rise.price.isOfList(store), !chain.isCommitted {
        full = rise.price
        isUnanswered = rise.needsConsent && !rise.isAgreed
      } else if chain.price.isOfList(store) {
        full = chain.price
      }
    }
    let length = products[product].terms?.period ?? Period(months: 1)
    var period = PeriodTerms(product: product, full: full, length: length, price: full.money)
    if isSame {
      applyOffer(of: chain, to: &period, storefront)
    } else {
      // Another plan begins as if it were bought then, also with the introductory offer. (Our choice.)
      let offers = offers(named: chain.nextOffer, product, buyer, chain.environment)
      if let offer = offers.now { apply(offer, left: nil, to: &period, storefront) }
      period.laterOffer = offers.later
    }
    if !products[product].isSold(in: storefront) {
      period.obstacle = .notSold
    } else if isUnanswered, period.offer == nil {
      period.obstacle = .noConsent
    }
    return period
  }

  /// The offer that was chosen for the next period, or runs on, or was to come after another one.
  private func applyOffer(of chain: borrowing SubscriptionChain, to period: inout PeriodTerms, _ storefront: String) {
    period.laterOffer = chain.stackedOffer
    if let offer = period.product == chain.renewsInto ? chain.nextOffer : nil {
      apply(offer, left: nil, to: &period, storefront)
    } else if let running = chain.offer {
      apply(running.offer, left: running.left, to: &period, storefront)
    } else if let later = chain.stackedOffer {
      period.laterOffer = nil
      apply(later, left: nil, to: &period, storefront)
    }
  }

  /// `left` is for how many periods a running offer still counts, this one included; `nil` for one that begins.
  private func apply(_ offer: SubscriptionOffer, left: Int?, to period: inout PeriodTerms, _ storefront: String) {
    // Where it has no price it is not there, and what was left of it is over. (Our choice.)
    guard let price = products[period.product].price(of: offer, in: storefront) else { return }
    (period.offer, period.isOfferNew) = (offer, left == nil)
    (period.length, period.price) = (offer.period, price)
    let left = (left ?? offer.periods ?? 1) - 1
    period.offerLeft = offer.mode == .payAsYouGo ? max(0, left) : 0
  }
}

extension AgreedPrice {
  /// Whether it is one of the prices that `other` belongs to, so that it counts where that does.
  func isOfList(_ other: AgreedPrice) -> Bool { storefront == other.storefront && money.currency == other.money.currency }
}

extension SimulatedProduct {
  /// What it costs in a storefront, and whose price that is.
  func agreed(in storefront: String) -> AgreedPrice {
    AgreedPrice(money: price(in: storefront), storefront: prices[storefront] == nil ? nil : storefront)
  }

  /// What an offer costs in a storefront; `nil` where it has no price in the currency of that storefront, and so is not there.
  func price(of offer: SubscriptionOffer, in storefront: String) -> Money? {
    let currency = price(in: storefront).currency
    if offer.mode == .freeTrial { return Money(amount: 0, currency: currency) }
    return offerPrice(offer.name, offer.price, in: storefront, currency)
  }

  /// The same for a code of a one-time product.
  func price(ofCode code: String, in storefront: String) -> Money? {
    codes[code].flatMap { offerPrice(code, $0, in: storefront, price(in: storefront).currency) }
  }

  private func offerPrice(_ name: String, _ price: Money?, in storefront: String, _ currency: String) -> Money? {
    let own = offerPrices[name]?[storefront] ?? price
    // Nothing is nothing in every currency.
    guard let own, own.amount != 0 else { return Money(amount: 0, currency: currency) }
    return own.currency == currency ? own : nil
  }
}

extension SubscriptionOffer {
  /// Its id, or `introductory`.
  var name: String { id ?? type.rawValue }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// The terms of a period: its product, price and offer. First periods and renewals share this code.
struct PeriodTerms {
  /// The index of the product.
  let product: Row<SimulatedProduct>
  /// The price without offers, with the storefront that it belongs to.
  var full: AgreedPrice
  /// The offer of the period.
  var offer: AgreedOffer?
  /// Whether this is the offer's first period.
  var isOfferNew = false
  /// The code's offer that follows the introductory one.
  var laterOffer: AgreedOffer?
  /// The length of the period.
  var length: Period
  /// The charge.
  var price: Money
  /// The offer that continues after this period, with the number of remaining periods.
  var runsOn: (offer: AgreedOffer, left: Int)? { offerLeft > 0 ? offer.map { ($0, offerLeft) } : nil }
  /// The number of further periods with the offer.
  var offerLeft = 0
  /// The reason why the period is impossible.
  var obstacle: Obstacle?

  /// Whether it is a payment of a commitment: a period of the plan's own length that is paid. (Our choice for offers.)
  func isPayment(of period: Period) -> Bool { offer == nil || price.amount > 0 && length.isSame(as: period) }

  enum Obstacle {
    /// A product that is no longer sold does not renew. Source: App Store Connect help, "Remove a subscription from sale".
    case notSold
    /// The customer has not agreed to a price rise that needs consent.
    case noConsent
  }
}

/// The price of a period for a customer, without offers.
struct AgreedPrice: Sendable {
  var money: Money
  /// The storefront of the price; `nil` for the default price.
  var storefront: String?
  /// Whether it is a preserved, lower price.
  var isPreserved = false
  /// When the customer first paid it after a rise.
  var risen: Date?
}

/// An offer that a customer has redeemed, with the price then.
struct AgreedOffer: Sendable {
  let offer: SubscriptionOffer
  let price: Money
  /// The customer's storefront then.
  let storefront: String
}

extension StoreWorld {
  /// The terms of the first period. `chain` is the customer's earlier subscription in this group, if any.
  func terms(buying order: Order, _ terms: SubscriptionTerms, after chain: SubscriptionChain?) -> PeriodTerms {
    let (product, buyer) = (order.product, order.buyer)
    let storefront = customers[buyer].settings.storefront
    let store = products[product].agreed(in: storefront)
    var full = store
    // Source: App Store Connect help: a customer who returns within 60 days keeps a preserved price.
    if let chain, chain.product == product, chain.price.isPreserved, chain.price.isOfList(store),
      chain.price.money.amount < store.money.amount, let ended = chain.endedAt, order.date.timeIntervalSince(ended) <= 60 * 86400
    {
      full = chain.price
    }
    let named = namedOffer(order).flatMap { agreed($0, of: product, buyer) }
    let offers = offers(named: named, product, buyer, customers[buyer].settings.environment)
    var period = PeriodTerms(product: product, full: full, length: terms.period, price: full.money)
    if let offer = offers.now { apply(offer, left: nil, to: &period, storefront) }
    period.laterOffer = offers.later
    return period
  }

  /// The terms of the next period of a subscription.
  func nextTerms(_ buyer: Row<Customer>, _ index: Row<SubscriptionChain>) -> PeriodTerms {
    nextTerms(of: self[buyer, index], buyer)
  }

  // The chain is a parameter to avoid a copy: this runs at every renewal of every customer.
  private func nextTerms(of chain: borrowing SubscriptionChain, _ buyer: Row<Customer>) -> PeriodTerms {
    let storefront = customers[buyer].settings.storefront
    let product = chain.nextProduct
    let isSame = product == chain.product
    let store = products[product].agreed(in: storefront)
    var full = store
    var isUnanswered = false
    if isSame {
      // A price belongs to a storefront: a customer who has moved pays the new storefront's price. (Our choice.)
      if let rise = chain.priceRise, rise.price.isOfList(store), !chain.isCommitted {
        full = rise.price
        full.risen = now
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
      // A change of plan is like a purchase at that time, including the introductory offer. (Our choice.)
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

  /// Applies the offer of the next period: a chosen one, a running one, or one that follows another.
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

  /// `left` is the number of remaining periods of a running offer, including this one; `nil` for a new offer.
  private func apply(_ agreed: AgreedOffer, left: Int?, to period: inout PeriodTerms, _ storefront: String) {
    let (offer, product) = (agreed.offer, products[period.product])
    let isKept = agreed.storefront == storefront && agreed.price.currency == product.price(in: storefront).currency
    // Without a price in this storefront the offer is unavailable, and its remaining periods are lost. (Our choice.)
    guard let price = isKept ? agreed.price : product.price(of: offer, in: storefront) else { return }
    (period.offer, period.isOfferNew) = (AgreedOffer(offer: offer, price: price, storefront: storefront), left == nil)
    (period.length, period.price) = (offer.period, price)
    let left = (left ?? offer.periods ?? 1) - 1
    period.offerLeft = offer.mode == .payAsYouGo ? max(0, left) : 0
  }

  /// An offer at its present price for a customer; `nil` when it has none in the customer's storefront.
  func agreed(_ offer: SubscriptionOffer, of product: Row<SimulatedProduct>, _ buyer: Row<Customer>) -> AgreedOffer? {
    let storefront = customers[buyer].settings.storefront
    return products[product].price(of: offer, in: storefront).map { AgreedOffer(offer: offer, price: $0, storefront: storefront) }
  }
}

extension AgreedPrice {
  /// Whether it belongs to the same list of prices as `other`.
  func isOfList(_ other: AgreedPrice) -> Bool { storefront == other.storefront && money.currency == other.money.currency }
}

extension SimulatedProduct {
  /// The price in a storefront, with the list that it belongs to.
  func agreed(in storefront: String) -> AgreedPrice {
    AgreedPrice(money: price(in: storefront), storefront: prices[storefront] == nil ? nil : storefront)
  }

  /// The price of an offer in a storefront; `nil` when it has none in that storefront's currency and so is unavailable.
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
    // Zero is zero in every currency.
    guard let own, own.amount != 0 else { return Money(amount: 0, currency: currency) }
    return own.currency == currency ? own : nil
  }
}

extension SubscriptionOffer {
  /// The offer's id, or `introductory`.
  var name: String { id ?? type.rawValue }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
public import Monetize

extension StoreWorld {
  /// Changes what a product costs, everywhere or in one storefront.
  ///
  /// Those who are subscribed pay a lower price from their next renewal on, a higher one as `consent` says. Only who pays in the same
  /// currency is affected.
  /// - Throws: ``SimulationError`` when the store has no such product, or the price is negative or has more decimals than its currency.
  public mutating func setPrice(
    _ product: ProductID, _ price: Money, consent: PriceConsent = .byRule, storefront: String? = nil
  ) throws(SimulationError) -> [StoreEvent] {
    let index = try index(of: product)
    try check(price)
    if let storefront { products[index].prices[storefront] = price } else { products[index].price = price }
    guard products[index].terms != nil else { return settled() }
    for buyer in customers.indices {
      let own = products[index].agreed(in: customers[buyer].settings.storefront)
      guard own.storefront == storefront else { continue }
      for chain in customers[buyer].chains.indices where isAffected(customers[buyer].chains[chain], by: price, of: index) {
        changePrice(buyer, chain, to: own, consent)
      }
    }
    return settled()
  }

  private func check(_ price: Money) throws(SimulationError) {
    guard price.amount >= 0 else { throw SimulationError(.invalidValue, "A price cannot be negative, as \(price) is.") }
    if let why = price.whyUnpayable { throw SimulationError(.invalidValue, why) }
  }

  /// Changes what an offer of a product costs, everywhere or in one storefront; `offer` is its id or `introductory`, or a code of a
  /// one-time product. In a storefront, offers that run on cost that from their next period on.
  /// - Throws: ``SimulationError`` when there is no such product or offer, it is a free trial, or ``setPrice(_:_:consent:storefront:)``
  ///   would refuse the price.
  public mutating func setPrice(
    ofOffer offer: String, of product: ProductID, _ price: Money, storefront: String? = nil
  ) throws(SimulationError) {
    let index = try index(of: product)
    try check(price)
    var offers = products[index].terms?.offers ?? []
    let names = offers.map(\.name) + products[index].codes.keys.sorted()
    guard names.contains(offer) else { throw .unknown("offer", offer, among: names) }
    guard !offers.contains(where: { $0.name == offer && $0.mode == .freeTrial }) else {
      throw SimulationError(.invalidValue, "\(offer) of \(product) is a free trial: it costs nothing anywhere.")
    }
    if let storefront {
      products[index].offerPrices[offer, default: [:]][storefront] = price
    } else if products[index].codes[offer] != nil {
      products[index].codes[offer] = price
    } else if let terms = products[index].terms {
      for known in offers.indices where offers[known].name == offer { offers[known].price = price }
      products[index].terms = SubscriptionTerms(group: terms.group, level: terms.level, period: terms.period, offers: offers)
    }
  }

  private func isAffected(_ chain: SubscriptionChain, by price: Money, of product: Int) -> Bool {
    chain.product == product && chain.sharedBy == nil && !chain.isForgotten && !chain.isOver
      && chain.price.money.currency == price.currency
  }

  private mutating func changePrice(_ buyer: Int, _ index: Int, to price: AgreedPrice, _ consent: PriceConsent) {
    let chain = customers[buyer].chains[index]
    guard price.money.amount > chain.price.money.amount else {
      customers[buyer].chains[index].price = price
      if chain.priceRise != nil {
        customers[buyer].chains[index].priceRise = nil
        say(nil, nil, buyer, index, at: now)
      }
      return
    }
    if consent == .preserved {
      customers[buyer].chains[index].price.isPreserved = true
      customers[buyer].chains[index].price.storefront = price.storefront
      return
    }
    let needsConsent = consent == .required || consent == .byRule && needsConsentByRule(chain, price.money)
    customers[buyer].chains[index].priceRise = .init(price: price, needsConsent: needsConsent, isAgreed: !needsConsent)
    customers[buyer].chains[index].lastRise = now
    customers[buyer].chains[index].price.isPreserved = false
    // What is paid until then is of the same list from now on: who does not agree, or is committed, does not pay another one.
    customers[buyer].chains[index].price.storefront = price.storefront
    say(.priceIncrease, needsConsent ? .pending : .accepted, buyer, index, at: now)
  }

  /// More than 50 % and more than 5 a period (50 a year), or the second rise within a year. The amounts are in dollars, and taken as they
  /// are in other currencies. (Our choice: Apple publishes one amount a currency.)
  private func needsConsentByRule(_ chain: SubscriptionChain, _ price: Money) -> Bool {
    if let last = chain.lastRise, now < Period(years: 1).added(to: last, in: Instant.utc) { return true }
    let rise = price.amount - chain.price.money.amount
    let isYearly = (products[chain.product].terms?.period).map { $0.years > 0 || $0.months >= 12 } ?? false
    return rise * 2 > chain.price.money.amount && rise > (isYearly ? 50 : 5)
  }

  /// The customer agrees to a higher price, or does not: then it ends with the period.
  mutating func answerPriceRise(_ product: Int, _ customer: CustomerID, agrees: Bool) throws(SimulationError) -> [StoreEvent] {
    let id = products[product].id
    guard let buyer = known(customer), let group = products[product].terms?.group, let chain = customers[buyer].chain(of: group),
      customers[buyer].chains[chain].product == product, let rise = customers[buyer].chains[chain].priceRise, rise.needsConsent
    else {
      let waiting = waitingPurchases(of: customer).map(\.rawValue)
      throw SimulationError(
        .nothingToDo,
        "Nothing to approve or to decline for \(id). "
          + (waiting.isEmpty ? "No requests are pending." : "Pending: \(waiting.joined(separator: ", "))."))
    }
    if agrees != rise.isAgreed {
      customers[buyer].chains[chain].priceRise?.isAgreed = agrees
      say(agrees ? .priceIncrease : nil, agrees ? .accepted : nil, buyer, chain, at: now)
    }
    return settled()
  }

  // MARK: What is sold

  /// Puts a product on sale or takes it off. What was bought stays; subscriptions end with their period.
  /// - Throws: ``SimulationError`` when the store has no such product.
  public mutating func setOnSale(_ product: ProductID, _ isOnSale: Bool) throws(SimulationError) {
    products[try index(of: product)].isOnSale = isOnSale
  }

  /// Changes anything else about a product (rules of offers, storefronts, commitment); for products that the store does not have yet, adds it.
  public mutating func setProduct(_ product: SimulatedProduct) {
    guard let index = known(product.id) else { return addProduct(product) }
    products[index] = product
  }
}

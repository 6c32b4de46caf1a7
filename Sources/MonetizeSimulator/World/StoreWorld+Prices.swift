// SPDX-License-Identifier: Apache-2.0
import Foundation
public import Monetize

extension StoreWorld {
  /// Changes the price of a product, everywhere or in one storefront.
  ///
  /// Subscribers who pay in the same currency get a lower price at their next renewal, and a higher one according to `consent`.
  /// - Throws: ``SimulationError`` when the store has no such product, or the price is negative or has more decimals than its currency.
  public mutating func setPrice(
    _ product: ProductID, _ price: Money, consent: PriceConsent = .byRule, storefront: String? = nil
  ) throws(SimulationError) -> [StoreEvent] {
    let index = try index(of: product)
    try check(price)
    if let storefront { products[index].prices[storefront] = price } else { products[index].price = price }
    guard products[index].terms != nil else { return settled() }
    for buyer in customers.rows {
      let own = products[index].agreed(in: customers[buyer].settings.storefront)
      guard own.storefront == storefront else { continue }
      for chain in customers[buyer].chains.rows where isAffected(self[buyer, chain], by: price, of: index) {
        changePrice(buyer, chain, to: own, consent)
      }
    }
    return settled()
  }

  private func check(_ price: Money) throws(SimulationError) {
    guard price.amount >= 0 else { throw SimulationError(.invalidValue, "A price cannot be negative, but this is \(price).") }
    if let why = price.whyUnpayable { throw SimulationError(.invalidValue, why) }
  }

  /// Changes the price of an offer of a product, everywhere or in one storefront; `offer` is its id or `introductory`, or a code of a
  /// one-time product. An offer that a subscriber has redeemed keeps its price while they stay in their storefront.
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

  private func isAffected(_ chain: SubscriptionChain, by price: Money, of product: Row<SimulatedProduct>) -> Bool {
    chain.product == product && !chain.isShared && !chain.isForgotten && !chain.isOver
      && chain.price.money.currency == price.currency
  }

  private mutating func changePrice(_ buyer: Row<Customer>, _ index: Row<SubscriptionChain>, to price: AgreedPrice, _ consent: PriceConsent)
  {
    let chain = self[buyer, index]
    let isRise = price.money.amount > chain.price.money.amount
    guard isRise, consent != .preserved else {
      if !isRise { self[buyer, index].price.money = price.money }
      self[buyer, index].price.storefront = price.storefront
      self[buyer, index].price.isPreserved = isRise
      return withdrawRise(buyer, index)
    }
    let needsConsent = consent == .required || consent == .byRule && needsConsentByRule(chain, price.money)
    self[buyer, index].priceRise = .init(price: price, needsConsent: needsConsent, isAgreed: !needsConsent)
    self[buyer, index].price.isPreserved = false
    // Until then the old price belongs to the same list: a subscriber who does not agree, or has a commitment, pays no other price.
    self[buyer, index].price.storefront = price.storefront
    publish(.priceIncrease, needsConsent ? .pending : .accepted, buyer, index, at: now)
  }

  /// Ends a rise that the customer has not paid. Source: Apple, "Understanding subscription price increase notice and consent": preserving
  /// keeps subscribers on their current price.
  private mutating func withdrawRise(_ buyer: Row<Customer>, _ index: Row<SubscriptionChain>) {
    guard self[buyer, index].priceRise != nil else { return }
    self[buyer, index].priceRise = nil
    publish(nil, nil, buyer, index, at: now)
  }

  /// Whether a rise needs consent: more than 50 % and more than 5 a period (50 a year), or the second one within a year of paying the first.
  /// A rise that was withdrawn or replaced before is none. The limits are in dollars, and used unchanged for other currencies. (Our choice: Apple publishes one amount per currency.)
  private func needsConsentByRule(_ chain: SubscriptionChain, _ price: Money) -> Bool {
    if let last = chain.price.risen, now < Period(years: 1).added(to: last, in: .storeCalendar) { return true }
    let rise = price.amount - chain.price.money.amount
    let isYearly = (products[chain.product].terms?.period).map { $0.years > 0 || $0.months >= 12 } ?? false
    return rise * 2 > chain.price.money.amount && rise > (isYearly ? 50 : 5)
  }

  /// Records the customer's answer to a higher price; without consent the subscription ends with its period.
  mutating func answerPriceRise(_ product: Row<SimulatedProduct>, _ customer: CustomerID, agrees: Bool) throws(SimulationError)
    -> [StoreEvent]
  {
    let id = products[product].id
    guard let buyer = known(customer), let group = products[product].terms?.group, let chain = customers[buyer].chain(of: group),
      self[buyer, chain].product == product, let rise = self[buyer, chain].priceRise, rise.needsConsent
    else {
      let waiting = waitingPurchases(of: customer).map(\.rawValue)
      throw SimulationError(
        .nothingToDo,
        "There is nothing to approve or decline for \(id). "
          + (waiting.isEmpty ? "No requests are pending." : "Pending: \(waiting.joined(separator: ", "))."))
    }
    if agrees != rise.isAgreed {
      self[buyer, chain].priceRise?.isAgreed = agrees
      publish(agrees ? .priceIncrease : nil, agrees ? .accepted : nil, buyer, chain, at: now)
    }
    return settled()
  }

  // MARK: Products

  /// Puts a product on sale or takes it off. Earlier purchases stay; subscriptions end with their period.
  /// - Throws: ``SimulationError`` when the store has no such product.
  public mutating func setOnSale(_ product: ProductID, _ isOnSale: Bool) throws(SimulationError) {
    products[try index(of: product)].isOnSale = isOnSale
  }

  /// Changes a product (rules of offers, storefronts, commitment), or adds one.
  public mutating func setProduct(_ product: SimulatedProduct) {
    guard let index = known(product.id) else { return addProduct(product) }
    products[index] = product
  }
}

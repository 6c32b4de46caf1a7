// SPDX-License-Identifier: Apache-2.0
import Foundation
public import Monetize

extension StoreWorld {
  /// Changes what a product costs, everywhere or in one storefront.
  ///
  /// Those who are subscribed pay a lower price from their next renewal on, a higher one as `consent` says. Only who pays in the same
  /// currency is affected.
  /// - Throws: ``SimulationError`` when the store has no such product, or the price is negative.
  public mutating func setPrice(
    _ product: ProductID, _ price: Money, consent: PriceConsent = .byRule, storefront: String? = nil
  ) throws(SimulationError) -> [StoreEvent] {
    let place = try place(of: product)
    guard price.amount >= 0 else { throw SimulationError(.invalidValue, "A price cannot be negative, as \(price) is.") }
    if let storefront { products[place].prices[storefront] = price } else { products[place].price = price }
    guard products[place].terms != nil else { return settled() }
    for buyer in customers.indices {
      let own = products[place].price(in: customers[buyer].settings.storefront)
      guard own == price else { continue }
      for chain in customers[buyer].chains.indices where isAffected(customers[buyer].chains[chain], by: price, of: place) {
        changePrice(buyer, chain, to: price, consent)
      }
    }
    return settled()
  }

  private func isAffected(_ chain: SubscriptionChain, by price: Money, of product: Int) -> Bool {
    chain.product == product && chain.sharedBy == nil && !chain.isForgotten && chain.standing != .expired && chain.standing != .revoked
      && chain.agreedPrice.currency == price.currency
  }

  private mutating func changePrice(_ buyer: Int, _ place: Int, to price: Money, _ consent: PriceConsent) {
    let chain = customers[buyer].chains[place]
    guard price.amount > chain.agreedPrice.amount else {
      customers[buyer].chains[place].agreedPrice = price
      customers[buyer].chains[place].keepsPrice = false
      if chain.priceRise != nil {
        customers[buyer].chains[place].priceRise = nil
        say(nil, nil, buyer, place, at: now)
      }
      return
    }
    if consent == .preserved {
      customers[buyer].chains[place].keepsPrice = true
      return
    }
    let needsConsent = consent == .required || consent == .byRule && needsConsentByRule(chain, price)
    customers[buyer].chains[place].priceRise = .init(price: price, needsConsent: needsConsent, isAgreed: !needsConsent)
    customers[buyer].chains[place].lastRise = now
    customers[buyer].chains[place].keepsPrice = false
    say(.priceIncrease, needsConsent ? .pending : .accepted, buyer, place, at: now)
  }

  /// More than 50 % and more than 5 a period (50 a year), or the second rise within a year. The amounts are in dollars, and taken as they
  /// are in other currencies. (Our choice: Apple publishes one amount a currency.)
  private func needsConsentByRule(_ chain: SubscriptionChain, _ price: Money) -> Bool {
    if let last = chain.lastRise, now < Period(years: 1).added(to: last, in: Instant.utc) { return true }
    let rise = price.amount - chain.agreedPrice.amount
    let isYearly = (products[chain.product].terms?.period).map { $0.years > 0 || $0.months >= 12 } ?? false
    return rise * 2 > chain.agreedPrice.amount && rise > (isYearly ? 50 : 5)
  }

  /// The customer agrees to a higher price, or does not: then it ends with the period.
  mutating func answerPriceRise(_ product: Int, _ buyer: Int, agrees: Bool) throws(SimulationError) -> [StoreEvent] {
    let id = products[product].id
    let chain = products[product].terms.flatMap { customers[buyer].chain(of: $0.group) }
    guard let chain, customers[buyer].chains[chain].product == product, let rise = customers[buyer].chains[chain].priceRise,
      rise.needsConsent
    else {
      let waiting = customers[buyer].waiting.map(\.request.productID.rawValue)
      throw SimulationError(
        .nothingToDo,
        "Nothing waits for an answer about \(id): no request to buy, no interrupted purchase, no price rise. "
          + (waiting.isEmpty ? "Nothing else waits either." : "Waiting: \(waiting.joined(separator: ", "))."))
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
    products[try place(of: product)].isOnSale = isOnSale
  }

  /// Changes anything else about a product (rules of offers, storefronts, commitment); for products that the store does not have yet, adds it.
  public mutating func setProduct(_ product: SimulatedProduct) {
    guard let place = known(product.id) else { return addProduct(product) }
    products[place] = product
  }
}

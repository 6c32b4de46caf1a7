// SPDX-License-Identifier: Apache-2.0
import Foundation
public import Monetize

/// Whether a customer may use an offer. Source: app-store-rules E.3.
public enum OfferEligibility: String, Sendable, Hashable, CaseIterable {
  /// The customer may use it now.
  case eligible
  /// The customer may not use it.
  case ineligible
  /// The store has no such product or offer.
  case unknown
}

extension StoreWorld {
  /// Whether a customer may use an offer of a product now; `nil` means the introductory offer.
  public func eligibility(of offerID: String?, for product: ProductID, customer: CustomerID) -> OfferEligibility {
    guard let index = known(product) else { return .unknown }
    let settings = settings(of: customer)
    guard let terms = products[index].terms else {
      guard let code = offerID, products[index].codes[code] != nil else { return .unknown }
      let isUsed = known(customer).map { self.isUsed(code, index, $0, settings.environment) } ?? false
      return isUsed || products[index].price(ofCode: code, in: settings.storefront) == nil ? .ineligible : .eligible
    }
    let offer = offerID.map { id in terms.offers.first { $0.id == id } } ?? terms.introductoryOffer
    guard let offer else { return .unknown }
    guard let buyer = known(customer) else {
      // An unknown customer counts as a new one.
      return isForNewcomers(offer, index, settings.storefront) ? .eligible : .ineligible
    }
    return isEligible(offer, index, buyer, settings.environment) ? .eligible : .ineligible
  }

  private func isForNewcomers(_ offer: SubscriptionOffer, _ product: Row<SimulatedProduct>, _ storefront: String) -> Bool {
    guard offer.isRunning(at: now), products[product].price(of: offer, in: storefront) != nil else { return false }
    return offer.type == .introductory || offer.type == .code && rule(of: offer, product).audiences.contains(.new)
  }

  private func rule(of offer: SubscriptionOffer, _ product: Row<SimulatedProduct>) -> SimulatedProduct.OfferRule {
    offer.id.flatMap { products[product].offerRules[$0] } ?? SimulatedProduct.OfferRule()
  }

  func isEligible(_ offer: SubscriptionOffer, _ product: Row<SimulatedProduct>, _ buyer: Row<Customer>, _ environment: StoreEnvironment)
    -> Bool
  {
    let customer = customers[buyer]
    guard offer.isRunning(at: now), let group = products[product].terms?.group,
      products[product].price(of: offer, in: customer.settings.storefront) != nil
    else { return false }
    let chain = customer.chain(of: group, environment).map { customer.chains[$0] }
    switch offer.type {
    // Once per customer and group for ever, even after the chain has been cleared.
    case .introductory: return !customer.usedIntroductory.contains(customer.key(group, environment))
    case .promotional: return chain != nil
    case .code:
      let audience: SimulatedProduct.OfferRule.Audience =
        chain.map { $0.isEntitled || $0.isInRetry ? .existing : .expired } ?? .new
      return rule(of: offer, product).audiences.contains(audience) && !(offer.id.map { isUsed($0, product, buyer, environment) } ?? false)
    case .winBack: return chain.map { isChurned(customer, $0, offer, product) } ?? false
    }
  }

  private func isUsed(_ code: String, _ product: Row<SimulatedProduct>, _ buyer: Row<Customer>, _ environment: StoreEnvironment) -> Bool {
    customers[buyer].redeemed[customers[buyer].key(code, of: products[product].id, environment)] != nil
  }

  /// Whether a win-back offer applies: expired and not renewing, paid long enough, ended within the range, no recent offer, and this
  /// product last.
  private func isChurned(_ customer: Customer, _ chain: SubscriptionChain, _ offer: SubscriptionOffer, _ product: Row<SimulatedProduct>)
    -> Bool
  {
    guard chain.isExpired, !chain.willRenew, chain.product == product, let ended = chain.endedAt else { return false }
    let rule = rule(of: offer, product)
    let months = { Period(months: $0).added(to: ended, in: .storeCalendar) }
    guard months(rule.monthsSinceLapse.lowerBound) <= now, now <= months(rule.monthsSinceLapse.upperBound),
      customer.paidMonths(of: chain) >= rule.minimumPaidMonths
    else { return false }
    let used = offer.id.flatMap { customer.redeemed[customer.key($0, of: products[product].id, chain.environment)] }
    guard let last = used else { return true }
    return Period(months: rule.monthsBetweenOffers).added(to: last, in: .storeCalendar) <= now
  }

  /// Throws when an offer does not exist, or not for this customer.
  func checkOffer(of request: PurchaseRequest, _ customer: CustomerID) throws(StoreError) {
    guard let id = request.offerID else { return }
    guard eligibility(of: id, for: request.productID, customer: customer) == .eligible else { throw StoreError(.ineligibleForOffer) }
  }

  /// The requested offer.
  func namedOffer(_ order: Order) -> SubscriptionOffer? {
    guard !settings.quirks.contains(.offerNotApplied), let id = order.request.offerID else { return nil }
    return products[order.product].terms?.offers.first { $0.id == id && $0.isEnabled }
  }

  /// The first offer of a plan: the requested one, else the unused introductory one. `later` is a code's offer that follows it.
  func offers(
    named: AgreedOffer?, _ product: Row<SimulatedProduct>, _ buyer: Row<Customer>, _ environment: StoreEnvironment
  ) -> (now: AgreedOffer?, later: AgreedOffer?) {
    if settings.quirks.contains(.offerNotApplied) { return (nil, nil) }
    let introductory = products[product].terms?.introductoryOffer.flatMap {
      isEligible($0, product, buyer, environment) ? agreed($0, of: product, buyer) : nil
    }
    if let named, named.offer.type == .code, introductory != nil, rule(of: named.offer, product).stacksWithIntroductory {
      return (introductory, named)
    }
    return (named ?? introductory, nil)
  }

  /// The price of a one-time product, with the code that it uses up, if any.
  mutating func redeemCode(of order: Order) -> (unit: Money, offer: StoreTransaction.Offer?) {
    let (product, settings) = (products[order.product], customers[order.buyer].settings)
    guard let code = order.request.offerID, let price = product.price(ofCode: code, in: settings.storefront) else {
      return (product.price(in: settings.storefront), nil)
    }
    customers[order.buyer].redeemed[customers[order.buyer].key(code, of: product.id, settings.environment)] = order.date
    // A single payment at the lower price: StoreKit's one-time discount.
    return (price, .init(type: .code, mode: .payUpFront, id: code))
  }

  mutating func redeem(
    _ offer: SubscriptionOffer, of product: Row<SimulatedProduct>, _ buyer: Row<Customer>, _ environment: StoreEnvironment, at date: Date
  ) {
    if offer.type == .introductory, let group = products[product].terms?.group {
      customers[buyer].usedIntroductory.insert(customers[buyer].key(group, environment))
    }
    if let id = offer.id { customers[buyer].redeemed[customers[buyer].key(id, of: products[product].id, environment)] = date }
  }
}

extension Customer {
  /// The number of paid months: whole calendar months, plus one for a rest of 28 days, so that four weeks are a month. Overlaps count once,
  /// and a period that an upgrade ended counts until the upgrade.
  func paidMonths(of chain: SubscriptionChain) -> Int {
    let own = purchases.filter { $0.transaction.originalID == chain.originalID }.map(\.transaction)
    var (months, seconds) = (0, 0)
    for (index, transaction) in own.enumerated() {
      guard let price = transaction.price, price.amount > 0, transaction.revocation == nil, let planned = transaction.expirationDate else {
        continue
      }
      let next = transaction.isUpgraded ? own.dropFirst(index + 1).map(\.purchaseDate).min() : nil
      let end = min(planned, next ?? planned)
      guard end > transaction.purchaseDate else { continue }
      var whole = 0
      while case let date = Period(months: whole + 1).added(to: transaction.purchaseDate, in: .storeCalendar), date <= end { whole += 1 }
      months += whole
      seconds += Int(end.timeIntervalSince(Period(months: whole).added(to: transaction.purchaseDate, in: .storeCalendar)))
    }
    return months + seconds / (28 * 86400)
  }
}

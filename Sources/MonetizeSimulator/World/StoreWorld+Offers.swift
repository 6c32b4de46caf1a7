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
    let customer = account(customer)
    let environment = customer.settings.environment
    guard let terms = products[index].terms else {
      guard let code = offerID, products[index].codes[code] != nil else { return .unknown }
      let isUsed = customer.redeemed[.offer(code, of: product, environment)] != nil
      return isUsed || products[index].price(ofCode: code, in: customer.settings.storefront) == nil ? .ineligible : .eligible
    }
    let offer = offerID.map { id in terms.offers.first { $0.id == id } } ?? terms.introductoryOffer
    guard let offer else { return .unknown }
    return isEligible(offer, index, customer, environment) ? .eligible : .ineligible
  }

  private func rule(of offer: SubscriptionOffer, _ product: Row<SimulatedProduct>) -> SimulatedProduct.OfferRule {
    offer.id.flatMap { products[product].offerRules[$0] } ?? SimulatedProduct.OfferRule()
  }

  private func isEligible(
    _ offer: SubscriptionOffer, _ product: Row<SimulatedProduct>, _ customer: Customer, _ environment: StoreEnvironment
  ) -> Bool {
    guard offer.isRunning(at: now), let group = products[product].terms?.group,
      products[product].price(of: offer, in: customer.settings.storefront) != nil
    else { return false }
    let chain = customer.chain(of: group, environment).map { customer.chains[$0] }
    let last = use(of: offer.type, offer.id, product, environment).flatMap { customer.redeemed[$0] }
    switch offer.type {
    // Once per customer and group for ever, even after the chain has been cleared.
    case .introductory: return last == nil
    case .promotional: return chain != nil
    case .code:
      let audience: SimulatedProduct.OfferRule.Audience =
        chain.map { $0.isEntitled || $0.isInRetry ? .existing : .expired } ?? .new
      return rule(of: offer, product).audiences.contains(audience) && last == nil
    case .winBack: return chain.map { isChurned(customer, $0, offer, product, last) } ?? false
    }
  }

  /// What an offer uses up; `nil` for one that is neither introductory nor has an id.
  func use(
    of type: SubscriptionOffer.OfferType, _ id: String?, _ product: Row<SimulatedProduct>, _ environment: StoreEnvironment
  ) -> OfferUse? {
    if type == .introductory { return products[product].terms.map { .introductory(group: $0.group, environment) } }
    return id.map { .offer($0, of: products[product].id, environment) }
  }

  /// Whether a win-back offer applies: expired and not renewing, paid long enough, ended within the range, no recent offer, and this
  /// product last.
  private func isChurned(
    _ customer: Customer, _ chain: SubscriptionChain, _ offer: SubscriptionOffer, _ product: Row<SimulatedProduct>, _ last: Date?
  ) -> Bool {
    guard chain.isExpired, !chain.willRenew, chain.product == product, let ended = chain.endedAt else { return false }
    let rule = rule(of: offer, product)
    let months = { Period(months: $0).added(to: ended, in: .storeCalendar) }
    guard months(rule.monthsSinceLapse.lowerBound) <= now, now <= months(rule.monthsSinceLapse.upperBound),
      customer.paidMonths(of: chain) >= rule.minimumPaidMonths
    else { return false }
    guard let last else { return true }
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
      isEligible($0, product, customers[buyer], environment) ? agreed($0, of: product, buyer) : nil
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
    customers[order.buyer].redeemed[.offer(code, of: product.id, settings.environment)] = order.date
    // A single payment at the lower price: StoreKit's one-time discount.
    return (price, .init(type: .code, mode: .payUpFront, id: code))
  }

  mutating func redeem(
    _ offer: SubscriptionOffer, of product: Row<SimulatedProduct>, _ buyer: Row<Customer>, _ environment: StoreEnvironment, at date: Date
  ) {
    if let use = use(of: offer.type, offer.id, product, environment) { customers[buyer].redeemed[use] = date }
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

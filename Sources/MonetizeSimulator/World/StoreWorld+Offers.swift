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

/// The reason why a customer may not use an offer.
enum OfferRefusal: Sendable, Hashable {
  /// The store has no such product or offer.
  case unknown
  /// The sentence is for a person who simulates; an app only receives that the customer is not eligible.
  case refused(String)
}

extension StoreWorld {
  /// Whether a customer may use an offer of a product now; `nil` means the introductory offer.
  public func eligibility(of offerID: String?, for product: ProductID, customer: CustomerID) -> OfferEligibility {
    switch refusal(of: offerID, for: product, customer: customer) {
    case nil: .eligible
    case .refused: .ineligible
    case .unknown: .unknown
    }
  }

  /// Returns why a customer may not use an offer of a product now; `nil` if the customer may. Without an id, the introductory offer.
  func refusal(of offerID: String?, for product: ProductID, customer: CustomerID) -> OfferRefusal? {
    guard let index = known(product) else { return .unknown }
    let customer = account(customer)
    let environment = customer.settings.environment
    guard let terms = products[index].terms else {
      guard let code = offerID, products[index].codes[code] != nil else { return .unknown }
      if customer.redeemed[.offer(code, of: product, environment)] != nil { return .refused("The code was redeemed before.") }
      return products[index].price(ofCode: code, in: customer.settings.storefront) == nil ? Self.noPrice : nil
    }
    let offer = offerID.map { id in terms.offers.first { $0.id == id } } ?? terms.introductoryOffer
    guard let offer else { return .unknown }
    return refusal(of: offer, index, customer, environment)
  }

  private static let noPrice = OfferRefusal.refused("It has no price in the customer's storefront.")

  private func rule(of offer: SubscriptionOffer, _ product: Row<SimulatedProduct>) -> SimulatedProduct.OfferRule {
    offer.id.flatMap { products[product].offerRules[$0] } ?? SimulatedProduct.OfferRule()
  }

  private func refusal(
    of offer: SubscriptionOffer, _ product: Row<SimulatedProduct>, _ customer: Customer, _ environment: StoreEnvironment
  ) -> OfferRefusal? {
    guard offer.isRunning(at: now) else { return .refused("It is not enabled now.") }
    guard let group = products[product].terms?.group, products[product].price(of: offer, in: customer.settings.storefront) != nil
    else { return Self.noPrice }
    let chain = customer.chain(of: group, environment).map { customer.chains[$0] }
    let last = use(of: offer.type, offer.id, product, environment).flatMap { customer.redeemed[$0] }
    switch offer.type {
    case .introductory:
      // Once per customer and group for ever, even after the chain has been cleared.
      return last == nil ? nil : .refused("The customer has used an introductory offer of this group.")
    case .promotional:
      return chain == nil ? .refused("A promotional offer is for customers who subscribe or have subscribed in this group.") : nil
    case .code:
      let audience: SimulatedProduct.OfferRule.Audience =
        chain.map { $0.isEntitled || $0.isInRetry ? .existing : .expired } ?? .new
      guard rule(of: offer, product).audiences.contains(audience) else {
        return .refused("The code is not for \(audience.rawValue) subscribers, such as this customer.")
      }
      return last == nil ? nil : .refused("The code was redeemed before.")
    case .winBack: return winBackRefusal(customer, chain, offer, product, last)
    }
  }

  /// What an offer uses up; `nil` for one that is neither introductory nor has an id.
  func use(
    of type: SubscriptionOffer.OfferType, _ id: String?, _ product: Row<SimulatedProduct>, _ environment: StoreEnvironment
  ) -> OfferUse? {
    if type == .introductory { return products[product].terms.map { .introductory(group: $0.group, environment) } }
    return id.map { .offer($0, of: products[product].id, environment) }
  }

  /// A win-back offer applies after the end: not renewing, this product last, paid long enough, ended within the range, no recent offer.
  private func winBackRefusal(
    _ customer: Customer, _ chain: SubscriptionChain?, _ offer: SubscriptionOffer, _ product: Row<SimulatedProduct>, _ last: Date?
  ) -> OfferRefusal? {
    guard let chain, chain.isExpired, !chain.willRenew, let ended = chain.endedAt else {
      return .refused("A win-back offer is for customers whose subscription has ended.")
    }
    guard chain.product == product else { return .refused("The customer's last plan is \(products[chain.product].name).") }
    let rule = rule(of: offer, product)
    let months = { (months: Int, date: Date) in Period(months: months).added(to: date, in: .storeCalendar) }
    let (from, until) = (months(rule.monthsSinceLapse.lowerBound, ended), months(rule.monthsSinceLapse.upperBound, ended))
    guard from <= now, now <= until else {
      return .refused(
        "The plan ended on \(ISODate.text(ended)), so the customer may use it from \(ISODate.text(from)) to \(ISODate.text(until)).")
    }
    let paid = customer.paidMonths(of: chain)
    guard paid >= rule.minimumPaidMonths else {
      return .refused("The customer has paid for \(paid) of \(rule.minimumPaidMonths) required months.")
    }
    guard let next = last.map({ months(rule.monthsBetweenOffers, $0) }), next > now else { return nil }
    return .refused("The customer has used it recently. The next time is from \(ISODate.text(next)) on.")
  }

  /// Throws when an offer does not exist, or not for this customer.
  func checkOffer(of request: PurchaseRequest, _ customer: CustomerID) throws(StoreError) {
    guard let id = request.offerID else { return }
    if refusal(of: id, for: request.productID, customer: customer) != nil { throw StoreError(.ineligibleForOffer) }
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
      refusal(of: $0, product, customers[buyer], environment) == nil ? agreed($0, of: product, buyer) : nil
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

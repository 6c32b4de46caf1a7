// SPDX-License-Identifier: Apache-2.0
import Foundation
public import Monetize

/// Whether a customer may use an offer. Source: app-store-rules E.3.
public enum OfferEligibility: String, Sendable, Hashable, CaseIterable {
  /// They may, now.
  case eligible
  /// They may not.
  case ineligible
  /// The store has no such product or offer.
  case unknown
}

extension StoreWorld {
  /// Whether a customer may use an offer of a product now; `nil` asks for the introductory one.
  public func eligibility(of offerID: String?, for product: ProductID, customer: CustomerID) -> OfferEligibility {
    guard let place = known(product) else { return .unknown }
    guard let terms = products[place].terms else {
      guard let code = offerID, products[place].codes[code] != nil else { return .unknown }
      return known(customer).map { isUsed(code, $0) } ?? false ? .ineligible : .eligible
    }
    let offer = offerID.map { id in terms.offers.first { $0.id == id } } ?? terms.introductoryOffer
    guard let offer else { return .unknown }
    guard let buyer = known(customer) else {
      // Nobody has heard of this customer: a new one.
      return isForNewcomers(offer, place) ? .eligible : .ineligible
    }
    return isEligible(offer, place, buyer) ? .eligible : .ineligible
  }

  private func isForNewcomers(_ offer: SubscriptionOffer, _ product: Int) -> Bool {
    guard offer.isEnabled else { return false }
    return offer.type == .introductory || offer.type == .code && rule(of: offer, product).audiences.contains(.new)
  }

  private func rule(of offer: SubscriptionOffer, _ product: Int) -> SimulatedProduct.OfferRule {
    offer.id.flatMap { products[product].offerRules[$0] } ?? SimulatedProduct.OfferRule()
  }

  func isEligible(_ offer: SubscriptionOffer, _ product: Int, _ buyer: Int) -> Bool {
    guard offer.isEnabled, let group = products[product].terms?.group else { return false }
    let customer = customers[buyer]
    let chain = customer.chain(of: group).map { customer.chains[$0] }
    switch offer.type {
    // Once per customer and group, ever; also when the chain itself has been cleared from view.
    case .introductory: return !customer.usedIntroductory.contains(customer.key(group))
    case .promotional: return chain != nil
    case .code:
      let audience: SimulatedProduct.OfferRule.Audience =
        chain.map { $0.isEntitled || $0.standing == .retry ? .existing : .expired } ?? .new
      return rule(of: offer, product).audiences.contains(audience) && !(offer.id.map { isUsed($0, buyer) } ?? false)
    case .winBack: return chain.map { isChurned(customer, $0, offer, product) } ?? false
    }
  }

  private func isUsed(_ code: String, _ buyer: Int) -> Bool { customers[buyer].redeemed[customers[buyer].key(code)] != nil }

  /// Expired and not renewing, paid long enough, lapsed neither too short nor too long ago, no offer lately, and this product last.
  private func isChurned(_ customer: Customer, _ chain: SubscriptionChain, _ offer: SubscriptionOffer, _ product: Int) -> Bool {
    guard chain.standing == .expired, !chain.willRenew, chain.product == product, let ended = chain.endedAt else { return false }
    let rule = rule(of: offer, product)
    let months = { Period(months: $0).added(to: ended, in: Instant.utc) }
    guard months(rule.monthsSinceLapse.lowerBound) <= now, now <= months(rule.monthsSinceLapse.upperBound) else { return false }
    let paid = customer.purchases.reduce(0.0) { total, purchase in
      let transaction = purchase.transaction
      guard transaction.originalID == chain.originalID, (transaction.price?.amount ?? 0) > 0, transaction.revocation == nil,
        let end = transaction.expirationDate
      else { return total }
      return total + end.timeIntervalSince(transaction.purchaseDate)
    }
    // A month of 28 days is a month.
    guard paid >= Double(rule.minimumPaidMonths) * 28 * 86400 else { return false }
    guard let last = offer.id.flatMap({ customer.redeemed[customer.key($0)] }) else { return true }
    return Period(months: rule.monthsBetweenOffers).added(to: last, in: Instant.utc) <= now
  }

  /// Refuses an offer that is not there, or not for this customer.
  func checkOffer(of request: PurchaseRequest, _ product: Int, _ buyer: Int) throws(StoreError) {
    guard let id = request.offerID else { return }
    if products[product].terms == nil, products[product].codes[id] != nil, !isUsed(id, buyer) { return }
    guard let offer = products[product].terms?.offers.first(where: { $0.id == id }), isEligible(offer, product, buyer) else {
      throw StoreError(.ineligibleForOffer)
    }
  }

  /// The offer that was asked for.
  func namedOffer(_ request: PurchaseRequest, _ product: Int) -> SubscriptionOffer? {
    guard !settings.quirks.contains(.offerNotApplied), let id = request.offerID else { return nil }
    return products[product].terms?.offers.first { $0.id == id && $0.isEnabled }
  }

  /// The offer that a period that begins now is bought with: the one asked for, else the introductory one while it is unused.
  func offerNow(for request: PurchaseRequest, _ product: Int, _ buyer: Int) -> SubscriptionOffer? {
    if settings.quirks.contains(.offerNotApplied) { return nil }
    let introductory = products[product].terms?.introductoryOffer.flatMap { isEligible($0, product, buyer) ? $0 : nil }
    if stackedOffer(for: request, product, buyer) != nil { return introductory }
    return namedOffer(request, product) ?? introductory
  }

  /// The code's offer that waits until the introductory one is over.
  func stackedOffer(for request: PurchaseRequest, _ product: Int, _ buyer: Int) -> SubscriptionOffer? {
    guard let named = namedOffer(request, product), named.type == .code, rule(of: named, product).stacksWithIntroductory,
      let introductory = products[product].terms?.introductoryOffer, isEligible(introductory, product, buyer)
    else { return nil }
    return named
  }

  /// What a one-time product costs, with the code that was used up for that, if there was one.
  mutating func redeemCode(of request: PurchaseRequest, _ product: Int, _ buyer: Int, at date: Date) -> (
    unit: Money, offer: StoreTransaction.Offer?
  ) {
    let full = products[product].price(in: customers[buyer].settings.storefront)
    guard let code = request.offerID, let price = products[product].codes[code] else { return (full, nil) }
    customers[buyer].redeemed[customers[buyer].key(code)] = date
    // Once, at the lower price: StoreKit's one-time discount.
    return (price, .init(type: .code, mode: .payUpFront, id: code))
  }

  mutating func redeem(_ offer: SubscriptionOffer, of group: String, _ buyer: Int, at date: Date) {
    if offer.type == .introductory { customers[buyer].usedIntroductory.insert(customers[buyer].key(group)) }
    if let id = offer.id { customers[buyer].redeemed[customers[buyer].key(id)] = date }
  }
}

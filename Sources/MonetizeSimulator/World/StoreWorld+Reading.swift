// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

extension StoreWorld {
  /// A customer's current purchases, as StoreKit's `currentEntitlements` and `Status` list them (app-store-rules E.4): every
  /// non-consumable, the current period of each subscription that is subscribed or in grace, the latest of each non-renewing product for
  /// ever; no consumables and no revoked transactions. Also the status of every subscription, including ended ones.
  public func answer(for customer: CustomerID, app: String? = nil, sinceSync: Date? = nil) -> StoreAnswer {
    let customer = account(customer)
    let environment = customer.settings.environment
    let chains = customer.chains(in: environment).filter { app == nil || products[$0.product].appID == app }
    let current = Set(chains.filter { $0.isEntitled && !$0.isFlickering }.flatMap { customer.periods(of: $0, at: now) })
    // Of all ended periods, only replaced ones can stay listed, and only with the quirk.
    let rows = (settings.quirks.contains(.upgradedStaysListed) ? customer.purchases.rows : current.union(customer.lasting).sorted())
      .filter { isListed(customer.purchases[$0], environment, app, sinceSync) }
    var lastOfProduct: [ProductID: Row<Purchase>] = [:]
    for index in rows {
      let purchase = customer.purchases[index]
      let product = purchase.transaction.productID
      // The latest one is by purchase date, not by the order of recording: a purchase can be in the past.
      if let last = lastOfProduct[product], customer.purchases[last].transaction.purchaseDate > purchase.transaction.purchaseDate {
        continue
      }
      lastOfProduct[product] = index
    }
    let listed = rows.filter { index in
      let purchase = customer.purchases[index]
      guard let product = known(purchase.transaction.productID) else { return false }
      switch products[product].type {
      case .consumable, .none: return purchase.isForged && products[product].type != .none
      case .nonConsumable: return true
      case .nonRenewing: return lastOfProduct[purchase.transaction.productID] == index
      case .autoRenewable:
        if purchase.isForged { return now < purchase.transaction.expirationDate ?? .distantFuture }
        if purchase.transaction.isUpgraded {
          return settings.quirks.contains(.upgradedStaysListed) && now < purchase.transaction.expirationDate ?? .distantFuture
        }
        return current.contains(index)
      }
    }
    return StoreAnswer(
      transactions: listed.map { customer.purchases[$0].signed }, renewals: chains.map { $0.info(products) }, date: now,
      environment: environment)
  }

  private func isListed(_ purchase: Purchase, _ environment: StoreEnvironment, _ app: String?, _ sinceSync: Date?) -> Bool {
    let transaction = purchase.transaction
    guard !purchase.isForgotten, transaction.revocation == nil, transaction.environment == environment,
      app == nil || transaction.appID == app
    else { return false }
    guard let from = purchase.listedFrom else { return true }
    return from <= now || sinceSync.map { transaction.purchaseDate <= $0 } ?? false
  }

  /// The current state of a customer's transaction, also of an expired or upgraded one; forged ones are unknown.
  public func standing(of transaction: TransactionID, customer: CustomerID) -> StoreStanding {
    let customer = account(customer)
    guard let purchase = customer.index(of: transaction).map({ customer.purchases[$0] }), !purchase.isForged,
      purchase.transaction.environment == customer.settings.environment
    else { return .gone }
    return purchase.transaction.revocation == nil ? .held(purchase.signed) : .revoked(purchase.signed)
  }

  /// The transactions that no device of a customer has finished, and those in `missed`, oldest first.
  public func unfinished(of customer: CustomerID, app: String? = nil, missed: Set<TransactionID> = []) -> [SignedTransaction] {
    account(customer).purchases(in: nil)
      .filter { (!$0.isFinished || missed.contains($0.transaction.id)) && (app == nil || $0.transaction.appID == app) }.map(\.signed)
  }

  /// Records that a device has finished a purchase. Ignores unknown ones.
  public mutating func finish(_ transaction: TransactionID, customer: CustomerID) {
    guard let buyer = known(customer), let index = customers[buyer].index(of: transaction) else { return }
    self[buyer, index].isFinished = true
  }

  /// The products in a customer's storefront, without those not sold there.
  public func storeProducts(for ids: [ProductID], customer: CustomerID) -> [StoreProduct] {
    let storefront = settings(of: customer).storefront
    return ids.compactMap { id in
      guard let index = known(id), products[index].isSold(in: storefront), products[index].type != .none else { return nil }
      let product = products[index]
      let price = product.price(in: storefront)
      let offers = listed(product, to: customer, in: storefront)
      return StoreProduct(
        id: id, displayName: product.name, displayPrice: price.display, price: price, period: product.terms?.period,
        introductoryOffer: offers.first { $0.offer.type == .introductory && $0.eligibility == .eligible }?.offer, offers: offers)
    }
  }

  /// The offers that the App Store lists for a plan, without those that have no price in the storefront. An offer code is listed nowhere.
  private func listed(_ product: SimulatedProduct, to customer: CustomerID, in storefront: String) -> [StoreOffer] {
    (product.terms?.offers ?? []).filter { $0.isRunning(at: now) && $0.type != .code }.compactMap { offer in
      guard let price = product.price(of: offer, in: storefront) else { return nil }
      var shown = offer
      if offer.price != nil { shown.price = price }
      // StoreKit does not provide eligibility for promotional offers.
      let answer = offer.type == .promotional ? .unknown : eligibility(of: offer.id, for: product.id, customer: customer)
      return StoreOffer(shown, displayPrice: price.display, eligibility: .init(rawValue: answer.rawValue) ?? .unknown)
    }
  }
}

extension Money {
  /// `$9.99`, `€9.99`, or the currency code when the sign is unknown: the same on every machine, unlike the system's formats.
  var display: String {
    switch currency {
    case "USD": "$\(amountText)"
    case "EUR": "€\(amountText)"
    case "GBP": "£\(amountText)"
    default: "\(amountText) \(currency)"
    }
  }
}

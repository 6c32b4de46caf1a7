// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

/// A purchase that a customer confirms.
struct Order {
  let request: PurchaseRequest
  let product: Row<SimulatedProduct>
  let buyer: Row<Customer>
  let date: Date
  /// The device that gets the transaction as its answer.
  var origin: DeviceID?
}

extension StoreWorld {
  /// Shows the store's sheet to a customer. `sheet` is its result; `nil` means a confirmation, or what the account's settings require.
  ///
  /// - `date`: The date of a purchase in the past, which is renewed until now; `nil` or a later date means now.
  /// - `origin`: The device of the purchase, which gets the transaction as its answer and not as an update.
  /// - Throws: The `StoreError` of a store: `productUnavailable`, `ineligibleForOffer`, or `notAllowed` when the payment fails. As for
  ///   every verb, the world is unchanged then.
  public mutating func purchase(
    _ request: PurchaseRequest, by customer: CustomerID, sheet: Sheet? = nil, at date: Date? = nil, origin: DeviceID? = nil
  ) throws(StoreError) -> (result: PurchaseResult, events: [StoreEvent]) {
    let settings = settings(of: customer)
    guard let product = known(request.productID), products[product].isSold(in: settings.storefront), products[product].type != .none else {
      throw StoreError(.productUnavailable)
    }
    if request.billing == .monthly, products[product].commitmentPeriods == nil { throw StoreError(.unsupported) }
    try checkOffer(of: request, customer)
    let sheet = sheet ?? (settings.askToBuy ? .askToBuy : settings.interruptedPurchases ? .interrupted : .confirm)
    if sheet == .confirm, !canPay(for: product, customer, by: request.offerID) { throw StoreError(.notAllowed) }
    let order = Order(request: request, product: product, buyer: index(of: customer), date: min(date ?? now, now), origin: origin)
    switch sheet {
    case .cancel: return (.userCancelled, settled())
    case .unverified: return (.success(forge(order)), settled())
    case .askToBuy:
      wait(.askToBuy, for: order)
      return (.pending, settled())
    case .interrupted:
      wait(.interrupted, for: order)
      return (self.settings.interruptedAnswer == .pending ? .pending : .userCancelled, settled())
    case .confirm: return (.success(buy(order)), settled())
    }
  }

  /// Completes a confirmed and paid purchase.
  mutating func buy(_ order: Order) -> SignedTransaction {
    switch products[order.product].type {
    case .autoRenewable: return subscribe(order)
    case .nonConsumable:
      // A second purchase returns the same transaction without a charge. Source: Apple, "the system notifies that it has already been
      // bought".
      if let index = ownedForEver(order.request.productID, order.buyer) { return self[order.buyer, index].signed }
      return buyOnce(order)
    case .consumable, .nonRenewing, .none: return buyOnce(order)
    }
  }

  func ownedForEver(_ product: ProductID, _ buyer: Row<Customer>) -> Row<Purchase>? {
    let customer = customers[buyer]
    return customer.purchases.firstRow { $0.transaction.productID == product && $0.transaction.revocation == nil && customer.isOwn($0) }
  }

  private mutating func buyOnce(_ order: Order) -> SignedTransaction {
    let (buyer, date) = (order.buyer, order.date)
    let quantity = products[order.product].type == .consumable ? max(1, order.request.quantity) : 1
    let (unit, offer) = redeemCode(of: order)
    let price = Money(amount: unit.amount * Decimal(quantity), currency: unit.currency)
    let index = record(order, customers[buyer].settings.environment, from: date, to: nil, price: price, quantity: quantity)
    self[buyer, index].transaction.offer = offer
    let signed = self[buyer, index].signed
    let entry = line(.oneTimeCharge, nil, buyer, purchase: index, at: date, reason: .purchase)
    emit(buyer, at: date, [.transaction(signed)], entry, origin: order.origin)
    return signed
  }

  /// Records and charges a new transaction.
  mutating func record(
    _ order: Order, _ environment: StoreEnvironment, originalID: TransactionID? = nil, from start: Date, to end: Date?, price: Money,
    offer: SubscriptionOffer? = nil, quantity: Int = 1, reason: StoreTransaction.Reason = .purchase
  ) -> Row<Purchase> {
    let (product, buyer) = (order.product, order.buyer)
    let id = nextTransactionID()
    let transaction = StoreTransaction(
      id: id, originalID: originalID, productID: products[product].id, purchaseDate: start, expirationDate: end, quantity: quantity,
      environment: environment, appID: products[product].appID, account: order.request.account,
      offer: offer.map { .init(type: $0.type, mode: $0.mode, id: $0.id) }, reason: reason, price: price, signed: start)
    var purchase = Purchase(transaction: transaction)
    if settings.quirks.contains(.lateListing) { purchase.listedFrom = start.addingTimeInterval(settings.listingDelay) }
    customers[buyer].account(environment) { $0.charge(price) }
    let row = customers[buyer].purchases.add(purchase)
    if end == nil, products[product].type != .consumable { customers[buyer].lasting.append(row) }
    return row
  }

  private mutating func forge(_ order: Order) -> SignedTransaction {
    let product = products[order.product]
    let transaction = StoreTransaction(
      id: nextTransactionID(), productID: product.id, purchaseDate: order.date,
      expirationDate: product.terms.map { $0.period.added(to: order.date, in: .storeCalendar) },
      environment: customers[order.buyer].settings.environment, appID: product.appID, account: order.request.account)
    let purchase = Purchase(transaction: transaction, isForged: true)
    customers[order.buyer].lasting.append(customers[order.buyer].purchases.add(purchase))
    return purchase.signed
  }

  /// Whether the customer's payment method covers a purchase. Free one-time products need none; a free trial does, as at Apple.
  func canPay(for product: Row<SimulatedProduct>, _ customer: CustomerID, by code: String? = nil) -> Bool {
    let settings = settings(of: customer)
    if settings.payment == .works { return true }
    let price =
      code.flatMap { products[product].price(ofCode: $0, in: settings.storefront) } ?? products[product].price(in: settings.storefront)
    if price.amount == 0, products[product].type != .autoRenewable { return true }
    return products[product].type == .nonConsumable && known(customer).flatMap { ownedForEver(products[product].id, $0) } != nil
  }

  // MARK: Pending purchases

  private mutating func wait(_ kind: PurchaseInWaiting.Kind, for order: Order) {
    let (request, buyer, environment) = (order.request, order.buyer, customers[order.buyer].settings.environment)
    customers[buyer].waiting.removeAll { $0.request.productID == request.productID && $0.environment == environment }
    let number = nextRequestNumber()
    customers[buyer].waiting.append(PurchaseInWaiting(kind: kind, number: number, request: request, environment: environment))
    if kind == .askToBuy { queue.add(.request(number), of: buyer, at: settings.askToBuyLasts.added(to: now, in: .storeCalendar)) }
  }

  /// The products that wait for a decision of a parent or the customer, oldest first.
  public func waitingPurchases(of customer: CustomerID) -> [ProductID] {
    known(customer).map { customers[$0].waiting.map(\.request.productID) } ?? []
  }

  /// Accepts the pending request to buy, interrupted purchase or price increase of a product, in this order if there are several.
  ///
  /// The purchase happens now and is delivered to all devices, including the one that requested it, whose call has already returned.
  /// - Throws: ``SimulationError`` when nothing is pending for the product, it is no longer sold, the payment fails, or its offer has been
  ///   used up.
  public mutating func approve(_ product: ProductID, customer: CustomerID) throws(SimulationError) -> [StoreEvent] {
    let index = try index(of: product)
    guard let buyer = known(customer), let waiting = waiting(for: product, buyer) else {
      return try answerPriceRise(index, customer, agrees: true)
    }
    guard products[index].isSold(in: customers[buyer].settings.storefront) else {
      throw SimulationError(.notSold, "\(product) is no longer sold to \(customer). Put it on sale, or decline.")
    }
    guard canPay(for: index, customer, by: waiting.request.offerID) else {
      throw SimulationError(.cannotPay, "\(customer) cannot pay for \(product). Set \"payment\" to \"works\" before approving.")
    }
    if let offer = waiting.request.offerID, eligibility(of: offer, for: product, customer: customer) != .eligible {
      throw SimulationError(.notEligible, "\(customer) can no longer use \(offer). Decline the request, and buy without the offer.")
    }
    customers[buyer].waiting.removeAll { $0.number == waiting.number }
    let before = customers[buyer].purchases.count
    let signed = buy(Order(request: waiting.request, product: index, buyer: buyer, date: now))
    if settings.quirks.contains(.approvalBeforeListing), customers[buyer].purchases.count > before,
      let made = customers[buyer].index(of: signed.transaction.id)
    {
      self[buyer, made].listedFrom = now.addingTimeInterval(settings.listingDelay)
    }
    return settled()
  }

  /// Declines the same. Source: lessons.md 4.4: a declined request sends no notification.
  /// - Throws: ``SimulationError`` when nothing is pending for the product.
  public mutating func decline(_ product: ProductID, customer: CustomerID) throws(SimulationError) -> [StoreEvent] {
    let index = try index(of: product)
    guard let buyer = known(customer), let waiting = waiting(for: product, buyer) else {
      return try answerPriceRise(index, customer, agrees: false)
    }
    customers[buyer].waiting.removeAll { $0.number == waiting.number }
    return settled()
  }

  private func waiting(for product: ProductID, _ buyer: Row<Customer>) -> PurchaseInWaiting? {
    let environment = customers[buyer].settings.environment
    let matching = customers[buyer].waiting.filter { $0.request.productID == product && $0.environment == environment }
    return matching.first { $0.kind == .askToBuy } ?? matching.first
  }
}

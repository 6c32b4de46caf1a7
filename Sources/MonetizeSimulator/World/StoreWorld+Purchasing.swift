// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

extension StoreWorld {
  /// Shows the store's sheet to a customer, who does what `sheet` says: confirms, or what the account's settings ask for, when `nil`.
  ///
  /// - `date`: bought in the past, and renewed until now; `nil` for now. Later than now counts as now.
  /// - `origin`: the device it is bought on, which gets the transaction as the answer and not as an update.
  public mutating func purchase(
    _ request: PurchaseRequest, by customer: CustomerID, sheet: Sheet? = nil, at date: Date? = nil, origin: DeviceID? = nil
  ) throws(StoreError) -> (result: PurchaseResult, events: [StoreEvent]) {
    let buyer = place(of: customer)
    let settings = customers[buyer].settings
    guard let product = known(request.productID), products[product].isSold(in: settings.storefront), products[product].type != .none else {
      throw StoreError(.productUnavailable)
    }
    try checkOffer(of: request, product, buyer)
    let date = min(date ?? now, now)
    switch sheet ?? (settings.askToBuy ? .askToBuy : settings.interruptedPurchases ? .interrupted : .confirm) {
    case .cancel: return (.userCancelled, settled())
    case .unverified: return (.success(forge(request, product, buyer, at: date)), settled())
    case .askToBuy:
      wait(.askToBuy, for: request, buyer)
      return (.pending, settled())
    case .interrupted:
      wait(.interrupted, for: request, buyer)
      return (.userCancelled, settled())
    case .confirm:
      guard canPay(for: product, buyer, by: request.offerID) else { throw StoreError(.notAllowed) }
      let signed = buy(request, product, buyer, at: date, origin: origin)
      return (.success(signed), settled())
    }
  }

  /// The sheet is confirmed and paid.
  mutating func buy(_ request: PurchaseRequest, _ product: Int, _ buyer: Int, at date: Date, origin: DeviceID?) -> SignedTransaction {
    switch products[product].type {
    case .autoRenewable: return subscribe(request, product, buyer, at: date, origin: origin)
    case .nonConsumable:
      // Bought again: the same transaction, and no charge. Source: Apple, "the system notifies that it has already been bought".
      if let place = ownedForEver(request.productID, buyer) { return customers[buyer].purchases[place].signed }
      return buyOnce(request, product, buyer, at: date, origin: origin)
    case .consumable, .nonRenewing, .none: return buyOnce(request, product, buyer, at: date, origin: origin)
    }
  }

  func ownedForEver(_ product: ProductID, _ buyer: Int) -> Int? {
    customers[buyer].purchases.firstIndex {
      $0.transaction.productID == product && $0.transaction.revocation == nil && !$0.isForgotten && !$0.isForged
        && $0.transaction.ownership == .purchased && $0.transaction.environment == customers[buyer].settings.environment
    }
  }

  private mutating func buyOnce(
    _ request: PurchaseRequest, _ product: Int, _ buyer: Int, at date: Date, origin: DeviceID?
  ) -> SignedTransaction {
    let quantity = products[product].type == .consumable ? max(1, request.quantity) : 1
    let (unit, offer) = redeemCode(of: request, product, buyer, at: date)
    let price = Money(amount: unit.amount * Decimal(quantity), currency: unit.currency)
    let place = record(request, product, buyer, from: date, to: nil, price: price, quantity: quantity)
    customers[buyer].purchases[place].transaction.offer = offer
    let signed = customers[buyer].purchases[place].signed
    emit(
      buyer, at: date, [.transaction(signed)], line(.oneTimeCharge, nil, buyer, purchase: place, at: date, reason: .purchase),
      origin: origin)
    return signed
  }

  /// A new transaction, charged for.
  mutating func record(
    _ request: PurchaseRequest, _ product: Int, _ buyer: Int, originalID: TransactionID? = nil, from start: Date, to end: Date?,
    price: Money,
    offer: SubscriptionOffer? = nil, quantity: Int = 1, isRenewal: Bool = false
  ) -> Int {
    let id = nextTransactionID()
    let transaction = StoreTransaction(
      id: id, originalID: originalID, productID: products[product].id, purchaseDate: start, expirationDate: end, quantity: quantity,
      environment: customers[buyer].settings.environment, appID: products[product].appID, account: request.account,
      offer: offer.map { .init(type: $0.type, mode: $0.mode, id: $0.id) }, price: price, signed: start)
    var purchase = Purchase(transaction: transaction)
    purchase.isRenewal = isRenewal
    if settings.quirks.contains(.lateListing) { purchase.listedFrom = start.addingTimeInterval(settings.listingDelay) }
    customers[buyer].purchases.append(purchase)
    customers[buyer].ledger.charge(price)
    return customers[buyer].purchases.count - 1
  }

  private mutating func forge(_ request: PurchaseRequest, _ product: Int, _ buyer: Int, at date: Date) -> SignedTransaction {
    let end = products[product].terms.map { $0.period.added(to: date, in: Instant.utc) }
    let transaction = StoreTransaction(
      id: nextTransactionID(), productID: products[product].id, purchaseDate: date, expirationDate: end,
      environment: customers[buyer].settings.environment, appID: products[product].appID, account: request.account)
    var purchase = Purchase(transaction: transaction)
    purchase.isForged = true
    customers[buyer].purchases.append(purchase)
    return purchase.signed
  }

  /// Whether the customer's payment method covers a purchase. Free one-time products need none; a free trial does, as at Apple.
  func canPay(for product: Int, _ buyer: Int, by code: String? = nil) -> Bool {
    if customers[buyer].settings.payment == .works { return true }
    let price = code.flatMap { products[product].codes[$0] } ?? products[product].price(in: customers[buyer].settings.storefront)
    let isFree = price.amount == 0
    if isFree, products[product].type != .autoRenewable { return true }
    return products[product].type == .nonConsumable && ownedForEver(products[product].id, buyer) != nil
  }

  // MARK: Waiting purchases

  private mutating func wait(_ kind: PurchaseInWaiting.Kind, for request: PurchaseRequest, _ buyer: Int) {
    customers[buyer].waiting.removeAll { $0.request.productID == request.productID }
    let number = nextRequestNumber()
    customers[buyer].waiting.append(
      PurchaseInWaiting(kind: kind, number: number, request: request, environment: customers[buyer].settings.environment))
    if kind == .askToBuy { queue.add(.request(number), of: buyer, at: settings.askToBuyLasts.added(to: now, in: Instant.utc)) }
  }

  /// What waits for somebody: products that a parent or the customer has to decide about, oldest first.
  public func waitingPurchases(of customer: CustomerID) -> [ProductID] {
    known(customer).map { customers[$0].waiting.map(\.request.productID) } ?? []
  }

  /// Answers yes to what the store waits for: Ask to Buy, an interrupted purchase, a price rise; in this order when there are several.
  ///
  /// The purchase is made now, and delivered to all devices, also to the one that asked: its call has long returned.
  /// - Throws: ``SimulationError`` when nothing waits for an answer about it.
  public mutating func approve(_ product: ProductID, customer: CustomerID) throws(SimulationError) -> [StoreEvent] {
    let place = try place(of: product)
    let buyer = self.place(of: customer)
    guard let waiting = takeWaiting(product, buyer) else { return try answerPriceRise(place, buyer, agrees: true) }
    guard products[place].isSold(in: customers[buyer].settings.storefront), canPay(for: place, buyer, by: waiting.request.offerID) else {
      throw SimulationError(
        .nothingToDo,
        "\(customer) cannot pay for \(product), or it is not sold there any more. Set \"payment\" to \"works\" before approving.")
    }
    let before = customers[buyer].purchases.count
    let signed = buy(waiting.request, place, buyer, at: now, origin: nil)
    if settings.quirks.contains(.approvalBeforeListing), customers[buyer].purchases.count > before,
      let made = customers[buyer].place(of: signed.transaction.id)
    {
      customers[buyer].purchases[made].listedFrom = now.addingTimeInterval(settings.listingDelay)
    }
    return settled()
  }

  /// Answers no. Source: lessons.md 4.4: nobody is told that a request was declined.
  /// - Throws: ``SimulationError`` when nothing waits for an answer about it.
  public mutating func decline(_ product: ProductID, customer: CustomerID) throws(SimulationError) -> [StoreEvent] {
    let place = try place(of: product)
    let buyer = self.place(of: customer)
    guard takeWaiting(product, buyer) != nil else { return try answerPriceRise(place, buyer, agrees: false) }
    return settled()
  }

  private mutating func takeWaiting(_ product: ProductID, _ buyer: Int) -> PurchaseInWaiting? {
    let environment = customers[buyer].settings.environment
    let matching = customers[buyer].waiting.filter { $0.request.productID == product && $0.environment == environment }
    guard let first = matching.first(where: { $0.kind == .askToBuy }) ?? matching.first else { return nil }
    customers[buyer].waiting.removeAll { $0.number == first.number }
    return first
  }
}

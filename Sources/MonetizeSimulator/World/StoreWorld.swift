// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Monetize

/// The App Store as a value: the purchases, subscriptions and money of all customers, and the future events of the store.
///
/// Pure and deterministic: no clock, no lock, no I/O. The same calls give the same bytes on any machine and in any time zone; all dates
/// count in UTC. Each verb returns the events that it caused; ``SimulatedStore`` delivers them to devices.
///
/// ```swift
/// var world = StoreWorld(products: catalog.simulatedProducts, now: start)
/// _ = try world.purchase(PurchaseRequest("com.example.monthly"), by: "ann")
/// let events = world.advance(to: end)          // renewals, failures, ends, in order
/// ```
public struct StoreWorld: Sendable {
  /// The true time, which only moves forward.
  public internal(set) var now: Date
  /// The settings of the whole store.
  public internal(set) var settings: StoreSettings
  /// The settings of accounts that do not exist yet.
  public internal(set) var newCustomers = CustomerSettings()
  /// All products in their current state.
  public internal(set) var products: [SimulatedProduct]

  var customers: [Customer] = []
  var families: [[Row<Customer>]] = []
  var queue = EventQueue()
  var random: SplitMix64
  private var productRows: [ProductID: Row<SimulatedProduct>]
  private var customerRows: [CustomerID: Row<Customer>] = [:]
  private var transactionsMade = 0
  private var requestsMade = 0
  private var outbox: [StoreEvent] = []

  /// Makes a store that sells `products`; for a duplicate id the first product counts.
  public init(products: [SimulatedProduct], now: Date, seed: UInt64 = 0, settings: StoreSettings = StoreSettings()) {
    self.products = products
    self.now = now
    self.settings = settings
    random = SplitMix64(seed: seed)
    productRows = Dictionary(products.enumerated().map { ($1.id, Row(number: $0)) }) { first, _ in first }
  }

  // MARK: Time

  /// The date of the store's next own event; `nil` when there is none.
  public var nextEvent: Date? { queue.next?.date }

  /// Moves forward to `date` and performs everything due on the way, in order. A date in the past has no effect.
  @discardableResult
  public mutating func advance(to date: Date) -> [StoreEvent] {
    var events: [StoreEvent] = []
    advance(to: date) { events.append($0) }
    return events
  }

  /// The same with one event at a time, for worlds that are too large to collect all events.
  public mutating func advance(to date: Date, _ body: (StoreEvent) -> Void) {
    while let event = queue.next, event.date <= max(date, now) {
      queue.removeNext()
      now = max(now, event.date)
      happen(event)
      dropVoidPlans()
      for event in outbox { body(event) }
      outbox.removeAll(keepingCapacity: true)
    }
    now = max(now, date)
  }

  private mutating func happen(_ event: FutureEvent) {
    if isVoid(event) { return }
    switch event.kind {
    case .request(let number): customers[event.customer].waiting.removeAll { $0.number == number }
    case .chain(let chain, _): chainIsDue(event.customer, chain, at: event.date)
    }
  }

  /// Whether another plan, or an answer, has replaced an event.
  private func isVoid(_ event: FutureEvent) -> Bool {
    switch event.kind {
    case .request(let number): !customers[event.customer].waiting.contains { $0.number == number }
    case .chain(let chain, let generation): self[event.customer, chain].generation != generation
    }
  }

  /// Drops outdated events from the front of the queue, so that ``nextEvent`` is correct.
  private mutating func dropVoidPlans() { while let event = queue.next, isVoid(event) { queue.removeNext() } }

  /// Ends a verb: performs everything already due (for a purchase in the past), and returns all events.
  mutating func settled() -> [StoreEvent] {
    dropVoidPlans()
    var events = outbox
    outbox = []
    advance(to: now) { events.append($0) }
    return events
  }

  mutating func plan(_ customer: Row<Customer>, _ chain: Row<SubscriptionChain>, at date: Date) {
    planNothing(customer, chain)
    queue.add(.chain(chain, generation: self[customer, chain].generation), of: customer, at: date)
  }

  /// Cancels the future events of this chain.
  mutating func planNothing(_ customer: Row<Customer>, _ chain: Row<SubscriptionChain>) { self[customer, chain].generation += 1 }

  // MARK: Names

  /// All customers, in the order of their first contact with the store.
  public var customerIDs: [CustomerID] { customers.map(\.id) }

  /// The index of a customer; makes an account at the first contact.
  mutating func index(of customer: CustomerID) -> Row<Customer> {
    if let index = customerRows[customer] { return index }
    let row = customers.add(Customer(id: customer, since: now, settings: newCustomers))
    customerRows[customer] = row
    return row
  }

  /// A subscription of a customer.
  subscript(customer: Row<Customer>, chain: Row<SubscriptionChain>) -> SubscriptionChain {
    get { customers[customer].chains[chain] }
    _modify { yield &customers[customer].chains[chain] }
  }

  /// A purchase of a customer.
  subscript(customer: Row<Customer>, purchase: Row<Purchase>) -> Purchase {
    get { customers[customer].purchases[purchase] }
    _modify { yield &customers[customer].purchases[purchase] }
  }

  /// The account of a customer; an unknown customer counts as a new one.
  func account(_ customer: CustomerID) -> Customer {
    known(customer).map { customers[$0] } ?? Customer(id: customer, since: now, settings: newCustomers)
  }

  func known(_ customer: CustomerID) -> Row<Customer>? { customerRows[customer] }
  func known(_ product: ProductID) -> Row<SimulatedProduct>? { productRows[product] }

  func index(of product: ProductID) throws(SimulationError) -> Row<SimulatedProduct> {
    if let index = productRows[product] { return index }
    throw .unknown("product", product.rawValue, among: products.map(\.id.rawValue))
  }

  mutating func addProduct(_ product: SimulatedProduct) {
    productRows[product.id] = products.add(product)
  }

  mutating func nextTransactionID() -> TransactionID {
    transactionsMade += 1
    return TransactionID(rawValue: "t\(transactionsMade)")
  }

  mutating func nextRequestNumber() -> Int {
    requestsMade += 1
    return requestsMade
  }

  // MARK: Events

  mutating func emit(
    _ customer: Row<Customer>, at date: Date, _ updates: [StoreUpdate], _ notification: ServerNotification?, origin: DeviceID? = nil,
    environment: StoreEnvironment? = nil
  ) {
    var environment = environment ?? notification?.environment
    for case .transaction(let signed) in updates { environment = signed.transaction.environment }
    outbox.append(
      StoreEvent(
        customer: customers[customer].id, date: date, updates: updates, notification: notification, origin: origin,
        environment: environment ?? customers[customer].settings.environment))
    if customers[customer].family != nil { for update in updates { share(update, of: customer, at: date) } }
  }

  /// Changes a transaction, and signs it anew.
  /// - Returns: The update for devices.
  mutating func change(
    _ customer: Row<Customer>, _ purchase: Row<Purchase>, at date: Date, _ body: (inout StoreTransaction) -> Void
  ) -> StoreUpdate {
    self[customer, purchase].change(at: date, body)
    return .transaction(self[customer, purchase].signed)
  }

  /// Makes an entry of the log, with the store's data filled in.
  func line(
    _ type: ServerNotification.Kind, _ subtype: ServerNotification.Subtype? = nil, _ customer: Row<Customer>,
    chain: Row<SubscriptionChain>? = nil, purchase: Row<Purchase>? = nil,
    at date: Date, reason: ServerNotification.TransactionReason? = nil
  ) -> ServerNotification {
    let subscription = chain.map { self[customer, $0] }
    let transaction = (purchase ?? subscription?.latest).map { self[customer, $0].transaction }
    let product = subscription.map { products[$0.product].id } ?? transaction?.productID ?? ""
    let revocation = transaction?.revocation.map { $0.reason == .developerIssue ? 1 : 0 }
    return ServerNotification(
      date: date, customer: customers[customer].id, type: type, subtype: subtype,
      productID: purchase == nil ? product : transaction?.productID ?? product, transactionID: transaction?.id,
      originalTransactionID: transaction?.originalID ?? subscription?.originalID ?? "", status: subscription?.status,
      expirationIntent: subscription?.intent, transactionReason: reason, offerType: transaction?.offer?.type.number,
      offerDiscountType: transaction?.offer.map { known(product).map { products[$0].terms == nil } ?? false ? "ONE_TIME" : $0.mode.word },
      revocationReason: type == .refund ? revocation : nil,
      environment: transaction?.environment ?? customers[customer].settings.environment)
  }
}

extension SubscriptionOffer.OfferType {
  /// Apple's number.
  var number: Int {
    switch self {
    case .introductory: 1
    case .promotional: 2
    case .code: 3
    case .winBack: 4
    }
  }
}

extension SubscriptionOffer.Mode {
  /// Apple's name.
  var word: String {
    switch self {
    case .freeTrial: "FREE_TRIAL"
    case .payAsYouGo: "PAY_AS_YOU_GO"
    case .payUpFront: "PAY_UP_FRONT"
    }
  }
}

/// A small generator whose numbers are the same everywhere. Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014).
public struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Starts from a seed.
  public init(seed: UInt64) { state = seed }

  /// The next 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}

// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

// Settings stay until they are set again. Without a customer or device, a setting applies to all, including later ones.
extension SimulatedStore {
  /// The settings of the whole store.
  public var settings: StoreSettings { state.withLock { $0.world.settings } }

  /// Sets whether devices reach the store. A listening device that is back online receives the updates it missed.
  /// - Throws: ``SimulationError`` when there is no such device.
  public func setNetwork(_ network: NetworkState, device: DeviceID? = nil) async throws(SimulationError) {
    let ids = try devices(device)
    state.withLock { state in for id in ids { state.devices[id]?.network = network } }
    await catchUp()
    if network == .online { for id in ids { await deliverMissed(to: id) } }
  }

  /// Sets whether charges succeed. When they succeed again, failed renewals are paid at once.
  public func setPayment(_ payment: PaymentMethod, customer: CustomerID? = nil) async {
    await setAccount(customer) { $0.payment = payment }
  }

  /// Sets whether purchases wait for a parent.
  public func setAskToBuy(_ isOn: Bool, customer: CustomerID? = nil) async { await setAccount(customer) { $0.askToBuy = isOn } }

  /// Sets whether purchases are interrupted.
  public func setInterruptedPurchases(_ isOn: Bool, customer: CustomerID? = nil) async {
    await setAccount(customer) { $0.interruptedPurchases = isOn }
  }

  /// Sets the storefront, an ISO 3166-1 alpha-3 code.
  /// - Throws: ``SimulationError`` when it is not three capital letters.
  public func setStorefront(_ storefront: String, customer: CustomerID? = nil) async throws(SimulationError) {
    guard storefront.utf8.count == 3, storefront.utf8.allSatisfy({ (65...90).contains($0) }) else {
      throw SimulationError(
        .invalidValue, "\"\(storefront)\" is not a storefront. Write an ISO 3166-1 code of three capital letters, such as \"USA\".")
    }
    await setAccount(customer) { $0.storefront = storefront }
  }

  /// Sets the store environment of accounts.
  public func setEnvironment(_ environment: StoreEnvironment, customer: CustomerID? = nil) async {
    await setAccount(customer) { $0.environment = environment }
  }

  /// Sets when a customer first got the app, and its version then; `nil` changes nothing.
  public func setAppAcquired(on date: Date? = nil, version: String? = nil, customer: CustomerID? = nil) async {
    await setAccount(customer) { settings in
      if let date { settings.originalPurchaseDate = date }
      if let version { settings.originalAppVersion = version }
    }
  }

  private func setAccount(_ customer: CustomerID?, _ body: (inout CustomerSettings) -> Void) async {
    await act { $0.setAccount(customer, body) }
  }

  /// Sets the grace period: 3, 16 or 28 days, or `nil` for none. Applies to later failures, after a delay of
  /// ``StoreSettings/gracePeriodAfter``.
  /// - Throws: ``SimulationError`` when it is another period.
  public func setGracePeriod(_ period: Period?) throws(SimulationError) {
    let days = period.flatMap { GraceDays($0) }
    guard period == nil || days != nil else {
      throw SimulationError(.invalidValue, "\(period?.description ?? "") is not a grace period. Apple has \"P3D\", \"P16D\" and \"P28D\".")
    }
    let now = clock.now
    configure { settings in
      let before = settings.gracePeriod(at: now)
      settings.gracePeriod = days
      settings.graceBefore = .init(period: before, until: settings.gracePeriodAfter.added(to: now, in: .storeCalendar))
    }
  }

  /// Sets the answer to an interrupted purchase.
  public func setInterruptedAnswer(_ answer: InterruptedAnswer) { configure { $0.interruptedAnswer = answer } }

  /// Sets which failed renewals have a grace period.
  public func setGraceFor(_ scope: GraceScope) { configure { $0.graceFor = scope } }

  /// Sets the day of renewals in months that are too short.
  public func setMonthEnd(_ policy: MonthEndPolicy) { configure { $0.monthEnd = policy } }

  /// Sets the time zone in which periods of subscriptions are counted, from the next one on.
  public func setMonths(_ months: StoreMonths) { configure { $0.months = months } }

  /// Sets the lifetime of a request to buy.
  public func setAskToBuyLasts(_ length: Period) { configure { $0.askToBuyLasts = length } }

  /// Turns a quirk on or off.
  /// - Throws: ``SimulationError`` for an unknown quirk.
  public func setQuirk(_ quirk: StoreQuirk, _ isOn: Bool = true) throws(SimulationError) {
    let known = state.withLock { $0.quirks.map(\.quirk) }
    guard known.contains(quirk) else { throw .unknown("quirk", quirk.rawValue, among: known.map(\.rawValue)) }
    configure { settings in
      if isOn { settings.quirks.insert(quirk) } else { settings.quirks.remove(quirk) }
    }
  }

  /// Changes any of the store's settings.
  public func configure(_ body: (inout StoreSettings) -> Void) { state.withLock { $0.world.configure(body) } }

  /// Changes a price; `consent` decides its effect on subscribers.
  /// - Throws: ``SimulationError`` when the store has no such product, or the price is negative.
  public func setPrice(
    _ product: ProductID, _ price: Money, consent: PriceConsent = .byRule, storefront: String? = nil
  ) async throws(SimulationError) {
    try await act { world throws(SimulationError) in try world.setPrice(product, price, consent: consent, storefront: storefront) }
  }

  /// Changes the price of an offer or a code; `offer` is its id, or `introductory`.
  /// - Throws: ``SimulationError`` when there is no such product or offer, or the price is not allowed.
  public func setPrice(
    ofOffer offer: String, of product: ProductID, _ price: Money, storefront: String? = nil
  ) async throws(SimulationError) {
    try await act { world throws(SimulationError) in
      try world.setPrice(ofOffer: offer, of: product, price, storefront: storefront)
      return []
    }
  }

  /// The same with an amount in the product's own currency.
  /// - Throws: ``SimulationError`` when the store has no such product, or the price is negative.
  public func setPrice(_ product: ProductID, amount: Decimal, consent: PriceConsent = .byRule) async throws(SimulationError) {
    try await act { world throws(SimulationError) in
      let currency = world.products[try world.index(of: product)].price.currency
      return try world.setPrice(product, Money(amount: amount, currency: currency), consent: consent)
    }
  }

  /// Puts a product on sale or takes it off.
  /// - Throws: ``SimulationError`` when the store has no such product.
  public func setOnSale(_ product: ProductID, _ isOnSale: Bool) async throws(SimulationError) {
    try await act { world throws(SimulationError) in
      try world.setOnSale(product, isOnSale)
      return []
    }
  }

  /// Changes a product (offer rules, storefronts, commitment), or adds one.
  public func setProduct(_ product: SimulatedProduct) { state.withLock { $0.world.setProduct(product) } }

  /// Changes the store's data of a product.
  func changeProduct(_ id: ProductID, _ change: (inout SimulatedProduct) throws(SimulationError) -> Void) throws(SimulationError) {
    let world = world
    var product = world.products[try world.index(of: id)]
    try change(&product)
    setProduct(product)
  }

  /// Changes the rule of an offer code, in each product that has it.
  func changeRule(of code: String, _ change: (inout SimulatedProduct.OfferRule) -> Void) throws(SimulationError) {
    func codes(_ product: SimulatedProduct) -> [String] { product.terms?.offers.filter { $0.type == .code }.compactMap(\.id) ?? [] }
    let products = world.products
    let matching = products.filter { codes($0).contains(code) }
    if matching.isEmpty { throw .unknown("code", code, among: products.flatMap(codes)) }
    for product in matching {
      try changeProduct(product.id) { change(&$0.offerRules[code, default: SimulatedProduct.OfferRule()]) }
    }
  }

  /// Sets the number of payments that a subscription commits to; `nil` for none.
  func setCommitment(_ payments: Int?, of id: ProductID) throws(SimulationError) {
    try changeProduct(id) { product throws(SimulationError) in
      guard product.terms != nil else {
        throw SimulationError(.invalidValue, "\(id) is not a subscription, so it has no payments to commit to.")
      }
      product.commitmentPeriods = payments
    }
  }

  /// Adds codes to a one-time product, each with a price in the product's currency.
  func addCodes(_ codes: [String: Decimal], to id: ProductID) throws(SimulationError) {
    try changeProduct(id) { product throws(SimulationError) in
      guard product.terms == nil else {
        throw SimulationError(.invalidValue, "\(id) is a subscription. Its codes are \"offers\" of the type \"code\" in the catalog.")
      }
      for (code, amount) in codes { product.codes[code] = Money(amount: amount, currency: product.price.currency) }
    }
  }

  /// Makes an API fail: for the next `times` calls, or until it is set again; `nil` makes it work again.
  /// - Throws: ``SimulationError`` when there is no such API, there is no such device, or `times` is below 1.
  public func setError(_ api: StoreAPI, _ error: StoreError?, times: Int? = nil, device: DeviceID? = nil) throws(SimulationError) {
    guard StoreAPI.all.contains(api) else { throw .unknown("API", api.rawValue, among: StoreAPI.all.map(\.rawValue)) }
    if let times, times < 1 { throw SimulationError(.invalidValue, "\"times\" must be 1 or more, not \(times).") }
    let injected = error.map { InjectedError(error: $0, left: times) }
    guard let device else { return state.withLock { $0.errors[api] = injected } }
    _ = try devices(device)
    state.withLock { $0.devices[device]?.errors[api] = injected }
  }

  /// Sets a device's clock to an instant from which it continues, or corrects it with `nil`; then fires due wake-ups.
  /// - Throws: ``SimulationError`` when there is no such device.
  public func setClock(_ belief: Date?, device: DeviceID? = nil) async throws(SimulationError) {
    let ids = try devices(device)
    for time in state.withLock({ state in ids.compactMap { state.devices[$0]?.time } }) { time.set(belief) }
    await advance(to: clock.now)
  }

  private func devices(_ id: DeviceID?) throws(SimulationError) -> [DeviceID] {
    let all = deviceIDs
    guard let id else { return all }
    guard all.contains(id) else { throw .unknown("device", id.rawValue, among: all.map(\.rawValue)) }
    return [id]
  }
}

/// An error that is set for an API.
struct InjectedError: Sendable {
  let error: StoreError
  /// The number of remaining failures; `nil` for no limit.
  var left: Int?
}

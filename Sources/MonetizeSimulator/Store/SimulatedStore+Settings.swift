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
    let rows = try devices(device)
    state.withLock { state in for row in rows { state.devices[row].network = network } }
    await catchUp()
    if network == .online { for row in rows { await deliverMissed(to: row) } }
  }

  /// Sets whether charges succeed. When they succeed again, failed renewals are paid at once.
  public func setPayment(_ payment: PaymentMethod, customer: CustomerID? = nil) async {
    await setAccount(customer) { $0.payment = payment }
  }

  /// Sets whether purchases wait for a parent.
  public func setAskToBuy(_ isOn: Bool, customer: CustomerID? = nil) async { await setAccount(customer) { $0.askToBuy = isOn } }

  /// Changes any settings of a customer's account or, with `nil`, of all accounts, including later ones.
  public func setAccount(_ customer: CustomerID? = nil, _ change: (inout CustomerSettings) -> Void) async {
    await act { $0.setAccount(customer, change) }
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
    for row in try devices(device) { state.withLock { $0.devices[row].errors[api] = injected } }
  }

  /// Sets a device's clock to an instant from which it continues, or corrects it with `nil`; then fires due wake-ups.
  /// - Throws: ``SimulationError`` when there is no such device.
  public func setClock(_ belief: Date?, device: DeviceID? = nil) async throws(SimulationError) {
    let rows = try devices(device)
    for time in state.withLock({ state in rows.map { state.devices[$0].time } }) { time.set(belief) }
    await advance(to: clock.now)
  }

  /// A device, or all devices.
  private func devices(_ id: DeviceID?) throws(SimulationError) -> [Row<DeviceState>] {
    guard let id else { return state.withLock { $0.devices.rows } }
    if let row = state.withLock({ $0.deviceRows[id] }) { return [row] }
    throw .unknown("device", id.rawValue, among: deviceIDs.map(\.rawValue))
  }
}

/// An error that is set for an API.
struct InjectedError: Sendable {
  let error: StoreError
  /// The number of remaining failures; `nil` for no limit.
  var left: Int?
}

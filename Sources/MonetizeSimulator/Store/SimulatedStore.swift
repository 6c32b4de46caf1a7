// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

/// The App Store of one test: all customers, their devices, and a clock that jumps years in microseconds.
///
/// ```swift
/// let store = SimulatedStore(catalog: catalog, start: start)
/// let phone = store.device("phone", customer: "ann")          // a StoreBackend
/// _ = try await phone.purchase(PurchaseRequest("com.example.monthly"))
/// await store.advance(by: Period(months: 1))                  // renews; listening devices get updates and are awaited
/// try await store.refund("com.example.monthly", customer: "ann")
/// ```
///
/// Deterministic: the same calls in the same order give the same transactions, log and money. Settings (`setPayment`, `setQuirk`, …) stay
/// until they are set again; verbs (`approve`, `refund`, …) are events. A verb that is not possible throws a ``SimulationError`` that
/// explains how to fix it. Move time and call verbs from one task; use devices from any.
public final class SimulatedStore: Sendable {
  struct State: Sendable {
    var world: StoreWorld
    var devices: [DeviceState] = []
    var deviceRows: [DeviceID: Row<DeviceState>] = [:]
    var errors: [StoreAPI: InjectedError] = [:]
    var log: [ServerNotification] = []
    var listenersMade = 0
    var settle: @Sendable () async -> Void = {}
    /// All quirks, on or off.
    var quirks = StoreQuirk.rows
    var quirksOn: [StoreQuirk.Row] { quirks.filter { world.settings.quirks.contains($0.quirk) } }
    /// The number of times that each update is delivered.
    var deliveries: Int { quirksOn.reduce(1) { $0 * $1.deliveries } }

    mutating func note(_ events: [StoreEvent]) { log += events.compactMap(\.notification) }
  }

  /// The true time. Move it with ``advance(to:)``; if the clock is moved directly, the store catches up at the next call.
  public let clock: ManualClock
  let state: Locked<State>

  /// Makes a store that sells a catalog's products, with the catalog's grace period. Its clock shows `start`. `seed` is for
  /// ``StoreSettings/flakiness``, the only random behaviour.
  public convenience init(catalog: Catalog, start: Date, seed: UInt64 = 0) {
    var settings = StoreSettings()
    settings.gracePeriod = catalog.billing?.gracePeriod.flatMap { GraceDays($0) }
    self.init(products: catalog.simulatedProducts, start: start, seed: seed, settings: settings)
  }

  /// Makes a store that sells these products.
  public init(products: [SimulatedProduct], start: Date, seed: UInt64 = 0, settings: StoreSettings = StoreSettings()) {
    clock = ManualClock(start)
    state = Locked(State(world: StoreWorld(products: products, now: start, seed: seed, settings: settings)))
  }

  // MARK: Devices

  /// A device, made at the first request. A different `customer` signs in on an existing device.
  public func device(_ id: DeviceID = .device, customer: CustomerID? = nil, app: String? = nil) -> SimulatedDevice {
    state.withLock { state in
      let made = DeviceState(id: id, customer: customer ?? .customer, app: app, time: DeviceClock(clock))
      let row = state.deviceRows[id] ?? state.devices.add(made)
      state.deviceRows[id] = row
      if let customer, customer != state.devices[row].customer { (state.devices[row].customer, state.devices[row].missed) = (customer, []) }
      state.devices[row].app = app ?? state.devices[row].app
      _ = state.world.index(of: state.devices[row].customer)
      return SimulatedDevice(state.devices[row], at: row, of: self)
    }
  }

  /// Whether the store has a product, on sale or not.
  func sells(_ product: ProductID) -> Bool { type(of: product) != nil }

  /// The store's type of a product; `nil` for an unknown product.
  func type(of product: ProductID) -> StoreProductType? {
    state.withLock { state in state.world.known(product).map { state.world.products[$0].type } }
  }

  /// All devices, in the order of their creation.
  public var deviceIDs: [DeviceID] { state.withLock { $0.devices.map(\.id) } }

  // MARK: Time

  /// Moves the true time forward to `date`. Events of the store and wake-ups happen in the order of their dates; at one date the store is
  /// first. Updates go to listening devices, and each listener finishes before the next event.
  public func advance(to date: Date) async {
    while true {
      let next = state.withLock { $0.world.nextEvent } ?? .distantFuture
      let step = max(clock.now, min(next, clock.nextWake ?? .distantFuture, date))
      clock.move(to: step)
      await catchUp()
      clock.advance(to: step)
      await state.withLock { $0.settle }()
      let isDone = state.withLock { $0.world.nextEvent.map { $0 > clock.now } ?? true } && clock.nextWake.map { $0 > clock.now } ?? true
      if isDone, clock.now >= date { return }
    }
  }

  /// Sets a function that runs after each wake-up, before time continues, to wait for the work that a wake-up starts.
  package func settles(_ body: @escaping @Sendable () async -> Void) { state.withLock { $0.settle = body } }

  /// Moves the true time forward by a length of the calendar, in UTC.
  public func advance(by length: Period) async { await advance(to: length.added(to: clock.now, in: .storeCalendar)) }

  /// Moves the true time forward by seconds.
  public func advance(by interval: TimeInterval) async { await advance(to: clock.now.addingTimeInterval(max(0, interval))) }

  /// The date of the next event of the store or wake-up; `nil` when there is none.
  public var nextEvent: Date? {
    let store = state.withLock { $0.world.nextEvent }
    return [store, clock.nextWake].compactMap { $0 }.min()
  }

  /// The date of a customer's next renewal, of all subscriptions or of the subscription that includes `product`; `nil` when none renews.
  public func nextRenewal(of customer: CustomerID = .customer, product: ProductID? = nil) -> Date? {
    state.withLock { $0.world.nextRenewal(of: customer, product: product) }
  }

  /// Performs everything due at the clock's time and notifies the devices.
  func catchUp() async {
    let now = clock.now
    await run { $0.advance(to: now) }
  }

  // MARK: Verbs

  /// Changes the world and notifies the devices.
  func act<Failure: Error>(_ body: (inout StoreWorld) throws(Failure) -> [StoreEvent]) async throws(Failure) {
    await catchUp()
    try await run(body)
  }

  private func run<Failure: Error>(_ body: (inout StoreWorld) throws(Failure) -> [StoreEvent]) async throws(Failure) {
    let events = state.withLock { state in
      Result { () throws(Failure) in
        let events = try body(&state.world)
        state.note(events)
        return events
      }
    }
    await deliver(try events.get())
  }

  // MARK: Delivery

  private struct Delivery: Sendable {
    let update: StoreUpdate
    let listener: StoreUpdateHandler
  }

  /// Delivers events to the devices of their customers, one after the other. No lock is held while a listener runs.
  func deliver(_ events: [StoreEvent]) async {
    for event in events {
      for delivery in state.withLock({ Self.deliveries(of: event, &$0) }) { await delivery.listener(delivery.update) }
    }
  }

  private static func deliveries(of event: StoreEvent, _ state: inout State) -> [Delivery] {
    guard !event.updates.isEmpty, state.world.settings(of: event.customer).environment == event.environment else { return [] }
    let quirks = state.world.settings.quirks
    var deliveries: [Delivery] = []
    for row in state.devices.rows where state.devices[row].customer == event.customer {
      // Without the missed updates, which change in place: a copy would copy all of them.
      let (app, isOnline, listeners) = (state.devices[row].app, state.devices[row].network == .online, state.devices[row].listeners)
      for update in event.updates where app == nil || state.world.app(of: update) == app {
        if case .transaction(let signed) = update {
          // StoreKit returns a device's own purchase from its call, and sends no update for it.
          if event.origin == state.devices[row].id, !quirks.contains(.ownPurchasesInUpdates) { continue }
          if listeners.isEmpty || !isOnline { state.devices[row].missed.insert(signed.transaction.id) }
        }
        guard isOnline else { continue }
        for listener in listeners {
          deliveries += Array(repeating: Delivery(update: update, listener: listener.deliver), count: state.deliveries)
        }
      }
    }
    return deliveries
  }

  /// Delivers missed updates to the listeners of a device that is back online.
  func deliverMissed(to row: Row<DeviceState>) async {
    let deliveries = state.withLock { state -> [Delivery] in
      let device = state.devices[row]
      guard !device.listeners.isEmpty, device.network == .online else { return [] }
      var missed = state.world.unfinished(of: device.customer, app: device.app, missed: device.missed)
        .filter { device.missed.contains($0.transaction.id) }
      for quirk in state.quirksOn { missed = quirk.missed(missed) }
      state.devices[row].missed = []
      let renewals = state.world.answer(for: device.customer, app: device.app).renewals
      let updates = missed.map(StoreUpdate.transaction) + (missed.isEmpty ? [] : renewals.map(StoreUpdate.renewal))
      return updates.flatMap { update in
        device.listeners.flatMap { Array(repeating: Delivery(update: update, listener: $0.deliver), count: state.deliveries) }
      }
    }
    for delivery in deliveries { await delivery.listener(delivery.update) }
  }
}

extension GraceDays {
  /// Makes a grace period of that length; `nil` unless it is 3, 16 or 28 days.
  public init?(_ period: Period) {
    guard let seconds = period.fixedSeconds, let days = GraceDays(rawValue: Int(seconds / 86400)), period == Period(days: days.rawValue)
    else {
      return nil
    }
    self = days
  }
}

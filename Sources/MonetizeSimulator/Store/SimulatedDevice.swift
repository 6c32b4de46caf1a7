// SPDX-License-Identifier: Apache-2.0
import Foundation
public import Monetize

/// What the store keeps for a device.
struct DeviceState: Sendable {
  struct Listener: Sendable {
    let number: Int
    let deliver: StoreUpdateHandler
  }

  var customer: CustomerID
  var app: String?
  let time: DeviceClock
  var network = NetworkState.online
  var nextSheet: Sheet?
  var calls: [String: Int] = Dictionary(uniqueKeysWithValues: SimulatedDevice.callNames.map { ($0, 0) })
  var finished: Set<TransactionID> = []
  /// What was to be delivered while nobody listened, or offline.
  var missed: Set<TransactionID> = []
  var listeners: [Listener] = []
  var errors: [StoreAPI: InjectedError] = [:]
  /// First answers about introductory offers, for the quirk that freezes them.
  var frozenOffers: [ProductID: SubscriptionOffer?] = [:]
  var synchronized: Date?

  init(customer: CustomerID, app: String?, time: DeviceClock) {
    self.customer = customer
    self.app = app
    self.time = time
  }
}

/// The simulated App Store as one device of one customer sees it: the ``StoreBackend`` to give to an app.
///
/// A handle: asking the store for the same device again gives another one of the same device.
public final class SimulatedDevice: StoreBackend, Sendable {
  /// Nothing of it is real.
  public var isSimulated: Bool { true }
  /// What calls are counted as in ``calls``.
  public static let callNames = ["products", "purchase", "read", "standing", "unfinished", "finish", "synchronize", "appTransaction"]

  /// The device's name.
  public let id: DeviceID
  /// The store it belongs to.
  public let store: SimulatedStore
  /// What the device believes the time to be: the ``TimeSource`` to give to an app.
  public let time: DeviceClock

  init(id: DeviceID, store: SimulatedStore, time: DeviceClock) {
    self.id = id
    self.store = store
    self.time = time
  }

  /// Whose device it is.
  public var customer: CustomerID { read { $0.customer } }
  /// Whether it reaches the store. Set it with ``SimulatedStore/setNetwork(_:device:)``.
  public var network: NetworkState { read { $0.network } }
  /// How often each call was made, failed ones included; all of ``callNames`` are there.
  public var calls: [String: Int] { read { $0.calls } }
  /// What this device has finished.
  public var finished: Set<TransactionID> { read { $0.finished } }
  /// How many listeners it has.
  public var listenerCount: Int { read { $0.listeners.count } }
  /// What the person does at the next purchase, and only there; `nil` for what the account's settings ask for.
  public var nextSheet: Sheet? {
    get { read { $0.nextSheet } }
    set { write { $0.nextSheet = newValue } }
  }

  /// The app's process has ended, and another begins: what StoreKit keeps for the life of a process is gone. Listeners are the app's to stop.
  public func restartProcess() { write { $0.frozenOffers = [:] } }

  /// All counts at zero.
  public func resetCalls() { write { device in for name in Self.callNames { device.calls[name] = 0 } } }

  func read<Result>(_ body: (DeviceState) -> Result) -> Result {
    store.state.withLock { state in body(state.devices[id] ?? DeviceState(customer: .customer, app: nil, time: time)) }
  }

  func write(_ body: (inout DeviceState) -> Void) {
    store.state.withLock { state in
      guard var device = state.devices[id] else { return }
      body(&device)
      state.devices[id] = device
    }
  }

  /// Counts a call, and fails as the world is set to.
  func begin(_ call: String?, _ api: StoreAPI?) async throws(StoreError) {
    let error = store.state.withLock { state -> StoreError? in
      if let call { state.devices[id]?.calls[call, default: 0] += 1 }
      if state.devices[id]?.network == .offline { return StoreError(.network) }
      if let api, let error = Self.injected(api, id, &state) { return error }
      let chance = state.world.settings.flakiness
      if chance > 0, Double.random(in: 0..<1, using: &state.world.random) < chance { return StoreError(.network) }
      return nil
    }
    if let error { throw error }
    await store.catchUp()
  }

  /// The failure of an API that is due, used up by one.
  static func injected(_ api: StoreAPI, _ id: DeviceID, _ state: inout SimulatedStore.State) -> StoreError? {
    if var device = state.devices[id], let own = use(api, &device.errors) {
      state.devices[id] = device
      return own
    }
    return use(api, &state.errors)
  }

  private static func use(_ api: StoreAPI, _ errors: inout [StoreAPI: InjectedError]) -> StoreError? {
    guard var injected = errors[api] else { return nil }
    injected.left = injected.left.map { $0 - 1 }
    errors[api] = injected.left == 0 ? nil : injected
    return injected.error
  }

  /// Whether signatures are to be wrong this time.
  func breaksSignatures() -> Bool { store.state.withLock { Self.injected(.verification, id, &$0) } != nil }
}

extension StoreWorld {
  /// The app that an update is about.
  func app(of update: StoreUpdate) -> String? {
    switch update {
    case .transaction(let signed): signed.transaction.appID
    case .renewal(let info): known(info.productID).flatMap { products[$0].appID }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
public import Monetize

/// The store's state of a device.
struct DeviceState: Sendable {
  struct Listener: Sendable {
    let number: Int
    let deliver: StoreUpdateHandler
  }

  let id: DeviceID
  var customer: CustomerID
  var app: String?
  let time: DeviceClock
  var network = NetworkState.online
  var nextSheet: Sheet?
  var calls: [String: Int] = Dictionary(uniqueKeysWithValues: SimulatedDevice.callNames.map { ($0, 0) })
  var finished: Set<TransactionID> = []
  /// The updates that came while the device was offline or had no listener.
  var missed: Set<TransactionID> = []
  var listeners: [Listener] = []
  var errors: [StoreAPI: InjectedError] = [:]
  /// The first answers about introductory offers, for the quirk that freezes them.
  var frozenOffers: [ProductID: SubscriptionOffer?] = [:]
  /// The products that this process has loaded.
  var loaded: Set<ProductID> = []
  var synchronized: Date?
}

/// The simulated App Store for one device of one customer: the `StoreBackend` to give to an app.
///
/// A handle: two handles from the store with the same id are the same device.
public final class SimulatedDevice: StoreBackend, Sendable {
  /// `true`: every purchase is simulated.
  public var isSimulated: Bool { true }
  /// The names of calls in ``calls``.
  public static let callNames = ["products", "purchase", "read", "standing", "unfinished", "finish", "synchronize", "appTransaction"]

  /// The device's name.
  public let id: DeviceID
  /// The store it belongs to.
  public let store: SimulatedStore
  /// The device's clock: the `TimeSource` to give to an app.
  public let time: DeviceClock
  let row: Row<DeviceState>

  init(_ device: DeviceState, at row: Row<DeviceState>, of store: SimulatedStore) {
    (id, time, self.row, self.store) = (device.id, device.time, row, store)
  }

  /// The device's customer.
  public var customer: CustomerID { read { $0.customer } }
  /// Whether it reaches the store. Set it with ``SimulatedStore/setNetwork(_:device:)``.
  public var network: NetworkState { read { $0.network } }
  /// The number of each call, failed ones included; has an entry for each of ``callNames``.
  public var calls: [String: Int] { read { $0.calls } }
  /// The transactions that this device has finished.
  public var finished: Set<TransactionID> { read { $0.finished } }
  /// The number of listeners.
  public var listenerCount: Int { read { $0.listeners.count } }
  /// The result of the store's sheet at the next purchase only; `nil` uses the account's settings.
  public var nextSheet: Sheet? {
    get { read { $0.nextSheet } }
    set { write { $0.nextSheet = newValue } }
  }

  /// Begins a new process: drops the data that StoreKit keeps for the life of a process. The app stops its own listeners.
  public func restartProcess() { write { ($0.frozenOffers, $0.loaded) = ([:], []) } }

  func read<Result>(_ body: (DeviceState) -> Result) -> Result { store.state.withLock { body($0.devices[row]) } }
  func write(_ body: (inout DeviceState) -> Void) { store.state.withLock { body(&$0.devices[row]) } }

  /// Counts a call; throws the error that is set for it.
  func begin(_ call: String?, _ api: StoreAPI?) async throws(StoreError) {
    let error = store.state.withLock { state -> StoreError? in
      if let call { state.devices[row].calls[call, default: 0] += 1 }
      if state.devices[row].network == .offline { return StoreError(.network) }
      if let api, let error = injected(api, &state) { return error }
      let chance = state.world.settings.flakiness
      if chance > 0, Double.random(in: 0..<1, using: &state.world.random) < chance { return StoreError(.network) }
      return nil
    }
    if let error { throw error }
    await store.catchUp()
  }

  /// The error that is set for an API; uses up one of its times.
  func injected(_ api: StoreAPI, _ state: inout SimulatedStore.State) -> StoreError? {
    use(api, &state.devices[row].errors) ?? use(api, &state.errors)
  }

  private func use(_ api: StoreAPI, _ errors: inout [StoreAPI: InjectedError]) -> StoreError? {
    guard var injected = errors[api] else { return nil }
    injected.left = injected.left.map { $0 - 1 }
    errors[api] = injected.left == 0 ? nil : injected
    return injected.error
  }

  /// Whether signatures are to be wrong for this call.
  func breaksSignatures() -> Bool { store.state.withLock { injected(.verification, &$0) } != nil }

  /// Transactions as this call gets them.
  func signed(_ transactions: [SignedTransaction]) -> [SignedTransaction] {
    breaksSignatures() ? transactions.map { SignedTransaction($0.transaction, isVerified: false) } : transactions
  }
}

extension StoreWorld {
  /// The id of the app that an update concerns.
  func app(of update: StoreUpdate) -> String? {
    switch update {
    case .transaction(let signed): signed.transaction.appID
    case .renewal(let info): known(info.productID).flatMap { products[$0].appID }
    case .intent, .country: nil
    }
  }
}

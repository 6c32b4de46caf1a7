// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import MonetizeStoreKit
import MonetizeTesting
import StoreKit

/// Controls StoreKit by the simulated App Store behind the stand-in. Every device is a process of its own.
final class StandInDriver: StoreDriver {
  private let inner: SimulatedDriver

  init(quirks: [StoreQuirk] = []) throws { inner = try SimulatedDriver(quirks: quirks) }

  var answersFromCache: Bool { true }
  func product(_ role: StoreRole) -> ProductID? { inner.product(role) }
  func newCustomer() async throws -> StoreSeat { seat(try await inner.newCustomer()) }
  func anotherDevice(of seat: StoreSeat) async throws -> StoreSeat? { try await inner.anotherDevice(of: seat).map(self.seat) }
  func familyMember(of seat: StoreSeat) async throws -> StoreSeat? { try await inner.familyMember(of: seat).map(self.seat) }
  func turn(_ wheel: StoreWheel, at seat: StoreSeat) async throws -> Bool { try await inner.turn(wheel, at: seat) }

  private func seat(_ seat: StoreSeat) -> StoreSeat {
    guard let device = seat.store as? SimulatedDevice else { return seat }
    return StoreSeat(store: BoundStore(StandInDevice(device)), customer: seat.customer, device: seat.device)
  }
}

/// The adapter, with the stand-in of one device as StoreKit in each call.
struct BoundStore: StoreBackend {
  private let device: StandInDevice
  private let store = AppStoreBackend(onMissing: { _ in })

  init(_ device: StandInDevice) { self.device = device }

  private func bound<Value: Sendable>(_ body: @escaping @Sendable () async throws(StoreError) -> Value) async throws(StoreError) -> Value {
    let result: Result<Value, StoreError> = await device.store.run {
      do throws(StoreError) { return .success(try await body()) } catch { return .failure(error) }
    }
    return try result.get()
  }

  func products(for ids: [ProductID]) async throws(StoreError) -> [StoreProduct] {
    try await bound { [store] () async throws(StoreError) in try await store.products(for: ids) }
  }
  func purchase(_ request: PurchaseRequest) async throws(StoreError) -> Monetize.PurchaseResult {
    try await bound { [store] () async throws(StoreError) in try await store.purchase(request) }
  }
  func read() async throws(StoreError) -> StoreAnswer { try await bound { [store] () async throws(StoreError) in try await store.read() } }
  func standing(of transaction: TransactionID) async throws(StoreError) -> StoreStanding {
    try await bound { [store] () async throws(StoreError) in try await store.standing(of: transaction) }
  }
  func unfinished() async throws(StoreError) -> [SignedTransaction] {
    try await bound { [store] () async throws(StoreError) in try await store.unfinished() }
  }
  func finish(_ transaction: TransactionID) async throws(StoreError) {
    try await bound { [store] () async throws(StoreError) in try await store.finish(transaction) }
  }
  func finish(_ signed: SignedTransaction) async throws(StoreError) {
    try await bound { [store] () async throws(StoreError) in try await store.finish(signed) }
  }
  func synchronize() async throws(StoreError) { try await bound { [store] () async throws(StoreError) in try await store.synchronize() } }
  func appTransaction() async throws(StoreError) -> AppTransactionRecord {
    try await bound { [store] () async throws(StoreError) in try await store.appTransaction() }
  }
  func listen(_ deliver: @escaping StoreUpdateHandler) -> StoreListening {
    let handle = StandInStore.$current.withValue(device.store) { store.listen(deliver) }
    device.startListening()
    return StoreListening { [device] in
      handle.cancel()
      device.stopListening()
    }
  }
}

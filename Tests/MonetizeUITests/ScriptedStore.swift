// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator

/// The simulated store with other answers where a test needs them: prices as another storefront writes them, a sheet that stays up.
final class ScriptedStore: StoreBackend, @unchecked Sendable {
  private let device: SimulatedDevice
  private let lock = NSLock()
  private var held: [CheckedContinuation<Void, Never>] = []
  private var isHolding = false
  private var asked: [PurchaseRequest] = []
  private var shown: [(sheet: StoreSheet, place: String?)] = []
  private var sheetError: StoreError?
  private let price: @Sendable (StoreProduct) -> String

  init(_ device: SimulatedDevice, price: @escaping @Sendable (StoreProduct) -> String = { $0.displayPrice }) {
    (self.device, self.price) = (device, price)
  }

  /// The purchases that were asked for.
  var requests: [PurchaseRequest] { lock.withLock { asked } }

  /// The sheets that were shown, each with the text of its place.
  var sheets: [(sheet: StoreSheet, place: String?)] { lock.withLock { shown } }

  /// Fails later sheets with an error; `nil` for none.
  func failSheets(_ error: StoreError?) { lock.withLock { sheetError = error } }

  /// Purchases stay on the store's sheet until `letGo()`.
  func hold() { lock.withLock { isHolding = true } }

  func letGo() {
    let waiting = lock.withLock { () -> [CheckedContinuation<Void, Never>] in
      defer { held = [] }
      isHolding = false
      return held
    }
    for one in waiting { one.resume() }
  }

  func products(for ids: [ProductID]) async throws(StoreError) -> [StoreProduct] {
    try await device.products(for: ids).map { product in
      var product = product
      product.displayPrice = price(product)
      return product
    }
  }

  func purchase(_ request: PurchaseRequest) async throws(StoreError) -> PurchaseResult {
    lock.withLock { asked.append(request) }
    await withCheckedContinuation { (sheet: CheckedContinuation<Void, Never>) in
      let isUp = lock.withLock { () -> Bool in
        if isHolding { held.append(sheet) }
        return isHolding
      }
      if !isUp { sheet.resume() }
    }
    return try await device.purchase(request)
  }

  func show(_ sheet: StoreSheet, in place: StoreObject?) async throws(StoreError) {
    let error = lock.withLock { () -> StoreError? in
      shown.append((sheet, place?.value as? String))
      return sheetError
    }
    if let error { throw error }
  }

  func read() async throws(StoreError) -> StoreAnswer { try await device.read() }
  func standing(of transaction: TransactionID) async throws(StoreError) -> StoreStanding { try await device.standing(of: transaction) }
  func unfinished() async throws(StoreError) -> [SignedTransaction] { try await device.unfinished() }
  func finish(_ transaction: TransactionID) async throws(StoreError) { try await device.finish(transaction) }
  func synchronize() async throws(StoreError) { try await device.synchronize() }
  func listen(_ deliver: @escaping StoreUpdateHandler) -> StoreListening { device.listen(deliver) }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// A store with scripted answers, which counts purchases and restores.
final class ScriptedStore: StoreBackend, @unchecked Sendable {
  /// The answer to a purchase.
  enum Mode { case sells, pends, cancels, offline }

  private let lock = NSLock()
  private var held: [SignedTransaction] = []
  private var revoked: [SignedTransaction] = []
  private var mode = Mode.sells
  private var deliver: StoreUpdateHandler?
  private var purchaseCount = 0
  private var restoreCount = 0

  private func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body()
  }

  var purchaseCalls: Int { locked { purchaseCount } }
  var restoreCalls: Int { locked { restoreCount } }

  func set(_ mode: Mode) { locked { self.mode = mode } }

  func products(for ids: [ProductID]) async throws(StoreError) -> [StoreProduct] {
    try checkOnline()
    return ids.map { StoreProduct(id: $0, displayName: "Pack", displayPrice: "9,99 €", price: Money(amount: 9.99, currency: "EUR")) }
  }

  func purchase(_ request: PurchaseRequest) async throws(StoreError) -> PurchaseResult {
    let mode = locked {
      purchaseCount += 1
      return self.mode
    }
    switch mode {
    case .offline: throw StoreError(.network)
    case .cancels: return .userCancelled
    case .pends: return .pending
    case .sells: return .success(sell(request.productID))
    }
  }

  @discardableResult
  func sell(_ product: ProductID) -> SignedTransaction {
    let signed = SignedTransaction(StoreTransaction(id: TransactionID("t-\(product)"), productID: product, purchaseDate: start))
    locked { held.append(signed) }
    return signed
  }

  func approve(_ product: ProductID) async {
    let signed = sell(product)
    await locked { deliver }?(.transaction(signed))
  }

  func refundAll() {
    locked {
      for signed in held {
        var taken = signed
        taken.transaction.revocation = .init(date: start + 3600)
        taken.transaction.revision = Revision(start + 3600)
        revoked.append(taken)
      }
      held = []
    }
  }

  func read() async throws(StoreError) -> StoreAnswer {
    try checkOnline()
    return StoreAnswer(transactions: locked { held })
  }

  func standing(of transaction: TransactionID) async throws(StoreError) -> StoreStanding {
    try checkOnline()
    if let signed = locked({ held.first { $0.transaction.id == transaction } }) { return .held(signed) }
    if let signed = locked({ revoked.first { $0.transaction.id == transaction } }) { return .revoked(signed) }
    return .gone
  }

  func unfinished() async throws(StoreError) -> [SignedTransaction] { [] }
  func finish(_ transaction: TransactionID) async throws(StoreError) {}

  func synchronize() async throws(StoreError) {
    locked { restoreCount += 1 }
    try checkOnline()
  }

  func listen(_ deliver: @escaping StoreUpdateHandler) -> StoreListening {
    locked { self.deliver = deliver }
    return StoreListening {}
  }

  private func checkOnline() throws(StoreError) { if locked({ mode == .offline }) { throw StoreError(.network) } }
}

/// 2026-03-01T12:00:00Z.
let start = Date(timeIntervalSince1970: 1_772_366_400)

/// A clock that only a test moves.
final class StandingClock: TimeSource, @unchecked Sendable {
  private let lock = NSLock()
  private var time = start

  var now: Date {
    lock.lock()
    defer { lock.unlock() }
    return time
  }

  func advance(days: Double) {
    lock.lock()
    defer { lock.unlock() }
    time += days * 86400
  }

  func wake(at date: Date, _ action: @escaping @Sendable () -> Void) -> WakeUp { WakeUp {} }
}

/// A gate with a fixed result.
struct ScriptedGate: ParentalGate {
  let opens: Bool
  func challenge() async -> Bool { opens }
}

/// Collects all events, in order.
final class EventLog: @unchecked Sendable {
  private let lock = NSLock()
  private var stored: [MonetizeEvent] = []

  var events: [MonetizeEvent] {
    lock.lock()
    defer { lock.unlock() }
    return stored
  }

  func add(_ event: MonetizeEvent) {
    lock.lock()
    defer { lock.unlock() }
    stored.append(event)
  }
}

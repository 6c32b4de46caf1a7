// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// A requirement on every store: a stable id, a reason in one line, its source, and a check.
struct StoreBehaviour: Sendable {
  let id: String
  let reason: String
  let source: String
  let check: @Sendable (StoreTrial) async throws -> String?

  init(_ id: String, _ reason: String, _ source: String, _ check: @escaping @Sendable (StoreTrial) async throws -> String?) {
    (self.id, self.reason, self.source, self.check) = (id, reason, source, check)
  }

  static let all: [StoreBehaviour] = buying + listing + news + trouble
}

/// An error for a behaviour that cannot be checked with this store.
struct NotChecked: Error {
  let reason: String
}

/// One check with a customer of its own, and helpers for its steps.
struct StoreTrial: Sendable {
  let driver: any StoreDriver
  let seat: StoreSeat

  init(_ driver: any StoreDriver) async throws {
    self.driver = driver
    seat = try await driver.newCustomer()
  }

  private init(_ driver: any StoreDriver, _ seat: StoreSeat) { (self.driver, self.seat) = (driver, seat) }

  var store: any StoreBackend { seat.store }

  func product(_ role: StoreRole) throws -> ProductID {
    guard let product = driver.product(role) else { throw NotChecked(reason: "The store sells no \(role.rawValue).") }
    return product
  }

  /// Skips a behaviour if the store may answer from the device's cache.
  func asksTheStore() throws {
    if driver.answersFromCache { throw NotChecked(reason: "The store may answer from the device's cache.") }
  }

  func turn(_ wheel: StoreWheel) async throws {
    if try await driver.turn(wheel, at: seat) { return }
    // Without the name of the type, which a description of the case has.
    let action = if case .sheet(let sheet) = wheel { "sheet(\(sheet.rawValue))" } else { "\(wheel)" }
    throw NotChecked(reason: "The driver cannot perform \(action).")
  }

  func anotherDevice() async throws -> StoreTrial {
    guard let other = try await driver.anotherDevice(of: seat) else { throw NotChecked(reason: "The driver has only one device.") }
    return StoreTrial(driver, other)
  }

  func familyMember() async throws -> StoreTrial {
    guard let other = try await driver.familyMember(of: seat) else { throw NotChecked(reason: "The driver has no families.") }
    return StoreTrial(driver, other)
  }

  func stranger() async throws -> StoreTrial { try await StoreTrial(driver) }

  /// Buys a product. Throws unless it is sold with a correct signature.
  @discardableResult
  func buy(_ role: StoreRole, quantity: Int = 1, account: String? = nil) async throws -> StoreTransaction {
    let request = PurchaseRequest(try product(role), quantity: quantity, account: account)
    guard case .success(let signed) = try await store.purchase(request) else { throw KitProblem("\(role.rawValue) was not sold.") }
    guard signed.isVerified else { throw KitProblem("The signature of \(role.rawValue) was wrong.") }
    return signed.transaction
  }

  func answer() async throws -> StoreAnswer { try await store.read() }
  func listed() async throws -> [StoreTransaction] { try await answer().transactions.filter(\.isVerified).map(\.transaction) }
  func listed(_ role: StoreRole) async throws -> [StoreTransaction] {
    let id = try product(role)
    return try await listed().filter { $0.productID == id }
  }
  func unfinished() async throws -> [StoreTransaction] { try await store.unfinished().filter(\.isVerified).map(\.transaction) }
  func renewal() async throws -> RenewalInfo? { try await answer().renewals.last }
}

/// An error for a check that could not be completed, which counts as a failure.
struct KitProblem: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// Records the updates that a device receives.
final class KitListener: Sendable {
  private let received = Locked<[StoreUpdate]>([])
  private let listening = Locked<StoreListening?>(nil)

  init(_ store: any StoreBackend) {
    let received = received
    let handle = store.listen { update in received.withLock { $0.append(update) } }
    listening.withLock { $0 = handle }
  }

  var transactions: [StoreTransaction] {
    received.withLock { $0 }.compactMap { if case .transaction(let signed) = $0 { signed.transaction } else { nil } }
  }

  var renewals: [RenewalInfo] { received.withLock { $0 }.compactMap { if case .renewal(let info) = $0 { info } else { nil } } }

  func stop() { listening.withLock { $0 }?.cancel() }
}

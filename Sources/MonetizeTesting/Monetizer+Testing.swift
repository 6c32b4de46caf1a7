// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

extension Monetizer {
  /// Makes a monetizer for a test: a customer with the given purchases and uses, at a fixed time.
  ///
  /// ```swift
  /// let monetizer = Monetizer.testing(catalog, owns: ["com.example.pro.monthly"], used: ["story": 2])
  /// #expect(monetizer.allows("export"))
  /// ```
  ///
  /// Answers immediately: the store counts as answered and is never read, facts are kept in memory, days are in UTC, and the parental gate
  /// always passes. Purchases fail; to test purchases, use a `SimulatedStore` of `MonetizeSimulator`.
  /// - Parameters:
  ///   - catalog: The catalog.
  ///   - owns: Products bought at `date`. A subscription is in its first paid period and renews. A consumable gives its credits once for
  ///     each time it is listed. A product that is not in the catalog stops the test.
  ///   - used: The amount used at `date`, by feature: a number of uses, or of seconds. Credits cover the part beyond the grants.
  ///   - date: The time. Default: 2026-03-01T12:00:00Z, so that a test gives the same result every day.
  ///   - configure: Changes other settings, such as `source`, `account` or `onEvent`.
  public static func testing(
    _ catalog: Catalog, owns: [ProductID] = [], used: [FeatureID: Int] = [:], at date: Date = Date(timeIntervalSince1970: 1_772_366_400),
    _ configure: (inout Configuration) -> Void = { _ in }
  ) -> Monetizer {
    testing(catalog, owns: owns, used: used, clock: TestClock(date), configure)
  }

  /// Makes a monetizer for a test, with a clock that the test moves.
  public static func testing(
    _ catalog: Catalog, owns: [ProductID] = [], used: [FeatureID: Int] = [:], clock: TestClock,
    _ configure: (inout Configuration) -> Void = { _ in }
  ) -> Monetizer {
    var facts = owns.enumerated().flatMap { purchase(of: $1, number: $0 + 1, in: catalog, at: clock.now) }
    let bought = Snapshot(of: CustomerState(facts), catalog: catalog, at: clock.now)
    facts += used.compactMap { use(of: $0, amount: $1, in: bought) }
    guard let record = try? JSONEncoder().encode(facts) else { preconditionFailure("The facts of a test could not be encoded.") }
    return Monetizer(catalog: catalog) { configuration in
      configuration.storage = MemoryStorage([record])
      configuration.time = clock
      configuration.zone = { Calendar.storeCalendar.timeZone }
      configuration.parentalGate = OpenGate()
      configuration.startsByItself = false
      configuration.knownStore = .answered
      configure(&configuration)
    }
  }

  private static func purchase(of id: ProductID, number: Int, in catalog: Catalog, at date: Date) -> [Fact] {
    guard let product = catalog.product(id) else {
      preconditionFailure(
        "owns: the catalog has no product \"\(id)\". It has \(catalog.products.map(\.id.rawValue).joined(separator: ", ")).")
    }
    let end = product.subscription.map { $0.period.added(to: date, in: .storeCalendar) }
    let name = TransactionID("test-\(number)")
    let transaction = StoreTransaction(id: name, productID: id, purchaseDate: date, expirationDate: end, signed: date)
    guard let end else { return [.transaction(transaction)] }
    return [
      .transaction(transaction), .renewal(RenewalInfo(originalID: name, productID: id, state: .subscribed, expires: end, signed: date)),
    ]
  }

  private static func use(of id: FeatureID, amount: Int, in snapshot: Snapshot) -> Fact? {
    precondition(
      snapshot.catalog.feature(id) != nil,
      "used: the catalog has no feature \"\(id)\". It has \(snapshot.catalog.features.map(\.id.rawValue).joined(separator: ", ")).")
    return snapshot.use(of: id, amount: amount, key: "test-\(id)").map(Fact.use)
  }
}

/// A clock for tests that does not advance by itself.
public final class TestClock: TimeSource {
  private struct State: Sendable {
    var now: Date
    var next = 0
    var calls: [Int: (date: Date, action: @Sendable () -> Void)] = [:]
  }
  private let state: Locked<State>

  /// Makes a clock that shows `date`.
  public init(_ date: Date) { state = Locked(State(now: date)) }

  /// The time of the clock.
  public var now: Date { state.withLock { $0.now } }

  /// Calls `action` when ``advance(to:)`` reaches `date`.
  public func wake(at date: Date, _ action: @escaping @Sendable () -> Void) -> WakeUp {
    let number = state.withLock { state in
      state.next += 1
      state.calls[state.next] = (date, action)
      return state.next
    }
    return WakeUp { [weak self] in self?.state.withLock { $0.calls[number] = nil } }
  }

  /// Moves the clock to `date`, and makes the due calls in order, with ``now`` at each call's own date. Ignores a date in the past.
  public func advance(to date: Date) {
    while true {
      let action = state.withLock { state -> (@Sendable () -> Void)? in
        let due = state.calls.min { ($0.value.date, $0.key) < ($1.value.date, $1.key) }
        guard let due, due.value.date <= max(date, state.now) else {
          state.now = max(state.now, date)
          return nil
        }
        state.calls[due.key] = nil
        state.now = max(state.now, due.value.date)
        return due.value.action
      }
      guard let action else { return }
      action()
    }
  }

  /// Moves the clock by a number of seconds. Ignores a negative number.
  public func advance(by seconds: TimeInterval) { advance(to: now.addingTimeInterval(seconds)) }
}

/// A parental gate that always passes.
private struct OpenGate: ParentalGate {
  func challenge() async -> Bool { true }
}

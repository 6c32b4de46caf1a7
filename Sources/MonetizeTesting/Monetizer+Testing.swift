// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

extension Monetizer {
  /// Makes a monetizer for a test: a customer who owns and has used what the test says, at a time that stands still.
  ///
  /// ```swift
  /// let monetizer = Monetizer.testing(catalog, owns: ["com.example.pro.monthly"], used: ["story": 2])
  /// #expect(monetizer.allows("export"))
  /// ```
  ///
  /// It answers at once: the store counts as answered and is never asked, facts live in memory, days are those of UTC, and the parental gate
  /// lets everybody pass. Purchases fail; a test of purchases takes a `SimulatedStore` of `MonetizeSimulator`.
  /// - Parameters:
  ///   - catalog: What the app sells.
  ///   - owns: Products that were bought at `date`. A subscription is in its first paid period and renews; a consumable gives its
  ///     credits, once each time that it is listed. A product that the catalog does not have stops the test.
  ///   - used: How much was used at `date`, by feature: a number of uses, or of seconds. What the grants do not cover takes credits.
  ///   - date: The time. Default: 2026-03-01T12:00:00Z, so that a test gives the same result on every day.
  ///   - configure: Changes anything else, such as `source`, `account` or `onEvent`.
  public static func testing(
    _ catalog: Catalog, owns: [ProductID] = [], used: [FeatureID: Int] = [:], at date: Date = Date(timeIntervalSince1970: 1_772_366_400),
    _ configure: (inout Configuration) -> Void = { _ in }
  ) -> Monetizer {
    testing(catalog, owns: owns, used: used, clock: TestClock(date), configure)
  }

  /// The same with a clock that the test moves.
  public static func testing(
    _ catalog: Catalog, owns: [ProductID] = [], used: [FeatureID: Int] = [:], clock: TestClock,
    _ configure: (inout Configuration) -> Void = { _ in }
  ) -> Monetizer {
    var facts = owns.enumerated().flatMap { purchase(of: $1, number: $0 + 1, in: catalog, at: clock.now) }
    let bought = Snapshot(of: CustomerState(facts), catalog: catalog, at: clock.now)
    facts += used.map { use(of: $0, amount: $1, in: bought) }
    guard let record = try? JSONEncoder().encode(facts) else { preconditionFailure("The facts of a test could not be encoded.") }
    return Monetizer(catalog: catalog) { configuration in
      configuration.storage = MemoryStorage([record])
      configuration.time = clock
      configuration.zone = { Instant.utc.timeZone }
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
    let end = product.subscription.map { $0.period.added(to: date, in: Instant.utc) }
    let name = TransactionID("test-\(number)")
    let transaction = StoreTransaction(id: name, productID: id, purchaseDate: date, expirationDate: end, signed: date)
    guard let end else { return [.transaction(transaction)] }
    return [
      .transaction(transaction), .renewal(RenewalInfo(originalID: name, productID: id, state: .subscribed, expires: end, signed: date)),
    ]
  }

  private static func use(of id: FeatureID, amount: Int, in snapshot: Snapshot) -> Fact {
    let catalog = snapshot.catalog
    guard let asked = catalog.feature(id), let feature = catalog.feature(asked.part?.whole ?? asked.id) else {
      preconditionFailure(
        "used: the catalog has no feature \"\(id)\". It has \(catalog.features.map(\.id.rawValue).joined(separator: ", ")).")
    }
    let decision = snapshot.decision(for: feature.id)
    let credits = decision.credits ?? 0
    let uncovered = decision.remaining.map { max(0, amount - ($0 - credits)) } ?? 0
    return .use(
      Use(
        key: "test-\(id)", feature: feature.id, amount: amount, date: snapshot.date,
        day: Int((snapshot.date.timeIntervalSince1970 / 86400).rounded(.down)), zone: Instant.utc.timeZone.identifier,
        counted: decision.limit != nil, credits: min(uncovered, credits)))
  }
}

/// A clock for tests, which stands still until the test moves it.
public final class TestClock: TimeSource {
  private struct State: Sendable {
    var now: Date
    var next = 0
    var calls: [Int: (date: Date, action: @Sendable () -> Void)] = [:]
  }
  private let state: Locked<State>

  /// Makes a clock that shows `date`.
  public init(_ date: Date) { state = Locked(State(now: date)) }

  /// What the clock shows.
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

  /// Moves on to `date`, and calls what is due in order, with ``now`` at each one's own date. A date in the past moves nothing.
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

  /// Moves on by so many seconds; a negative number moves nothing.
  public func advance(by seconds: TimeInterval) { advance(to: now.addingTimeInterval(seconds)) }
}

/// A parental gate that everybody passes.
private struct OpenGate: ParentalGate {
  func challenge() async -> Bool { true }
}

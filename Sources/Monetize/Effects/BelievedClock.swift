// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The time that decisions are made at: the wall's, never earlier than a time seen, and corrected by the store when the wall is days ahead.
final class BelievedClock: Sendable {
  /// What is called at a time, one call of each sort.
  enum Call: Sendable { case nextChange, listing }

  /// The wall was set when it runs back by more than this, in seconds; a smaller step is a correction of its drift.
  private static let drift: TimeInterval = 3600

  private struct Order: Sendable {
    let date: Date
    let wall: Date
    let action: @Sendable () -> Void
    var wakeUp: WakeUp?
  }

  private struct State: Sendable {
    /// What the facts say about the time.
    var seen: TimeSeen?
    /// The latest time believed in this run.
    var latest = Date.distantPast
    /// The latest time that was handed out to be written.
    var written = Date.distantPast
    /// What the wall is ahead of the store's signed time by, when that is more than the tolerance, and the wall was not set since.
    var ahead: TimeInterval = 0
    /// The wall's last reading.
    var wall = Date.distantPast
    var orders: [Call: Order] = [:]

    mutating func believe(_ reading: Date) -> Date {
      wall = reading
      latest = max(reading - ahead, latest, seen?.latest ?? .distantPast)
      return latest
    }
  }

  let source: any TimeSource
  private let state: Locked<State>

  init(_ source: any TimeSource, seen: TimeSeen?) {
    self.source = source
    state = Locked(State(seen: seen, written: seen?.latest ?? .distantPast))
  }

  private func change<Result>(_ body: (inout State) -> Result) -> Result { state.withLock(body) }

  /// The time on the wall.
  var wall: Date { source.now }

  /// The believed time. It never runs back, unless a wrong future is forgiven.
  var now: Date {
    // The source is foreign code: it is asked outside the lock.
    let reading = source.now
    let (now, orders) = change { state -> (Date, [Call: Order]) in
      guard state.ahead != 0, reading < state.wall - Self.drift else { return (state.believe(reading), [:]) }
      // The wall was set: the correction was about another one, and calls are ordered by this one.
      state.ahead = 0
      return (state.believe(reading), state.orders)
    }
    for (call, order) in orders { wake(call, at: order.date, order.action) }
    return now
  }

  /// Whether a change is still to come. What never changes needs no clock.
  @inline(__always)
  func isBefore(_ change: Date) -> Bool { change == .distantFuture || now < change }

  /// The fact that goes with any other: the time at which it is written.
  func fact() -> Fact { .time(written { _, _ in true } ?? TimeSeen(latest: now)) }

  /// The same by itself; `nil` when it was written already.
  func note() -> Fact? { written { $0 < $1 }.map(Fact.time) }

  private func written(_ isNeeded: (_ written: Date, _ now: Date) -> Bool) -> TimeSeen? {
    let reading = source.now
    return change { state in
      let now = state.believe(reading)
      guard isNeeded(state.written, now) else { return nil }
      state.written = now
      return TimeSeen(correction: state.seen?.correction ?? 0, latest: now, corrected: state.seen?.corrected)
    }
  }

  /// The latest time that was handed out to be written; a reader of it knows what a relaunch would still know.
  var written: Date { state.copy.written }

  /// Takes over what the facts say about the time.
  func remember(_ seen: TimeSeen?) { change { $0.seen = seen } }

  /// Hears a signed time that is now or earlier: a wall that is behind extends nothing.
  func hear(noEarlierThan date: Date) { change { $0.latest = max($0.latest, date) } }

  /// Hears the store's signed time of this moment. A time that only the wall named gives way to it when it is more than two days ahead.
  /// - Returns: the correction of a wrong future, which is a fact; `nil` when there was none. And whether calls have to be ordered anew.
  func hear(_ date: Date) -> (correction: TimeSeen?, isMoved: Bool) {
    let reading = source.now
    return change { state in
      let before = state.ahead
      let ahead = reading.timeIntervalSince(date)
      (state.wall, state.ahead) = (reading, ahead > TimeSeen.tolerance ? ahead : 0)
      guard max(state.seen?.latest ?? .distantPast, state.latest) > date + TimeSeen.tolerance else {
        state.latest = max(state.latest, date)
        return (nil, state.ahead != before)
      }
      let found = reading - state.ahead
      let seen = TimeSeen(correction: (state.seen?.correction ?? 0) + 1, latest: found, corrected: found)
      (state.latest, state.seen, state.written) = (found, seen, .distantPast)
      return (seen, true)
    }
  }

  /// Calls `action` at a time that is believed, in place of an earlier call of the same sort; `nil` for never.
  func wake(_ call: Call, at date: Date?, _ action: @escaping @Sendable () -> Void) {
    // Foreign code is asked, and old calls are dropped, outside the lock: both call into the time source.
    let (wall, dropped) = change { state -> (Date?, WakeUp?) in
      // A listing's grace is measured on the wall.
      let wall = date.map { call == .listing ? $0 : $0 + state.ahead }
      if state.orders[call]?.wall == wall { return (nil, nil) }
      let old = state.orders.removeValue(forKey: call)
      if let date, let wall { state.orders[call] = Order(date: date, wall: wall, action: action) }
      return (wall, old?.wakeUp)
    }
    withExtendedLifetime(dropped) {}
    guard let wall else { return }
    let wakeUp = source.wake(at: wall) { [weak self] in
      self?.forget(call, at: wall)
      action()
    }
    let unneeded = change { state -> WakeUp? in
      guard state.orders[call]?.wall == wall else { return wakeUp }
      state.orders[call]?.wakeUp = wakeUp
      return nil
    }
    withExtendedLifetime(unneeded) {}
  }

  private func forget(_ call: Call, at wall: Date) {
    let old = change { state in state.orders[call]?.wall == wall ? state.orders.removeValue(forKey: call) : nil }
    withExtendedLifetime(old) {}
  }

  /// Calls nothing any more.
  func stop() {
    for call in [Call.nextChange, .listing] { wake(call, at: nil) {} }
  }

  /// Waits until the wall shows a time, or `end` is called. `begun` runs once the call is ordered, so that a clock that is moved then is not missed.
  func wait(untilWall date: Date, begun: (_ end: @escaping @Sendable () -> Void) -> Void) async {
    let (wakes, waker) = AsyncStream.makeStream(of: Void.self)
    let wakeUp = source.wake(at: date) { waker.finish() }
    begun { waker.finish() }
    for await _ in wakes {}
    withExtendedLifetime(wakeUp) {}
  }
}

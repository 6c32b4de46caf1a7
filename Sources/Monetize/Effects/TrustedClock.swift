// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The time of decisions: the device clock, never earlier than a time already seen, and corrected when it is days ahead of the store.
final class TrustedClock: Sendable {
  /// A device clock that runs back by more than this, in seconds, was set. A smaller step corrects its drift.
  private static let drift: TimeInterval = 3600

  private struct ScheduledCall: Sendable {
    let date: Date
    let wall: Date
    let action: @Sendable () -> Void
    var wakeUp: WakeUp?
  }

  private struct State: Sendable {
    var seen: TimeSeen?
    var latest = Date.distantPast
    /// The latest time passed on to be written.
    var written = Date.distantPast
    /// How far the device clock is ahead of the store's signed time, in seconds; 0 within the tolerance or after the clock was set.
    var ahead: TimeInterval = 0
    var wall = Date.distantPast
    var scheduled: ScheduledCall?

    mutating func read(_ reading: Date) -> Date {
      wall = reading
      latest = max(reading - ahead, latest, seen?.latest ?? .distantPast)
      return latest
    }

    mutating func write(_ reading: Date) -> Fact {
      written = read(reading)
      return .time(TimeSeen(correction: seen?.correction ?? 0, latest: written, corrected: seen?.corrected))
    }
  }

  let source: any TimeSource
  private let state: Locked<State>

  init(_ source: any TimeSource, seen: TimeSeen?) {
    self.source = source
    state = Locked(State(seen: seen, written: seen?.latest ?? .distantPast))
  }

  private func change<Result>(_ body: (inout State) -> Result) -> Result { state.withLock(body) }

  var wall: Date { source.now }

  /// The trusted time. Never runs back, unless a wrong future is corrected.
  var now: Date {
    // The time source is foreign code, so it is read outside the lock.
    let reading = source.now
    let (now, isSet) = change { state -> (Date, Bool) in
      // The clock was set. The correction applied to the old setting.
      let isSet = state.ahead != 0 && reading < state.wall - Self.drift
      if isSet { state.ahead = 0 }
      return (state.read(reading), isSet)
    }
    // The scheduled call follows the new setting.
    if isSet, let call = change({ $0.scheduled }) { wake(at: call.date, call.action) }
    return now
  }

  /// Whether a change is still to come. Skips the clock for an answer that never changes.
  @inline(__always)
  func isBefore(_ change: Date) -> Bool { change == .distantFuture || now < change }

  /// The time to write along with any other fact.
  func fact() -> Fact {
    let reading = source.now
    return change { $0.write(reading) }
  }

  /// The time to write on its own; `nil` when it was written already.
  func note() -> Fact? {
    let reading = source.now
    return change { state in state.written < state.read(reading) ? state.write(reading) : nil }
  }

  /// The latest time passed on to be written. A relaunch starts from it.
  var written: Date { state.copy.written }

  func remember(_ seen: TimeSeen?) { change { $0.seen = seen } }

  /// Raises the trusted time to a signed time that is now or earlier. A slow clock must not extend access.
  func raise(to date: Date) {
    // No store signs an infinite date, and no time after it could be written.
    guard date.timeIntervalSinceReferenceDate.isFinite else { return }
    change { $0.latest = max($0.latest, date) }
  }

  /// Compares the clock with the store's signed time of this moment. Corrects a trusted time that is more than two days ahead of it.
  /// - Returns: The correction, to be recorded as a fact; `nil` when there was none. And whether the scheduled call must be rescheduled.
  func synchronize(with date: Date) -> (correction: TimeSeen?, isMoved: Bool) {
    let reading = source.now
    return change { state in
      let before = state.ahead
      let ahead = reading.timeIntervalSince(date)
      (state.wall, state.ahead) = (reading, ahead > TimeSeen.tolerance ? ahead : 0)
      guard max(state.seen?.latest ?? .distantPast, state.latest) > date + TimeSeen.tolerance else {
        state.latest = max(state.latest, date)
        return (nil, state.ahead != before)
      }
      // A clock that was set back behind the store's time must not extend access.
      let found = max(reading - state.ahead, date)
      let seen = TimeSeen(correction: (state.seen?.correction ?? 0).next, latest: found, corrected: found)
      (state.latest, state.seen, state.written) = (found, seen, .distantPast)
      return (seen, true)
    }
  }

  /// Schedules `action` at a trusted time, replacing an earlier call. `nil` cancels it.
  func wake(at date: Date?, _ action: @escaping @Sendable () -> Void) {
    // The time source is foreign code, and dropping an old call runs it too. Both happen outside the lock.
    let (wall, dropped) = change { state -> (Date?, WakeUp?) in
      let (old, wall) = (state.scheduled, date.map { $0 + state.ahead })
      if old?.wall == wall { return (nil, nil) }
      state.scheduled = nil
      if let date, let wall { state.scheduled = ScheduledCall(date: date, wall: wall, action: action) }
      return (wall, old?.wakeUp)
    }
    withExtendedLifetime(dropped) {}
    guard let wall else { return }
    let wakeUp = source.wake(at: wall) { [weak self] in
      self?.forget(at: wall)
      action()
    }
    let unneeded = change { state -> WakeUp? in
      guard state.scheduled?.wall == wall else { return wakeUp }
      state.scheduled?.wakeUp = wakeUp
      return nil
    }
    withExtendedLifetime(unneeded) {}
  }

  private func forget(at wall: Date) {
    let old = change { state -> ScheduledCall? in
      guard state.scheduled?.wall == wall else { return nil }
      defer { state.scheduled = nil }
      return state.scheduled
    }
    withExtendedLifetime(old) {}
  }

  /// Waits until the device clock reaches `date` or `end` is called. Calls `begun` once the call is scheduled, so that moving the clock in
  /// `begun` ends the wait.
  func wait(untilWall date: Date, begun: (_ end: @escaping @Sendable () -> Void) -> Void) async {
    let (wakes, waker) = AsyncStream.makeStream(of: Void.self)
    let wakeUp = source.wake(at: date) { waker.finish() }
    begun { waker.finish() }
    for await _ in wakes {}
    withExtendedLifetime(wakeUp) {}
  }
}

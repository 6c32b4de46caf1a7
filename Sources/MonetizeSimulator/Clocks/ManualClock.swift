// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

/// A clock that stands still until it is told to move: true time in a simulation, and a clock for tests.
///
/// Moving it fires every wake-up that is due, in the order of its date, then of its registration, on the caller's thread, with ``now`` at
/// each one's own date. Years take microseconds.
public final class ManualClock: TimeSource {
  private struct Entry: Sendable {
    let date: Date
    let number: Int
    let action: @Sendable () -> Void
  }

  private struct State: Sendable {
    var now: Date
    var registered = 0
    /// Sorted by date, then by number, latest first, so that the next one is removed from the end.
    var entries: [Entry] = []
  }

  private let state: Locked<State>

  /// A clock that shows `start`.
  public init(_ start: Date) { state = Locked(State(now: start)) }

  /// What the clock shows.
  public var now: Date { state.withLock { $0.now } }

  /// When the next wake-up is due; `nil` when nobody waits.
  public var nextWake: Date? { state.withLock { $0.entries.last?.date } }

  /// Calls `action` when the clock reaches `date`. A date that is already reached waits for the next ``advance(to:)``, however short:
  /// nothing is ever called from inside `wake`.
  public func wake(at date: Date, _ action: @escaping @Sendable () -> Void) -> WakeUp {
    let number = state.withLock { state -> Int in
      state.registered += 1
      let entry = Entry(date: date, number: state.registered, action: action)
      // Behind those that are later, or as late and registered later; a new one is always registered last.
      var low = 0
      var high = state.entries.count
      while low < high {
        let middle = (low + high) / 2
        if state.entries[middle].date > date { low = middle + 1 } else { high = middle }
      }
      state.entries.insert(entry, at: low)
      return entry.number
    }
    return WakeUp { [weak self] in
      self?.state.withLock { state in state.entries.removeAll { $0.number == number } }
    }
  }

  /// Moves on to `date` and fires everything due. A date in the past moves nothing, but fires what is due already.
  public func advance(to date: Date) {
    while true {
      let action = state.withLock { state -> (@Sendable () -> Void)? in
        guard let next = state.entries.last, next.date <= max(date, state.now) else {
          state.now = max(state.now, date)
          return nil
        }
        state.entries.removeLast()
        state.now = max(state.now, next.date)
        return next.action
      }
      guard let action else { return }
      action()
    }
  }

  /// Moves on by `interval` seconds; a negative one moves nothing.
  public func advance(by interval: TimeInterval) { advance(to: now.addingTimeInterval(max(0, interval))) }

  /// Moves on to `date` without firing anything: the store speaks first, and then the clock fires what is due.
  func move(to date: Date) { state.withLock { $0.now = max($0.now, date) } }
}

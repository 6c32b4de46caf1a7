// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

/// A clock that moves only when it is moved: the true time in a simulation, and a clock for tests.
///
/// Moving it fires every due wake-up on the caller's thread, ordered by date, then by registration. During each one ``now`` is its own
/// date. Simulating years takes microseconds.
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

  /// Makes a clock that shows `start`.
  public init(_ start: Date) { state = Locked(State(now: start)) }

  /// The current time of the clock.
  public var now: Date { state.withLock { $0.now } }

  /// The date of the next wake-up; `nil` when there is none.
  public var nextWake: Date? { state.withLock { $0.entries.last?.date } }

  /// Calls `action` when the clock reaches `date`. For a date already reached, `action` runs at the next ``advance(to:)``, however short:
  /// `wake` itself never calls anything.
  public func wake(at date: Date, _ action: @escaping @Sendable () -> Void) -> WakeUp {
    let number = state.withLock { state -> Int in
      state.registered += 1
      let entry = Entry(date: date, number: state.registered, action: action)
      // Insert after entries that are later, and after equal dates: the newest registration comes last.
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

  /// Moves forward to `date` and fires everything due. A date in the past does not move the clock, but fires what is already due.
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

  /// Moves forward by `interval` seconds; a negative interval does not move the clock.
  public func advance(by interval: TimeInterval) { advance(to: now.addingTimeInterval(max(0, interval))) }

  /// Moves forward to `date` without firing: the store's events come first, then the wake-ups.
  func move(to date: Date) { state.withLock { $0.now = max($0.now, date) } }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// A clock that a test moves. Makes the due calls in order, before `advance` or `set` returns.
final class TestTime: TimeSource {
  private struct State: Sendable {
    var now: Date
    var next = 0
    var calls: [Int: (date: Date, action: @Sendable () -> Void)] = [:]
  }
  private let state: Locked<State>

  init(_ now: Date = RandomFacts.start) { state = Locked(State(now: now)) }

  var now: Date { state.withLock { $0.now } }
  var pending: Int { state.withLock { $0.calls.count } }
  /// Whether a call is due before so many seconds have passed.
  func isCalled(within seconds: TimeInterval) -> Bool {
    state.withLock { state in state.calls.values.contains { $0.date <= state.now + seconds } }
  }

  func wake(at date: Date, _ action: @escaping @Sendable () -> Void) -> WakeUp {
    let number = state.withLock { state in
      state.next += 1
      state.calls[state.next] = (date, action)
      return state.next
    }
    return WakeUp { [weak self] in self?.state.withLock { $0.calls[number] = nil } }
  }

  /// Sets the wall clock, also backwards, and makes no calls.
  func set(_ date: Date) { state.withLock { $0.now = date } }

  func advance(_ seconds: TimeInterval) {
    let end = now + seconds
    while true {
      let due = state.withLock { state -> (@Sendable () -> Void)? in
        guard let (number, call) = state.calls.min(by: { ($0.value.date, $0.key) < ($1.value.date, $1.key) }), call.date <= end else {
          return nil
        }
        state.calls[number] = nil
        state.now = max(state.now, call.date)
        return call.action
      }
      guard let due else { break }
      due()
    }
    set(end)
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Counts the operations that write facts, so that a hand-over can wait for them.
final class WorkUnderWay: Sendable {
  private struct State: Sendable {
    /// Whether new operations are refused.
    var isClosed = false
    var underWay = 0
    var waiting: CheckedContinuation<Bool, Never>?
  }
  private let state = Locked(State())

  var isClosed: Bool { state.copy.isClosed }
  /// Whether a hand-over is waiting.
  var isAwaited: Bool { state.copy.waiting != nil }

  /// Begins an operation that writes facts. Returns `false` when new operations are refused.
  /// - Parameter ends: Whether it ends an operation that began before, which is always allowed.
  func begin(ending ends: Bool = false) -> Bool {
    state.withLock { state in
      if state.isClosed, !ends { return false }
      state.underWay += 1
      return true
    }
  }

  /// Ends an operation.
  func end() { wake { $0.underWay -= 1 } }

  /// Allows new operations again.
  func open() { wake { $0.isClosed = false } }

  /// Refuses new operations and waits until none is under way. Returns `false` after the time limit; new operations are then allowed again.
  func close(by time: any TimeSource, within seconds: TimeInterval) async -> Bool {
    let limit = time.wake(at: time.now + seconds) { [weak self] in
      self?.state.withLock { state in
        defer { state.waiting = nil }
        return state.waiting
      }?.resume(returning: false)
    }
    let isQuiet = await withCheckedContinuation { continuation in
      wake { state in (state.isClosed, state.waiting) = (true, continuation) }
    }
    limit.cancel()
    if !isQuiet { open() }
    return isQuiet
  }

  private func wake(_ change: (inout State) -> Void) {
    let waiting = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      change(&state)
      guard state.underWay == 0 else { return nil }
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume(returning: true)
  }
}

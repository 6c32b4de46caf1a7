// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What writes facts at the moment: a hand-over has to wait for it.
final class WorkUnderWay: Sendable {
  private struct State: Sendable {
    /// Whether nothing new may begin.
    var isClosed = false
    var underWay = 0
    var waiting: CheckedContinuation<Bool, Never>?
  }
  private let state = Locked(State())

  var isClosed: Bool { state.copy.isClosed }
  /// Whether a hand-over waits for something to end.
  var isAwaited: Bool { state.copy.waiting != nil }

  /// Begins something that writes facts, unless everything is handed over.
  /// - Parameter ends: Whether it ends something that was begun before, which is always allowed.
  func begin(ending ends: Bool = false) -> Bool {
    state.withLock { state in
      if state.isClosed, !ends { return false }
      state.underWay += 1
      return true
    }
  }

  /// Ends what was begun.
  func end() { wake { $0.underWay -= 1 } }

  /// Lets things begin again.
  func open() { wake { $0.isClosed = false } }

  /// Lets nothing begin any more, and waits until nothing is under way, or until it has taken too long. `false` when it has: then everything
  /// is as it was.
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

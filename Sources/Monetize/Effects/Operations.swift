// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Counts the operations that write facts, so that a hand-over can wait for them.
final class Operations: Sendable {
  private enum Phase: Sendable {
    case open
    /// A hand-over waits for what is under way. New work is refused; what is only recorded is still recorded.
    case closing
    /// A hand-over moves the facts. It ends soon, and recordings wait for its result.
    case moving
    case handedOver
  }

  private struct State: Sendable {
    var phase = Phase.open
    var active = 0
    /// Ends the wait of a hand-over.
    var endWait: @Sendable () -> Void = {}
    /// Recordings that wait for the result of a hand-over.
    var recordings: [CheckedContinuation<Bool, Never>] = []
  }
  private let state = Locked(State())

  private func change<Result>(_ body: (inout State) -> Result) -> Result { state.withLock(body) }

  /// Whether new operations are refused.
  var isClosed: Bool { state.copy.phase != .open }

  /// Begins an operation that writes facts. Returns `false` when new operations are refused.
  /// - Parameter ends: `true` at the end of work that began earlier, which is never refused.
  func begin(ending ends: Bool = false) -> Bool {
    change { state in
      if state.phase != .open, !ends { return false }
      state.active += 1
      return true
    }
  }

  /// Begins to record facts, which waits for nothing but the disk. Returns `false` after a hand-over. Waits for the result of one that is
  /// moving the facts, so that no fact is lost when it fails.
  func record() async -> Bool {
    await withCheckedContinuation { continuation in
      let isAllowed = change { state -> Bool? in
        switch state.phase {
        case .open, .closing: state.active += 1
        case .moving:
          state.recordings.append(continuation)
          return nil
        case .handedOver: return false
        }
        return true
      }
      if let isAllowed { continuation.resume(returning: isAllowed) }
    }
  }

  func end() {
    change { state in
      state.active -= 1
      return Self.moveIfIdle(&state)
    }?()
  }

  /// Ends a hand-over.
  /// - Parameter isDone: Whether the facts were handed over. Otherwise new operations are allowed again.
  func conclude(handedOver isDone: Bool) {
    let recordings = change { state in
      defer { state.recordings = [] }
      state.phase = isDone ? .handedOver : .open
      if !isDone { state.active += state.recordings.count }
      return state.recordings
    }
    for recording in recordings { recording.resume(returning: !isDone) }
  }

  /// Refuses new operations and waits until none is under way. Returns `false` after the time limit; new operations are then allowed again.
  func close(by clock: TrustedClock, within seconds: TimeInterval) async -> Bool {
    await clock.wait(untilWall: clock.wall + seconds) { endWait in
      change { state in
        (state.phase, state.endWait) = (.closing, endWait)
        return Self.moveIfIdle(&state)
      }?()
    }
    let isMoving = change { $0.phase == .moving }
    if !isMoving { conclude(handedOver: false) }
    return isMoving
  }

  /// Lets a hand-over begin when nothing is under way. Returns the end of its wait, to be called outside the lock.
  private static func moveIfIdle(_ state: inout State) -> (@Sendable () -> Void)? {
    guard state.phase == .closing, state.active == 0 else { return nil }
    state.phase = .moving
    return state.endWait
  }
}

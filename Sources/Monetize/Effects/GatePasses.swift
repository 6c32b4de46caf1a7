// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Issues passes of the parental gate, and accepts each once.
final class GatePasses: Sendable {
  private static let lifetime: TimeInterval = 600

  private struct State: Sendable {
    var issued: [GatePass: Date] = [:]
    var last = 0
  }
  private let state = Locked(State())
  private let clock: TrustedClock
  private let run: String

  init(_ clock: TrustedClock, run: String) { (self.clock, self.run) = (clock, run) }

  private static func isFresh(_ issued: Date, at wall: Date) -> Bool { (0..<lifetime).contains(wall.timeIntervalSince(issued)) }

  func issue() -> GatePass {
    let wall = clock.wall
    return state.withLock { state in
      state.issued = state.issued.filter { Self.isFresh($0.value, at: wall) }
      state.last += 1
      let pass = GatePass(number: state.last, run: run)
      state.issued[pass] = wall
      return pass
    }
  }

  /// Uses up a pass. Returns `false` for a pass that was not issued here, was used before or has expired.
  @discardableResult
  func take(_ pass: GatePass?) -> Bool {
    guard let pass, let issued = state.withLock({ $0.issued.removeValue(forKey: pass) }) else { return false }
    return Self.isFresh(issued, at: clock.wall)
  }
}

// SPDX-License-Identifier: Apache-2.0

extension ScenarioWorld {
  /// Runs concurrent calls in a repeatable order. One call at a time proceeds, from its start to its work or from its work to its end; the
  /// seed chooses which, because the system's scheduler would choose differently in each run.
  func atOnce(_ count: Int, _ call: @escaping @Sendable (_ work: @Sendable () async -> Void) async -> String) async -> [String] {
    if count == 1 { return [await call {}] }
    var outcomes: [String] = []
    var working: [PausedCall] = []
    var notBegun = count
    while notBegun > 0 || !working.isEmpty {
      let next: PausedCall
      if notBegun > 0, working.isEmpty || Bool.random(using: &order) {
        notBegun -= 1
        next = PausedCall(call)
      } else {
        next = working.remove(at: Int.random(in: 0..<working.count, using: &order))
      }
      if let outcome = await next.goOn() { outcomes.append(outcome) } else { working.append(next) }
    }
    return outcomes
  }
}

/// A call that pauses before it begins and during its work, until ``goOn()``.
private final class PausedCall: Sendable {
  private enum Place: Sendable {
    case working
    case ended(String)
  }

  private let places: AsyncStream<Place>
  private let permission: AsyncStream<Void>.Continuation

  init(_ call: @escaping @Sendable (_ work: @Sendable () async -> Void) async -> String) {
    let (places, reached) = AsyncStream.makeStream(of: Place.self)
    let (permissions, permission) = AsyncStream.makeStream(of: Void.self)
    (self.places, self.permission) = (places, permission)
    @Sendable func wait() async { for await _ in permissions { return } }
    Task {
      await wait()
      let outcome = await call {
        reached.yield(.working)
        await wait()
      }
      reached.yield(.ended(outcome))
    }
  }

  /// Continues to the work, or from the work to the end.
  /// - Returns: The outcome; `nil` while it works.
  func goOn() async -> String? {
    permission.yield()
    for await place in places {
      if case .ended(let outcome) = place { return outcome }
      return nil
    }
    return nil
  }
}

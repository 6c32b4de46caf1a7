// SPDX-License-Identifier: Apache-2.0

extension ScenarioWorld {
  /// Calls that are under way at the same time. One of them moves at a time, from its start to its work or from its work to its end, and the
  /// seed says which: the scheduler of the system would say something else each time.
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

/// A call that stands still before it begins and while it works, until it is told to go on.
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

  /// Lets it go on to its work, or from there to its end.
  /// - Returns: how it ended; `nil` while it works.
  func goOn() async -> String? {
    permission.yield()
    for await place in places {
      if case .ended(let outcome) = place { return outcome }
      return nil
    }
    return nil
  }
}

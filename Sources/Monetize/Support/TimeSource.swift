// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The source of time: the system in an app, a manual clock in tests and in the simulator.
public protocol TimeSource: Sendable {
  /// The time of the clock. A person may set it, even backwards.
  var now: Date { get }
  /// Calls `action` once, at `date` or soon after. Releasing or cancelling the result prevents the call.
  func wake(at date: Date, _ action: @escaping @Sendable () -> Void) -> WakeUp
}

/// The system's clock.
public struct SystemTime: TimeSource {
  /// Makes the system's clock.
  public init() {}

  /// The time of the clock.
  public var now: Date { Date() }

  /// Sleeps in steps of at most an hour, because a sleeping task does not react to a changed clock or a sleeping device. Answers of
  /// ``Monetizer`` never depend on its precision; only announcements do.
  public func wake(at date: Date, _ action: @escaping @Sendable () -> Void) -> WakeUp {
    let task = Task {
      while !Task.isCancelled {
        let left = date.timeIntervalSince(Date())
        if left <= 0 { return action() }
        try? await Task.sleep(nanoseconds: UInt64(min(left, 3600) * 1_000_000_000) + 1_000_000)
      }
    }
    return WakeUp { task.cancel() }
  }
}

extension TimeSource where Self == SystemTime {
  /// The system's clock.
  public static var system: SystemTime { SystemTime() }
}

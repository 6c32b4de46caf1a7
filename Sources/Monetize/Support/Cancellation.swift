// SPDX-License-Identifier: Apache-2.0

/// A handle that cancels something: a scheduled call, or listening to a store. Releasing it cancels as well.
public final class Cancellation: Sendable {
  private let action: Locked<(@Sendable () -> Void)?>

  /// Makes a handle that runs `action` at most once: when it is cancelled or released.
  public init(_ action: @escaping @Sendable () -> Void) { self.action = Locked(action) }

  /// Cancels. Does not affect a call that has already begun. Calling it again does nothing.
  public func cancel() { action.replace(with: nil)?() }

  deinit { cancel() }
}

/// A scheduled call of a ``TimeSource``. Releasing it cancels the call.
public typealias WakeUp = Cancellation
/// A listener of a ``StoreBackend``. After it is cancelled, nothing is delivered except an update already in delivery.
public typealias StoreListening = Cancellation

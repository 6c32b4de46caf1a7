// SPDX-License-Identifier: Apache-2.0

/// Ends something that was begun: a scheduled call, or listening to a store. Releasing it ends it as well.
public final class Cancellation: Sendable {
  private let action: Locked<(@Sendable () -> Void)?>

  /// Makes one that runs `action` at most once: when it is cancelled, or when it is released.
  public init(_ action: @escaping @Sendable () -> Void) { self.action = Locked(action) }

  /// Ends it, apart from a call that has already begun. May be called any number of times.
  public func cancel() {
    let action = action.withLock { stored -> (@Sendable () -> Void)? in
      defer { stored = nil }
      return stored
    }
    action?()
  }

  /// The same as ``cancel()``.
  public func stop() { cancel() }

  deinit { cancel() }
}

/// A scheduled call of a ``TimeSource``.
public typealias WakeUp = Cancellation
/// A listener at a ``StoreBackend``. Nothing is delivered after it was stopped, apart from what is being delivered.
public typealias StoreListening = Cancellation

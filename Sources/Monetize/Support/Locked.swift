// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A value behind a lock. The body must be short and must not call foreign code.
///
/// Uses the lock of the system, which the thread sanitizer supports. `Mutex` needs iOS 18, and Monetize supports iOS 15. An `NSLock` is the same
/// lock behind more calls and allocations. `@unchecked`, because the compiler cannot verify that `value` is accessed only while the lock is
/// held.
package final class Locked<Value: Sendable>: @unchecked Sendable {
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  // Unchecked, because the lock already makes every access exclusive. The runtime check would slow down every question.
  @exclusivity(unchecked) private var value: Value

  package init(_ value: Value) {
    self.value = value
    pthread_mutex_init(lock, nil)
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  @inline(__always)
  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return try body(&value)
  }

  package func set(_ value: Value) { withLock { $0 = value } }

  /// Replaces the value and returns the old one, to be released outside the lock.
  func replace(with value: Value) -> Value {
    withLock { stored in
      defer { stored = value }
      return stored
    }
  }

  /// A copy of the value.
  package var copy: Value { withLock { $0 } }
}

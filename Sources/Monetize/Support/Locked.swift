// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A value behind a lock. The body must be short and must not call foreign code.
///
/// `NSLock` and not `Mutex`: the floor is iOS 15, and the thread sanitizer understands it on Linux.
/// `@unchecked` because the compiler cannot see that `value` is only touched while the lock is held.
package final class Locked<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  // Unchecked because the lock already keeps every access exclusive, and every question would pay for finding that out once more.
  @exclusivity(unchecked) private var value: Value

  package init(_ value: Value) { self.value = value }

  @inline(__always)
  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }

  /// Puts a value in the place of the one before.
  package func set(_ value: Value) { withLock { $0 = value } }

  /// A copy of the value.
  package var copy: Value { withLock { $0 } }
}

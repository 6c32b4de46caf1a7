// SPDX-License-Identifier: Apache-2.0
import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// Standard output or standard error, written at once. Remembers the first failure, and then writes nothing more.
///
/// `@unchecked`, because `failure` is guarded by a lock, which the compiler cannot verify.
public final class StandardStream: @unchecked Sendable {
  /// The process's standard output.
  public static let output = StandardStream(1)
  /// The process's standard error.
  public static let errors = StandardStream(2)

  private let descriptor: Int32
  private let lock = NSLock()
  private var failure: Int32?

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Makes a closed pipe an error of a write instead of the end of the process. Called once, at the start.
  public static func ignoreClosedPipes() { signal(SIGPIPE, SIG_IGN) }

  /// The reason why a text was not written, such as a full disk; `nil` when all of it was. A closed pipe does not count as a failure,
  /// because its reader needs no more.
  public var problem: String? {
    lock.lock()
    defer { lock.unlock() }
    return failure.flatMap { $0 == EPIPE ? nil : String(cString: strerror($0)) }
  }

  /// Writes a text, unless an earlier one could not be written.
  public func write(_ text: String) {
    lock.lock()
    defer { lock.unlock() }
    guard failure == nil else { return }
    Array(text.utf8).withUnsafeBytes { bytes in
      var rest = bytes[...]
      while let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress, !rest.isEmpty {
        let count = Self.put(descriptor, start, rest.count)
        if count >= 0 {
          rest = rest.dropFirst(count)
        } else if errno != EINTR && errno != EAGAIN {
          failure = errno
          return
        }
      }
    }
  }

  private static func put(_ descriptor: Int32, _ start: UnsafeRawPointer, _ count: Int) -> Int {
    #if canImport(Darwin)
      return Darwin.write(descriptor, start, count)
    #else
      return Glibc.write(descriptor, start, count)
    #endif
  }
}

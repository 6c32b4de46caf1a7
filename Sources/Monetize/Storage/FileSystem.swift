// SPDX-License-Identifier: Apache-2.0
import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The file operations that a state file needs. Tests replace it with one that stops at any step.
package protocol FileSystem: Sendable {
  /// The file's bytes from an offset on; `nil` when the file does not exist.
  func read(_ path: String, from offset: Int) throws -> [UInt8]?
  /// The number and the length of the file with this name; `nil` when it does not exist.
  func mark(_ path: String) throws -> FileMark?
  /// Opens a file, to append to it. `nil` when it does not exist and is not to be created.
  func open(_ path: String, creating: Bool) throws -> OpenFile?
  func write(_ bytes: [UInt8], to path: String) throws
  /// Appends to a file, which is created if necessary.
  func append(_ bytes: [UInt8], to path: String) throws
  func truncate(_ path: String, to length: Int) throws
  /// Returns when the file's content survives a power cut.
  func sync(_ path: String) throws
  /// Replaces a file with another, atomically.
  func rename(_ path: String, to other: String) throws
  /// Returns when the names in the file's folder survive a power cut.
  func syncFolder(of path: String) throws
  /// Waits for the lock of the file, and holds it until the result is released. Creates the folder.
  func lock(_ path: String) throws -> Cancellation
  /// Marks a run as active until the result is released or the process ends.
  func begin(_ run: String, of path: String) throws -> Cancellation
  /// Whether a run is active; `nil` when that cannot be determined.
  func isRunActive(_ run: String, of path: String) -> Bool?
}

/// The number and the length of a file in bytes.
package struct FileMark: Sendable, Hashable {
  package var number: UInt64
  package var size: Int
  package init(number: UInt64, size: Int) { (self.number, self.size) = (number, size) }
}

/// A file that stays open, so that no other file gets its number and a write has nothing to look up.
package struct OpenFile: Sendable {
  package let number: UInt64
  /// Appends bytes. Returns when they survive a power cut.
  let append: @Sendable (_ bytes: [UInt8]) throws -> Void
}

/// Defaults for a file system with one process, in which no file is replaced.
extension FileSystem {
  package func mark(_ path: String) throws -> FileMark? { try read(path, from: 0).map { FileMark(number: 0, size: $0.count) } }
  package func open(_ path: String, creating: Bool) throws -> OpenFile? {
    if creating { try append([], to: path) }
    return try mark(path).map { OpenFile(number: $0.number) { try appendByName($0, to: path) } }
  }
  package func lock(_ path: String) -> Cancellation { Cancellation {} }
  package func begin(_ run: String, of path: String) -> Cancellation { Cancellation {} }
  package func isRunActive(_ run: String, of path: String) -> Bool? { false }
  fileprivate func appendByName(_ bytes: [UInt8], to path: String) throws {
    try append(bytes, to: path)
    try sync(path)
  }
}

/// The system calls that a state file needs, with the signatures of POSIX. Tests replace them with calls that fail, stop half-way or end
/// the process.
struct SystemCalls: Sendable {
  var open: @Sendable (_ path: String, _ flags: Int32) -> Int32 = { systemOpen($0, $1, 0o600) }
  var stat: @Sendable (_ path: String, _ status: inout SystemStatus) -> Int32 = { systemStat($0, &$1) }
  var read: @Sendable (_ file: Int32, UnsafeMutableRawPointer, _ count: Int, _ offset: off_t) -> Int = { pread($0, $1, $2, $3) }
  var write: @Sendable (_ file: Int32, UnsafeRawPointer, _ count: Int) -> Int = { systemWrite($0, $1, $2) }
  var cut: @Sendable (_ file: Int32, _ length: off_t) -> Int32 = { ftruncate($0, $1) }
  var sync: @Sendable (_ file: Int32) -> Int32 = { systemSync($0) }
  var lock: @Sendable (_ file: Int32, _ operation: Int32) -> Int32 = { flock($0, $1) }
  var rename: @Sendable (_ path: String, _ other: String) -> Int32 = { systemRename($0, $1) }
  var unlink: @Sendable (_ path: String) -> Int32 = { systemUnlink($0) }
  /// Tells the system how to protect a new file and whether a backup has it; `nil` where there is no such setting.
  var protect: (@Sendable (_ path: String, _ isBackedUp: Bool) -> Void)? = systemProtect
}

typealias SystemStatus = stat

// Other names for system calls, which the members of the struct above would hide.
private func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 { open(path, flags, mode) }
private func systemStat(_ path: String, _ status: inout SystemStatus) -> Int32 { stat(path, &status) }
private func systemWrite(_ file: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int { write(file, bytes, count) }
private func systemRename(_ path: String, _ other: String) -> Int32 { rename(path, other) }
private func systemUnlink(_ path: String) -> Int32 { unlink(path) }
private func systemSync(_ file: Int32) -> Int32 {
  #if canImport(Darwin)
    // On Darwin, `fsync` leaves the data in the drive's cache. Not every drive supports `F_FULLFSYNC`; after any other failure the data may
    // be lost, and `fsync` would not report it.
    if fcntl(file, F_FULLFSYNC) == 0 { return 0 }
    guard errno == ENOTSUP || errno == EINVAL || errno == ENOTTY else { return -1 }
  #endif
  return fsync(file)
}
#if canImport(Darwin)
  private let systemProtect: (@Sendable (String, Bool) -> Void)? = { path, isBackedUp in
    #if !os(macOS)
      // Readable while the device is locked, as long as it was unlocked once since its start.
      try? FileManager.default.setAttributes(
        [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication], ofItemAtPath: path)
    #endif
    guard !isBackedUp else { return }
    var (url, values) = (URL(fileURLWithPath: path), URLResourceValues())
    values.isExcludedFromBackup = true
    try? url.setResourceValues(values)
  }
#else
  private let systemProtect: (@Sendable (String, Bool) -> Void)? = nil
#endif

/// The file system of the device. Only the owner can read and write the files (mode 600).
struct SystemFiles: FileSystem {
  var calls = SystemCalls()
  var isBackedUp = true

  func read(_ path: String, from offset: Int) throws -> [UInt8]? { try existing(path, O_RDONLY)?.bytes(from: offset) }

  func mark(_ path: String) throws -> FileMark? {
    var status = SystemStatus()
    if calls.stat(path, &status) == 0 { return FileMark(number: UInt64(status.st_ino), size: Int(status.st_size)) }
    if errno == ENOENT || errno == ENOTDIR { return nil }
    throw StorageError("\(path) could not be read (error \(errno)).")
  }

  func open(_ path: String, creating: Bool) throws -> OpenFile? {
    let flags = O_RDWR | O_APPEND
    if let file = creating ? try file(path, flags | O_CREAT) : try? existing(path, flags) {
      return OpenFile(number: try file.status().number) {
        try file.write($0)
        try file.sync()
      }
    }
    // A file that can only be read.
    guard let file = try existing(path, O_RDONLY) else { return nil }
    return OpenFile(number: try file.status().number) { bytes in
      try withExtendedLifetime(file) { try appendByName(bytes, to: path) }
    }
  }

  func write(_ bytes: [UInt8], to path: String) throws { try file(path, O_WRONLY | O_CREAT | O_TRUNC).write(bytes) }

  func append(_ bytes: [UInt8], to path: String) throws { try file(path, O_WRONLY | O_CREAT | O_APPEND).write(bytes) }

  func truncate(_ path: String, to length: Int) throws { try file(path, O_WRONLY).cut(to: length) }

  func sync(_ path: String) throws { try file(path, O_RDWR).sync() }

  func syncFolder(of path: String) throws {
    try file(URL(fileURLWithPath: path).deletingLastPathComponent().path, O_RDONLY).sync()
  }

  func rename(_ path: String, to other: String) throws {
    guard calls.rename(path, other) == 0 else {
      throw StorageError("The file \(path) could not be renamed to \(other) (error \(errno)).")
    }
  }

  func lock(_ path: String) throws -> Cancellation {
    let name = path + ".lock"
    let file: Descriptor
    if let known = try existing(name, O_RDWR) {
      file = known
    } else {
      try makeFolder(of: path)
      file = try self.file(name, O_RDWR | O_CREAT)
    }
    guard file.lock(LOCK_EX) else { throw StorageError("\(name) could not be locked (error \(errno)).") }
    return Cancellation { withExtendedLifetime(file) {} }
  }

  /// Creates the folders that are missing. Returns when their names survive a power cut.
  private func makeFolder(of path: String) throws {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    var (missing, next) = ([String](), folder)
    while try mark(next.path) == nil {
      missing.append(next.path)
      next.deleteLastPathComponent()
    }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for path in missing.reversed() { try syncFolder(of: path) }
  }

  func begin(_ run: String, of path: String) throws -> Cancellation {
    let name = Self.runFile(run, path)
    while true {
      let file = try file(name, O_RDWR | O_CREAT)
      guard file.lock(LOCK_EX) else { throw StorageError("\(name) could not be locked (error \(errno)).") }
      // Another process may have found the file between the two steps, and removed it.
      if try mark(name)?.number == file.status().number {
        return Cancellation { [calls] in withExtendedLifetime(file) { _ = calls.unlink(name) } }
      }
    }
  }

  func isRunActive(_ run: String, of path: String) -> Bool? {
    let name = Self.runFile(run, path)
    guard let file = try? existing(name, O_RDWR) else { return Self.isSeenByAll ? false : nil }
    guard file.lock(LOCK_EX | LOCK_NB) else { return true }
    _ = calls.unlink(name)
    return false
  }

  private func file(_ path: String, _ flags: Int32) throws -> Descriptor {
    let isNew = try calls.protect != nil && flags & O_CREAT != 0 && mark(path) == nil
    guard let file = try existing(path, flags) else { throw StorageError("There is no \(path).") }
    if isNew { calls.protect?(path, isBackedUp) }
    return file
  }

  /// `nil` when the file, or the folder of a file to be created, does not exist.
  private func existing(_ path: String, _ flags: Int32) throws -> Descriptor? {
    let number = again { calls.open(path, flags | O_CLOEXEC) }
    if number >= 0 { return Descriptor(path, number, calls) }
    if errno == ENOENT || errno == ENOTDIR { return nil }
    throw StorageError("\(path) could not be opened (error \(errno)).")
  }

  #if os(macOS) || os(Linux)
    private static let isSeenByAll = true
    private static func runFile(_ run: String, _ path: String) -> String { path + ".run-\(Checksum.hex(Array(run.utf8)))" }
  #else
    // iOS ends a suspended app that holds a lock in a shared container. So the lock is in the app's own folder, where only its own runs are
    // visible.
    private static let isSeenByAll = false
    private static func runFile(_ run: String, _ path: String) -> String {
      NSTemporaryDirectory() + "monetize-\(Checksum.hex(Array((path + run).utf8)))"
    }
  #endif
}

/// An open file, closed on release. Repeats calls that a signal interrupts.
private final class Descriptor: Sendable {
  private let path: String
  private let number: Int32
  private let calls: SystemCalls

  init(_ path: String, _ number: Int32, _ calls: SystemCalls) { (self.path, self.number, self.calls) = (path, number, calls) }

  deinit { close(number) }

  func status() throws -> FileMark {
    var status = SystemStatus()
    guard fstat(number, &status) == 0 else { throw failure("looked at") }
    return FileMark(number: UInt64(status.st_ino), size: Int(status.st_size))
  }

  func lock(_ operation: Int32) -> Bool { again { calls.lock(number, operation) } == 0 }

  func bytes(from offset: Int) throws -> [UInt8] {
    // One byte more than the size, so that one read reaches the end.
    var bytes = [UInt8](repeating: 0, count: max(0, try status().size - offset) + 1)
    var length = 0
    while true {
      let count = again {
        bytes.withUnsafeMutableBytes { calls.read(number, $0.baseAddress! + length, $0.count - length, off_t(offset + length)) }
      }
      guard count >= 0 else { throw failure("read") }
      if count == 0 { return Array(bytes.prefix(length)) }
      length += count
      if length == bytes.count { bytes += Array(repeating: 0, count: length) }
    }
  }

  func write(_ bytes: [UInt8]) throws {
    var done = 0
    while done < bytes.count {
      let count = again { bytes.withUnsafeBytes { calls.write(number, $0.baseAddress! + done, $0.count - done) } }
      guard count > 0 else { throw failure("written") }
      done += count
    }
  }

  func cut(to length: Int) throws {
    guard again({ calls.cut(number, off_t(length)) }) == 0 else { throw failure("cut") }
  }

  func sync() throws {
    guard again({ calls.sync(number) }) == 0 else { throw failure("made durable") }
  }

  private func failure(_ what: String) -> StorageError { StorageError("\(path) could not be \(what) (error \(errno)).") }
}

/// Repeats a call until no signal interrupts it.
private func again<Result: BinaryInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result >= 0 || errno != EINTR { return result }
  }
}

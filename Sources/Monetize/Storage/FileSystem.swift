// SPDX-License-Identifier: Apache-2.0
import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The few things that a state file needs of a file system; a test puts one in its place that stops at any step.
package protocol FileSystem: Sendable {
  /// The whole file; `nil` when there is none.
  func read(_ path: String) throws -> [UInt8]?
  /// The file's length in bytes; `nil` when there is none.
  func size(of path: String) throws -> Int?
  /// Writes a whole new file.
  func write(_ bytes: [UInt8], to path: String) throws
  /// Adds to the end of a file, which is made when there is none.
  func append(_ bytes: [UInt8], to path: String) throws
  /// Cuts a file.
  func truncate(_ path: String, to length: Int) throws
  /// Returns when the file's content would survive a power cut.
  func sync(_ path: String) throws
  /// Puts a file in the place of another, at once.
  func rename(_ path: String, to other: String) throws
  /// Returns when the names in the file's folder would survive a power cut.
  func syncFolder(of path: String) throws
  /// Keeps others away from a file until the result is dropped, and makes its folder; throws when another one has it.
  func lock(_ path: String) throws -> Cancellation
}

extension FileSystem {
  /// By reading it: for a disk in memory.
  package func size(of path: String) throws -> Int? { try read(path)?.count }
  /// For a disk of one process.
  package func lock(_ path: String) -> Cancellation { Cancellation {} }
}

/// The real one.
struct SystemFiles: FileSystem {
  func read(_ path: String) throws -> [UInt8]? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  func size(of path: String) throws -> Int? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    defer { try? handle.close() }
    return Int(try handle.seekToEnd())
  }

  func write(_ bytes: [UInt8], to path: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  func append(_ bytes: [UInt8], to path: String) throws {
    if !FileManager.default.fileExists(atPath: path) { try Data().write(to: URL(fileURLWithPath: path)) }
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    defer { try? handle.close() }
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(bytes))
  }

  func truncate(_ path: String, to length: Int) throws {
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    defer { try? handle.close() }
    try handle.truncate(atOffset: UInt64(length))
  }

  func sync(_ path: String) throws { try synchronize(path, O_RDWR) }

  func syncFolder(of path: String) throws { try synchronize(URL(fileURLWithPath: path).deletingLastPathComponent().path, O_RDONLY) }

  func rename(_ path: String, to other: String) throws {
    #if canImport(Darwin)
      let result = Darwin.rename(path, other)
    #elseif canImport(Glibc)
      let result = Glibc.rename(path, other)
    #else
      let result = Musl.rename(path, other)
    #endif
    guard result == 0 else { throw StorageError("The file \(path) could not be renamed to \(other) (error \(errno)).") }
  }

  private func synchronize(_ path: String, _ flags: Int32) throws {
    let descriptor = open(path, flags)
    guard descriptor >= 0 else { throw StorageError("\(path) could not be opened (error \(errno)).") }
    defer { close(descriptor) }
    #if canImport(Darwin)
      // There `fsync` leaves the data in the drive's cache. Not every drive knows the other call.
      if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
    #endif
    guard fsync(descriptor) == 0 else { throw StorageError("\(path) could not be made durable (error \(errno)).") }
  }

  func lock(_ path: String) throws -> Cancellation {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    #if os(macOS) || os(Linux)
      let name = path + ".lock"
    #else
      // An app that holds a lock in a shared container while it is suspended is killed. Its own folder keeps two of one process apart.
      let name = NSTemporaryDirectory() + "monetize-\(Checksum.crc32(Array(path.utf8))).lock"
    #endif
    let descriptor = open(name, O_CREAT | O_RDWR, 0o600)
    guard descriptor >= 0 else { throw StorageError("\(name) could not be opened (error \(errno)).") }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      throw StorageError(
        "The state file is in use by another monetizer or process (\(path)). Share one monetizer, or give each a file of its own.")
    }
    return Cancellation { close(descriptor) }
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// The process ended during an operation.
struct Crash: Error {}
/// The disk refused, and the process continues.
struct DiskFailure: Error {}

/// A disk in memory that models a power cut: only synced content survives, under names whose folder was synced.
///
/// It stops before step `crashAt`; from then on nothing works. A write at that step may be partly done.
final class MemoryDisk: FileSystem {
  private struct File: Sendable {
    var bytes: [UInt8] = []
    var synced: [UInt8] = []
  }
  private struct State: Sendable {
    var files: [Int: File] = [:]
    var names: [String: Int] = [:]
    var syncedNames: [String: Int] = [:]
    var nextFile = 0
    var step = 0
    var crashAt = Int.max
    var failsAt: Set<Int> = []
    /// The completed part of the write at the crash, of 4.
    var torn = 0
  }
  private let state = Locked(State())

  init(crashAt: Int = .max, torn: Int = 0) {
    state.withLock { ($0.crashAt, $0.torn) = (crashAt, torn) }
  }

  var steps: Int { state.withLock { $0.step } }
  func fail(atStep steps: Set<Int>) { state.withLock { $0.failsAt = steps } }
  var names: [String] { state.withLock { $0.names.keys.sorted() } }
  func put(_ bytes: [UInt8], at path: String) {
    state.withLock { state in
      state.nextFile += 1
      state.files[state.nextFile] = File(bytes: bytes, synced: bytes)
      (state.names[path], state.syncedNames[path]) = (state.nextFile, state.nextFile)
    }
  }

  /// The content for a new process. `losesUnsynced`: after a power cut only durable content remains, with any prefix of later appends.
  func afterCrash(losesUnsynced: Bool, keeping quarters: Int = 0) -> MemoryDisk {
    let old = state.withLock { $0 }
    let disk = MemoryDisk()
    disk.state.withLock { new in
      new.nextFile = old.nextFile
      new.names = losesUnsynced ? old.syncedNames : old.names
      new.syncedNames = new.names
      for (number, file) in old.files {
        var bytes = file.bytes
        if losesUnsynced {
          if bytes.starts(with: file.synced) {
            bytes = file.synced + bytes.dropFirst(file.synced.count).prefix((bytes.count - file.synced.count) * quarters / 4)
          } else {
            bytes = quarters > 1 ? bytes : file.synced
          }
        }
        new.files[number] = File(bytes: bytes, synced: bytes)
      }
      if !losesUnsynced { new.syncedNames = old.syncedNames }
      if !losesUnsynced { for (number, file) in old.files { new.files[number]?.synced = file.synced } }
    }
    return disk
  }

  private func step<Result>(_ torn: (inout State) -> Void = { _ in }, _ work: (inout State) throws -> Result) throws -> Result {
    try state.withLock { state in
      state.step += 1
      if state.step > state.crashAt { throw Crash() }
      if state.step == state.crashAt {
        torn(&state)
        throw Crash()
      }
      if state.failsAt.contains(state.step) { throw DiskFailure() }
      return try work(&state)
    }
  }

  private static func make(_ path: String, _ state: inout State) -> Int {
    if let file = state.names[path] { return file }
    state.nextFile += 1
    state.files[state.nextFile] = File()
    state.names[path] = state.nextFile
    return state.nextFile
  }

  func read(_ path: String) throws -> [UInt8]? { try read(path, from: 0) }
  func read(_ path: String, from offset: Int) throws -> [UInt8]? {
    try state.withLock { state in
      if state.step >= state.crashAt { throw Crash() }
      return state.names[path].flatMap { state.files[$0].map { Array($0.bytes.dropFirst(offset)) } }
    }
  }
  func mark(_ path: String) throws -> FileMark? {
    try state.withLock { state in
      if state.step >= state.crashAt { throw Crash() }
      return state.names[path].map { FileMark(number: UInt64($0), size: state.files[$0]?.bytes.count ?? 0) }
    }
  }
  func write(_ bytes: [UInt8], to path: String) throws {
    func put(_ bytes: [UInt8], _ state: inout State) { state.files[Self.make(path, &state)]?.bytes = bytes }
    try step({ put(Array(bytes.prefix(bytes.count * $0.torn / 4)), &$0) }, { put(bytes, &$0) })
  }
  func append(_ bytes: [UInt8], to path: String) throws {
    func put(_ bytes: [UInt8], _ state: inout State) { state.files[Self.make(path, &state)]?.bytes += bytes }
    try step({ put(Array(bytes.prefix(bytes.count * $0.torn / 4)), &$0) }, { put(bytes, &$0) })
  }
  func truncate(_ path: String, to length: Int) throws {
    try step { state in
      guard let file = state.names[path], let bytes = state.files[file]?.bytes else { throw DiskFailure() }
      state.files[file]?.bytes = Array(bytes.prefix(length))
    }
  }
  func sync(_ path: String) throws {
    try step { state in
      guard let file = state.names[path] else { throw DiskFailure() }
      let bytes = state.files[file]?.bytes ?? []
      state.files[file]?.synced = bytes
    }
  }
  func rename(_ path: String, to other: String) throws {
    try step { state in
      guard let file = state.names.removeValue(forKey: path) else { throw DiskFailure() }
      state.names[other] = file
    }
  }
  func syncFolder(of path: String) throws { try step { $0.syncedNames = $0.names } }
}

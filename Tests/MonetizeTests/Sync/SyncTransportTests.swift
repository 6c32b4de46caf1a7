// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeSimulator
import MonetizeTesting
import Testing

@testable import Monetize

/// The conformance kit, and the transport over a shared file.
@Suite("Transports", .timeLimit(.minutes(30)))
struct SyncTransportTests {
  /// Removes a file with its lock.
  private func remove(_ url: URL) { for name in ["", ".lock"] { try? FileManager.default.removeItem(atPath: url.path + name) } }

  @Test("The conformance kit holds for the server in memory, and for a file") func kits() async throws {
    let forbidden = try #require(SyncRecord(.completion(Completion(item: "a/1")), at: RandomFacts.start))
    let server = SimulatedSyncServer { record, _ in record.id == forbidden.id ? "No." : nil }
    let report = await SyncTransportKit(forbidden: forbidden) { server.transport("ann") }.run()
    #expect(report.passed && report.behaviours.count == 7, "\(report)")
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("sync-\(UUID().uuidString)")
    defer { remove(url) }
    let file = await SyncTransportKit { FileSyncTransport(url) }.run()
    #expect(file.passed, "\(file)")
  }

  /// Answers with pages, one after the other.
  private struct Pages: SyncTransport {
    let pages: [SyncPage]
    func push(_ records: [SyncRecord]) async throws(SyncError) -> [String: String] { [:] }
    func pull(after cursor: String?) async throws(SyncError) -> SyncPage { pages[cursor.flatMap { Int($0) } ?? 0] }
  }

  @Test("An account has records if any page has one, and none only after the last page") func hasRecords() async throws {
    let record = try #require(SyncRecord(.completion(Completion(item: "a/1")), at: RandomFacts.start))
    let (empty, last) = (SyncPage(cursor: "1", isLast: false), SyncPage(cursor: "1"))
    #expect(try await Pages(pages: [empty, SyncPage([record], cursor: "2")]).hasRecords())
    #expect(try await Pages(pages: [SyncPage([record], cursor: "1", isLast: false)]).hasRecords())
    #expect(try await !Pages(pages: [empty, last]).hasRecords())
  }

  struct Forgetful: SyncTransport {
    let server: any SyncTransport
    func push(_ records: [SyncRecord]) async throws(SyncError) -> [String: String] { try await server.push(Array(records.dropLast())) }
    func pull(after cursor: String?) async throws(SyncError) -> SyncPage { try await server.pull(after: cursor) }
  }

  @Test("The kit finds a transport that forgets") func kitIsSensitive() async {
    let server = SimulatedSyncServer()
    let report = await SyncTransportKit { Forgetful(server: server.transport("ann")) }.run()
    #expect(report.failed.map(\.id).contains("transport.delivers"))
  }

  @Test("Two monetizers share a file; a line torn by a crash is skipped, and the next one is intact") func file() async throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("sync-\(UUID().uuidString)")
    defer { remove(url) }
    let (app, widget) = (
      try TestShop.monetizer { ($0.source, $0.account) = ("app", "ann") },
      try TestShop.monetizer { ($0.source, $0.account) = ("widget", "ann") }
    )
    try await app.spend("trial")
    let (first, second) = (
      Synchronizer(app, over: FileSyncTransport(url)), Synchronizer(widget, over: FileSyncTransport(url))
    )
    #expect(await first.sync().sent == 1)
    try FileHandle(forWritingTo: url).seekToEndAndWrite(Data("{\"id\":\"torn".utf8))
    #expect(await second.sync().received == 1)
    try await widget.spend("trial")
    #expect(await second.sync().sent == 1)
    #expect(await first.sync().received == 1)
    #expect(app.decision(for: "trial").used == 2 && widget.decision(for: "trial").used == 2)
    let missing = Synchronizer(app, over: FileSyncTransport(url.appendingPathComponent("none/x")))
    #expect(await missing.sync().error?.code == .unreachable)
  }

  @Test("Pushed records are still there after a power cut, with the name of a new file") func powerCut() async throws {
    let disk = MemoryDisk()
    disk.put([], at: "/d")
    let records = [SyncRecord(.wallet(WalletEntry(id: "a", earned: 1)), at: RandomFacts.start)].compactMap { $0 }
    for count in 1...2 {
      #expect(try await FileSyncTransport(path: "/d/sync", files: disk).push(records).isEmpty)
      let after = FileSyncTransport(path: "/d/sync", files: disk.afterCrash(losesUnsynced: true))
      #expect(try await after.pull(after: nil).records.count == count)
    }
  }

  @Test("A record after a torn line of any length is read whole", arguments: ["{", "{\"id\":\"torn"]) func torn(line: String) async throws {
    let disk = MemoryDisk()
    disk.put([], at: "/d")
    disk.put(Array(line.utf8), at: "/d/sync")
    let transport = FileSyncTransport(path: "/d/sync", files: disk)
    let record = try #require(SyncRecord(.wallet(WalletEntry(id: "a", earned: 1)), at: RandomFacts.start))
    #expect(try await transport.push([record]).isEmpty)
    #expect(try await transport.pull(after: nil).records == [record])
  }

  @Test("A shared file has one line for each record, and no others") func lines() async throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("sync-\(UUID().uuidString)")
    defer { remove(url) }
    for number in 0..<3 {
      let fact = Fact.wallet(WalletEntry(id: "\(number)", earned: 1))
      #expect(try await FileSyncTransport(url).push([#require(SyncRecord(fact, at: Date(timeIntervalSince1970: 0)))]).isEmpty)
    }
    let lines = try Data(contentsOf: url).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    #expect(lines.map(\.isEmpty) == [false, false, false, true])
  }

  @Test("A shared file that was deleted, or cut by a power failure, and then grew again is read from its start") func replaced()
    async throws
  {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("sync-\(UUID().uuidString)")
    defer { remove(url) }
    let transport = FileSyncTransport(url)
    func push(_ ids: [String]) async throws {
      let records = ids.compactMap { SyncRecord(.wallet(WalletEntry(id: $0, earned: 1)), at: RandomFacts.start) }
      #expect(try await transport.push(records).isEmpty)
    }
    try await push(["a", "b"])
    let cursor = try await transport.pull(after: nil).cursor
    #expect(try await transport.pull(after: cursor).records.isEmpty)
    try FileManager.default.removeItem(at: url)
    let long = String(repeating: "c", count: 4000)
    try await push([long, "d"])
    #expect(try await transport.pull(after: cursor).records.count == 2)
    let later = try await transport.pull(after: nil).cursor
    try FileHandle(forWritingTo: url).truncate(atOffset: 9)
    try await push([long + "e", "f"])
    #expect(try await transport.pull(after: later).records.count == 2)
    try await push(["g"])
    let last = try await transport.pull(after: nil)
    #expect(last.records.count == 3)
    #expect(try await transport.pull(after: last.cursor).records.isEmpty)
    // News after a cursor moves it by its own length.
    try await push(["h"])
    let more = try await transport.pull(after: last.cursor)
    let all = try await transport.pull(after: nil)
    #expect(more.records.count == 1 && more.cursor == all.cursor)
    #expect(try await transport.pull(after: more.cursor).records.isEmpty)
  }

  @Test("XC-04: eight writers at once add to one file, and no line is lost or mixed") func writers() async throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("sync-\(UUID().uuidString)")
    defer { remove(url) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<8 {
        group.addTask {
          for number in 0..<20 {
            let fact = Fact.wallet(WalletEntry(id: "\(writer)-\(number)", earned: 1))
            _ = try await FileSyncTransport(url).push([SyncRecord(fact, at: RandomFacts.start)].compactMap { $0 })
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(Set(try await FileSyncTransport(url).pull(after: nil).records.map(\.id)).count == 160)
  }
}

extension FileHandle {
  fileprivate func seekToEndAndWrite(_ data: Data) throws {
    try seekToEnd()
    try write(contentsOf: data)
    try close()
  }
}

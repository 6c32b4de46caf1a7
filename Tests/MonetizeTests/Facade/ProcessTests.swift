// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize

/// Several real processes on one state file: this test runner, started again with a command in its environment.
@Suite(.timeLimit(.minutes(30)), .serialized)
struct ProcessTests {
  private static let catalog = """
    { "schemaVersion": 1, "app": { "id": "a", "name": "A" },
      "features": { "ticket": { "allowance": "count" }, "entry": { "allowance": "count" } },
      "freeTier": { "grants": { "ticket": 1000, "entry": 1000000 } } }
    """

  private static func monetizer(_ url: URL) throws -> Monetizer {
    try Monetizer(catalog: Catalog(json: Data(catalog.utf8))) { configuration in
      configuration.storage = .file(url)
      configuration.startsByItself = false
    }
  }

  /// The command of a child process.
  private struct Order: Codable {
    var file: URL
    /// The file with a line for each acknowledged use.
    var log: URL
    var name: String
    var feature: FeatureID = "ticket"
    var tasks = 16
    /// Reserves and never settles, instead of spending the whole limit.
    var reserves = false
    /// Sends this number of records over a transport in the file, one by one, instead.
    var sends = 0
  }

  private func folder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("monetize-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  private func start(_ order: Order) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = ["--testing-library", "swift-testing", "--filter", "ProcessTests/child"]
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["MONETIZE_CHILD": String(decoding: try JSONEncoder().encode(order), as: UTF8.self)]
    ) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  private func acknowledged(_ log: URL) -> [String] {
    // The kill cut off a line without its end.
    ((try? String(contentsOf: log, encoding: .utf8)) ?? "").components(separatedBy: "\n").dropLast()
  }

  @Test("Law 6: without the mark that other processes look at, work is refused") func noMark() async throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let (real, isFull) = (SystemCalls(), Locked(true))
    var calls = real
    calls.open = { path, flags in
      guard isFull.copy, path.contains(".run-") else { return real.open(path, flags) }
      errno = ENOSPC
      return -1
    }
    let storage = FileStorage(path: folder.path + "/state", files: SystemFiles(calls: calls))
    let monetizer = try Monetizer(catalog: Catalog(json: Data(Self.catalog.utf8))) {
      $0.storage = storage
      $0.startsByItself = false
    }
    let denial = await #expect(throws: AccessDenied.self) { try await monetizer.reserve(AccessRequest("ticket"), key: "a") }
    #expect(denial?.decision.reason == .notRecorded && monetizer.decision(for: "ticket").used == 0)
    try await monetizer.spend("ticket")
    isFull.set(false)
    await monetizer.commit(try await monetizer.reserve(AccessRequest("ticket"), key: "a"))
    #expect(monetizer.decision(for: "ticket").used == 2)
  }

  @Test("Other processes see that a run is active while work holds a reservation, and not longer") func mark() async throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("state")
    let (other, monetizer) = (FileStorage(url), try Self.monetizer(url))
    func isActive() -> Bool? { other.isRunActive(monetizer.parts.run) }
    #expect(isActive() == false)
    let (first, second) = (try await monetizer.reserve(AccessRequest("ticket")), try await monetizer.reserve(AccessRequest("ticket")))
    #expect(isActive() == true)
    await monetizer.release(first)
    #expect(isActive() == true)
    await monetizer.commit(second)
    #expect(isActive() == false)
  }

  @Test("Law 6: work that fails here takes no use back on which another process still works") func failsHere() async throws {
    let url = try folder().appendingPathComponent("state")
    let (one, two) = (try Self.monetizer(url), try Self.monetizer(url))
    await one.start()
    await two.start()
    let mine = try await one.reserve(AccessRequest("ticket"), key: "a")
    let theirs = try await two.reserve(AccessRequest("ticket"), key: "a")
    await one.release(mine)
    #expect(one.decision(for: "ticket").used == 1)
    await two.commit(theirs)
    await one.refresh()
    #expect(one.decision(for: "ticket").used == 1 && two.decision(for: "ticket").used == 1)
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["MONETIZE_CHILD"] != nil)) func child() async throws {
    let order = try JSONDecoder().decode(Order.self, from: Data((ProcessInfo.processInfo.environment["MONETIZE_CHILD"] ?? "").utf8))
    for number in 0..<order.sends {
      let fact = Fact.wallet(WalletEntry(id: "\(order.name)-\(number)", earned: 1))
      _ = try await FileSyncTransport(order.file).push([SyncRecord(fact, at: Date())].compactMap { $0 })
    }
    if order.sends > 0 { return }
    let monetizer = try Self.monetizer(order.file)
    try Data().write(to: order.log)
    let log = try FileHandle(forWritingTo: order.log)
    if order.reserves {
      _ = try await monetizer.reserve(AccessRequest("ticket", count: 400), key: order.name)
      try log.write(contentsOf: Data("\(order.name)\n".utf8))
      try await Task.sleep(nanoseconds: 60_000_000_000)
    }
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<order.tasks {
        group.addTask {
          for number in 0... {
            let key = "\(order.name).\(task).\(number)"
            guard (try? await monetizer.spend(order.feature, key: key)) != nil else { return }
            try? log.write(contentsOf: Data("\(key)\n".utf8))
          }
        }
      }
    }
  }

  @Test("4 processes with 64 tasks share one allowance of 1,000: exactly 1,000 are granted, and each of them is in the file")
  func exactlyAThousand() throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("no/such/folder/state")
    let orders = (0..<4).map { Order(file: file, log: folder.appendingPathComponent("log\($0)"), name: "p\($0)") }
    let began = Date()
    let processes = try orders.map { try self.start($0) }
    for process in processes { process.waitUntilExit() }
    let granted = orders.map { acknowledged($0.log) }
    #expect(granted.joined().count == 1000)
    let uses = try Self.monetizer(file).state.usage.uses
    #expect(Set(uses.filter { $0.status == .committed }.map(\.key)) == Set(granted.joined()))
    let time = String(format: "%.1f", Date().timeIntervalSince(began))
    print("4 processes, 64 tasks: \(granted.map(\.count)) granted, 1,000 in all, in \(time) s")
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path).sorted() == ["state", "state.lock"])
  }

  @Test("Processes that are killed while they write lose no acknowledged use, and count none twice") func killed() async throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("state")
    var granted: Set<String> = []
    let rounds = 8
    for round in 0..<rounds {
      let orders = (0..<2).map {
        Order(file: file, log: folder.appendingPathComponent("log\($0)"), name: "r\(round)p\($0)", feature: "entry", tasks: 2)
      }
      let processes = try orders.map { try self.start($0) }
      while orders.contains(where: { acknowledged($0.log).count < 2 }), processes.contains(where: \.isRunning) {
        try await Task.sleep(nanoseconds: 1_000_000)
      }
      try await Task.sleep(nanoseconds: UInt64(round) * 3_000_000)
      for process in processes where process.isRunning { kill(process.processIdentifier, SIGKILL) }
      for process in processes { process.waitUntilExit() }
      for order in orders {
        granted.formUnion(acknowledged(order.log))
        try FileManager.default.removeItem(at: order.log)
      }
      let monetizer = try Self.monetizer(file)
      let uses = monetizer.state.usage.uses.filter { $0.status == .committed }
      #expect(granted.isSubset(of: uses.map(\.key)), "round \(round)")
      #expect(Set(uses.map(\.key)).count == uses.count)
      #expect(monetizer.decision(for: "entry").used == uses.count)
    }
    print("\(2 * rounds) processes killed: \(granted.count) acknowledged uses are there, none twice")
  }

  @Test("XC-04: two processes that send through one file lose no record and mix none") func transport() async throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("sync")
    let processes = try ["a", "b"].map { try start(Order(file: file, log: folder.appendingPathComponent($0), name: $0, sends: 150)) }
    for process in processes { process.waitUntilExit() }
    let page = try await FileSyncTransport(file).pull(after: nil)
    #expect(page.records.count == 300 && Set(page.records.map(\.id)).count == 300)
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test("A reservation of an ended process lapses while others run, and not before") func lapses() async throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let order = Order(
      file: folder.appendingPathComponent("state"), log: folder.appendingPathComponent("log"), name: "gone", reserves: true)
    let monetizer = try Self.monetizer(order.file)
    let own = try await monetizer.reserve(AccessRequest("ticket", count: 300))
    let child = try start(order)
    while acknowledged(order.log).isEmpty, child.isRunning { try await Task.sleep(nanoseconds: 1_000_000) }
    // A second process that starts meanwhile returns no reservation of a running process, and neither does a denied one.
    #expect(try Self.monetizer(order.file).decision(for: "ticket").used == 700)
    await #expect(throws: AccessDenied.self) { try await monetizer.spend("ticket", count: 500) }
    kill(child.processIdentifier, SIGKILL)
    child.waitUntilExit()
    try await monetizer.spend("ticket", count: 500)
    #expect(monetizer.decision(for: "ticket").used == 800)
    await monetizer.commit(own)
    #expect(try Self.monetizer(order.file).decision(for: "ticket").used == 800)
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import MonetizeTesting
import Testing

/// The Swift code of `Docs/Guides/Sync.md`, block by block.
@Suite("Sync.md", .timeLimit(.minutes(30)))
struct SyncGuideTests {
  private static let json = GuideTests.gettingStarted.replacingOccurrences(
    of: "\"schemaVersion\": 1,",
    with: """
      "schemaVersion": 1,
      "sync": { "merge": { "coins": "max", "stars": "max", "bestTimeMs": { "rule": "min", "above": 0 }, "completed": "or", "attempts": "max" } },
      """)

  private func device(_ name: SourceID, account: String? = "ann") throws -> Monetizer {
    Monetizer(catalog: try Catalog(json: Data(Self.json.utf8))) { ($0.source, $0.account, $0.startsByItself) = (name, account, false) }
  }

  @Test("Keeping devices in sync") func alike() async throws {
    let (server, monetizer) = (SimulatedSyncServer(), try device("phone"))

    let sync = Synchronizer(monetizer, over: server.transport("ann"), outbox: .memory)
    try await monetizer.spend("note.create")
    let outcome = await sync.sync()

    #expect(outcome.sent == 1 && outcome.error == nil)
    let tablet = try device("tablet")
    await Synchronizer(tablet, over: server.transport("ann")).sync()
    #expect(tablet.decision(for: "note.create").used == 1)
  }

  actor Kept {
    private var records: [SyncRecord] = []
    func add(_ new: [SyncRecord]) { records += new.filter { record in !records.contains { $0.id == record.id } } }
    func page(after cursor: String?) -> SyncPage {
      SyncPage(Array(records.dropFirst(cursor.flatMap(Int.init) ?? 0)), cursor: String(records.count))
    }
  }

  struct Loopback: SyncTransport {
    let kept: Kept
    func push(_ records: [SyncRecord]) async throws(SyncError) -> [String: String] {
      await kept.add(records)
      return [:]
    }
    func pull(after cursor: String?) async throws(SyncError) -> SyncPage { await kept.page(after: cursor) }
  }

  @Test("A transport") func transport() async {
    let kept = Kept()
    let report = await SyncTransportKit { Loopback(kept: kept) }.run()
    #expect(report.passed, "\(report)")
  }

  @Test("Progress, a guest, children and rows") func families() async throws {
    let max = Member.child("max")
    let monetizer = try device("phone", account: nil)
    await monetizer.as(max).saveProgress(["stars": 2, "bestTimeMs": 9000], in: "maze", item: "levels/1")
    await monetizer.as(max).saveProgress(["stars": 1, "bestTimeMs": 0], in: "maze", item: "levels/1")
    #expect(monetizer.as(max).progress(in: "maze", item: "levels/1") == ["stars": 2, "bestTimeMs": 9000])

    await monetizer.as(.guest).earn(5, for: "puzzle")
    let annStorage = MemoryStorage()
    let ann = try await monetizer.handOver(to: "ann", policy: .transfer, heir: max, storage: annStorage)
    #expect(ann.as(max).coins == 5 && ann.as(.customer).coins == 0)

    let mia = await ann.addChild(named: "Mia")
    await ann.rename(mia.id, to: "Mia Marie")
    #expect(ann.children.map(\.name) == ["Mia Marie"])
    await ann.removeChild(mia.id)
    #expect(ann.children.isEmpty)

    let (child, parent) = (RowScope.Party(family: "ann", member: max), RowScope.Party(family: "ann", member: .parent("mum")))
    let levels = RowScope(read: .ownAndChildren, write: .own)
    #expect(levels.allows(.read, rowOf: child, by: parent) && !levels.allows(.write, rowOf: child, by: parent))
  }
}

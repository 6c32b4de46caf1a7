// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import Testing

@Suite("Observers", .timeLimit(.minutes(30)))
struct ObserverTests {
  /// A model of a screen: it shows snapshots and cannot write. Returns the newest snapshot, without waiting for a later one.
  private func newest(of updates: AsyncStream<Snapshot>) async -> Snapshot? {
    for await snapshot in updates { return snapshot }
    return nil
  }

  @Test("XC-06: two screens of one monetizer: a purchase on one updates both, and an old snapshot writes nothing back")
  func twoScreens() async throws {
    let catalog = try Catalog(json: Data(GuideTests.gettingStarted.utf8))
    let store = SimulatedStore(catalog: catalog, start: GuideTests.noon)
    let monetizer = Monetizer(catalog: catalog) {
      $0.store = store.device()
      $0.time = TestTime(GuideTests.noon)
      $0.startsByItself = false
    }
    await monetizer.start()
    let stale = monetizer.snapshot
    let (settings, editor) = (monetizer.snapshots, monetizer.snapshots)
    guard case .completed = try await monetizer.purchase("com.example.notes.pro") else {
      Issue.record("it should be bought")
      return
    }
    await monetizer.settled()
    let (first, second) = (await newest(of: settings), await newest(of: editor))
    #expect(first?.allows("export") == true && first == second)
    // The old snapshot keeps its answers, and reading it changes nothing.
    #expect(!stale.allows("export"))
    #expect(monetizer.allows("export") && monetizer.snapshot == second)
  }
}

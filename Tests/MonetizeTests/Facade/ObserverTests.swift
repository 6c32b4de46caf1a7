// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import Testing

@Suite("Observers", .timeLimit(.minutes(1)))
struct ObserverTests {
  /// A view model: it shows what it is told, and has no way to write.
  private struct Screen {
    var updates: AsyncStream<Snapshot>.Iterator
    init(_ monetizer: Monetizer) { updates = monetizer.snapshots.makeAsyncIterator() }

    /// The first snapshot in which the feature is open.
    mutating func opens(_ feature: FeatureID) async -> Snapshot? {
      while let snapshot = await updates.next() { if snapshot.allows(feature) { return snapshot } }
      return nil
    }
  }

  @Test("XC-06: two screens over one monetizer: a purchase on one updates both, and an old snapshot writes nothing back")
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
    var (settings, editor) = (Screen(monetizer), Screen(monetizer))
    guard case .completed = try await monetizer.purchase("com.example.notes.pro") else {
      Issue.record("it should be bought")
      return
    }
    let (first, second) = (await settings.opens("export"), await editor.opens("export"))
    #expect(first != nil && first == second)
    // The old one still says what was true then, and asking it changes nothing.
    #expect(!stale.allows("export"))
    #expect(monetizer.allows("export") && monetizer.snapshot == second)
  }
}

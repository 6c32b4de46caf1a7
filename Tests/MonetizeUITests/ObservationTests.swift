// SPDX-License-Identifier: Apache-2.0
import Monetize
import MonetizeSimulator
import MonetizeUI
import Observation
import Testing

/// The owner of a monetizer in the Observation framework of iOS 17.
@Suite("Observation", .timeLimit(.minutes(10)))
@MainActor struct ObservationTests {
  @MainActor private final class Reader {
    private(set) var changes = 0

    init(_ read: () -> Void) {
      withObservationTracking(read) { MainActor.assumeIsolated { self.changes += 1 } }
    }
  }

  @Test("A reader of the snapshot is called at its next change, and a reader of the monetizer alone is not") func changes() async throws {
    let stage = try await Stage("heatlab")
    // The owner has followed the current snapshot.
    await stage.settle()
    let snapshot = Reader { _ = stage.model.snapshot }
    let monetizer = Reader { _ = stage.model.monetizer }
    await stage.settle()
    #expect(snapshot.changes == 0)
    _ = try await stage.device.buyOnTheStore(PurchaseRequest("com.heatlab.pro.monthly"))
    await stage.settle()
    #expect(stage.model.snapshot.allows("aiInsights"))
    // Once for each reading: SwiftUI reads again when it draws.
    #expect(snapshot.changes == 1 && monetizer.changes == 0)
  }
}

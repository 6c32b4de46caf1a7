// SPDX-License-Identifier: Apache-2.0
import Foundation
import Stages
import Testing

/// Shows that the tests fail with the code of the document: each law runs with both.
@Suite("The document's own code violates these laws", .timeLimit(.minutes(30)))
struct SeedCodeTests {
  struct Law: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let holds: @Sendable (any MonthlyApp) async throws -> Bool
  }

  private static let day: TimeInterval = 86400

  static let laws: [Law] = [
    Law(testDescription: "DEF-S7, XC-04: a hundred taps at once make three stories") { app in await app.makeAtOnce(100) == 3 },
    Law(testDescription: "DEF-S12, DEF-S13, MAGIC-25: the month turns although no task was run while the app was shut") { app in
      _ = await app.makeAtOnce(3)
      return try await app.relaunch(at: Stage.start + 40 * day).left == 3
    },
    Law(testDescription: "DEF-S14, MAGIC-26: a clock that goes forth and back refills once") { app in
      _ = await app.makeAtOnce(3)
      var made = 0
      for _ in 0..<3 {
        app.set(Stage.start + 32 * day)
        made += await app.makeAtOnce(3)
        app.set(Stage.start)
        made += await app.makeAtOnce(3)
      }
      return made <= 3
    },
    Law(testDescription: "DEF-S15, XC-08: after a refund while the app was away the next launch is not Premium") { app in
      try await app.subscribe()
      try await app.refundWhileAway()
      return try await !app.relaunch(at: nil).isPremium
    },
    Law(testDescription: "DEF-S2, XC-02: who is in the grace period is Premium") { app in
      try await app.subscribe()
      try await app.paymentFails()
      return app.isPremium
    },
    Law(testDescription: "DEF-S3, DEF-H1, XC-03: who pays is not shown the lock before the store has answered") { app in
      try await app.subscribe()
      return try await !app.isLockedAtLaunch
    },
  ]

  @Test("The app fulfils it", arguments: laws) func kept(_ law: Law) async throws { #expect(try await law.holds(OurMagic.launch())) }

  @Test("The document's code violates it", arguments: laws) func broken(_ law: Law) async throws {
    #expect(try await !law.holds(SeedMagic()))
  }

  @Test("The document's code works in ordinary cases") func ordinary() async throws {
    for app in [SeedMagic() as any MonthlyApp, try await OurMagic.launch()] {
      var left: [Int] = []
      for _ in 0..<4 {
        left.append(app.left)
        _ = await app.makeAtOnce(1)
      }
      #expect(left == [3, 2, 1, 0])
      try await app.subscribe()
      #expect(app.isPremium)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import Testing

/// Shows that the tests fail with the code of the plan: each law runs with both.
@Suite("The plan's own code violates these laws", .timeLimit(.minutes(30)))
struct SeedCodeTests {
  struct Law: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let holds: @Sendable (any StoryApp) async throws -> Bool
  }

  static let laws: [Law] = [
    Law(testDescription: "DEF-D1: after a refund while the app was away the next launch is not unlimited") { app in
      try await app.pay()
      try await app.refund()
      return try await !app.relaunch().isUnlimited
    },
    Law(testDescription: "DEF-D2, DEF-D3: a refund while the app runs takes the purchase back at once") { app in
      try await app.pay()
      try await app.refund()
      return await !app.isUnlimited
    },
    Law(testDescription: "DEF-D4: two screens make two stories") { app in
      let other = try await app.secondScreen()
      var made = 0
      for (index, screen) in [app, other, app, other].enumerated() where await screen.makes("\(index)", fails: false) { made += 1 }
      return made == 2
    },
    Law(testDescription: "DEF-D6: a generation that fails costs nothing") { app in
      for index in 0..<2 { _ = await app.makes("\(index)", fails: true) }
      return await app.makes("2", fails: false)
    },
    Law(testDescription: "DEF-D7, DEF-D12: three taps at once with one left make one story") { app in
      _ = await app.makes("first", fails: false)
      return await app.makeAtOnce(3) == 1
    },
    Law(testDescription: "DEF-D8: a reinstallation brings no stories") { app in
      for index in 0..<2 { _ = await app.makes("\(index)", fails: false) }
      return try await !app.reinstall().makes("2", fails: false)
    },
    Law(testDescription: "DEF-D13: a story that is asked for twice counts once") { app in
      for _ in 0..<2 { _ = await app.makes("bear", fails: false) }
      return await app.makes("wolf", fails: false)
    },
  ]

  @Test("The app fulfils it", arguments: laws) func kept(_ law: Law) async throws { #expect(try await law.holds(App.launch())) }

  @Test("The plan's code violates it", arguments: laws) func broken(_ law: Law) async throws {
    #expect(try await !law.holds(SeedApp()))
  }

  @Test("The plan's code works in ordinary cases") func ordinary() async throws {
    for app in [SeedApp() as any StoryApp, try await App.launch()] {
      var made: [Bool] = []
      for index in 0..<3 { made.append(await app.makes("\(index)", fails: false)) }
      #expect(made == [true, true, false])
      try await app.pay()
      #expect(await app.isUnlimited)
      #expect(await app.makes("3", fails: false))
      #expect(try await app.relaunch().isUnlimited)
    }
  }
}

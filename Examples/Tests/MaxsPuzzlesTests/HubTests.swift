// SPDX-License-Identifier: Apache-2.0
import Foundation
import MaxsPuzzles
import Monetize
import MonetizeSimulator
import Testing

@Suite(.timeLimit(.minutes(30)))
struct HubTests {
  @Test("PUZZ-02, PUZZ-03: the hub has one module with eight features of the first version") func modules() async throws {
    let modules = try await App.launch().hub.modules
    #expect(modules.map(\.id) == ["circuit-challenge"] && modules.map(\.title) == ["Circuit Challenge"])
    #expect(
      modules.first?.features.map(\.rawValue)
        == ["quickPlay", "presets", "hiddenMode", "lives", "reset", "print", "puzzleMaker", "timer"].map { "circuit-challenge.\($0)" })
    #expect(try await App.launch(releases: ["v1", "v2"]).hub.modules.first?.features.count == 11)
  }

  @Test("PUZZ-03, PUZZ-30: thirteen features have the first version as their release; the app's own floor is recorded") func firstVersion()
    throws
  {
    let catalog = try Catalog(contentsOf: App.url)
    #expect(catalog.features.filter { $0.release == "v1" }.count == 13)
    #expect(catalog.features.allSatisfy { $0.release != nil })
    #expect(catalog.app.minimumOS == "16.0")
  }

  @Test("PUZZ-02: another module is a change of the file; a feature of an unknown module is an error") func another() async throws {
    let text = try String(contentsOf: App.url, encoding: .utf8)
    let memory = text.replacingOccurrences(
      of: #""title": "Circuit Challenge" }"#, with: #""title": "Circuit Challenge" }, { "id": "memory" }"#
    )
    .replacingOccurrences(of: #""guest":           {"#, with: #""memory.quickPlay": { "release": "v1" }, "guest":           {"#)
    .replacingOccurrences(of: #""guest": true"#, with: #""memory.quickPlay": true, "guest": true"#)
    let hub = Hub(try Catalog(json: Data(memory.utf8))) { $0.startsByItself = false }
    #expect(hub.modules.map(\.id) == ["circuit-challenge", "memory"])
    #expect(hub.modules.last?.features == ["memory.quickPlay"])
    #expect(hub.seat(for: .guest).may("memory.quickPlay"))
    let unknown = memory.replacingOccurrences(of: "memory.quickPlay", with: "memroy.quickPlay")
    let error = try #require(throws: CatalogError.self) { try Catalog(json: Data(unknown.utf8)) }
    #expect(error.diagnostics.map(\.code).contains("unknown-module"))
  }

  @Test("PUZZ-17, DEF-P7: only a parent gets the dashboard, not a child with a PIN and not a guest") func dashboard() async throws {
    let app = try await App.launch(releases: ["v1", "v2", "v3"])
    _ = try ParentDashboard(app.hub, for: .parent("mum"))
    for player in [Player.child("max"), .guest, .demo] {
      let error = #expect(throws: AccessDenied.self) { try ParentDashboard(app.hub, for: player) }
      #expect(error?.decision.reason == .requiresParent)
    }
  }

  @Test("PUZZ-22, PUZZ-24: a parent sees each child's levels, time and coins, and nothing of the demo") func children() async throws {
    let app = try await App.launch(releases: ["v1", "v2", "v3"])
    let dashboard = try ParentDashboard(app.hub, for: .parent("mum"))
    await dashboard.limit("max", minutesPerDay: 30)
    await app.seat().solve(LevelID.all[1])
    await app.seat().solve(LevelID.all[0])
    _ = await app.seat().played(seconds: 90)
    var tally = CoinTally()
    tally.add(5)
    await app.seat().finish(puzzle: "1", tally)
    await app.seat(.demo).finish(puzzle: "2", tally)
    let max = dashboard.child("max")
    #expect(max.solved == Array(LevelID.all[0...1]) && max.secondsToday == 90 && max.coins == 5)
    let mia = dashboard.child("mia")
    #expect(mia.solved.isEmpty && mia.coins == 0)
  }

  @Test("PUZZ-19: ten games of a demo cause no write, no event, and no use") func demo() async throws {
    let app = try await App.launch(releases: ["v1", "v2", "v3"])
    _ = await app.seat().played(seconds: 60)
    let (disk, events, state) = (app.storage.load(), app.log.events.count, app.hub.monetizer.state)
    let seat = app.seat(.demo)
    var tally = CoinTally()
    tally.add(10)
    for game in 0..<10 {
      #expect(seat.may(.circuitChallenge("quickPlay")) && seat.may("parentDemo"))
      #expect(await seat.played(seconds: 600))
      await seat.finish(puzzle: "\(game)", tally)
      await seat.solve(LevelID.all[game])
    }
    #expect(app.storage.load() == disk && app.log.events.count == events && app.hub.monetizer.state == state)
    #expect(seat.coins == 0)
  }

  @Test("Fifty changes of a guest are on this device only") func guest() async throws {
    let app = try await App.launch(releases: ["v1", "v2", "v3"])
    let seat = app.seat(.guest)
    for change in 0..<50 { #expect(await seat.played(seconds: 1 + change)) }
    for level in LevelID.all { await seat.solve(level) }
    let again = try await app.restart(releases: ["v1", "v2", "v3"])
    #expect(again.seat(.guest).state(of: LevelID.all[29]) == .solved)
    #expect(app.log.events.allSatisfy { $0.product == nil })
  }
}

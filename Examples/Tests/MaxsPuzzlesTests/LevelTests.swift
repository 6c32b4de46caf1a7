// SPDX-License-Identifier: Apache-2.0
import Foundation
import MaxsPuzzles
import Monetize
import Testing

@Suite(.timeLimit(.minutes(30)))
struct LevelTests {
  static let v2 = ["v1", "v2"]

  @Test("PUZZ-07: 1-A to 10-C are 30 levels, in numeric order, and those of the catalog") func thirty() throws {
    #expect(LevelID.all.count == 30 && Set(LevelID.all).count == 30)
    let order = try ["1-A", "1-B", "1-C", "2-A", "10-A"].map { try #require(LevelID($0)) }
    #expect(order == order.shuffled().sorted())
    #expect(LevelID.all == LevelID.all.shuffled().sorted())
    let catalog = try Catalog(contentsOf: App.url)
    #expect(catalog.collection("levels")?.paths == LevelID.all.map(\.path))
    #expect(LevelID.all.allSatisfy { LevelID($0.description) == $0 })
  }

  @Test(
    "PUZZ-07: other names are not levels",
    arguments: ["0-A", "1-D", "11-A", "1a", "1-a", "A-1", "01-A", "1-A ", " 1-A", "1-", "-A", "", "1–A"])
  func rejected(_ name: String) { #expect(LevelID(name) == nil) }

  @Test("PUZZ-04: ten presets and a custom one; there is no eleventh") func presets() async throws {
    let seat = try await App.launch().seat()
    for number in 1...10 { #expect(seat.may(.level(number))) }
    #expect(seat.may(.custom))
    #expect(!seat.may(.level(11)) && !seat.may(.level(0)))
  }

  @Test("PUZZ-05, DEF-P6: before release v2 levels are not out: neither locked nor for sale") func notOut() async throws {
    let app = try await App.launch()
    #expect(LevelID.all.allSatisfy { app.seat().state(of: $0) == .notOut })
    let decision = app.hub.monetizer.decision(for: "circuit-challenge.progressionLevels")
    #expect(decision.reason == .notAvailable && decision.placement == nil && !decision.buyingHelps)
  }

  @Test("PUZZ-08, PUZZ-24: a level opens after the previous one, for each child separately") func progress() async throws {
    let app = try await App.launch(releases: Self.v2)
    let levels = LevelID.all
    #expect(app.seat().state(of: levels[0]) == .open)
    #expect(app.seat().state(of: levels[1]) == .after(levels[0]))
    await app.seat().solve(levels[0])
    #expect(app.seat().state(of: levels[0]) == .solved)
    #expect(app.seat().state(of: levels[1]) == .open)
    #expect(app.seat(.child("mia")).state(of: levels[1]) == .after(levels[0]))
    let restarted = try await app.restart(releases: Self.v2)
    #expect(restarted.seat().state(of: levels[1]) == .open)
  }

  @Test("DEF-P3: a level completed without a date is completed, and no date is not an earlier date") func noDate() {
    let (none, dated) = (Completion(item: "levels/1-A"), Completion(item: "levels/1-A", date: Date(timeIntervalSince1970: 0)))
    #expect(none.merged(with: dated) == dated && dated.merged(with: none) == dated && none.merged(with: none) == none)
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import MaxsPuzzles
import Monetize
import MonetizeSimulator
import Synchronization
import Testing

/// Parents, children, guests, and the storage of their records.
@Suite("Families of the puzzle hub", .timeLimit(.minutes(30)))
struct FamilyTests {
  private func visit(_ app: App, _ player: Player, minutes: Int) async {
    let began = app.clock.now
    var session = PlaySession(module: "circuit-challenge", at: began)
    for minute in 1...minutes {
      session.act(at: began + TimeInterval(minute * 60))
      await app.seat(player).save(session)
    }
    app.clock.advance(by: TimeInterval(minutes * 60 + 600))
  }

  @Test("PUZZ-22: a parent sees each child's visits and sums, which match the raw records; guests and demos have none")
  func history() async throws {
    let app = try await App.launch(releases: ["v1", "v2", "v3"])
    await visit(app, .child("max"), minutes: 5)
    await visit(app, .guest, minutes: 9)
    await visit(app, .child("mia"), minutes: 3)
    await visit(app, .demo, minutes: 9)
    await visit(app, .parent("mum"), minutes: 9)
    await visit(app, .child("max"), minutes: 7)
    let dashboard = try ParentDashboard(app.hub, for: .parent("mum"))
    #expect(dashboard.history("max").map(\.seconds) == [420, 300])
    #expect(dashboard.sums("max") == (2, 720) && dashboard.sums("mia") == (1, 180))
    let raw = app.hub.monetizer.state.facts(of: PlayRecord.self)
    #expect(raw.count == 3 && raw.reduce(0) { $0 + $1.seconds } == 900)
    // The visit also exists on another device, and after a relaunch.
    let again = try await app.restart(releases: ["v1", "v2", "v3"])
    await again.hub.monetizer.merge(app.hub.monetizer.sharedFacts)
    #expect(try ParentDashboard(again.hub, for: .parent("mum")).sums("max") == (2, 720))
  }

  @Test("PUZZ-16, PUZZ-32: a guest plays, a parent assigns the records to a child; two devices of the family agree") func signIn()
    async throws
  {
    let releases = ["v1", "v2", "v3"]
    let (server, places) = (SimulatedSyncServer(), MemoryPlaces().places)
    let app = try await App.launch(releases: releases)
    var tally = CoinTally()
    tally.add(30)
    await app.seat(.guest).finish(puzzle: "1", tally)
    await app.seat(.guest).solve(LevelID.all[0])
    let family = try await app.hub.monetizer.handOver(
      to: "family", policy: .transfer, heir: .child("max"), storage: places.durable("family"))
    await Synchronizer(family, over: server.transport("family")).sync()

    let tablet = try await App.launch(releases: releases).hub.monetizer.handOver(to: "family", storage: MemoryStorage())
    await tablet.as(.child("max")).earn(5, for: "puzzle:2")
    let sync = Synchronizer(tablet, over: server.transport("family"))
    #expect(await sync.sync().error == nil)
    #expect(tablet.as(.child("max")).coins == 35 && tablet.as(.child("mia")).coins == 0)
    #expect(tablet.as(.child("max")).isCompleted(LevelID.all[0].path))
    #expect(app.seat(.guest).coins == 0)
  }

  @Test("PUZZ-26: the readers and writers of the server's tables", arguments: HubTable.allCases) func tables(table: HubTable) {
    typealias Party = RowScope.Party
    let (parent, max, mia) = (
      Party(family: "a", member: .parent("mum")), Party(family: "a", member: .child("max")), Party(family: "a", member: .child("mia"))
    )
    let stranger = Party(family: "b", member: .parent("dad"))
    func may(_ action: RowScope.Action) -> [Bool] { [max, parent, mia, stranger].map { table.scope.allows(action, rowOf: max, by: $0) } }
    let (read, write): ([Bool], [Bool]) =
      switch table {
      case .avatarItems: ([true, true, true, true], [false, false, false, false])
      case .progressionLevels: ([true, true, false, false], [false, false, false, false])
      case .avatarConfigs, .moduleProgress, .userSettings: ([true, false, false, false], [true, false, false, false])
      }
    #expect(may(.read) == read && may(.write) == write)
  }

  @Test("PUZZ-23: a session is secret, and neither a preference nor a record; each owner's facts are stored separately")
  func places() throws {
    let places = MemoryPlaces().places
    let token = SessionToken("secret-4711")
    try places.secure.keep(token)
    #expect(try places.secure.session()?.reveal { $0 } == "secret-4711")
    // `preferences.set("x", to: token)` does not compile; nor does encoding it.
    #expect(!((token as Any) is any PreferenceValue) && !((token as Any) is any Encodable))
    #expect(!"\(token) \(String(reflecting: token)) \(Mirror(reflecting: token).children.map(\.value))".contains("4711"))
    var dumped = ""
    dump(token, to: &dumped)
    #expect(!dumped.contains("4711"))
    places.preferences.set("sound", to: true)
    #expect(places.preferences.value("sound", as: Bool.self) == true && places.preferences.value("sound", as: Int.self) == nil)
    try places.durable(nil).append(Data("[]".utf8))
    #expect(try places.durable("family").load().records.isEmpty && places.durable(nil).load().records.count == 1)
    try places.secure.keep(nil)
    #expect(try places.secure.session() == nil)
  }
}

/// All storage in memory.
final class MemoryPlaces: SecretPlace, PreferencePlace {
  private let token = Mutex<SessionToken?>(nil)
  private let values = Mutex<[String: any PreferenceValue]>([:])
  private let storages = Mutex<[String: MemoryStorage]>([:])

  var places: Places {
    Places(secure: self, preferences: self) { account in
      self.storages.withLock { storages in
        let storage = storages[account ?? ""] ?? MemoryStorage()
        storages[account ?? ""] = storage
        return storage
      }
    }
  }
  func session() -> SessionToken? { token.withLock { $0 } }
  func keep(_ session: SessionToken?) { token.withLock { $0 = session } }
  func value<Value: PreferenceValue>(_ name: String, as type: Value.Type) -> Value? { values.withLock { $0[name] as? Value } }
  func set(_ name: String, to value: (any PreferenceValue)?) { values.withLock { $0[name] = value } }
}

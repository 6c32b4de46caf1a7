// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeTesting
import Testing

@testable import MaxsPuzzles

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The nine endpoints, against a small server in this process.
@Suite("The family server", .timeLimit(.minutes(30)))
struct HubServerTests {
  /// A family with a parent's session, and children with PINs.
  actor FamilyServer {
    private(set) var calls: [String] = []
    private var children: [(id: String, name: String, pin: String)] = []
    private var records: [SyncRecord] = []
    private var sessions = ["parent": Member.parent("mum")]
    var isDown = false
    func setDown(_ isDown: Bool) { self.isDown = isDown }

    nonisolated var send: HubServer.Send { { try await self.answer($0) } }

    private static func json(_ value: some Encodable, _ status: Int = 200) throws -> (Data, Int) {
      (try JSONEncoder().encode(value), status)
    }
    private static func body<Body: Decodable>(_ request: URLRequest, as: Body.Type) throws -> Body {
      try JSONDecoder().decode(Body.self, from: request.httpBody ?? Data())
    }

    private func answer(_ request: URLRequest) throws -> (Data, Int) {
      if isDown { throw URLError(.notConnectedToInternet) }
      let path = request.url?.pathComponents.dropFirst(2) ?? []
      let route = ([request.httpMethod ?? ""] + path).joined(separator: " ")
      calls.append(route)
      let token = request.value(forHTTPHeaderField: "Authorization")?.replacingOccurrences(of: "Bearer ", with: "") ?? ""
      if route == "POST auth child-login" {
        let login = try Self.body(request, as: HubServer.Login.self)
        guard children.contains(where: { $0.id == login.child && $0.pin == login.pin }) else { return (Data(), 401) }
        sessions["token-\(login.child)"] = .child(login.child)
        return try Self.json(HubServer.Token(token: "token-\(login.child)"))
      }
      guard let member = sessions[token] else { return (Data(), 401) }
      let isForParents = path.first == "parent" || path.first == "family" || route == "POST auth transfer-guest"
      if isForParents, member.role != .parent { return (Data(), 403) }
      return try answer(request, Array(path), member)
    }

    private func answer(_ request: URLRequest, _ path: [String], _ member: Member) throws -> (Data, Int) {
      switch (request.httpMethod, path.first, path.count) {
      case ("POST", "family", 2):
        let change = try Self.body(request, as: HubServer.Change.self)
        children.append((id: "child/\(children.count)", name: change.name ?? "", pin: change.pin ?? ""))
        return try list(children.count - 1)
      case ("PATCH", "family", 3):
        let change = try Self.body(request, as: HubServer.Change.self)
        guard let index = children.firstIndex(where: { $0.id == path[2] }) else { return (Data(), 404) }
        (children[index].name, children[index].pin) = (change.name ?? children[index].name, change.pin ?? children[index].pin)
        return try list(index)
      case ("GET", "parent", 2): return try Self.json(children.map { HubServer.Child(id: $0.id, name: $0.name) })
      case ("GET", "parent", 4): return try Self.json(stats(path[2]))
      case ("POST", "auth", 2), ("POST", "progress", 4), ("POST", "activity", 2), ("POST", "sync", 1):
        return try Self.json(take(Self.body(request, as: HubServer.Batch.self), member))
      default: return (Data(), 404)
      }
    }

    private func list(_ index: Int) throws -> (Data, Int) {
      try Self.json(HubServer.Child(id: children[index].id, name: children[index].name))
    }

    private func take(_ batch: HubServer.Batch, _ member: Member) -> HubServer.Taken {
      var taken = HubServer.Taken()
      let scope = RowScope(read: .ownAndChildren, write: .ownAndChildren)
      for record in batch.records {
        let asker = RowScope.Party(family: "a", member: member)
        if !scope.allows(.write, fact: record.fact(.standard.adding(PlayRecord.self)), of: "a", by: asker) {
          taken.refused[record.id] = "This row is somebody else's."
        } else if !records.contains(where: { $0.id == record.id }) {
          records.append(record)
        }
      }
      if let cursor = batch.cursor {
        taken.records = Array(records.dropFirst(Int(cursor) ?? 0).prefix(40))
        let end = (Int(cursor) ?? 0) + taken.records.count
        (taken.cursor, taken.isLast) = (String(end), end == records.count)
      }
      return taken
    }

    private func stats(_ child: String) -> HubServer.Stats {
      let facts = records.compactMap { $0.fact(.standard.adding(PlayRecord.self)) }
      let visits = CustomerState(facts).facts(of: PlayRecord.self).filter { $0.child == child }
      let solved = CustomerState(facts).facts.filter { $0.name == "completion" && $0.subject?.rawValue == child }.count
      return HubServer.Stats(visits: visits.count, seconds: visits.reduce(0) { $0 + $1.seconds }, solved: solved)
    }
  }

  private static let noon = Date(timeIntervalSince1970: 1_772_366_400)
  private func hub(_ server: FamilyServer, _ session: SessionToken? = SessionToken("parent")) throws -> HubServer {
    HubServer(try #require(URL(string: "https://family.example/v1")), session: session, send: server.send)
  }
  private static func record(_ fact: Fact) throws -> SyncRecord { try #require(SyncRecord(fact, at: noon)) }

  @Test("PUZZ-25, PUZZ-18: nine endpoints: children with PINs, a guest's transfer, levels, visits, sync, the parent's views")
  func endpoints()
    async throws
  {
    let server = FamilyServer()
    let parent = try hub(server)
    let max = try await parent.addChild(named: "Max", pin: "1111")
    let mia = try await parent.addChild(named: "Mia", pin: "2222")
    _ = try await parent.update(max.id, pin: "3333")
    await #expect(throws: SyncError.self) { try await parent.logIn(child: max.id, pin: "1111") }
    let token = try await hub(server, nil).logIn(child: max.id, pin: "3333")
    let child = try hub(server, token)
    #expect(try await parent.children().map(\.name) == ["Max", "Mia"])

    let guest = try Self.record(.wallet(WalletEntry(id: "puzzle:1", subject: SubjectID(max.id), earned: 30)))
    for _ in 0..<2 { #expect(try await parent.transfer("install-1", to: max.id, [guest]).isEmpty) }
    let level = LevelID.all[0]
    let solved = try Self.record(.completion(Completion(item: level.path, subject: SubjectID(max.id), date: Self.noon)))
    #expect(try await child.complete(level, in: "circuit-challenge", [solved]).isEmpty)
    var session = PlaySession(module: "circuit-challenge", at: Self.noon)
    session.act(at: Self.noon + 90)
    let visit = try Self.record(.custom(#require(PlayRecord(session, by: .child(max.id)))))
    for _ in 0..<2 { #expect(try await child.log(visit).isEmpty) }
    #expect(try await parent.stats(max.id) == HubServer.Stats(visits: 1, seconds: 90, solved: 1))
    #expect(try await parent.stats(mia.id) == HubServer.Stats(visits: 0, seconds: 0, solved: 0))
    // A child can reach neither the parent's views nor another child's row.
    for call in [{ _ = try await child.children() }, { _ = try await child.addChild(named: "x", pin: "") }] as [() async throws -> Void] {
      await #expect(throws: SyncError(.notSignedIn, "The server does not allow this session to do that. Sign in again.")) {
        try await call()
      }
    }
    let foreign = try Self.record(.wallet(WalletEntry(id: "x", subject: SubjectID(mia.id), earned: 9)))
    #expect(try await child.push([foreign, guest]).keys.sorted() == [foreign.id])
    // Nor decide for the family: lift its own limit, remove a sibling, give access.
    let revision = Revision(Self.noon)
    let decisions = try [
      Fact.cap(Cap(feature: .playTime, subject: SubjectID(max.id), amount: nil, revision: revision)),
      .child(FamilyChild(id: SubjectID(mia.id), name: "", isRemoved: true, revision: revision)),
      .grant(ComplimentaryGrant(id: "g", entitlements: [], from: Self.noon)),
    ].map(Self.record)
    #expect(try await child.push(decisions).count == 3)
    #expect(try await child.pull(after: nil).records.count == 3)
    #expect(try await parent.push(decisions).isEmpty)
    let routes = Set(
      await server.calls.map { $0.replacingOccurrences(of: max.id, with: ":id").replacingOccurrences(of: mia.id, with: ":id") })
    #expect(routes.count == 9, "\(routes.sorted())")
  }

  @Test("The transport's kit passes over HTTP, and devices of a family agree; an unreachable server loses nothing") func transport()
    async throws
  {
    let server = FamilyServer()
    let parent = try hub(server)
    let report = await SyncTransportKit { parent }.run()
    #expect(report.passed, "\(report)")
    let catalog = try Catalog(contentsOf: App.url)
    func device(_ name: SourceID) -> Monetizer {
      Hub(catalog) { ($0.source, $0.account, $0.startsByItself) = (name, "family", false) }.monetizer
    }
    let family = FamilyServer()
    let (phone, tablet) = (device("phone"), device("tablet"))
    let (first, second) = (Synchronizer(phone, over: try hub(family)), Synchronizer(tablet, over: try hub(family)))
    await family.setDown(true)
    await phone.as(.child("max")).earn(30, for: "puzzle:1")
    #expect(await first.sync().error?.code == .unreachable)
    await family.setDown(false)
    #expect(await first.sync().sent == 1)
    #expect(await second.sync().received == 1)
    #expect(tablet.as(.child("max")).coins == 30)
  }

  @Test("Without an answer, the system's session reports it") func nobody() async throws {
    let server = HubServer(try #require(URL(string: "http://127.0.0.1:9")), session: nil)
    await #expect(throws: SyncError(.unreachable, "The server did not answer. Try again with a connection.")) {
      try await server.children()
    }
  }
}

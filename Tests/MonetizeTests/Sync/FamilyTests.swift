// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeSimulator
import Testing

@testable import Monetize

/// Children of an account.
@Suite("Families", .timeLimit(.minutes(30)))
struct FamilyTests {
  private func device(_ name: SourceID, _ storage: any StateStorage = .memory, _ time: TestTime = TestTime()) throws -> Monetizer {
    try TestShop.monetizer(storage: storage, time: time) { ($0.source, $0.account) = (name, "ann") }
  }

  @Test("PUZZ-18: children are added, renamed and removed; each keeps its own records, and purchases belong to the family")
  func children() async throws {
    let (storage, time) = (MemoryStorage(), TestTime())
    let phone = try device("phone", storage, time)
    let (max, mia) = (await phone.addChild(named: "Max"), await phone.addChild(named: "Mia"))
    let second = await phone.addChild(named: "Max")
    #expect(phone.children.map(\.name) == ["Max", "Max", "Mia"] && second.id != max.id)
    try await phone.as(max.member).spend("trial", count: 2)
    await phone.as(max.member).earn(30, for: "a")
    await phone.as(max.member).complete("none/1")
    await phone.as(max.member).limit("story", to: .count(1))
    await phone.as(mia.member).earn(7, for: "a")
    await phone.receive(.transaction(SignedTransaction(TestShop.transaction())))
    await phone.rename(max.id, to: "Maximilian")
    #expect(phone.children.contains { $0.name == "Maximilian" && $0.id == max.id } && phone.as(max.member).coins == 30)

    await phone.removeChild(max.id)
    #expect(phone.children.map(\.name) == ["Max", "Mia"])
    #expect(!phone.state.facts.contains { $0.subject == max.id } && phone.as(max.member).coins == 0)
    #expect(phone.as(mia.member).coins == 7 && phone.allows("extra") && phone.as(mia.member).allows("extra"))
    // Nor does a late record restore it: a rename, a device without the news, a use of the child itself, a relaunch.
    await phone.rename(max.id, to: "Max")
    await phone.as(max.member).earn(5, for: "b")
    await phone.merge([.wallet(WalletEntry(id: "c", subject: max.id, source: "watch", earned: 9))])
    #expect(phone.as(max.member).coins == 0 && phone.children.count == 2)
    let again = try device("phone", storage, time)
    #expect(again.children == phone.children && !again.state.facts.contains { $0.subject == max.id })
    await phone.removeChild("nobody")
  }

  @Test("A child that one device removed while another played is removed on both, in any order of arrival") func elsewhere() async throws {
    let server = SimulatedSyncServer()
    let (phone, tablet) = (try device("phone"), try device("tablet"))
    let (first, second) = (Synchronizer(phone, over: server.transport("ann")), Synchronizer(tablet, over: server.transport("ann")))
    let max = await phone.addChild(named: "Max")
    await first.sync()
    await second.sync()
    #expect(tablet.children == [max])
    await phone.removeChild(max.id)
    await tablet.as(max.member).earn(30, for: "a")
    for sync in [second, first, second, first] { #expect(await sync.sync().error == nil) }
    for monetizer in [phone, tablet] {
      #expect(monetizer.children.isEmpty && monetizer.as(max.member).coins == 0)
      #expect(!monetizer.state.facts.contains { $0.subject == max.id })
    }
    for sync in [first, second] { #expect(await sync.queue.isEmpty) }
  }

  @Test("A member who was never added, but has records, is removed as well; the customer is not, nor anybody without records")
  func neverAdded() async throws {
    let (storage, max) = (MemoryStorage(), Member.child("max"))
    let phone = try device("phone", storage)
    try await phone.spend("trial")
    try await phone.as(max).spend("trial")
    await phone.as(max).earn(30, for: "a")
    for id in [.customer, .everyone, "nobody"] as [SubjectID] { await phone.removeChild(id) }
    #expect(phone.state.children.isEmpty && phone.decision(for: "trial").used == 1 && phone.as(max).coins == 30)
    await phone.removeChild("max")
    await phone.as(max).earn(5, for: "b")
    for monetizer in [phone, try device("phone", storage)] {
      #expect(!monetizer.state.facts.contains { $0.subject == "max" } && monetizer.as(max).coins == 0 && monetizer.children.isEmpty)
      #expect(monetizer.decision(for: "trial").used == 1)
    }
  }

  @Test("The outbox of a device that removed a child, or heard of it, keeps nothing of the child but the removal") func outboxes()
    async throws
  {
    let (server, outboxes) = (SimulatedSyncServer(), [MemoryStorage(), MemoryStorage()])
    let devices = [try device("phone"), try device("tablet")]
    let syncs = zip(devices, outboxes).map { Synchronizer($0, over: server.transport("ann"), outbox: $1) }
    // A record to send has its fact in base 64.
    func text(_ outbox: MemoryStorage) -> String {
      let text = outbox.load().records.map { String(decoding: $0, as: UTF8.self) }.joined().replacingOccurrences(of: "\\/", with: "/")
      let payloads = text.split(separator: "\"").compactMap { Data(base64Encoded: String($0)) }
      return ([text] + payloads.map { String(decoding: $0, as: UTF8.self) }).joined()
    }
    let max = await devices[0].addChild(named: "Maximilian")
    await devices[0].as(max.member).earn(30, for: "first puzzle")
    // Dated ahead, so it is kept until that date is near.
    let later = Cap(feature: "story", subject: max.id, amount: "77777", revision: Revision(devices[0].now + 30 * 86400))
    let unknown = SyncRecord(id: "medal-1", type: "medal", payload: Data("{\"medal\":{}}".utf8), createdAt: devices[0].now)
    _ = try await server.transport("ann").push([#require(SyncRecord(.cap(later), at: devices[0].now)), unknown])
    for sync in syncs { await sync.sync() }
    #expect(outboxes.allSatisfy { text($0).contains("Maximilian") && text($0).contains("first puzzle") && text($0).contains("77777") })
    let mia = await devices[0].addChild(named: "Mia Marie")
    #expect(await syncs[0].queue.count == 1)
    await devices[0].removeChild(mia.id)
    #expect(await syncs[0].queue.count == 1 && !text(outboxes[0]).contains("Mia"), "her name was not sent yet")
    await devices[1].as(max.member).earn(5, for: "second puzzle")
    await devices[0].removeChild(max.id)
    for sync in syncs + syncs { #expect(await sync.sync().error == nil) }
    #expect(outboxes.allSatisfy { !text($0).contains("Maximilian") && !text($0).contains("puzzle") && text($0).contains("isRemoved") })
    #expect(outboxes.allSatisfy { !text($0).contains("77777") && text($0).contains("medal-1") })
  }

  @Test("PUZZ-19: a demo leaves the state and its file unchanged, byte for byte") func demo() async throws {
    let storage = MemoryStorage()
    let phone = try device("phone", storage)
    await phone.as(.child("max")).earn(3, for: "a")
    let (state, bytes) = (phone.state, storage.load())
    let demo = phone.as(.demo)
    _ = try? await demo.spend("trial")
    await demo.earn(5, for: "x")
    await demo.complete("none/1")
    await demo.limit("story", to: .count(1))
    await demo.saveProgress(["stars": 1], in: "m")
    _ = try? await demo.withSpending("story") { 1 }
    await phone.written()
    #expect(phone.state == state && storage.load() == bytes)
  }
}

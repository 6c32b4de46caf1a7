// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize

/// Changes of facts of which the later revision wins.
@Suite("Revisions", .timeLimit(.minutes(30)))
struct RevisionTests {
  private static let start = RandomFacts.start

  /// What another device may have dated, by any clock within the tolerance and with any number.
  private static let known: [Revision] = [22 * 3600, 1, 0, -86400].flatMap { seconds in
    [0, 7, Int.max].map { Revision(start + seconds, sequence: $0) }
  }

  @Test("A change by someone who knows the earlier one wins over it, whichever clock dated that one", arguments: known)
  func knownIsReplaced(_ known: Revision) async throws {
    let (storage, max) = (MemoryStorage(), Member.child("max"))
    let phone = try TestShop.monetizer(storage: storage)
    let gift = ComplimentaryGrant(id: "g", entitlements: ["extra"], from: Self.start - 1, revision: known)
    await phone.merge([
      .cap(Cap(feature: "story", subject: "max", amount: "0", revision: known)), .grant(gift),
      .child(FamilyChild(id: "max", name: "Max", revision: known)),
    ])
    func isRevoked(_ monetizer: Monetizer) -> Bool? { monetizer.state.grants["g"]?.isRevoked }
    #expect(!phone.as(max).allows("story") && isRevoked(phone) == false)
    await phone.as(max).limit("story", to: nil)
    #expect(phone.as(max).allows("story"))
    await phone.as(max).limit("story", to: .count(.max))
    #expect(phone.as(max).allows("story"), "no limit is tighter than the largest amount")
    await phone.as(max).limit("story", to: .count(1))
    #expect(phone.as(max).decision(for: "story").remaining == 1)
    await phone.takeBack(gift: "g")
    #expect(isRevoked(phone) == true)
    await phone.give(["extra"], id: "g")
    #expect(isRevoked(phone) == false)
    await phone.rename("max", to: "Maximilian")
    let again = try TestShop.monetizer(storage: storage)
    for monetizer in [phone, again] { #expect(monetizer.children.map(\.name) == ["Maximilian"] && isRevoked(monetizer) == false) }
    #expect(again.as(max).decision(for: "story").remaining == 1)
    await phone.removeChild("max")
    #expect(phone.children.isEmpty && phone.as(max).decision(for: "story").remaining == 3)
  }

  @Test("A number that is the highest already, from a damaged file or a broken server, stops no verb") func highest() async throws {
    let (storage, time) = (MemoryStorage(), TestTime())
    var plan = TestShop.transaction("2", "month")
    plan.revision = Revision(Self.start, sequence: .max)
    let facts: [Fact] = [
      .transaction(plan), .answer(AnswerSeen(number: .max, asOf: Self.start, environment: .production)),
      .pending(
        PendingPurchase(productID: "pack", since: Self.start, lapses: .distantFuture, revision: Revision(Self.start, sequence: .max))),
      .use(
        Use(key: "k", feature: "trial", date: Self.start, day: 20_513, zone: "UTC", status: .reserved, run: "ended", attempt: .max)),
    ]
    storage.append(try Journal.record(facts))
    let store = ScriptedStore { script in
      script.read = StoreAnswer(transactions: [], date: Self.start)
      script.standings["2"] = .gone
      script.purchase = { _ throws(StoreError) in .pending }
    }
    let phone = try TestShop.monetizer(store, storage: storage, time: time)
    await phone.start()
    #expect(phone.state.transactions["2"]?.revocation?.reason == .gone)
    try await phone.spend("trial", key: "k")
    #expect(try await phone.purchase("pack") == .pending)
    // The store lists the plan again, with the signature that it had.
    store.change { script in
      script.read = StoreAnswer(transactions: [SignedTransaction(plan)])
      script.purchase = { _ throws(StoreError) in .success(SignedTransaction(TestShop.transaction())) }
    }
    await phone.refresh()
    #expect(phone.state.transactions["2"]?.revocation == nil)
    #expect(try await phone.purchase("pack") == .completed(TestShop.transaction()))
    #expect(phone.snapshot.status(of: "pack")?.isPending == false)
    let corrected = MemoryStorage([try Journal.record([.time(TimeSeen(correction: .max, latest: Self.start + 400 * 86400))])])
    let tablet = try TestShop.monetizer(ScriptedStore { $0.read = StoreAnswer(transactions: [], date: Self.start) }, storage: corrected)
    await tablet.start()
    #expect(tablet.decision(for: "trial").remaining == 3)
  }

  @Test("Law 7: what was recorded under a wrong future can be replaced after it was corrected, here and on other devices")
  func wrongFuture() async throws {
    let (storage, time) = (MemoryStorage(), TestTime(Self.start + 1500 * 86400))
    let store = ScriptedStore { script in
      script.purchase = { _ throws(StoreError) in .pending }
      script.read = nil
    }
    let early = try TestShop.monetizer(store, storage: storage, time: time)
    #expect(try await early.purchase("pack") == .pending)
    let max = await early.addChild(named: "Max")
    await early.as(max.member).limit("story", to: .count(0))
    await early.give(["extra"], id: "g")
    time.set(Self.start)
    store.change { $0.read = StoreAnswer(transactions: [], date: Self.start) }
    let phone = try TestShop.monetizer(store, storage: storage, time: time)
    await phone.start()
    #expect(phone.snapshot.status(of: "pack")?.isPending == true)
    let tablet = try TestShop.monetizer(time: time)
    #expect(await tablet.merge(phone.sharedFacts).refused.isEmpty && tablet.children.map(\.name) == ["Max"])
    await tablet.rename(max.id, to: "Maximilian")
    await phone.merge(tablet.sharedFacts)
    #expect(phone.children.map(\.name) == ["Maximilian"])
    time.advance(2 * 86400)
    for monetizer in [phone, try TestShop.monetizer(store, storage: storage, time: time)] {
      #expect(monetizer.snapshot.status(of: "pack")?.isPending == false, "a request lapses a day after the correction")
    }
  }
}

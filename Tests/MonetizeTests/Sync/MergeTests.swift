// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeSimulator
import Testing

@testable import Monetize

/// Values of progress from several places become one.
@Suite("Merging progress", .timeLimit(.minutes(30)))
struct MergeTests {
  static func policy(_ name: String = "maxs-puzzles") throws -> SyncPolicy { try #require(try Catalog(json: Shipped.data(name)).sync) }
  static let fields = ["coins", "stars", "bestTimeMs", "completed", "firstCompletedAt", "attempts"]
  private static func milliseconds(_ text: String) -> Int {
    Int((ISODate.parse(text, in: Calendar.storeCalendar.timeZone)?.timeIntervalSince1970 ?? 0) * 1000)
  }

  @Test("PUZZ-12: coins and stars higher, best time lower, completed true, first completed earliest, attempts higher") func table() throws {
    let policy = try Self.policy()
    let second = Self.milliseconds("2026-01-02")
    let a = ["coins": 10, "stars": 2, "bestTimeMs": 9000, "completed": 0, "attempts": 4]
    let b = ["coins": 7, "stars": 3, "bestTimeMs": 12000, "completed": 1, "firstCompletedAt": second, "attempts": 9]
    let both = ["coins": 10, "stars": 3, "bestTimeMs": 9000, "completed": 1, "firstCompletedAt": second, "attempts": 9]
    #expect(policy.merged(a, b) == both && policy.merged(b, a) == both)
    #expect(policy.merged(["firstCompletedAt": second], ["firstCompletedAt": second + 1])["firstCompletedAt"] == second)
    // A best time of 0 does not count, and beats nothing.
    #expect(policy.merged(["bestTimeMs": 0], b)["bestTimeMs"] == 12000)
    #expect(policy.merged(["bestTimeMs": 0], [:]) == [:] && policy.merged(["bestTimeMs": -1], ["bestTimeMs": 0]) == [:])
    #expect(policy.merged(["unknown": 1], [:]) == [:])
  }

  @Test("Of two corrections of one time, every device keeps the later one") func corrections() {
    let found = [nil, 1, 2].map { seconds in
      TimeSeen(correction: 1, latest: RandomFacts.start, corrected: seconds.map { RandomFacts.start + $0 })
    }
    for one in found { #expect(found.map { $0.merged(with: one) } == found.map { one.merged(with: $0) }) }
    #expect(found[1].merged(with: found[2]) == found[2])
  }

  @Test("A merge rule is written as shortly as it can be read") func rules() throws {
    func text(_ rule: MergeRule) throws -> String { String(decoding: try JSONEncoder().encode(rule), as: UTF8.self) }
    #expect(try text(MergeRule(.max)) == "\"max\"")
    #expect(try text(MergeRule(.min, above: 0)).contains("\"above\":0"))
    for rule in [MergeRule(.max), MergeRule(.min, above: 0)] {
      #expect(try JSONDecoder().decode(MergeRule.self, from: Data(text(rule).utf8)) == rule)
    }
  }

  @Test("A flag is 0 or 1, whatever another app or a server wrote, and its rule has no bound") func flags() throws {
    let text = #"{ "progress": { "subject": "", "module": "m", "item": "", "field": "done", "source": "s", "rule": "or", "value": 9000 } }"#
    let fact = try JSONDecoder().decode(Fact.self, from: Data(text.utf8))
    let state = CustomerState([fact])
    #expect(state.news(in: [fact]).isEmpty && state.progress.values.map(\.value) == [1])
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(MergeRule.self, from: Data(#"{ "rule": "or", "above": 3 }"#.utf8)) }
    #expect(MergeRule(.or, above: 3) == MergeRule(.or) && [0, 1, 5].map(MergeRule(.or).value) == [0, 1, 1])
  }

  @Test("PUZZ-12: merging is commutative, associative and idempotent, and an absent value never wins") func laws() throws {
    let policy = try Self.policy()
    expectHolds(Seed.run(1000)) { seed in
      var random = SplitMix64(seed: seed)
      func record() -> [String: Int] {
        var record: [String: Int] = [:]
        for field in Self.fields where Bool.random(using: &random) { record[field] = Int.random(in: -2...3, using: &random) }
        return record
      }
      let (a, b, c) = (record(), record(), record())
      func merged(_ a: [String: Int], _ b: [String: Int]) -> [String: Int] { policy.merged(a, b) }
      if merged(a, b) != merged(b, a) { return Violation("the order matters: \(a) \(b)") }
      if merged(merged(a, b), c) != merged(a, merged(b, c)) { return Violation("the grouping matters: \(a) \(b) \(c)") }
      if merged(merged(a, b), b) != merged(a, b) { return Violation("twice is not once: \(a) \(b)") }
      let alone = merged(a, [:])
      for field in alone.keys where merged(a, b)[field] == nil { return Violation("\(field) is gone: \(a) \(b)") }
      if merged(alone, [:]) != alone { return Violation("nothing changes something: \(a)") }
      return nil
    }
  }

  @Test("A wrong rule is found by the same property: adding is not merging") func lawsAreSensitive() {
    let added: (Int, Int) -> Int = { $0 + $1 }
    #expect(added(added(1, 2), 2) != added(1, 2))
  }

  private func device(_ name: SourceID, account: String? = nil) throws -> Monetizer {
    let catalog = try Catalog(json: Shipped.data("maxs-puzzles"))
    return Monetizer(catalog: catalog) {
      ($0.source, $0.account, $0.time, $0.startsByItself) = (name, account, TestTime(), false)
      $0.zone = { Calendar.storeCalendar.timeZone }
    }
  }

  @Test("PUZZ-12/24: two devices agree on a level's progress; other children and modules are separate") func devices() async throws {
    let (phone, tablet) = (try device("phone"), try device("tablet"))
    let (max, mia) = (Member.child("max"), Member.child("mia"))
    let module = "circuit-challenge"
    #expect(await phone.as(max).saveProgress(["stars": 2, "bestTimeMs": 9000, "attempts": 4], in: module, item: "levels/1-A").isEmpty)
    await phone.as(max).saveProgress(["stars": 1, "bestTimeMs": 9500], in: module, item: "levels/1-A")
    await tablet.as(max).saveProgress(["stars": 3, "bestTimeMs": 12000, "completed": 1], in: module, item: "levels/1-A")
    await tablet.as(mia).saveProgress(["stars": 1], in: module, item: "levels/1-A")
    await tablet.merge(phone.sharedFacts)
    await phone.merge(tablet.sharedFacts)
    await phone.merge(tablet.sharedFacts.reversed())
    for monetizer in [phone, tablet] {
      let progress = monetizer.as(max).progress(in: module, item: "levels/1-A")
      #expect(progress == ["stars": 3, "bestTimeMs": 9000, "attempts": 4, "completed": 1])
      #expect(monetizer.as(mia).progress(in: module, item: "levels/1-A") == ["stars": 1])
      #expect(monetizer.as(max).progress(in: module).isEmpty && monetizer.as(.customer).progress(in: module, item: "levels/1-A").isEmpty)
    }
  }

  @Test("Invalid values, fields without a rule, coins, an unknown module and a demo are not stored") func refused() async throws {
    let phone = try device("phone")
    let module = "circuit-challenge"
    let refused = await phone.as(.guest).saveProgress(["bestTimeMs": 0, "lives": 3, "coins": 9, "stars": 1], in: module)
    #expect(refused == ["bestTimeMs", "lives", "coins"])
    #expect(await phone.as(.guest).saveProgress(["stars": 1], in: "chess") == ["stars"])
    let state = phone.state
    #expect(await phone.as(.demo).saveProgress(["stars": 3], in: module) == ["stars"])
    #expect(phone.state == state && state.progress.count == 1)
  }

  @Test("An invalid value of a hostile or older app is not read, and loses no other value") func hostile() async throws {
    let phone = try device("phone")
    func best(_ value: Int, _ rule: MergeRule, _ source: SourceID) -> Fact {
      .progress(ProgressEntry(module: "circuit-challenge", field: "bestTimeMs", source: source, rule: rule, value: value))
    }
    await phone.merge([best(9000, MergeRule(.min, above: 0), "a"), best(0, MergeRule(.min, above: 0), "a"), best(0, MergeRule(.min), "b")])
    await phone.merge([best(.max, MergeRule(.max), "c"), best(.min, MergeRule(.or), "d")])
    #expect(phone.as(.customer).progress(in: "circuit-challenge") == ["bestTimeMs": 1])
  }

  @Test("An item is completed for the first time once, also where another device has no date for it") func firstCompletion() async throws {
    let monetizer = Monetizer(catalog: try Catalog(json: Shipped.data("maxs-puzzles"))) {
      ($0.time, $0.startsByItself) = (TestTime(), false)
    }
    #expect(await monetizer.complete("levels/1-A"))
    await monetizer.merge([.completion(Completion(item: "levels/1-B"))])
    for item: ItemPath in ["levels/1-A", "levels/1-B"] { #expect(await !monetizer.complete(item)) }
    #expect(monetizer.completions.allSatisfy { $0.date != nil }, "the second one gets its date")
  }

  @Test("PUZZ-16/32: a guest's coins and times merge into an account's: the higher and the lower, never the sum; repeating changes nothing")
  func transfer() async throws {
    let module = "circuit-challenge"
    let (guestStorage, annStorage) = (MemoryStorage(), MemoryStorage())
    let catalog = try Catalog(json: Shipped.data("maxs-puzzles"))
    func launch(_ storage: MemoryStorage, _ account: String?) -> Monetizer {
      Monetizer(catalog: catalog) {
        ($0.storage, $0.account, $0.time, $0.source, $0.startsByItself) = (storage, account, TestTime(), "phone", false)
      }
    }
    let before = launch(annStorage, "ann")
    await before.as(.child("max")).earn(20, for: "puzzle:2")
    await before.as(.child("max")).saveProgress(["bestTimeMs": 9000], in: module, item: "levels/1-A")
    let guest = launch(guestStorage, nil)
    await guest.as(.guest).earn(30, for: "puzzle:1")
    await guest.as(.guest).saveProgress(["bestTimeMs": 8000], in: module, item: "levels/1-A")
    await guest.as(.guest).complete("levels/1-A")
    let kept = guestStorage.load()
    let ann = try await guest.handOver(to: "ann", policy: .transfer, heir: .child("max"), storage: annStorage)
    func expectMoved(_ ann: Monetizer) {
      #expect(ann.as(.child("max")).coins == 30)
      #expect(ann.as(.child("max")).progress(in: module, item: "levels/1-A") == ["bestTimeMs": 8000])
      // B5: it belongs to the chosen child only.
      #expect(ann.as(.child("max")).isCompleted("levels/1-A") && !ann.isCompleted("levels/1-A") && ann.as(.customer).coins == 0)
    }
    expectMoved(ann)
    #expect(guest.as(.guest).coins == 0 && guest.as(.guest).progress(in: module, item: "levels/1-A").isEmpty)
    // Killed before the guest's facts were deleted: the next try finds them again.
    guestStorage.replace(with: kept.records)
    let again = try await launch(guestStorage, nil).handOver(to: "ann", policy: .transfer, heir: .child("max"), storage: annStorage)
    expectMoved(again)
    // A puzzle is not paid again after the guest was paid for it, and new ones are.
    await again.as(.child("max")).earn(30, for: "puzzle:1")
    await again.as(.child("max")).earn(5, for: "puzzle:3")
    #expect(again.as(.child("max")).coins == 35)
  }

  @Test(
    "PUZZ-16: an interrupted transfer that continues after the guest has played more also gives the higher of both",
    arguments: [(30, 20, 15), (10, 40, 5), (0, 7, 0), (7, 0, 50)])
  func resumed(guest: Int, account: Int, more: Int) {
    let handOver = HandOver(policy: .transfer, heir: "max", guest: "install")
    func entry(_ id: String, _ earned: Int, _ subject: SubjectID = .customer) -> Fact {
      .wallet(WalletEntry(id: id, subject: subject, earned: earned, spent: 0))
    }
    let known = CustomerState([entry("a", account, "max"), .wallet(WalletEntry(id: "item:hats/1", subject: "max", spent: 4))])
    let first = handOver.between(CustomerState([entry("g", guest)]), known).taken
    #expect(first.coins["max"] == max(guest, account) - 4)
    let second = handOver.between(CustomerState([entry("g", guest), entry("h", more)]), first).taken
    #expect(second.coins["max"] == max(guest + more, account) - 4)
    #expect(handOver.between(CustomerState([entry("g", guest), entry("h", more)]), second).taken == second)
  }
}

extension SyncPolicy {
  /// Merges two records field by field.
  fileprivate func merged(_ a: [String: Int], _ b: [String: Int]) -> [String: Int] {
    merge.reduce(into: [:]) { $0[$1.key] = $1.value.joined(a[$1.key], b[$1.key]) }
  }
}

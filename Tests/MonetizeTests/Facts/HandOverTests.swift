// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize

/// The owners of facts after a sign-in or sign-out: the pure half.
@Suite(.timeLimit(.minutes(30)))
struct HandOverTests {
  private static let start = RandomFacts.start

  private static func use(_ key: String) -> Fact {
    .use(Use(key: key, feature: "story", date: start, day: 0, zone: "GMT"))
  }
  private static func transaction(_ id: TransactionID, _ product: ProductID) -> Fact {
    .transaction(StoreTransaction(id: id, productID: product, purchaseDate: start))
  }
  private static let guest = CustomerState([
    use("a"), .wallet(WalletEntry(id: "p1", earned: 30)), .completion(Completion(item: "levels/1", date: start + 60)),
    transaction("t1", "pack"), transaction("t2", "credits"), .time(TimeSeen(latest: start + 500)),
  ])
  private static let account = CustomerState([
    use("b"), .wallet(WalletEntry(id: "p1", earned: 20, spent: 5)), .wallet(WalletEntry(id: "p2", earned: 7)),
    .completion(Completion(item: "levels/1", date: start)), transaction("t3", "month"), .time(TimeSeen(latest: start + 100)),
  ])
  private func keys(_ state: CustomerState) -> [String] { state.usage.uses.map(\.key).sorted() }

  @Test("keep: each account keeps its own, and both have the time") func keep() {
    let (left, taken) = HandOver(scope: FactScope(creditProducts: ["credits"])).between(Self.guest, Self.account)
    #expect(left == Self.guest)
    #expect(taken.facts.filter { if case .time = $0.sort { false } else { true } } == Self.account.facts.dropLast())
    #expect(taken.time[0]?.latest == Self.start + 500)
  }

  @Test("Both have the arms of the device; those of an account stay with it") func arms() {
    let device = ArmAssignment(experiment: "price", arm: "low", date: Self.start)
    let account = ArmAssignment(experiment: "text", arm: "short", date: Self.start, isOfAccount: true)
    let owner = CustomerState(Self.guest.facts + [.assignment(device), .assignment(account)])
    let (left, taken) = HandOver(scope: FactScope(creditProducts: ["credits"])).between(owner, Self.account)
    #expect(left == owner && Array(taken.assignments.values) == [device])
  }

  @Test("PUZZ-16, DEF-P11: transfer: the account has everything once, by the rules of merging, and the guest has nothing")
  func transfer() {
    let (left, taken) = HandOver(policy: .transfer, scope: FactScope(creditProducts: ["credits"])).between(Self.guest, Self.account)
    #expect(keys(taken) == ["a", "b"])
    // For one puzzle the higher total, never the sum; a spend stays.
    #expect(taken.coins[.customer] == 30 - 5 + 7)
    #expect(taken.completions.values.map(\.date) == [Self.start])
    #expect(left.usage.uses.isEmpty && left.wallet.isEmpty && left.completions.isEmpty)
    // Each account reads the store again; only facts that no store lists again go along.
    #expect(taken.transactions.values.map(\.id).sorted() == ["t2", "t3"])
    #expect(left.transactions.values.map(\.id) == ["t1"])
    #expect(left.time[0]?.latest == Self.start + 500)
  }

  @Test("Credits that belong to another account keep nothing else back: coins, progress and limits move") func boundCredits() {
    var bound = StoreTransaction(id: "t9", productID: "credits", purchaseDate: Self.start)
    bound.account = "bob"
    let cap = Cap(feature: "story", subject: "max", amount: "1", revision: Revision(Self.start))
    let paid = Use(key: "c", feature: "story", date: Self.start, day: 0, zone: "GMT", credits: 1)
    let owner = CustomerState(Self.guest.facts + [.transaction(bound), .cap(cap), .use(paid)])
    let handOver = HandOver(policy: .transfer, accounts: ("bob", "ann"), scope: FactScope(creditProducts: ["credits"]))
    let (left, taken) = handOver.between(owner, CustomerState())
    #expect(keys(taken) == ["a"] && keys(left) == ["c"])
    #expect(taken.coins[.customer] == 30 && taken.completions.values.count == 1 && taken.caps.values.count == 1)
  }

  @Test("An account without coins gets the guest's, and no entry that takes nothing away") func firstCoins() {
    let handOver = HandOver(policy: .transfer, scope: FactScope(), guest: "phone")
    let taken = handOver.between(CustomerState([.wallet(WalletEntry(id: "p1", earned: 30))]), CustomerState()).taken
    #expect(taken.wallet.values.map(\.id) == ["p1"] && taken.coins[.customer] == 30)
  }

  @Test("share: both have all records, and each its own purchases") func share() {
    let (left, taken) = HandOver(policy: .share, scope: FactScope(creditProducts: ["credits"])).between(Self.guest, Self.account)
    #expect(keys(left) == ["a", "b"] && keys(taken) == ["a", "b"])
    #expect(left.wallet == taken.wallet && left.completions == taken.completions)
    #expect(left.transactions.values.map(\.id).sorted() == ["t1", "t2"] && taken.transactions.values.map(\.id).sorted() == ["t2", "t3"])
  }

  /// No record is lost, and a second try changes nothing, also after only the new state was written.
  private static func holds(_ a: CustomerState, _ b: CustomerState, _ handOver: HandOver) -> Violation? {
    let policy = handOver.policy
    let (left, taken) = handOver.between(a, b)
    for fact in a.facts where fact.policy(in: FactScope()).isRecorded && !left.news(in: [fact]).isEmpty && !taken.news(in: [fact]).isEmpty {
      return Violation("\(policy) lost \(fact)")
    }
    for fact in b.facts where !taken.news(in: [fact]).isEmpty { return Violation("\(policy) took \(fact) away") }
    if handOver.between(a, taken).taken != taken { return Violation("\(policy) again: not the same") }
    if handOver.between(left, taken) != (left, taken) { return Violation("\(policy) twice: not the same") }
    for cap in a.caps.values where !left.news(in: [.cap(cap)]).isEmpty { return Violation("\(policy) lifted \(cap)") }
    for use in a.usage.uses
    where handOver.scope.lastingFeatures.contains(use.feature) && use.credits == 0 && !left.news(in: [.use(use)]).isEmpty {
      return Violation("\(policy) gave back \(use)")
    }
    for time in [a, b].compactMap({ $0.time[0] }) where ![left, taken].allSatisfy({ $0.news(in: [.time(time)]).isEmpty }) {
      return Violation("\(policy) forgot the time")
    }
    return nil
  }

  @Test("PUZZ-16: no policy loses any record, and repeating it changes nothing", arguments: HandOverPolicy.allCases)
  func law(_ policy: HandOverPolicy) throws {
    try expectHolds(Seed.run(800)) { seed in
      var world = try RandomWorld(seed: seed)
      let (a, b) = (CustomerState(world.facts), CustomerState(world.random.facts()))
      let accounts = [nil, "ann", "bob"]
      return Self.holds(
        a, b,
        HandOver(
          policy: policy, accounts: (accounts[Int(seed % 3)], accounts[Int(seed / 3 % 3)]),
          scope: FactScope(
            creditProducts: Set(world.catalog.products.prefix(1).map(\.id)),
            lastingFeatures: Set(world.catalog.features.prefix(1).map(\.id)))))
    }
  }
}

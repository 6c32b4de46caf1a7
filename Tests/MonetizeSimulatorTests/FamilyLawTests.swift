// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Testing

@testable import MonetizeSimulator

/// What a family member sees of the others' purchases.
@Suite(.timeLimit(.minutes(30)))
struct FamilyLawTests {
  /// A schedule that begins with a family. Several plans of a group are shared, and others are not.
  private func schedule(seed: UInt64) throws -> Schedule {
    var schedule = Schedule(seed: seed)
    for var product in schedule.world.products where ["annual", "silver", "trial", "committed"].contains(product.id) {
      product.isFamilyShareable = true
      schedule.world.setProduct(product)
    }
    for member: CustomerID in ["ann", "kid"] { _ = try schedule.world.joinFamily(member, of: "mum") }
    for product: ProductID in ["monthly", "pack"] { try schedule.world.buy(product, by: "mum") }
    return schedule
  }

  @Test(
    "After any history a member sees an owner's purchases as the owner does, and what was taken back never changes",
    arguments: RandomScheduleTests.first..<RandomScheduleTests.first + RandomScheduleTests.schedules)
  func families(seed: UInt64) throws {
    var (schedule, laws) = (try schedule(seed: seed), FamilyLaws())
    // Before the first step, which may clear a history.
    #expect(laws.check(schedule.world).isEmpty)
    for step in 0..<500 {
      let verb = schedule.step().verb
      let broken = laws.check(schedule.world)
      #expect(broken.isEmpty, "seed \(seed), step \(step), \(verb)")
      if !broken.isEmpty { return }
    }
    #expect(laws.compared > 0)
  }

  @Test("A deleted purchase is not shared with a person who joins later") func deleted() throws {
    var world = Shop.world()
    try world.buy("pack", by: "mum")
    _ = try world.forget("pack", customer: "mum")
    _ = try world.joinFamily("kid", of: "mum")
    #expect(world.transactions(of: "kid").isEmpty)
  }

  @Test("A refund of a plan that the owner has left does not change the copy that was taken back") func refundedLater() throws {
    var world = Shop.world()
    _ = try world.joinFamily("kid", of: "mum")
    try world.buy("monthly", by: "mum")
    try world.buy("gold", by: "mum")
    let copy = world.transactions(of: "kid")
    #expect(copy.map(\.revocation?.reason) == [.familyLeft])
    _ = try world.refund("monthly", customer: "mum")
    _ = try world.reverseRefund("monthly", customer: "mum")
    #expect(world.transactions(of: "kid").first == copy.first)
  }

  @Test("Who comes back while a payment is outstanding sees the subscription again after the next payment") func backInRetry() throws {
    var world = Shop.world()
    _ = try world.joinFamily("kid", of: "mum")
    try world.buy("monthly", by: "mum")
    _ = try world.leaveFamily("kid")
    _ = world.setAccount("mum") { $0.payment = .fails }
    world.advance(to: Shop.date("2026-04-05T00:00:00Z"))
    #expect(world.state("mum")?.state == .inBillingRetry)
    _ = try world.joinFamily("kid", of: "mum")
    let before = world.state("kid")
    var ended = world
    ended.advance(to: Shop.date("2026-07-01T00:00:00Z"))
    #expect(ended.state("mum")?.state == .expired)
    #expect(before?.state == .revoked && ended.state("kid") == before)
    _ = world.setAccount("mum") { $0.payment = .works }
    #expect(world.state("kid")?.state == .subscribed && world.state("kid")?.originalID == before?.originalID)
  }

  @Test("A change that does not reach the family, or reaches who has left, breaks a law") func notices() throws {
    var family = try schedule(seed: 1)
    family.world.configure { $0.quirks = [] }
    let (mum, kid) = (family.world.index(of: "mum" as CustomerID), family.world.index(of: "kid" as CustomerID))
    var laws = FamilyLaws()
    #expect(laws.check(family.world).isEmpty)
    func broken(_ change: (inout StoreWorld) -> Void) -> Bool {
      var (laws, world) = (laws, family.world)
      change(&world)
      return !laws.check(world).isEmpty
    }
    #expect(!broken { _ in })
    for row in family.world.customers[kid].purchases.rows {
      #expect(broken { $0[kid, row].transaction.revocation = .init(date: $0.now) })
      #expect(broken { $0[mum, row].transaction.revocation = .init(date: $0.now) })
    }
    #expect(broken { $0[kid, $0.customers[kid].chains.rows[0]].autoRenew = false })
    #expect(broken { $0[mum, $0.customers[mum].chains.rows[0]].autoRenew = false })
    _ = try family.world.leaveFamily("kid")
    #expect(laws.check(family.world).isEmpty)
    #expect(broken { $0[kid, $0.customers[kid].purchases.rows[1]].transaction.revocation = nil })
    #expect(broken { $0[kid, $0.customers[kid].chains.rows[0]].isPaid() })
  }
}

/// Compares each member of a family with the others, and what was taken back with what it was.
struct FamilyLaws {
  /// The number of purchases that were compared.
  private(set) var compared = 0
  private var before: [CustomerID: (copies: [TransactionID: StoreTransaction], infos: [RenewalInfo], isAlone: Bool)] = [:]
  /// Those who have cleared their history, and their copies with it, since they joined.
  private var cleared: Set<CustomerID> = []

  mutating func check(_ world: StoreWorld) -> [String] {
    var broken: [String] = []
    for customer in world.customerIDs {
      broken += changes(of: customer, world)
      for environment in [StoreEnvironment.production, .sandbox] { broken += differences(customer, environment, world) }
    }
    return broken
  }

  /// Later changes of what was taken back, and changes of any copy of a customer without a family.
  private mutating func changes(of customer: CustomerID, _ world: StoreWorld) -> [String] {
    let all = world.transactions(of: customer, in: .production) + world.transactions(of: customer, in: .sandbox)
    let copies = Dictionary(uniqueKeysWithValues: all.filter { $0.ownership == .familyShared }.map { ($0.id, $0) })
    let originals = Set(copies.values.map(\.originalID))
    let infos = (world.subscriptions(of: customer, in: .production) + world.subscriptions(of: customer, in: .sandbox))
      .filter { originals.contains($0.originalID) }
    let isAlone = world.family(of: customer).isEmpty
    defer { before[customer] = (copies, infos, isAlone) }
    guard let before = before[customer] else { return [] }
    if isAlone { cleared.remove(customer) } else if before.copies.keys.contains(where: { copies[$0] == nil }) { cleared.insert(customer) }
    var broken: [String] = []
    let isLeft = isAlone && before.isAlone
    for (id, old) in before.copies where isLeft || old.revocation?.reason == .familyLeft {
      if let new = copies[id], new != old { broken.append("\(customer): \(id) changed after it was taken back") }
    }
    if isLeft, !infos.isEmpty, infos != before.infos { broken.append("\(customer): a subscription changed without a family") }
    return broken
  }

  /// What a customer does not see as its owner does, and what no owner has.
  private mutating func differences(_ member: CustomerID, _ environment: StoreEnvironment, _ world: StoreWorld) -> [String] {
    var (world, broken, shared) = (world, [String](), [StoreTransaction]())
    let shareable = Set(world.products.filter(\.isFamilyShareable).map(\.id))
    let listed = answer(for: member, environment, &world)
    for owner in world.family(of: member) where owner != member {
      let own = answer(for: owner, environment, &world)
      for original in transactions(own) where original.ownership == .purchased && shareable.contains(original.productID) {
        let renewal = own.renewals.first { $0.originalID == original.originalID }
        let copies = transactions(listed).filter { isCopy($0, of: original) && isCopy(info(of: $0, listed), of: renewal) }
        shared += copies
        // The running period ends for the family when the next one, of a plan that is not shared, is paid early.
        if let renewal, !shareable.contains(renewal.productID) { continue }
        compared += 1
        if copies.isEmpty, !cleared.contains(member) { broken.append("\(member) does not see \(owner)'s \(original.id) as it is") }
      }
    }
    for copy in transactions(listed) where copy.ownership == .familyShared && !shared.contains(copy) {
      broken.append("\(member) sees \(copy.id), which no owner has")
    }
    return broken
  }

  /// All that the store lists, also of another environment, and what a quirk lists late.
  private func answer(for customer: CustomerID, _ environment: StoreEnvironment, _ world: inout StoreWorld) -> StoreAnswer {
    _ = world.setAccount(customer) { $0.environment = environment }
    return world.answer(for: customer, sinceSync: .distantFuture)
  }

  private func transactions(_ answer: StoreAnswer) -> [StoreTransaction] { answer.transactions.filter(\.isVerified).map(\.transaction) }

  private func info(of transaction: StoreTransaction, _ answer: StoreAnswer) -> RenewalInfo? {
    answer.renewals.first { $0.originalID == transaction.originalID }
  }

  private func isCopy(_ copy: StoreTransaction, of original: StoreTransaction) -> Bool {
    var shared = original
    (shared.id, shared.originalID, shared.revision) = (copy.id, copy.originalID, copy.revision)
    (shared.ownership, shared.price, shared.account) = (.familyShared, nil, nil)
    return copy == shared
  }

  private func isCopy(_ copy: RenewalInfo?, of original: RenewalInfo?) -> Bool {
    guard let copy, var shared = original else { return copy == nil && original == nil }
    (shared.originalID, shared.revision) = (copy.originalID, copy.revision)
    return copy == shared
  }
}

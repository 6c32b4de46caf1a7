// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeSimulator
import Testing

@testable import Monetize

/// The summaries of purchases, against a reading of all transactions.
@Suite(.timeLimit(.minutes(10)))
struct PurchaseHistoryTests {
  private static let week: TimeInterval = 7 * 86400
  private static let catalogJSON = """
    { "schemaVersion": 1, "app": { "id": "com.example.app", "name": "A" }, "features": { "f": { "allowance": "count" } },
      "products": [{ "kind": "subscription", "id": "p", "name": "P", "group": "g", "level": 1, "period": "P7D", "familyShareable": true,
        "grants": { "f": { "limit": 3, "per": { "anchored": "P7D" } } } }] }
    """

  /// Weeks of two chains, with gaps, trials of a week and of three days, refunds, upgrades, accounts, shared copies and a second environment.
  private static func periods(_ random: inout SplitMix64) -> [StoreTransaction] {
    var found: [StoreTransaction] = []
    for chain in 0..<2 {
      var start = RandomFacts.start + Double(Int.random(in: 0..<3, using: &random)) * 86400
      let ownership: StoreTransaction.OwnershipType = chain == 1 && Bool.random(using: &random) ? .familyShared : .purchased
      for number in 0..<Int.random(in: 1...12, using: &random) {
        let isTrial = number == 0 ? Bool.random(using: &random) : Int.random(in: 0..<8, using: &random) == 0
        let length = isTrial && Bool.random(using: &random) ? 3 * 86400 : week
        var period = StoreTransaction(
          id: TransactionID("\(chain)-\(number)"), originalID: TransactionID("\(chain)-0"), productID: "p", purchaseDate: start,
          expirationDate: start + length, ownership: ownership,
          environment: Int.random(in: 0..<9, using: &random) == 0 ? .sandbox : .production,
          account: Int.random(in: 0..<4, using: &random) == 0 ? "ann" : nil)
        if isTrial { period.offer = .init(type: .introductory, mode: .freeTrial) }
        if Int.random(in: 0..<9, using: &random) == 0 { period.revocation = .init(date: start + 3600) }
        if Int.random(in: 0..<9, using: &random) == 0 { period.isUpgraded = true }
        found.append(period)
        start += length + (Int.random(in: 0..<5, using: &random) == 0 ? 86400 : 0)
      }
    }
    return found
  }

  /// The anchors of the periods that run, by a reading of all of them.
  private static func anchors(_ all: [StoreTransaction], at now: Date) -> [Date] {
    let valid = all.filter(\.isValid)
    func anchor(_ period: StoreTransaction) -> Date {
      let before = valid.filter {
        $0.originalID == period.originalID && $0.expirationDate == period.purchaseDate && $0.isEarlier(than: period)
      }.max { $0.isEarlier(than: $1) }
      guard let before, !before.isFreeTrial || period.purchaseDate == before.purchaseDate + week else { return period.purchaseDate }
      return anchor(before)
    }
    return Set(valid.filter { now < $0.expirationDate ?? .distantFuture && !$0.isAhead(at: now) }.map(anchor)).sorted()
  }

  @Test("In any order, twice and revoked later, the summaries are those of all transactions")
  func anyOrder() throws {
    let catalog = try Catalog(json: Data(Self.catalogJSON.utf8))
    expectHolds(Seed.run(2000)) { seed in
      var random = SplitMix64(seed: seed)
      let periods = Self.periods(&random)
      let firsts = periods.map { period -> StoreTransaction in
        var first = period
        (first.revocation, first.isUpgraded) = (nil, false)
        return first
      }
      let lasts = periods.map { period -> StoreTransaction in
        var last = period
        last.revision = Revision(period.purchaseDate, sequence: 1)
        return last
      }
      var state = CustomerState()
      for transaction in (firsts + lasts + lasts).shuffled(using: &random) { state.insert(.transaction(transaction)) }
      if state != CustomerState(lasts.map(Fact.transaction)) { return Violation("The state depends on the arrival.") }
      for part in state.purchases["p"] where part.hasEnd != part.transactions.contains(where: { $0.expirationDate != nil }) {
        return Violation("It is wrong whether a period of \(part.transactions) ends.")
      }
      for environment in [StoreEnvironment?.none, .production] {
        for account in [nil, "ann", "bob"] {
          let now = RandomFacts.start + Double(Int.random(in: 0..<90, using: &random)) * 86400
          let situation = Situation(environment: environment, account: account)
          let counted = lasts.filter { situation.concerns($0, app: catalog.app.id) }
          let status = Snapshot(of: state, catalog: catalog, situation: situation, at: now).status(of: "p")
          let known = Self.anchors(counted, at: now)
          if status?.since != known { return Violation("At \(now) the anchors are \(status?.since ?? []) and not \(known).") }
          let ends = counted.filter(\.isValid).compactMap(\.expirationDate).filter { $0 > now }
          if status?.accessUntil != ends.max() { return Violation("At \(now) access ends \(status?.accessUntil as Any).") }
          let hadTrial = counted.contains { $0.offer != nil && $0.ownership == .purchased }
          if status?.hasUsedIntroductoryOffer != hadTrial { return Violation("The introductory offer is wrong.") }
        }
      }
      return nil
    }
  }

  @Test("In a grace period, limits count from the running plan and not from one that lapsed before")
  func graceOfTheRunningPlan() throws {
    let catalog = try Catalog(json: Data(Self.catalogJSON.utf8))
    let start = RandomFacts.start
    let facts = [(0.0, "a"), (30, "b")].map { day, id in
      Fact.transaction(
        StoreTransaction(
          id: TransactionID(id), originalID: "a", productID: "p", purchaseDate: start + day * 86400,
          expirationDate: start + day * 86400 + Self.week))
    }
    let now = start + 38 * 86400
    let grace = RenewalInfo(originalID: "a", productID: "p", state: .inGracePeriod, graceUntil: now + 86400, signed: now)
    let status = Snapshot(of: CustomerState(facts + [.renewal(grace)]), catalog: catalog, at: now).status(of: "p")
    #expect(status?.state == .grace)
    #expect(status?.since == [start + 30 * 86400])
  }

  @Test("A relative's plan that ended or was refunded does not hide the own plan that renews", arguments: [true, false])
  func ownPlan(isRefunded: Bool) throws {
    let catalog = try Catalog(json: Data(Self.catalogJSON.utf8))
    let start = RandomFacts.start
    let own = StoreTransaction(id: "own", productID: "p", purchaseDate: start, expirationDate: start + 30 * 86400)
    let shared = StoreTransaction(
      id: "shared", productID: "p", purchaseDate: start + 86400, expirationDate: start + 8 * 86400,
      revocation: isRefunded ? .init(date: start + 2 * 86400) : nil, ownership: .familyShared)
    let ended = RenewalInfo(
      originalID: "shared", productID: "p", state: isRefunded ? .revoked : .expired, willRenew: false, signed: start + 8 * 86400)
    let renewing = RenewalInfo(originalID: "own", productID: "p", state: .subscribed, willRenew: true, renewsInto: "p", signed: start)
    let facts = CustomerState([.transaction(own), .transaction(shared), .renewal(ended), .renewal(renewing)])
    let status = Snapshot(of: facts, catalog: catalog, at: start + 10 * 86400).status(of: "p")
    #expect(status?.state == .active)
    #expect(status?.expires == own.expirationDate)
    #expect(status?.willRenew == true)
    #expect(status?.preventsPurchase == true)
    #expect(status?.ownership == .purchased)
  }

  @Test("A chain is known as long as one of its transactions is") func chains() {
    let periods = ["a", "a", "b"].enumerated().map { number, chain in
      StoreTransaction(
        id: TransactionID("\(number)"), originalID: chain, productID: "p", purchaseDate: RandomFacts.start + Double(number) * Self.week)
    }
    var history = PurchaseHistory(periods)
    history.remove(periods[0])
    #expect(history.contains(chain: "a"))
    history.remove(periods[1])
    #expect(!history.contains(chain: "a") && history.contains(chain: "b"))
    history.insert(periods[0])
    #expect(history.contains(chain: "a") && history == PurchaseHistory([periods[0], periods[2]]))
  }

  @Test("A history ends when any of its purchases does, whichever came first") func ends() {
    func purchase(_ id: TransactionID, _ days: Double, ends: Bool) -> StoreTransaction {
      let date = RandomFacts.start + days * 86400
      return StoreTransaction(id: id, productID: "p", purchaseDate: date, expirationDate: ends ? date + Self.week : nil)
    }
    #expect(PurchaseHistory([purchase("1", 0, ends: false), purchase("2", 1, ends: true)]).hasEnd)
    #expect(PurchaseHistory([purchase("1", 0, ends: true), purchase("2", 1, ends: false)]).hasEnd)
    #expect(!PurchaseHistory([purchase("1", 0, ends: false), purchase("2", 1, ends: false)]).hasEnd)
  }

  @Test("A history in two parts has the purchases of both, earliest first") func parts() {
    let all = (0..<4).map { StoreTransaction(id: TransactionID("\($0)"), productID: "p", purchaseDate: RandomFacts.start + Double($0)) }
    let parts = [PurchaseHistory([all[0], all[3]]), PurchaseHistory([all[1], all[2]])]
    #expect(ProductHistory(product: "p", parts: parts, renewals: [:], uses: []).transactions == all)
    #expect(ProductHistory(product: "p", parts: [parts[0]], renewals: [:], uses: []).transactions == [all[0], all[3]])
  }
}

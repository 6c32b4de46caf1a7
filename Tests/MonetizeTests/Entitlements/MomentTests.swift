// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize

/// The moments at which the state of a plan changes. A length of time contains its first moment and not its last.
@Suite("Moments of change", .timeLimit(.minutes(30)))
struct MomentTests {
  private static let end = RandomFacts.start
  private static let day = 86400.0
  private static let period = StoreTransaction(
    id: "1", productID: "month", purchaseDate: end - 30 * day, expirationDate: end, signed: end - 30 * day)

  private static func renewal(
    _ state: RenewalInfo.State = .subscribed, willRenew: Bool = true, of product: ProductID = "month", into next: ProductID? = nil,
    grace: Date? = nil, retry: Date? = nil, because reason: RenewalInfo.ExpirationReason? = nil, signed: Date = end - day
  ) -> Fact {
    .renewal(
      RenewalInfo(
        originalID: "1", productID: product, state: state, willRenew: willRenew, renewsInto: next, graceUntil: grace, retryUntil: retry,
        expirationReason: reason, signed: signed))
  }

  private func statuses(_ facts: [Fact], store: StoreKnowledge = .answered, after seconds: [Double]) throws -> [ProductStatus] {
    let catalog = try TestShop.catalog()
    return try seconds.map { seconds in
      let snapshot = Snapshot(
        of: CustomerState([.transaction(Self.period)] + facts), catalog: catalog, situation: Situation(store: store),
        at: Self.end + seconds)
      return try #require(snapshot.status(of: "month"))
    }
  }

  private func states(_ facts: [Fact], store: StoreKnowledge = .answered, _ seconds: Double...) throws -> [ProductState] {
    try statuses(facts, store: store, after: seconds).map(\.state)
  }

  @Test("A plan that should renew is in doubt for a minute after its end, and longer while the store's answer is older than the end")
  func doubt() throws {
    let renewing = [Self.renewal()]
    #expect(try states(renewing, -1, 0, 59, 60) == [.active, .unknown, .unknown, .expired])
    #expect(try states(renewing, store: .answered(at: Self.end), 0, 59, 60) == [.unknown, .unknown, .expired])
    #expect(try states(renewing, store: .answered(at: Self.end - 1), 0, 60, Self.day) == [.unknown, .unknown, .unknown])
    // The renewal status itself is as new as the end.
    let confirmed = [Self.renewal(signed: Self.end)]
    #expect(try states(confirmed, store: .answered(at: Self.end - 1), 0, 59, 60) == [.unknown, .unknown, .expired])
    // Without a renewal status only the date of the answer counts.
    #expect(try states([], store: .answered(at: Self.end), 0) == [.expired])
    #expect(try states([], store: .answered(at: Self.end - 1), 0) == [.unknown])
    #expect(try statuses(renewing, after: [-1, 0]).map(\.changesAt) == [Self.end, Self.end + 60])
  }

  /// A plan with access in the first ten days of each paid month.
  private struct TenDays: ProductKind {
    static let name = "tenDays"
    static let storeType = StoreProductType.autoRenewable
    func ownership(from history: ProductHistory, at now: Date) -> Ownership {
      .latest(of: history.transactions.map { .until($0.purchaseDate + 10 * MomentTests.day) }, at: now)
    }
  }

  @Test("Access that a kind of an app's own ends within a paid period ends without doubt, whatever the age of the store's answer")
  func withinPeriod() throws {
    let json = """
      { "schemaVersion": 1, "app": { "id": "app", "name": "App" }, "features": { "a": {} },
        "products": [{ "kind": "tenDays", "id": "month", "name": "Month", "grants": { "a": true } }] }
      """
    let catalog = try Catalog(json: Data(json.utf8), kinds: .standard.adding(TenDays.self))
    let states = [-21 * Self.day, -20 * Self.day, -1, 0].map { seconds in
      Snapshot(
        of: CustomerState([.transaction(Self.period)]), catalog: catalog,
        situation: Situation(store: .answered(at: Self.period.purchaseDate)), at: Self.end + seconds
      ).status(of: "month")?.state
    }
    #expect(states == [.active, .expired, .expired, .unknown])
  }

  @Test("A plan that does not renew, by choice, for a failure, or by a refund, ends at its end without doubt") func certain() throws {
    let silent = StoreKnowledge.answered(at: Self.end - 1)
    for facts in [
      [Self.renewal(willRenew: false)], [Self.renewal(because: .billingError)], [Self.renewal(.revoked)],
      [Self.renewal(of: "year", signed: Self.period.purchaseDate)],
    ] {
      #expect(try states(facts, store: silent, -1, 0) == [.active, .expired], "\(facts)")
    }
    // A status from before the period says nothing about it: the customer came back.
    #expect(try states([Self.renewal(of: "year", signed: Self.period.purchaseDate - 1)], store: silent, 0) == [.unknown])
  }

  @Test("A plan that has gone on to another product does not renew here, and shows no next product") func goneOn() throws {
    let gone = try #require(try statuses([Self.renewal(of: "year", into: "year")], after: [-1]).first)
    #expect(gone.willRenew == false && gone.renewsInto == nil)
    let stays = try #require(try statuses([Self.renewal(into: "year")], after: [-1]).first)
    #expect(stays.willRenew == true && stays.renewsInto == "year")
  }

  @Test("A grace period gives access until its last moment, then there is doubt for a minute") func grace() throws {
    let grace = [Self.renewal(.inGracePeriod, grace: Self.end + 6 * Self.day, retry: Self.end + 60 * Self.day)]
    let last = 6 * Self.day
    #expect(try states(grace, -1, 0, last - 1, last, last + 60) == [.active, .grace, .grace, .unknown, .expired])
    let status = try #require(try statuses(grace, after: [0]).first)
    #expect(status.graceUntil == Self.end + last && status.retryUntil == Self.end + 60 * Self.day && status.accessUntil == Self.end + last)
    #expect(!status.preventsPurchase, "buying again is a way to pay")
    // A date without the state is from an earlier failure.
    let paid = try #require(try statuses([Self.renewal(grace: Self.end + last, retry: Self.end + last)], after: [-1]).first)
    #expect(paid.graceUntil == nil && paid.retryUntil == nil && paid.preventsPurchase)
  }

  @Test("The store tries to renew until the last moment of its retries, without an end when it names none") func retries() throws {
    let retrying = [Self.renewal(.inBillingRetry, retry: Self.end + 60 * Self.day, signed: Self.end)]
    let last = 60 * Self.day
    #expect(try states(retrying, -1, 0, last - 1, last) == [.active, .billingRetry, .billingRetry, .expired])
    #expect(try statuses(retrying, after: [last - 1, last]).map(\.retryUntil) == [Self.end + last, nil])
    #expect(try states([Self.renewal(.inBillingRetry, signed: Self.end)], 99 * Self.day) == [.billingRetry])
  }

  @Test("A request waits until it lapses; then only an answer from that time on tells that it was declined") func waiting() throws {
    let pending = PendingPurchase(productID: "month", since: Self.end - Self.day, lapses: Self.end, revision: Revision(Self.end - Self.day))
    func states(_ pending: PendingPurchase, _ answered: Date, _ seconds: Double...) throws -> [ProductState?] {
      try seconds.map {
        Snapshot(
          of: CustomerState([.pending(pending)]), catalog: try TestShop.catalog(), situation: Situation(store: .answered(at: answered)),
          at: Self.end + $0
        ).status(of: "month")?.state
      }
    }
    #expect(try states(pending, Self.end, -1, 0) == [.pending, .never])
    #expect(try states(pending, Self.end - 1, -1, 0) == [.pending, .unknown])
    var answered = pending
    answered.isOpen = false
    #expect(try states(answered, Self.end - 1, -1, 0) == [.never, .never])
  }

  @Test("An ended plan of which only the renewal status is known is expired, revoked or retried, by the latest status") func statusAlone()
    throws
  {
    func state(_ renewals: (id: TransactionID, state: RenewalInfo.State, signed: Double)...) throws -> ProductState? {
      let facts = renewals.map {
        Fact.renewal(RenewalInfo(originalID: $0.id, productID: "month", state: $0.state, signed: Self.end + $0.signed))
      }
      return Snapshot(of: CustomerState(facts), catalog: try TestShop.catalog(), at: Self.end + 99).status(of: "month")?.state
    }
    #expect(try state(("1", .expired, 0)) == .expired)
    #expect(try state(("1", .revoked, 0)) == .revoked)
    #expect(try state(("1", .inBillingRetry, 0)) == .billingRetry)
    #expect(try state(("1", .subscribed, 0)) == .never)
    #expect(try state(("1", .revoked, 1), ("2", .expired, 0)) == .revoked)
    #expect(try state(("1", .revoked, 0), ("2", .expired, 0)) == .expired, "of two statuses of one time the later purchase's")
  }

  @Test("The end of a period of a product that is not sold, and may be owned, is a change: more may be allowed after it")
  func doubtfulPeriod() throws {
    let text = """
      { "schemaVersion": 1, "app": { "id": "a", "name": "A" },
        "features": { "story": { "allowance": "count", "per": "month" } }, "freeTier": { "grants": { "story": 3 } },
        "products": [{ "kind": "nonConsumable", "id": "old", "name": "Old", "onSale": false, "grants": { "story": { "limit": 5, "per": "day" } } }] }
      """
    let catalog = try Catalog(json: Data(text.utf8))
    let today = LocalDay.of(Self.end, in: .gmt)
    let used = (0..<2).map { Fact.use(Use(key: "\($0)", feature: "story", date: Self.end, day: today, zone: "GMT")) }
    func snapshot(at date: Date) -> Snapshot {
      Snapshot(of: CustomerState(used), catalog: catalog, situation: Situation(zone: .gmt, store: .waiting), at: date)
    }
    let now = snapshot(at: Self.end)
    let tomorrow = try #require(now.nextChange)
    #expect(now.allows("story") && tomorrow == LocalDay.start(of: today + 1, in: .gmt))
    let four = AccessRequest("story", count: 4)
    #expect(now.decision(for: four).reason == .limitReached && snapshot(at: tomorrow).decision(for: four).reason == .unknown)
  }

  @Test("A simulation judges uses by the products of each moment, up to the end of a pass and not at it") func simulatedUses() throws {
    let text = """
      { "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "features": { "film": {} },
        "products": [{ "kind": "nonRenewing", "id": "pass", "name": "Pass", "period": "P1D", "grants": { "film": true } }] }
      """
    let pass = StoreTransaction(id: "1", productID: "pass", purchaseDate: Self.end - Self.day)
    var judge = UseJudge(try Catalog(json: Data(text.utf8)))
    for (seconds, isAllowed) in [(-Self.day, true), (-1, true), (0, false)] {
      let answer = judge.judge("film", CustomerState([.transaction(pass)]), key: "k", at: Self.end + seconds)
      #expect(answer?.isAllowed == isAllowed, "\(seconds)")
    }
  }
}

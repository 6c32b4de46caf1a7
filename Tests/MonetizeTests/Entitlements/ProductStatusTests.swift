// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Testing

@Suite(.timeLimit(.minutes(30)))
struct ProductStatusTests {
  private let now = RandomFacts.start

  @Test("Of two overlapping periods, the end of either is a change: a trial that becomes a paid period in between") func overlap() throws {
    let day = 86400.0
    let trial = StoreTransaction(
      id: "2", productID: "month", purchaseDate: now, expirationDate: now + 5 * day, offer: .init(type: .introductory, mode: .freeTrial))
    let paid = StoreTransaction(id: "1", productID: "month", purchaseDate: now - day, expirationDate: now + 10 * day)
    let ended = StoreTransaction(id: "3", productID: "month", purchaseDate: now + 1, expirationDate: now + 2)
    let state = CustomerState([.transaction(trial), .transaction(paid), .transaction(ended)])
    func snapshot(_ days: Double) throws -> Snapshot { Snapshot(of: state, catalog: try TestShop.catalog(), at: now + days * day) }
    let before = try snapshot(1)
    #expect(before.status(of: "month")?.state == .trial)
    #expect(before.nextChange == now + 5 * day)
    #expect(try snapshot(5).status(of: "month")?.state == .active)
    #expect(try snapshot(5).status(of: "month")?.expires == now + 10 * day, "of the period that runs, not of the last one")
    #expect(try snapshot(10).status(of: "month")?.state == .expired)
  }

  @Test("A purchase that runs describes the product, not a later one that was refunded, although that would last longer")
  func refundedLater()
    throws
  {
    let runs = StoreTransaction(id: "1", productID: "month", purchaseDate: now - 86400, expirationDate: now + 20 * 86400)
    let refunded = StoreTransaction(
      id: "2", productID: "month", purchaseDate: now - 3600, expirationDate: now + 25 * 86400, revocation: .init(date: now - 60))
    let state = CustomerState([.transaction(runs), .transaction(refunded)])
    let status = Snapshot(of: state, catalog: try TestShop.catalog(), at: now).status(of: "month")
    #expect(status?.state == .active)
    #expect(status?.expires == now + 20 * 86400)
  }

  @Test("The end of a purchase that was refunded or replaced by an upgrade changes nothing") func invalidEnd() throws {
    let catalog = try TestShop.catalog()
    func next(_ change: (inout StoreTransaction) -> Void) -> (state: ProductState?, next: Date?) {
      var transaction = StoreTransaction(id: "1", productID: "month", purchaseDate: now - 86400, expirationDate: now + 10 * 86400)
      change(&transaction)
      let snapshot = Snapshot(of: CustomerState([.transaction(transaction)]), catalog: catalog, at: now)
      return (snapshot.status(of: "month")?.state, snapshot.nextChange)
    }
    #expect(next { _ in } == (.active, now + 10 * 86400))
    let reset = Snapshot(of: CustomerState(), catalog: catalog, at: now).nextChange
    #expect(next { $0.isUpgraded = true } == (.expired, reset))
    #expect(next { $0.revocation = .init(date: now - 60) } == (.revoked, reset))
  }

  @Test("Of a purchase and a renewal in the same instant, the period that ends later is the current one; then the greater number")
  func sameInstant() throws {
    func period(_ id: TransactionID, until end: Date, _ offer: StoreTransaction.Offer? = nil) -> Fact {
      .transaction(
        StoreTransaction(id: id, originalID: "t9", productID: "month", purchaseDate: now, expirationDate: end, offer: offer))
    }
    func status(_ facts: [Fact], at date: Date) throws -> ProductStatus? {
      Snapshot(of: CustomerState(facts), catalog: try TestShop.catalog(), at: date).status(of: "month")
    }
    let (ended, renewed) = (period("t9", until: now), period("t10", until: now + 60))
    for facts in [[ended, renewed], [renewed, ended]] {
      #expect(try status(facts, at: now)?.expires == now + 60)
      #expect(try status(facts, at: now + 90)?.expires == now + 60)
    }
    let (trial, paid) = (period("t9", until: now + 60, .init(type: .introductory, mode: .freeTrial)), period("t10", until: now + 60))
    for facts in [[trial, paid], [paid, trial]] { #expect(try status(facts, at: now)?.state == .active) }
  }

  @Test("The latest chain of a plan decides whether buying it again gains nothing", arguments: [-6_000_000, 3600.0])
  func boughtAgain(oldEnds seconds: Double) throws {
    let old = StoreTransaction(
      id: "1", originalID: "1", productID: "month", purchaseDate: now - 9_000_000, expirationDate: now + seconds)
    let new = StoreTransaction(id: "2", originalID: "2", productID: "month", purchaseDate: now - 60, expirationDate: now + 86400)
    func prevents(old isRenewed: Bool, new willRenew: Bool) throws -> Bool? {
      let renewals = [
        RenewalInfo(originalID: "1", productID: "month", state: .expired, willRenew: isRenewed, signed: now),
        RenewalInfo(originalID: "2", productID: "month", state: .subscribed, willRenew: willRenew, signed: now),
      ]
      let state = CustomerState([.transaction(old), .transaction(new)] + renewals.map(Fact.renewal))
      return Snapshot(of: state, catalog: try TestShop.catalog(), at: now).status(of: "month")?.preventsPurchase
    }
    #expect(try prevents(old: false, new: true) == true)
    #expect(try prevents(old: true, new: false) == false)
  }

  @Test("The payment trouble of a plan is not that of the plan before it, which ended or was refunded", arguments: [false, true])
  func left(isRefunded: Bool) throws {
    let day = 86400.0
    let terms = #""group": "g", "level": 1, "period": "P1Y", "grants": { "extra": true }"#
    let year = #", { "kind": "subscription", "id": "year", "name": "Yearly", \#(terms) }"#
    let catalog = try Catalog(json: Data(TestShop.json(products: year).utf8))
    let old = StoreTransaction(
      id: "1", productID: "year", purchaseDate: now - 60 * day, expirationDate: now - 30 * day,
      revocation: isRefunded ? .init(date: now - 40 * day, reason: .other) : nil)
    let new = StoreTransaction(id: "2", originalID: "1", productID: "month", purchaseDate: now - 30 * day, expirationDate: now - 1)
    func status(_ product: ProductID, _ state: RenewalInfo.State) -> ProductStatus? {
      let renewal = RenewalInfo(
        originalID: "1", productID: "month", state: state, willRenew: true, graceUntil: state == .inGracePeriod ? now + day : nil,
        retryUntil: now + 60 * day, signed: now)
      let facts = CustomerState([.transaction(old), .transaction(new), .renewal(renewal)])
      return Snapshot(of: facts, catalog: catalog, at: now).status(of: product)
    }
    for state in [RenewalInfo.State.inGracePeriod, .inBillingRetry] {
      let left = try #require(status("year", state))
      #expect(left.state == (isRefunded ? .revoked : .expired) && (left.revokedAt != nil) == isRefunded)
      #expect(left.graceUntil == nil && left.retryUntil == nil && left.willRenew == false)
      let own = try #require(status("month", state))
      #expect(own.state == (state == .inGracePeriod ? .grace : .billingRetry) && own.retryUntil != nil)
    }
  }

  @Test("The end of a grace period gives access only while the store reports the grace period", arguments: [true, false])
  func endOfGrace(isGrace: Bool) throws {
    let day = 86400.0
    let catalog = try TestShop.catalog()
    let bought = StoreTransaction(id: "1", productID: "month", purchaseDate: now - 31 * day, expirationDate: now - day)
    let renewal = RenewalInfo(
      originalID: "1", productID: "month", state: isGrace ? .inGracePeriod : .inBillingRetry, willRenew: true, graceUntil: now + day,
      retryUntil: now + 60 * day, signed: now)
    let state = CustomerState([.transaction(bought), .renewal(renewal)])
    #expect(Snapshot(of: state, catalog: catalog, at: now).status(of: "month")?.isOwned == isGrace)
  }

  @Test("A plan that renews into another plan has ended for certain; one that renews into itself may still be renewing")
  func crossgraded() throws {
    let end = now - 1
    let period = StoreTransaction(
      id: "1", productID: "month", purchaseDate: now - 30 * 86400, expirationDate: end, signed: now - 30 * 86400)
    func state(
      renewing product: ProductID, into next: ProductID?, store: StoreKnowledge = .answered, signed: Date? = nil
    ) throws -> ProductState? {
      let renewal = RenewalInfo(
        originalID: "1", productID: product, state: .subscribed, willRenew: true, renewsInto: next, signed: signed ?? now)
      let snapshot = Snapshot(
        of: CustomerState([.transaction(period), .renewal(renewal)]), catalog: try TestShop.catalog(),
        situation: Situation(store: store), at: now)
      return snapshot.status(of: "month")?.state
    }
    #expect(try state(renewing: "year", into: nil) == .expired)
    #expect(try state(renewing: "year", into: nil, store: .answered(at: now - 86400)) == .expired)
    #expect(try state(renewing: "month", into: "year", store: .answered(at: now - 86400), signed: now - 86400) == .unknown)
    #expect(try state(renewing: "month", into: "year") == .expired)
    #expect(try state(renewing: "month", into: nil) == .unknown)
  }

  @Test("XC-11: a shared purchase counts only for a shareable product") func familyShared() throws {
    var shared = TestShop.transaction()
    shared.ownership = .familyShared
    let snapshot = Snapshot(of: CustomerState([.transaction(shared)]), catalog: try TestShop.catalog(), at: now)
    #expect(!snapshot.allows("extra"))
    let text = TestShop.json().replacingOccurrences(of: "\"name\": \"Pack\",", with: "\"name\": \"Pack\", \"familyShareable\": true,")
    let sharing = Snapshot(of: CustomerState([.transaction(shared)]), catalog: try Catalog(json: Data(text.utf8)), at: now)
    #expect(sharing.allows("extra"))
  }

  @Test("XC-05: uses are stored, not what is left, so a higher limit helps at once; sources add up") func usedNotRemaining() throws {
    func use(_ key: String, _ source: SourceID) -> Fact {
      .use(Use(key: key, feature: "story", source: source, date: now, day: 20513, zone: "UTC"))
    }
    let state = CustomerState([use("1", .device), use("2", "watch"), use("2", "watch")])
    let more = TestShop.json().replacingOccurrences(of: "\"story\": 3", with: "\"story\": 5")
    #expect(Snapshot(of: state, catalog: try TestShop.catalog(), at: now).decision(for: "story").remaining == 1)
    #expect(Snapshot(of: state, catalog: try Catalog(json: Data(more.utf8)), at: now).decision(for: "story").remaining == 3)
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeTesting
import Testing

@testable import Monetize

/// A catalog with a plan on two levels, a pack, credits and an optional gate.
private enum Shop {
  static func catalog(gate: Bool = false) throws -> Catalog {
    func plan(_ id: String, _ level: Int, _ period: String, _ entitlement: String) -> String {
      #"{ "kind": "subscription", "id": "\#(id)", "name": "The \#(id)", "group": "g", "level": \#(level), "period": "\#(period)","#
        + #" "price": { "amount": "1.00", "currency": "USD" }, "entitlements": ["\#(entitlement)"] }"#
    }
    let products = [
      plan("silver", 2, "P1M", "silver"), plan("gold", 1, "P1M", "gold"), plan("gold.year", 1, "P1Y", "gold"),
      #"{ "kind": "nonConsumable", "id": "pack", "name": "Pack", "grants": { "extra": true } }"#,
      #"{ "kind": "consumable", "id": "five", "name": "Five", "credits": { "story": 5 } }"#,
    ]
    return try Catalog(
      json: Data(
        """
        { "schemaVersion": 1, "app": { "id": "shop", "name": "Shop" }, "releases": ["v1"],
          "features": { "story": { "allowance": "count", "per": "month" }, "extra": {}, "best": {}, "later": { "release": "v2" } },
          "freeTier": { "grants": { "story": 3, "later": true } },
          "entitlements": { "silver": { "title": "Silver", "grants": { "story": 10 } },
                            "gold": { "title": "Gold", "grants": { "story": "unlimited", "best": true } } },
          "products": [\(products.joined(separator: ", "))],
          "paywalls": { "default": { "actions": ["purchase", "restore", "dismiss"] },
                        "settings": { "actions": ["upgrade", "restore", "manage", "help"], "products": ["silver", "gold", "gold.year"] } }
          \(gate ? #", "parentalGate": {}"# : "") }
        """.utf8))
  }
}

@Suite(.timeLimit(.minutes(30)))
struct FeatureAccessTests {
  @Test("HEAT-22, MAGIC-18: open, offer, waiting and closed, each with its decision; monetizer, member and snapshot agree")
  func fourAnswers() throws {
    let catalog = try Shop.catalog()
    let shop = Monetizer.testing(catalog, owns: ["pack"])
    for access in [shop.access(to: "extra"), shop.as(.child("max")).access(to: "extra"), shop.snapshot.access(to: "extra")] {
      #expect(access == .open(shop.decision(for: "extra")) && access.isOpen && access.paywall == nil)
    }
    let offer = shop.access(to: "best")
    let paywall = try #require(offer.paywall)
    #expect(offer == .offer(paywall, shop.decision(for: "best")) && !offer.isOpen)
    #expect(paywall.products == ["gold", "gold.year"] && paywall.actions == ["purchase", "restore", "dismiss"])
    #expect(shop.access(to: "later") == .closed(shop.decision(for: "later")))
    #expect(shop.access(to: "no such feature").decision.reason == .unknownFeature)
    for (store, reason) in [(StoreKnowledge.waiting, Reason.unknown), (.unreachable, .storeUnreachable)] {
      let snapshot = Snapshot(of: CustomerState(), catalog: catalog, situation: Situation(store: store), at: RandomFacts.start)
      #expect(snapshot.access(to: "best") == .waiting(snapshot.decision(for: "best")))
      #expect(snapshot.access(to: "best").decision.reason == reason && snapshot.access(to: "story").isOpen)
    }
  }

  @Test("XC-12: over random worlds an access matches its decision, and only an offer has a paywall")
  func random() throws {
    for seed in Seed.run(200) {
      let world = try RandomWorld(seed: seed)
      let catalog = world.catalog
      let store: StoreKnowledge = seed % 3 == 0 ? .waiting : .answered
      let snapshot = Snapshot(of: CustomerState(world.facts), catalog: catalog, situation: Situation(store: store), at: RandomFacts.start)
      for feature in catalog.features {
        let (access, decision) = (snapshot.access(to: feature.id), snapshot.decision(for: feature.id))
        #expect(access.decision == decision && access.isOpen == decision.isAllowed)
        #expect((access.paywall != nil) == (decision.placement != nil && decision.buyingHelps))
        if case .waiting = access { #expect([.unknown, .storeUnreachable, .pending].contains(decision.reason)) }
      }
    }
  }
}

@Suite(.timeLimit(.minutes(30)))
struct PerformTests {
  struct Failed: Error {}
  /// Neither sendable itself nor made from a sendable value.
  final class Story { var pages = 0 }

  @Test("XC-04: done counts once per key, failed costs nothing, and the paywall comes without running the work")
  func outcomes() async throws {
    let shop = Monetizer.testing(try Shop.catalog())
    let story = Story()
    for _ in 0..<2 {
      guard
        case .done(let made) = await shop.perform(
          "story", key: "one",
          {
            story.pages += 1; return story
          })
      else {
        Issue.record("The work was not done.")
        return
      }
      #expect(made === story)
    }
    #expect(shop.decision(for: "story").used == 1 && story.pages == 2)
    guard case .failed(let error) = await shop.perform("story", { throw Failed() }) else {
      Issue.record("The work did not fail.")
      return
    }
    #expect(error is Failed && shop.decision(for: "story").used == 1)
    for _ in 0..<2 { _ = await shop.as(.customer).perform("story") {} }
    guard case .paywall(let paywall, nil) = await shop.perform("story", { Issue.record("ran") }) else {
      Issue.record("There was no paywall.")
      return
    }
    #expect(paywall.placement == .usageLimitReached && paywall.products.contains("gold"))
    guard case .closed(let decision) = await shop.perform("later", { Issue.record("ran") }) else {
      Issue.record("What is not out was not closed.")
      return
    }
    #expect(decision.reason == .notAvailable)
  }

  @Test("Law 9: a paywall from perform is behind the gate, with a pass for one purchase; law 4: unknown is waiting")
  func gate() async throws {
    let shop = Monetizer.testing(try Shop.catalog(gate: true), used: ["story": 3])
    guard case .paywall(_, let pass?) = await shop.perform("story", { Issue.record("ran") }) else {
      Issue.record("There was no pass.")
      return
    }
    _ = try await shop.purchase("gold", pass: pass)
    await #expect(throws: GateRequired.self) { try await shop.purchase("gold", pass: pass) }
    let closed = Monetizer.testing(try Shop.catalog(gate: true), used: ["story": 3]) { $0.parentalGate = ClosedGate() }
    guard case .gateFailed = await closed.perform("story", { Issue.record("ran") }) else {
      Issue.record("The gate let it pass.")
      return
    }
    let waiting = try TestShop.monetizer()
    guard case .waiting(let decision) = await waiting.perform("extra", { Issue.record("ran") }) else {
      Issue.record("It did not wait.")
      return
    }
    #expect(decision.reason == .unknown)
  }

  /// A gate in front of which a parent does something else before passing it.
  private final class BusyGate: ParentalGate {
    let work = Locked<@Sendable () async -> Void>({})
    func challenge() async -> Bool {
      await work.copy()
      return true
    }
  }

  @Test("A feature that opens while the gate is shown is used once, and nothing is sold") func openedMeanwhile() async throws {
    let gate = BusyGate()
    let shop = Monetizer.testing(try Shop.catalog(gate: true), used: ["story": 3]) { $0.parentalGate = gate }
    gate.work.set { await shop.give(["silver"], id: "gift") }
    guard case .done(7) = await shop.perform("story", { 7 }) else {
      Issue.record("It was not done.")
      return
    }
    #expect(shop.decision(for: "story").used == 4)
  }

  @MainActor final class ViewModel {
    var title = ""
    func create(_ shop: Monetizer) async { _ = await shop.perform("story") { title = "made" } }
  }

  @Test("Law 4: before the store's answer no placement offers anything, whatever is known of the products") func notAnswered() throws {
    let catalog = try Catalog.small("{}", paid: "true", extra: #""paywalls": { "default": { "headline": "Buy" } },"#)
    let refunded = StoreTransaction(id: "1", productID: "p", purchaseDate: t0 - 9, revocation: .init(date: t0 - 5))
    func products(_ store: StoreKnowledge) -> [ProductID]? {
      Snapshot(of: CustomerState([.transaction(refunded)]), catalog: catalog, situation: Situation(store: store), at: t0)
        .paywall(at: .default)?.products
    }
    #expect(products(.answered) == ["p"] && products(.waiting) == nil && products(.unreachable) == nil)
  }

  @Test("A paywall is done when its request is allowed for whatever reason; without a request, when one of its products is owned")
  func done() throws {
    let catalog = try Catalog.small(#"{ "allowance": "count", "per": "day" }"#, free: "1", paid: "2")
    let spent = used("f", 2, at: t0)
    let purchase = bought("p")
    func snapshot(_ facts: [Fact], at date: Date) -> Snapshot { Snapshot(of: CustomerState(facts), catalog: catalog, at: date) }
    let closed = snapshot([spent], at: t0 + 1)
    let request = AccessRequest("f")
    let asked = Paywall(placement: .default, request: request, products: ["p"], definition: PaywallDefinition(), actions: [])
    #expect(!closed.decision(for: request).isAllowed && !asked.isDone(in: closed))
    #expect(asked.isDone(in: snapshot([spent], at: t0 + 86400)), "the next day, without a purchase")
    #expect(!asked.isDone(in: snapshot([spent, purchase], at: t0 + 1)), "the purchase is not enough")
    let browsed = Paywall(placement: .default, request: nil, products: ["p"], definition: PaywallDefinition(), actions: [])
    #expect(!browsed.isDone(in: closed) && browsed.isDone(in: snapshot([spent, purchase], at: t0 + 1)))
  }

  @Test("Law 9: the pass of a paywall that was closed starts nothing") func closedPaywall() async throws {
    let store = ScriptedStore()
    let monetizer = try TestShop.monetizer(store, gate: OpenGate())
    await monetizer.start()
    let paywall = try #require(monetizer.access(to: "extra").paywall)
    let pass = try await monetizer.passParentalGate()
    monetizer.closePaywall(paywall, pass: pass)
    await #expect(throws: GateRequired.self) { try await monetizer.purchase("pack", pass: pass) }
    #expect(store.calls("purchase") == 0)
  }

  @Test("The work runs on the caller's actor") @MainActor func isolation() async throws {
    let model = ViewModel()
    await model.create(Monetizer.testing(try Shop.catalog()))
    #expect(model.title == "made")
  }

  @Test("Law 6: of a hundred concurrent calls with three left, three are done") func atOnce() async throws {
    let shop = Monetizer.testing(try Shop.catalog())
    let done = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<100 { group.addTask { if case .done = await shop.perform("story", {}) { true } else { false } } }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(done == 3)
  }
}

@Suite(.timeLimit(.minutes(30)))
struct SubscriberSummaryTests {
  private func summary(_ owns: [ProductID], _ entitlement: EntitlementID = "gold") throws -> SubscriberSummary {
    try #require(Monetizer.testing(try Shop.catalog(), owns: owns).snapshot.summary(of: entitlement))
  }

  @Test("HEAT-28, C7: manage only with a subscription of the store, upgrade only if a product gives more")
  func actions() throws {
    #expect(try summary([]).actions == ["upgrade", "restore", "help"])
    #expect(try summary(["silver"]).actions == ["upgrade", "restore", "manage", "help"])
    #expect(try summary(["gold"]).actions == ["restore", "manage", "help"])
    #expect(try summary(["pack"]).actions == ["upgrade", "restore", "help"])
    #expect(Monetizer.testing(try Shop.catalog()).snapshot.summary(of: "bronze") == nil)
    let packs = try Catalog(
      json: Data(
        #"""
        { "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "features": { "f": {} }, "paywalls": { "default": {} },
          "products": [{ "kind": "nonConsumable", "id": "pack", "name": "P", "grants": { "f": true } }] }
        """#.utf8))
    #expect(Monetizer.testing(packs).snapshot.actions(at: .settings) == ["upgrade", "restore"], "a pack has no unsettled renewal")
    #expect(Monetizer.testing(packs).access(to: "f").paywall?.actions == ["purchase", "restore", "dismiss"])
    let off = Monetizer.testing(try Shop.catalog(), owns: ["silver"])
    try off.apply([Overlay(json: Data(#"{ "id": "off", "patch": { "monetization": "off" } }"#.utf8))])
    #expect(off.snapshot.actions(at: .settings) == ["restore", "manage", "help"])
    #expect(
      Monetizer.testing(
        try Catalog(json: Data(#"{ "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "features": {}, "products": [] }"#.utf8))
      )
      .snapshot.actions(at: .settings).isEmpty)
  }

  @Test("A subscriber can upgrade to as much for ever, and the owner of that to nothing") func lifetime() throws {
    let catalog = try Catalog(
      json: Data(
        #"""
        { "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "features": { "f": {} }, "entitlements": { "pro": { "title": "Pro", "grants": { "f": true } } },
          "products": [
            { "kind": "subscription", "id": "m", "name": "M", "group": "g", "level": 1, "period": "P1M", "entitlements": ["pro"] },
            { "kind": "subscription", "id": "y", "name": "Y", "group": "g", "level": 1, "period": "P1Y", "entitlements": ["pro"] },
            { "kind": "nonConsumable", "id": "life", "name": "L", "entitlements": ["pro"] }] }
        """#.utf8))
    func actions(_ owns: [ProductID]) -> [PaywallAction] { Monetizer.testing(catalog, owns: owns).snapshot.actions(at: .settings) }
    #expect(actions([]) == ["upgrade", "restore"])
    #expect(actions(["m"]) == ["upgrade", "restore", "manage"])
    #expect(actions(["life"]) == ["restore"])
    #expect(actions(["m", "life"]) == ["restore", "manage"])
  }

  @Test("HEAT-23, MAGIC-14: title, product, state and dates") func states() async throws {
    let noon = Date(timeIntervalSince1970: 1_772_366_400)
    let month = noon + 31 * 86400
    let gold = try summary(["gold"])
    #expect(gold.title == "Gold" && gold.product?.product == "gold" && gold.productName == "The gold" && gold.isEntitled)
    #expect(gold.state == .active && gold.date == month && gold.willRenew && gold.renewsInto == nil && !gold.isGift)
    let never = try summary([])
    #expect(never.state == .never && never.date == nil && never.productName == nil && !never.isEntitled)
    let gift = Monetizer.testing(try Shop.catalog())
    await gift.give(["gold"], id: "support")
    #expect(gift.snapshot.summary(of: "gold")?.isGift == true && gift.snapshot.summary(of: "gold")?.state == .active)
    #expect(gift.snapshot.summary(of: "gold")?.actions == ["restore", "help"])
  }

  @Test("A paywall that no feature led to and that has nothing to sell is denied: not offered, or unknown before the store's answer")
  func emptyPaywall() async throws {
    let sold = try Catalog(
      json: Data(
        #"""
        { "schemaVersion": 1, "app": { "id": "test.app", "name": "A" }, "features": { "f": {} },
          "products": [{ "kind": "nonConsumable", "id": "old", "name": "Old", "onSale": false, "grants": { "f": true } }] }
        """#.utf8))
    func reason(_ store: ScriptedStore) async throws -> Reason? {
      let monetizer = try TestShop.monetizer(store, catalog: sold)
      await monetizer.start()
      guard case .denied(let decision) = await monetizer.openPaywall(at: .default) else { return nil }
      return decision.reason
    }
    #expect(try await reason(ScriptedStore()) == .notOffered)
    #expect(try await reason(ScriptedStore { $0.read = nil }) == .storeUnreachable)
  }

  @Test("A gift begins at its date, and nothing allows an unknown feature") func laterGift() throws {
    let start = Date(timeIntervalSince1970: 1_772_366_400)
    let gift = ComplimentaryGrant(id: "a", entitlements: ["gold"], from: start + 86400, until: start + 2 * 86400)
    func snapshot(_ days: Double) throws -> Snapshot {
      Snapshot(of: CustomerState([.grant(gift)]), catalog: try Shop.catalog(), at: start + days * 86400)
    }
    #expect(try [0, 0.5, 1, 1.5, 2].map { try snapshot($0).allows("best") } == [false, false, true, true, false])
    #expect(try snapshot(0).nextChange == start + 86400)
    #expect(try !snapshot(1).allows(AccessRequest("bests")) && !snapshot(1).allows("bests"))
  }
}

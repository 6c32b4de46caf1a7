// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizePaywalls
import Testing

/// Plans on offer to a customer who has one of their group.
@Suite("Changing to another plan")
struct PlanChangeTests {
  /// Two levels, each for a month and a year, and a purchase for ever.
  private static func catalog(_ actions: String = #"["purchase", "restore"]"#, language: String = "en") throws -> Catalog {
    func plan(_ id: String, _ level: Int, _ period: String, _ amount: String) -> String {
      """
      { "kind": "subscription", "id": "\(id)", "name": "\(id.capitalized)", "group": "g", "level": \(level), "period": "\(period)",
        "familyShareable": true, "entitlements": ["all"], "price": { "amount": "\(amount)", "currency": "USD" }, "grants": { "f": \(level == 1 ? 9 : 5) } }
      """
    }
    let plans = [
      plan("high", 1, "P1M", "9"), plan("highYear", 1, "P1Y", "90"), plan("low", 2, "P1M", "5"), plan("lowYear", 2, "P1Y", "50"),
    ]
    return try Catalog(
      json: Data(
        """
        { "schemaVersion": 1, "app": { "id": "app", "name": "App", "language": "\(language)" },
          "features": { "f": { "allowance": "count", "per": "month" } }, "entitlements": { "all": { "title": "All" } },
          "products": [\(plans.joined(separator: ",")), { "kind": "nonConsumable", "id": "ever", "name": "Ever",
            "price": { "amount": "200", "currency": "USD" }, "entitlements": ["all"], "grants": { "f": "unlimited" } }],
          "paywalls": { "default": { "headline": "More", "actions": \(actions) } },
          "legal": { "terms": "https://example.com/terms", "privacy": "https://example.com/privacy" } }
        """.utf8))
  }

  private static func bought(_ product: ProductID, shared: Bool = false) -> StoreTransaction {
    var transaction = StoreTransaction(
      id: "1", productID: product, purchaseDate: Screens.now - 86400, expirationDate: Screens.now + 20 * 86400)
    if shared { transaction.ownership = .familyShared }
    return transaction
  }

  /// The plans on offer with their notes.
  private static func notes(_ facts: [Fact], _ catalog: Catalog) throws -> [ProductID: String?] {
    let snapshot = Screens.snapshot(catalog, facts)
    guard let paywall = snapshot.paywall(at: .default) else { return [:] }
    let screen = PaywallScreen(of: paywall, snapshot: snapshot, loading: .loaded(Screens.products(catalog)))
    return Dictionary(uniqueKeysWithValues: screen.options.filter { $0.sort == .subscription }.map { ($0.id, $0.note) })
  }

  @Test(
    "A plan that begins only after the present one has the date as its note; a higher level, and an equal one of the same length, begin at once",
    arguments: [
      ("low", ["lowYear"]), ("lowYear", ["low"]), ("high", ["highYear", "low", "lowYear"]), ("highYear", ["high", "low", "lowYear"]),
    ] as [(ProductID, [ProductID])])
  func begins(owned: ProductID, later: [ProductID]) throws {
    let notes = try Self.notes([.transaction(Self.bought(owned))], Self.catalog())
    #expect(notes.count == 3 && notes[owned] == nil)
    for (id, note) in notes {
      #expect(note == (later.contains(id) ? "Begins on March 21, 2026, when your current plan ends." : nil), "\(id)")
    }
  }

  @Test("The note is in the customer's language, beside the button and spoken") func language() throws {
    let catalog = try Self.catalog(language: "de")
    let snapshot = Screens.snapshot(catalog, [.transaction(Self.bought("high"))])
    let paywall = try #require(snapshot.paywall(at: .default))
    let screen = PaywallScreen(of: paywall, snapshot: snapshot, loading: .loaded(Screens.products(catalog)), selected: "low")
    #expect(screen.purchaseNote == "Beginnt am 21. März 2026, nach dem jetzigen Abo.")
    #expect(screen.selected?.accessibilityLabel.contains("Beginnt am 21. März 2026") == true)
  }

  @Test("Without a plan of one's own every plan begins at once: none, one that has ended, and one that another family member bought")
  func none() throws {
    var ended = Self.bought("high")
    ended.expirationDate = Screens.now - 1
    for facts in [[], [ended], [Self.bought("high", shared: true)]].map({ $0.map(Fact.transaction) }) {
      let notes = try Self.notes(facts, Self.catalog())
      #expect(!notes.isEmpty && notes.values.allSatisfy { $0 == nil }, "\(facts)")
    }
  }

  @Test("During a commitment every other plan begins at its end") func commitment() throws {
    var renewal = RenewalInfo(originalID: "1", productID: "low", state: .subscribed, willRenew: true, signed: Screens.now)
    renewal.commitment = .init(payment: 2, payments: 12, ends: Screens.now + 300 * 86400, willRenew: true)
    let notes = try Self.notes([.transaction(Self.bought("low")), .renewal(renewal)], Self.catalog())
    #expect(notes.count == 3)
    for (id, note) in notes { #expect(note == "Begins on December 26, 2026, when your current plan ends.", "\(id)") }
  }

  @Test("The action upgrade buys what gives more, as long as the placement has no action that sells the others")
  func upgrades() throws {
    let settings = #"["upgrade", "restore", "manage"]"#
    func offered(_ owned: ProductID?, _ actions: String) throws -> [ProductID]? {
      let facts = owned.map { [Fact.transaction(Self.bought($0))] } ?? []
      return Screens.snapshot(try Self.catalog(actions), facts).paywall(at: .default)?.products
    }
    #expect(try offered(nil, settings) == ["high", "highYear", "low", "lowYear", "ever"])
    #expect(try offered("low", settings) == ["high", "highYear", "ever"])
    #expect(try offered("high", settings) == ["ever"])
    #expect(try offered("ever", settings) == nil)
    #expect(try offered("high", #"["purchase", "upgrade"]"#) == ["highYear", "low", "lowYear", "ever"])
    #expect(try offered("high", #"["purchase", "restore"]"#) == ["highYear", "low", "lowYear", "ever"])
    #expect(try offered("high", #"["restore"]"#) == ["highYear", "low", "lowYear", "ever"])
  }

  @Test("Upgrade offers no plan of a group in which a payment has failed or a purchase waits; what is bought once stays on offer")
  func unsettled() throws {
    let catalog = try Self.catalog(#"["upgrade", "restore", "manage"]"#)
    var lapsed = Self.bought("low")
    lapsed.expirationDate = Screens.now - 3600
    let retry = RenewalInfo(originalID: "1", productID: "low", state: .inBillingRetry, willRenew: true, signed: Screens.now)
    let failed = Screens.snapshot(catalog, [.transaction(lapsed), .renewal(retry)])
    #expect(failed.paywall(at: .default)?.products == ["ever"])
    let pending = Screens.snapshot(
      catalog,
      [
        .pending(
          PendingPurchase(productID: "high", since: Screens.now, lapses: Screens.now + 86400, revision: Revision(Screens.now)))
      ])
    #expect(pending.paywall(at: .default)?.products == ["ever"])
    #expect(Screens.snapshot(catalog).paywall(at: .default)?.products.count == 5)
  }

  @Test("Without a button that buys, the plans are information: none is selected, and no terms of a purchase are shown")
  func information() throws {
    func screen(_ actions: String) throws -> PaywallScreen {
      let catalog = try Self.catalog(actions)
      let snapshot = Screens.snapshot(catalog, [.transaction(Self.bought("low"))])
      let paywall = try #require(snapshot.paywall(at: .default))
      return PaywallScreen(of: paywall, snapshot: snapshot, loading: .loaded(Screens.products(catalog)), selected: "high")
    }
    let selling = try screen(#"["purchase", "restore"]"#)
    #expect(selling.selected?.id == "high" && !selling.disclosures.isEmpty)
    let telling = try screen(#"["restore", "manage"]"#)
    #expect(telling.phase == .ready && telling.options.map(\.id) == ["high", "highYear", "lowYear", "ever"])
    #expect(telling.selected == nil && telling.disclosures.isEmpty && telling.purchaseNote == nil)
    #expect(telling.actions.map(\.id) == [.restore, .manage] && telling.actions.allSatisfy { $0.isEnabled && !$0.isPrimary })
  }

  @Test(
    "A plan to which the present one changes is not offered again; a paywall that has booked it is done, and the settings have its date")
  func booked() throws {
    func renewal(into next: ProductID?, committed: Bool = false) -> Fact {
      var renewal = RenewalInfo(
        originalID: "1", productID: "highYear", state: .subscribed, willRenew: next != nil, renewsInto: next, signed: Screens.now)
      if committed { renewal.commitment = .init(payment: 2, payments: 12, ends: Screens.now + 300 * 86400, willRenew: true) }
      return .renewal(renewal)
    }
    let catalog = try Self.catalog()
    let owned = Fact.transaction(Self.bought("highYear"))
    let before = Screens.snapshot(catalog, [owned, renewal(into: "highYear")])
    let paywall = try #require(before.paywall(at: .default))
    let booked = Screens.snapshot(catalog, [owned, renewal(into: "low")])
    func phase(_ snapshot: Snapshot) -> PaywallScreen.Phase {
      PaywallScreen(of: paywall, snapshot: snapshot, loading: .loaded(Screens.products(catalog))).phase
    }
    #expect(phase(before) == .ready && phase(booked) == .done)
    #expect(booked.paywall(at: .default)?.products == ["high", "lowYear", "ever"])
    #expect(booked.summary(of: "all")?.renewsInto == "low" && before.summary(of: "all")?.renewsInto == nil)
    #expect(Screens.snapshot(catalog, [owned, renewal(into: nil)]).summary(of: "all")?.renewsInto == nil)
    let family = Screens.snapshot(catalog, [.transaction(Self.bought("highYear", shared: true)), renewal(into: "low")])
    #expect(family.paywall(at: .default)?.products.contains("low") == true && phase(family) == .ready, "another member's change")
    let ended = Screens.snapshot(catalog, [renewal(into: "low")], at: Screens.now + 40 * 86400)
    #expect(ended.paywall(at: .default)?.products.contains("low") == true, "the plan has ended")
    func status(_ next: ProductID?, _ language: String = "en", committed: Bool = false) throws -> String? {
      let catalog = try Self.catalog(language: language)
      let snapshot = Screens.snapshot(catalog, [owned, renewal(into: next, committed: committed)])
      return SubscriptionScreen(try #require(snapshot.summary(of: "all")), in: catalog, zone: .gmt).status
    }
    #expect(try status("low") == "Changes to Low on March 21, 2026" && status("low", "de") == "Wechselt am 21. März 2026 zu Low")
    #expect(try status("low", committed: true) == "Changes to Low on December 26, 2026")
    #expect(try status("highYear") == "Renews on March 21, 2026" && status(nil) == "Ends on March 21, 2026")
  }
}

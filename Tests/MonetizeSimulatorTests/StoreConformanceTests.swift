// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import MonetizeTesting
import Testing

/// The simulated store has the behaviour of every store. A quirk breaks only its own behaviours, and the kit detects it.
@Suite("Store conformance", .timeLimit(.minutes(30)))
struct StoreConformanceTests {
  @Test("HEAT-10: products, purchase, ownership, updates and restoring: without quirks every behaviour is checked and holds")
  func wellBehaved() async throws {
    let report = await StoreBackendKit(driver: try SimulatedDriver()).run()
    #expect(report.passed, "\(report)")
    #expect(report.unchecked.isEmpty, "\(report)")
    #expect(report.behaviours.count >= 60)
    for id in ["store.products", "store.purchase", "list.subscription", "news.renewal", "store.synchronize"] {
      #expect(report.behaviours.contains { $0.id == id }, "\(id)")
    }
    #expect(Set(report.behaviours.map(\.id)).count == report.behaviours.count)
    #expect(report.behaviours.allSatisfy { !($0.source ?? "").isEmpty })
    print(report)
  }

  /// The behaviours that each quirk breaks on purpose.
  static let broken: [StoreQuirk: Set<String>] = [
    // A purchase is listed a second later, and the checks do not wait.
    .lateListing: [
      "list.downgrade", "list.downgrade-answer", "list.latest-renewal", "list.non-consumable", "list.non-renewing",
      "list.subscription", "list.upgraded", "news.approval-listed", "news.refund-reversed", "news.renewal-without-gap",
      "offline.back",
    ],
    // No purchase is ever listed.
    .emptyReads: [
      "family.shared", "list.date", "list.downgrade", "list.downgrade-answer", "list.expired", "list.grace",
      "list.latest-renewal", "list.non-consumable", "list.non-renewing", "list.refund-of-plan", "list.retry",
      "list.subscription", "list.upgraded", "news.approval-listed", "news.refund-reversed", "news.renewal-without-gap",
      "offline.back", "signed.status-rises", "store.synchronize",
    ],
    // Reads fail, so checks that need a read fail.
    .failedReads: [
      "family.leaves", "family.shared", "list.consumable", "list.date", "list.downgrade", "list.downgrade-answer",
      "list.expired", "list.grace", "list.latest-renewal", "list.non-consumable", "list.non-renewing", "list.nothing",
      "list.refund-of-plan", "list.retry", "list.revoked", "list.subscription", "list.upgraded", "news.approval-listed",
      "news.declined", "news.refund-reversed", "news.renewal-without-gap", "offline.back", "signed.status-rises",
      "store.pending", "store.synchronize",
    ],
    // The same, as a cancellation.
    .cancelledReads: [
      "family.leaves", "family.shared", "list.consumable", "list.date", "list.downgrade", "list.downgrade-answer",
      "list.expired", "list.grace", "list.latest-renewal", "list.non-consumable", "list.non-renewing", "list.nothing",
      "list.refund-of-plan", "list.retry", "list.revoked", "list.subscription", "list.upgraded", "news.approval-listed",
      "news.declined", "news.refund-reversed", "news.renewal-without-gap", "offline.back", "signed.status-rises",
      "store.pending", "store.synchronize",
    ],
    // As the name states.
    .renewalsNewestFirst: ["news.missed-in-order"],
    // As the name states.
    .duplicates: ["news.missed-in-order", "news.once"],
    // At the time of a renewal the plan has ended; 0.7 s later it is active.
    .expiredAtRenewal: [
      "list.downgrade", "list.downgrade-answer", "list.grace", "list.latest-renewal", "news.missed", "news.renewal",
      "news.renewal-without-gap", "news.resubscription", "news.steady-renewal",
    ],
    // As the name states.
    .approvalBeforeListing: ["news.approval-listed"],
    // As the name states.
    .downgradeReturnsOldTransaction: ["list.downgrade-answer"],
    // The device keeps its first answer: the offer is still shown.
    .frozenEligibility: ["store.introductory-once"],
    // As the name states.
    .noUpdateAtExpiry: ["news.status-at-expiry"],
    // As the name states.
    .offerNotApplied: ["store.introductory-once"],
    // As the name states.
    .ownPurchasesInUpdates: ["news.not-own"],
    // As the name states.
    .repurchaseReturnsOldTransaction: ["news.resubscription"],
    // As the name states.
    .upgradedStaysListed: ["list.upgraded"],
    // The renewal comes a day early, and everything that the checks read is unchanged.
    .earlyRenewal: [],
  ]

  @Test("With a quirk on, the kit notices exactly that", arguments: StoreQuirk.all) func quirk(_ quirk: StoreQuirk) async throws {
    let report = await StoreBackendKit(driver: try SimulatedDriver(quirks: [quirk])).run()
    #expect(Set(report.failed.map(\.id)) == Self.broken[quirk] ?? [], "\(quirk)")
    #expect(report.unchecked.isEmpty)
  }

  /// All quirks except those that exclude others: an answer cannot fail, be cancelled and be empty, and a subscription renewed a day early
  /// does not expire for a moment at its end.
  static func together(without other: StoreQuirk) -> [StoreQuirk] {
    StoreQuirk.all.filter { ![.emptyReads, .failedReads, .cancelledReads, other].contains($0) }
  }

  @Test(
    "With all compatible quirks on, exactly the behaviours that they break are broken",
    arguments: [
      // At the exact end the status shows it already, and the renewal, which would come twice, follows after 0.7 s.
      (StoreQuirk.earlyRenewal, ["news.once", "news.status-at-expiry"] as Set),
      // A charge made a day early is listed, however late, when its period begins.
      (.expiredAtRenewal, ["list.latest-renewal", "news.renewal-without-gap"] as Set),
    ])
  func together(_ other: StoreQuirk, hidden: Set<String>) async throws {
    let quirks = Self.together(without: other)
    let report = await StoreBackendKit(driver: try SimulatedDriver(quirks: quirks)).run()
    let each = quirks.reduce(into: Set<String>()) { $0.formUnion(Self.broken[$1] ?? []) }
    #expect(Set(report.failed.map(\.id)) == each.subtracting(hidden))
    #expect(report.unchecked.isEmpty)
  }

  @Test(
    "The kit notices a store with one fault, at the behaviour that it breaks",
    arguments: [
      (.hidesSharing, "family.shared"), (.signsOnce, "signed.rises"), (.forgetsDowngrades, "list.downgrade"),
      (.finishesNothing, "store.finish"),
    ] as [(FlawedStore.Flaw, String)])
  func flaws(_ flaw: FlawedStore.Flaw, behaviour: String) async throws {
    let report = await StoreBackendKit(driver: try SimulatedDriver { FlawedStore(store: $0, flaw: flaw) }).run()
    #expect(report.failed.map(\.id).contains(behaviour), "\(report.failed.map(\.id))")
    #expect(report.failed.count < 10, "\(report.failed.map(\.id))")
  }

  @Test("From outside only a part can be checked, and the rest has not passed") func plain() async throws {
    let report = await StoreBackendKit(nonConsumable: "pack") { Shop.store().device() }.run()
    #expect(report.passed, "\(report)")
    #expect(report.unchecked.count > 30)
    #expect(report.unchecked.map(\.id).contains("news.refund"))
    #expect(report.description.contains("Not checked"))
  }

  @Test("The kit notices a store without purchases") func emptyStore() async {
    let report = await StoreBackendKit(nonConsumable: "pack") { EmptyStore() }.run()
    #expect(report.failed.map(\.id).contains("store.products"))
    #expect(report.failed.map(\.id).contains("store.purchase"))
  }
}

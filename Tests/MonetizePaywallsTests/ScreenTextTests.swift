// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import Testing

@testable import MonetizePaywalls

/// Each text and button of the screens around a paywall, from small catalogs.
@Suite("Texts and buttons of screens", .timeLimit(.minutes(30)))
struct ScreenTextTests {
  private func catalog(_ rest: String) throws -> Catalog {
    try Catalog(json: Data(#"{ "schemaVersion": 1, "app": { "id": "app", "name": "App" }, \#(rest) }"#.utf8))
  }

  // MARK: Onboarding

  private static let onboarding = #"""
    "features": { "voices": { "title": "Voices" } },
    "products": [{ "kind": "nonConsumable", "id": "pro", "name": "Pro", "grants": { "voices": true } }],
    "onboarding": [
      { "id": "hello", "title": "Hello", "skippable": true, "pages": [{ "id": "one", "title": "Page one", "text": "Text" }, { "id": "two" }] },
      { "id": "results", "title": "Results", "actions": [
        { "id": "unlock", "title": "Unlock", "placement": "onboarding" }, { "id": "on", "title": "Go on" }] },
      { "id": "offer", "placement": "onboarding", "teasers": [{ "feature": "voices", "text": "Many voices" }] }]
    """#

  @Test("A place has the texts of its page or step, its number if there are several, and its buttons in order") func places() throws {
    typealias Button = OnboardingScreen.Button
    let catalog = try catalog(Self.onboarding)
    let screens = OnboardingFlow(catalog.onboarding).places.map { OnboardingScreen($0, in: catalog) }
    #expect(screens.map(\.title) == ["Page one", "Hello", "Results", nil])
    #expect(screens.map(\.text) == ["Text", nil, nil, nil])
    #expect(screens.map(\.progressText) == ["1/2", "2/2", nil, nil] && screens.map(\.progress) == [0.5, 1, nil, nil])
    let page = [
      Button(id: "next", label: "Continue", move: .next, isPrimary: true), Button(id: "skip", label: "Skip", move: .skip, isPrimary: false),
    ]
    #expect(screens[0].buttons == page && screens[1].buttons == page)
    #expect(
      screens[2].buttons == [
        Button(id: "unlock", label: "Unlock", move: .paywall("onboarding"), isPrimary: true),
        Button(id: "on", label: "Go on", move: .take("on"), isPrimary: false),
      ])
    #expect(
      screens[3].buttons == [
        Button(id: "paywall", label: "See Plans", move: .paywall("onboarding"), isPrimary: true),
        Button(id: "next", label: "Continue", move: .next, isPrimary: false),
      ])
    #expect(screens[3].teasers == [OnboardingScreen.Teaser(id: "voices", title: "Voices", text: "Many voices")])
  }

  @Test("Only the current place is skipped, and a place without pages is the only one of its step") func skipping() throws {
    var flow = OnboardingFlow(try catalog(Self.onboarding).onboarding)
    #expect(flow.places.map(\.number) == [1, 2, 1, 1] && flow.places.map(\.count) == [2, 2, 1, 1])
    #expect(!flow.skipAll(from: "hello/two") && !flow.skip("hello/two") && flow.place?.number == 1)
    #expect(flow.skipAll(from: "hello/one") && flow.isOver)
  }

  // MARK: Notices

  @Test("A lock has the unlock message, and no other notice is spoken as locked; a feature without a title shows its message")
  func notices() throws {
    let catalog = try catalog(
      #"""
      "features": { "voices": { "title": "Voices", "unlockMessage": "Hear every voice" }, "themes": { "unlockMessage": "Make themes" },
                    "old": { "title": "Old", "roles": ["parent"] } },
      "freeTier": { "grants": { "old": true } },
      "products": [{ "kind": "nonConsumable", "id": "pro", "name": "Pro", "grants": { "voices": true, "themes": true } }]
      """#)
    let snapshot = Snapshot(
      of: CustomerState(), catalog: catalog, situation: Situation(member: .child("max"), store: .answered), at: Screens.now)
    func notice(_ feature: FeatureID) throws -> FeatureNotice {
      try #require(FeatureNotice(for: AccessRequest(feature), snapshot.access(to: feature), in: catalog, zone: .gmt))
    }
    let (voices, themes, old) = (try notice("voices"), try notice("themes"), try notice("old"))
    #expect(voices.sort == .locked && voices.title == "Voices" && voices.message == "Hear every voice")
    #expect(voices.accessibilityLabel == "Voices, locked, Hear every voice")
    #expect(themes.title == "Make themes" && themes.accessibilityLabel == "Make themes, locked")
    #expect(old.sort == .closed && old.title == "Old" && !old.accessibilityLabel.contains("locked"))
  }

  @Test("A day is that of the given zone") func day() {
    let evening = Screens.now + 5 * 3600  // 2026-03-01T17:00:00Z
    #expect(Language.english.day(evening, in: .gmt) == "March 1, 2026")
    #expect(Language.english.day(evening, in: TimeZone(secondsFromGMT: 9 * 3600)!) == "March 2, 2026")
  }

  @Test("A feature that is closed has no text about an unlimited amount") func remaining() throws {
    let catalog = try catalog(
      #"""
      "features": { "story": { "title": "Stories", "allowance": "count", "unit": { "one": "story", "other": "stories" } } },
      "products": [{ "kind": "nonConsumable", "id": "pro", "name": "Pro", "grants": { "story": "unlimited" } }]
      """#)
    let bought = Fact.transaction(StoreTransaction(id: "1", productID: "pro", purchaseDate: Screens.now - 60))
    #expect(Screens.snapshot(catalog).remainingText(of: "story") == nil)
    #expect(Screens.snapshot(catalog, [bought]).remainingText(of: "story") == "Unlimited stories")
  }

  // MARK: Prompts, settings, shelves

  @Test("A prompt is shown again from the end of its pause on, and at most as often as the catalog has it") func prompts() throws {
    let catalog = try Screens.catalog("heatlab")
    let frequency = try #require(catalog.paywalls.values.compactMap(\.frequency).first)
    let pause = try #require(frequency.every), most = try #require(frequency.atMost)
    let end = pause.added(to: Screens.now, in: .storeCalendar)
    func allows(_ count: Int, at now: Date) -> Bool { PromptHistory(count: count, last: Screens.now).allows(frequency, at: now) }
    #expect(!allows(1, at: end - 1) && allows(1, at: end) && allows(most - 1, at: end) && !allows(most, at: end))
    #expect(PromptHistory(count: 0, last: nil).allows(frequency, at: Screens.now))
  }

  @Test("The settings name the plan, also while its payment fails, and the button of an upgrade is the main one") func settings() throws {
    let catalog = try Screens.catalog("magical-stories")
    func screen(_ facts: [Fact]) throws -> SubscriptionScreen {
      SubscriptionScreen(try #require(Screens.snapshot(catalog, facts).summary(of: "premium")), in: catalog, zone: .gmt)
    }
    let monthly = "com.magicalstories.premium.monthly" as ProductID
    let retry = RenewalInfo(originalID: "1", productID: monthly, state: .inBillingRetry, willRenew: true, signed: Screens.now)
    #expect(try screen([]).plan == "Free" && screen([]).needsAttention == false)
    #expect(try screen([Screens.transaction(monthly)]).plan == "Premium Monthly")
    let unpaid = try screen([Screens.transaction(monthly, ended: true), .renewal(retry)])
    #expect(unpaid.state == .billingRetry && unpaid.plan == "Premium Monthly" && unpaid.needsAttention)
    let actions = try screen([]).actions
    #expect(actions.map(\.id) == [.upgrade, .restore] && actions.map(\.isPrimary) == [true, false])
    #expect(actions.map(\.label) == ["See Plans", "Restore Purchases"])
  }

  @Test("In a collection without parts, only completed items count") func plainShelf() throws {
    let catalog = try catalog(
      #"""
      "features": { "play": { "allowance": "items", "in": ["maps"] } }, "freeTier": { "grants": { "play": 1 } },
      "collections": { "maps": { "title": "Maps", "items": ["a", "b"] } },
      "products": [{ "kind": "nonConsumable", "id": "all", "name": "All", "grants": { "play": "unlimited" } }]
      """#)
    let snapshot = Screens.snapshot(catalog)
    let card = try #require(snapshot.shelf(of: "play") { $0 == "maps/b" }.first)
    #expect(card.completed == 1 && card.count == 2 && card.locked == "maps/b")
    #expect(card.accessibilityLabel == "Maps, 1 of 2 completed, locked")
    #expect(snapshot.cells(of: "play", in: "maps") { $0 == "maps/b" }.map(\.isCompleted) == [false, true])
  }

  // MARK: Options

  private static let plans = #"""
    "features": { "f": {} },
    "products": [
      { "kind": "subscription", "id": "month", "name": "Monthly", "group": "g", "level": 1, "period": "P1M", "grants": { "f": true } },
      { "kind": "subscription", "id": "half", "name": "Half a year", "group": "g", "level": 1, "period": "P6M", "grants": { "f": true } },
      { "kind": "nonConsumable", "id": "ever", "name": "For ever", "grants": { "f": true } }],
    "paywalls": { "default": { "preselected": "month" } }
    """#

  @Test("Half a year has its price per month, rounded up; of products that begin free, there is none") func halfYear() throws {
    let catalog = try catalog(Self.plans)
    let snapshot = Screens.snapshot(catalog)
    let price = Money(amount: Decimal(string: "29.99")!, currency: "USD")
    let products = catalog.products.map { product in
      StoreProduct(
        id: product.id, displayName: product.name, displayPrice: "$29.99", price: price, period: product.subscription?.period)
    }
    let screen = PaywallScreen(of: try #require(snapshot.paywall(at: .default)), snapshot: snapshot, loading: .loaded(products))
    #expect(screen.options.map(\.pricePerMonth) == [nil, "$5.00 per month", nil])
    #expect(screen.options.allSatisfy { !$0.startsFree } && screen.selected?.id == "month")
  }

  @Test("Until prices are loaded, the button promises no free beginning") func loading() throws {
    let catalog = try catalog(Self.plans)
    let snapshot = Screens.snapshot(catalog)
    let screen = PaywallScreen(of: try #require(snapshot.paywall(at: .default)), snapshot: snapshot, loading: .loading)
    #expect(screen.actions.first?.label == "Subscribe" && screen.actions.first?.isEnabled == false)
  }

  @Test("Where the store does not sell the selected product, the first of the others is selected") func notSold() throws {
    let catalog = try catalog(Self.plans)
    let snapshot = Screens.snapshot(catalog)
    let products = Screens.products(catalog).filter { $0.id != "month" }
    let screen = PaywallScreen(of: try #require(snapshot.paywall(at: .default)), snapshot: snapshot, loading: .loaded(products))
    #expect(screen.options.map(\.isSelected) == [true, false] && screen.selected?.id == "half")
  }
}

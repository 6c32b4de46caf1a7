// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizePaywalls
import Testing

@Suite("The screen of a paywall")
struct PaywallScreenTests {
  private func screen(
    _ app: String, _ request: AccessRequest, _ facts: [Fact] = [], selected: ProductID? = nil, buying: ProductID? = nil,
    loading: ((Catalog) -> ProductLoading)? = nil
  ) throws -> PaywallScreen {
    let catalog = try Screens.catalog(app)
    let before = Screens.snapshot(catalog)
    let paywall = try #require(before.paywall(for: before.decision(for: request), request: request))
    let loading = loading?(catalog) ?? .loaded(Screens.products(catalog))
    return PaywallScreen(of: paywall, snapshot: Screens.snapshot(catalog, facts), loading: loading, selected: selected, buying: buying)
  }

  private let denny = AccessRequest("story.play", item: "denny/4")

  @Test("MAZE-15: one option, the tapped pack's, with a one-time price: no period, no renewal, no trial")
  func oneTime() throws {
    let screen = try screen("maze-packs", denny)
    let option = try #require(screen.options.first)
    #expect(screen.options.count == 1 && option.id == "com.example.mazes.pack.denny" && option.price == "$9.99")
    #expect(option.cadence == nil && option.renewal == nil && option.cancellation == nil && option.trial == nil && option.saving == nil)
    #expect(screen.purchaseNote == "One-time purchase" && screen.disclosures.isEmpty)
    #expect(screen.headline?.contains("Denny") == true)
  }

  @Test("HEAT-16, HEAT-17: both plans in the catalog's order, each with price, period, renewal and cancellation")
  func plans() throws {
    let screen = try screen("heatlab", AccessRequest("aiInsights"))
    #expect(screen.options.map(\.id) == ["com.heatlab.pro.annual", "com.heatlab.pro.monthly"])
    #expect(screen.options.map(\.priceText) == ["$39.99 per year", "$4.99 per month"])
    #expect(screen.options.map(\.cadence) == ["per year", "per month"] && screen.options.allSatisfy { !$0.startsFree })
    #expect(screen.options.map(\.pricePerMonth) == ["$3.34 per month", nil])
    #expect(
      screen.options.map(\.renewal) == [
        "Renews automatically at $39.99 per year until cancelled.", "Renews automatically at $4.99 per month until cancelled.",
      ])
    #expect(screen.options.allSatisfy { $0.cancellation?.isEmpty == false })
    #expect(screen.disclosures == [screen.options[0].renewal, screen.options[0].cancellation])
  }

  @Test("HEAT-19, HEAT-20: restore, terms and privacy are on the screen")
  func required() throws {
    let screen = try screen("heatlab", AccessRequest("aiInsights"))
    #expect(screen.actions.map(\.id) == [.purchase, .restore, .dismiss])
    #expect(screen.links.map(\.label) == ["Terms of Use", "Privacy Policy"] && screen.links.allSatisfy { $0.url.hasPrefix("https://") })
  }

  @Test("HEAT-32: the price is the store's text, even if the catalog has another; before the store's answer there is none")
  func storePrice() throws {
    let euros = try screen("heatlab", AccessRequest("aiInsights")) { catalog in
      .loaded(Screens.products(catalog) { "\($0.amountText.replacingOccurrences(of: ".", with: ",")) €" })
    }
    #expect(euros.options.map(\.priceText) == ["39,99 € per year", "4,99 € per month"])
    #expect(euros.options.first?.pricePerMonth == "3,34 € per month")
    for loading in [ProductLoading.loading, .failed(StoreError(.network), retriesAt: nil)] {
      let screen = try screen("heatlab", AccessRequest("aiInsights")) { _ in loading }
      #expect(screen.options.count == 2 && screen.options.allSatisfy { $0.price == nil && $0.priceText == nil && $0.renewal == nil })
      #expect(screen.actions.first { $0.isPrimary }?.isEnabled == false && !"\(screen)".contains("4.99"))
    }
  }

  @Test(
    "MAGIC-02: the saving is floored, and absent if there is none or it is unknown",
    arguments: [
      ("8.99", "89.99", "USD", 16), ("4.99", "39.99", "USD", 33), ("10.00", "120.00", "USD", nil), ("10.00", "130.00", "USD", nil),
      ("10.00", "119.99", "USD", nil), ("8.99", "89.99", "EUR", nil),
    ] as [(String, String, String, Int?)])
  func saving(monthly: String, yearly: String, currency: String, percent: Int?) throws {
    let screen = try screen("magical-stories", AccessRequest("customThemes")) { catalog in
      .loaded(
        Screens.products(catalog).map { product in
          let isYearly = product.period == Period(years: 1)
          let amount = Money.amount(isYearly ? yearly : monthly) ?? 0
          var product = product
          product.price = Money(amount: amount, currency: isYearly ? currency : "USD")
          product.displayPrice = "$\(product.price.amountText)"
          return product
        })
    }
    #expect(screen.options.last?.savingPercent == percent)
    #expect(screen.options.last?.saving == percent.map { "Save \($0)%" })
  }

  @Test("MAGIC-02: without the monthly plan there is no saving")
  func savingAlone() throws {
    let screen = try screen("magical-stories", AccessRequest("customThemes")) { catalog in
      .loaded(Screens.products(catalog).filter { $0.period == Period(years: 1) })
    }
    #expect(screen.options.count == 1 && screen.options[0].saving == nil && screen.options[0].isSelected)
  }

  @Test("MAGIC-03, MAGIC-30, MAGIC-32: the limit's texts, six benefits in order, two plans, one of them selected, two trust lines")
  func limitReached() throws {
    let used = (1...3).map { number in
      Fact.use(
        Use(key: "\(number)", feature: "story", date: Screens.now - 3600, day: Int(Screens.now.timeIntervalSince1970) / 86400, zone: "GMT"))
    }
    let catalog = try Screens.catalog("magical-stories")
    let snapshot = Screens.snapshot(catalog, used)
    let request = AccessRequest("story")
    let paywall = try #require(snapshot.paywall(for: snapshot.decision(for: request), request: request))
    let screen = PaywallScreen(of: paywall, snapshot: snapshot, loading: .loaded(Screens.products(catalog)))
    #expect(screen.headline == "You've used all your free stories this month!")
    #expect(screen.subtitle == "Upgrade to Premium for unlimited magical adventures")
    #expect(
      screen.benefits.map(\.title) == [
        "Unlimited story generation", "Growth Path Collections", "Advanced illustration features", "Multiple child profiles",
        "Parental controls & analytics", "Priority generation speed",
      ])
    #expect(screen.benefits.allSatisfy { !$0.features.isEmpty })
    #expect(screen.actions.map(\.label) == ["Upgrade to Premium", "Maybe Later"] && screen.trust == ["Secure payment", "Cancel anytime"])
    #expect(screen.options.count == 2 && screen.selected?.id == "com.magicalstories.premium.yearly" && screen.links.count == 2)
  }

  @Test("MAGIC-08: the headline is the unlock message of the requested feature")
  func unlockMessage() throws {
    #expect(try screen("magical-stories", AccessRequest("offlineReading")).headline == "Read stories without internet")
  }

  @Test("MAGIC-39: a trial has its length, the price after it and the cadence; the button starts it")
  func trial() throws {
    let screen = try screen("magical-stories", AccessRequest("customThemes"), selected: "com.magicalstories.premium.monthly")
    #expect(screen.selected?.trial == "7 days free, then $8.99 per month")
    #expect(screen.actions.first { $0.isPrimary }?.label == "Start Free Trial")
    #expect(screen.disclosures.first == "Renews automatically at $8.99 per month until cancelled.")
  }

  @Test("HEAT-34: no trial for a customer who used one in the group, nor before the store's answer, for any listing of the store")
  func noTrial() throws {
    let (request, monthly) = (AccessRequest("customThemes"), ProductID("com.magicalstories.premium.monthly"))
    let lapsed = try screen("magical-stories", request, [Screens.transaction(monthly, ended: true, withOffer: true)])
    #expect(lapsed.options.allSatisfy { $0.trial == nil } && lapsed.greeting == "Welcome back")
    #expect(lapsed.actions.first { $0.isPrimary }?.label == "Subscribe")
    let catalog = try Screens.catalog("magical-stories")
    let known = Screens.snapshot(catalog)
    let paywall = try #require(known.paywall(for: known.decision(for: request), request: request))
    let unknown = PaywallScreen(
      of: paywall, snapshot: Screens.snapshot(catalog, answered: false), loading: .loaded(Screens.products(catalog)))
    #expect(unknown.options.allSatisfy { $0.trial == nil } && unknown.greeting == nil)
  }

  @Test("HEAT-17: a lapsed customer who never used an offer sees the trial that the store gives, and not one that it does not list")
  func trialAfterALapse() throws {
    let (request, monthly) = (AccessRequest("customThemes"), ProductID("com.magicalstories.premium.monthly"))
    let paid = [Screens.transaction(monthly, ended: true)]
    #expect(try screen("magical-stories", request, paid, selected: monthly).selected?.trial == "7 days free, then $8.99 per month")
    let ineligible = try screen("magical-stories", request, paid) { .loaded(Screens.products($0, trial: false)) }
    #expect(ineligible.options.allSatisfy { $0.trial == nil })
  }

  @Test(
    "HEAT-35: within the dates of a launch offer both prices of the store are shown, with the end; outside the price alone",
    arguments: [(-1, false), (0, true), (30, true), (31, false)])
  func launchOffer(days: Int, isShown: Bool) throws {
    let catalog = try Screens.catalog("heatlab") {
      $0.replacingOccurrences(
        of: #"{ "type": "introductory", "mode": "freeTrial", "period": "P7D", "enabled": false }] },"#,
        with: """
          { "type": "introductory", "mode": "payAsYouGo", "period": "P1M", "periods": 3, "price": { "amount": "2.99", "currency": "USD" },
            "from": "2026-03-01T12:00:00Z", "until": "2026-04-01T12:00:00Z" }] },
          """)
    }
    let now = Screens.now + TimeInterval(days) * 86400
    let snapshot = Screens.snapshot(catalog, at: now)
    let paywall = try #require(snapshot.paywall(at: .default))
    let screen = PaywallScreen(of: paywall, snapshot: snapshot, loading: .loaded(Screens.products(catalog)))
    let option = try #require(screen.options.first { $0.id == "com.heatlab.pro.monthly" })
    #expect(option.price == "$4.99" && (option.trial?.contains("$2.99") == true && option.trial?.contains("$4.99") == true) == isShown)
    #expect(option.trial?.hasSuffix("(offer ends on April 1, 2026)") ?? false == isShown)
    #expect(option.offerEnds == (isShown ? ISODate.parse("2026-04-01T12:00:00Z", in: Calendar.storeCalendar.timeZone) : nil))
    // Law 8: the snapshot changes by itself at the beginning and at the end.
    #expect(snapshot.nextChange == (days < 0 ? Screens.now : isShown ? Screens.now + 31 * 86400 : nil))
  }

  @Test("DOZZI-17, DOZZI-18, DOZZI-19: the parts, the four benefits with their pictures, the words on the buttons, the store's price")
  func dozzi() throws {
    let screen = try screen("dozzi", AccessRequest("voices", level: "premium"))
    #expect(screen.title == "Unlock Unlimited Stories" && screen.headline == "Hi! I'm Dozzi!")
    #expect(screen.benefits.map(\.icon) == ["infinity", "speaker.wave.3.fill", "heart.fill", "shield.fill"])
    #expect(screen.benefits.map(\.title) == ["Unlimited Stories", "Premium Voices", "Always Personalized", "Safe & Private"])
    #expect(
      screen.benefits.map(\.description) == [
        "Create as many personalized stories as you want", "High-quality, age-appropriate narration",
        "Every story features your child as the hero", "No ads, no tracking",
      ])
    #expect(screen.subtitle == "I can create unlimited magical bedtime stories just for your little one")
    #expect(screen.benefitsTitle == "What you'll get:" && screen.trust == ["No subscriptions • No recurring charges • No ads"])
    #expect(screen.actions.map(\.label) == ["Unlock Unlimited Stories", "Restore Purchases", "Maybe Later"])
    #expect(screen.purchaseNote == "One-time purchase" && screen.options.first?.price == "$2.99")
    #expect(screen.actions.first?.accessibilityLabel == "Unlock Unlimited Stories, Unlimited Stories, $2.99, One-time purchase")
  }

  @Test(
    "Each phase has its message; buying is possible only with a price, and the store's sheet blocks everything but closing")
  func phases() throws {
    let pack: ProductID = "com.example.mazes.pack.denny"
    func enabled(_ screen: PaywallScreen) -> [PaywallAction] { screen.actions.filter(\.isEnabled).map(\.id) }
    let ready = try screen("maze-packs", denny)
    #expect(ready.phase == .ready && ready.message == nil && enabled(ready) == [.purchase, .restore, .dismiss])
    let loading = try screen("maze-packs", denny) { _ in .loading }
    #expect(loading.phase == .loading && loading.message != nil && enabled(loading) == [.restore, .dismiss])
    let failed = try screen("maze-packs", denny) { _ in .failed(StoreError(.network), retriesAt: nil) }
    #expect(failed.phase == .failed && failed.message != nil && enabled(failed) == [.retry, .restore, .dismiss])
    let notSold = try screen("maze-packs", denny) { _ in .loaded([]) }
    #expect(notSold.phase == .failed && notSold.options.isEmpty && notSold.message?.contains("country") == true)
    let buying = try screen("maze-packs", denny, buying: pack)
    #expect(buying.phase == .buying && enabled(buying) == [.dismiss])
    let request = PendingPurchase(
      productID: pack, since: Screens.now - 60, lapses: Screens.now + 86400, revision: Revision(Screens.now - 60))
    let waiting = try screen("maze-packs", denny, [.pending(request)])
    #expect(waiting.phase == .waitingForApproval && enabled(waiting) == [.restore, .dismiss])
    let bought = Fact.transaction(StoreTransaction(id: "1", productID: pack, purchaseDate: Screens.now - 60))
    let done = try screen("maze-packs", denny, [bought])
    #expect(done.phase == .done && done.isDone)
  }

  @Test(
    "After the purchase the only button goes on, in the catalog's language: not the word of a customer who declines",
    arguments: [("en", "Continue"), ("de", "Weiter"), ("ja", "続ける"), ("fr", "Continue")])
  func doneButton(language: String, label: String) throws {
    // Dozzi's own word for closing is "Maybe Later".
    let catalog = try Screens.catalog("dozzi").localized(by: CatalogStrings(json: Data(#"{ "language": "\#(language)" }"#.utf8)))
    let facts = [Fact.transaction(StoreTransaction(id: "1", productID: "com.dozzi.unlimited_stories", purchaseDate: Screens.now - 60))]
    let paywall = try #require(Screens.snapshot(catalog).paywall(at: .default))
    let screen = PaywallScreen(of: paywall, snapshot: Screens.snapshot(catalog, facts), loading: .loaded([]))
    #expect(screen.isDone && screen.actions.map(\.id) == [.dismiss] && screen.actions.map(\.label) == [label])
    #expect(screen.actions.allSatisfy { $0.isEnabled && $0.isPrimary && $0.accessibilityLabel == label })
  }

  @Test("A paywall without a headline and a title is headed by what it sells, never by an id") func headlines() throws {
    func heading(_ catalog: Catalog) throws -> String? {
      let snapshot = Screens.snapshot(catalog)
      return PaywallScreen(of: try #require(snapshot.paywall(at: .default)), snapshot: snapshot, loading: .loading).headline
    }
    // "All of {collection}" has no collection without a tapped story.
    #expect(try heading(Screens.catalog("maze-packs")) == "Denny's Stories")
    #expect(try heading(Screens.catalog("heatlab") { $0.replacingOccurrences(of: "\"headline\"", with: "\"subtitle\"") }) == "Heatlab")
    let dozzi = try screen("dozzi", AccessRequest("voices", level: "premium"))
    #expect(dozzi.headline == "Hi! I'm Dozzi!")
  }

  @Test("From right to left: a price in a text keeps its own order") func rightToLeft() throws {
    let strings = #"{ "language": "ar", "paywalls": { "default": { "headline": "افتح القصص مقابل {price}" } } }"#
    let catalog = try Screens.catalog("dozzi").localized(by: CatalogStrings(json: Data(strings.utf8)))
    let snapshot = Screens.snapshot(catalog)
    let paywall = try #require(snapshot.paywall(at: .default))
    let screen = PaywallScreen(of: paywall, snapshot: snapshot, loading: .loaded(Screens.products(catalog)))
    #expect(screen.headline?.contains("\u{2068}$2.99\u{2069}") == true)
    // An English sentence with an Arabic price, and one without.
    let mixed = try self.screen("heatlab", AccessRequest("aiInsights")) { .loaded(Screens.products($0) { "\($0.amountText) ر.س" }) }
    #expect(mixed.options.last?.priceText == "\u{2068}4.99 ر.س\u{2069} per month")
    #expect(try self.screen("heatlab", AccessRequest("aiInsights")).options.last?.priceText == "$4.99 per month")
  }

  @Test("A selected product outside of the offer is ignored; the selection decides the button, the disclosures and {price}")
  func selection() throws {
    let request = AccessRequest("customThemes")
    let monthly = try screen("magical-stories", request, selected: "com.magicalstories.premium.monthly")
    #expect(monthly.selected?.id == "com.magicalstories.premium.monthly" && monthly.disclosures[0].contains("$8.99 per month"))
    #expect(try screen("magical-stories", request, selected: "other").selected?.id == "com.magicalstories.premium.yearly")
  }

  @Test("Consumables, tips and passes have their own texts")
  func sorts() throws {
    let catalog = try Catalog(
      json: Data(
        """
        { "schemaVersion": 1, "app": { "id": "app", "name": "App" },
          "features": { "story": { "title": "Stories", "allowance": "count", "unit": { "one": "story", "other": "stories" } }, "all": {} },
          "freeTier": { "grants": { "story": 1 } },
          "products": [
            { "kind": "consumable", "id": "ten", "name": "Ten", "credits": { "story": 10 } },
            { "kind": "consumable", "id": "tip", "name": "Coffee" },
            { "kind": "nonRenewing", "id": "pass", "name": "Week", "period": "P7D", "grants": { "all": true } },
            { "kind": "nonConsumable", "id": "ever", "name": "All", "grants": { "all": true } }],
          "paywalls": { "default": { "headline": "Shop" } } }
        """.utf8))
    let snapshot = Screens.snapshot(catalog)
    let paywall = try #require(snapshot.paywall(at: .default))
    let screen = PaywallScreen(of: paywall, snapshot: snapshot, loading: .loaded(Screens.products(catalog)))
    #expect(screen.options.map(\.sort) == [.credits, .tip, .pass, .oneTime])
    #expect(
      screen.options.map(\.note) == [
        "Adds 10 stories", "A tip. It unlocks nothing.", "7 days of access. Does not renew.", "One-time purchase",
      ])
    #expect(screen.options.allSatisfy { $0.renewal == nil && $0.cancellation == nil })
  }

  @Test("No meter while a plan that gives one more may have renewed, however much of the free limit is left", arguments: 0...3)
  func meterInDoubt(used: Int) throws {
    let catalog = try Catalog(
      json: Data(
        #"""
        { "schemaVersion": 1, "app": { "id": "app", "name": "App" }, "features": { "story": { "allowance": "count", "per": "month" } },
          "freeTier": { "grants": { "story": 3 } },
          "products": [{ "kind": "subscription", "id": "plan", "name": "Plan", "group": "g", "level": 1, "period": "P1M", "grants": { "story": 4 } }] }
        """#.utf8))
    let ended = Screens.now - 3600
    let facts: [Fact] =
      [
        .transaction(StoreTransaction(id: "1", productID: "plan", purchaseDate: ended - 31 * 86400, expirationDate: ended)),
        .renewal(RenewalInfo(originalID: "1", productID: "plan", state: .subscribed, expires: ended, signed: ended - 86400)),
      ]
      + (0..<used).map { .use(Use(key: "\($0)", feature: "story", date: Screens.now - 60, day: 20_513, zone: "UTC")) }
    #expect(Screens.snapshot(catalog, facts, answered: false).meter(of: "story") == nil)
    #expect(Screens.snapshot(catalog, facts).meter(of: "story")?.used == used)
  }

  @Test("While a payment has failed, the paywalls of that group have a message about it beside their prices")
  func failedPayment() throws {
    let catalog = try Screens.catalog("heatlab")
    let plan = try #require(catalog.products.first { $0.subscription != nil }).id
    func message(_ state: RenewalInfo.State, _ phase: ProductLoading? = nil) throws -> String? {
      let ended = Screens.now - 86400
      let facts: [Fact] = [
        .transaction(StoreTransaction(id: "1", productID: plan, purchaseDate: ended - 31 * 86400, expirationDate: ended)),
        .renewal(RenewalInfo(originalID: "1", productID: plan, state: state, expires: ended, signed: ended)),
      ]
      let snapshot = Screens.snapshot(catalog, facts)
      let paywall = try #require(snapshot.paywall(at: .default))
      let screen = PaywallScreen(of: paywall, snapshot: snapshot, loading: phase ?? .loaded(Screens.products(catalog)))
      return screen.message
    }
    #expect(try message(.inBillingRetry) == "The last payment failed. Check how you pay.")
    #expect(try message(.expired) == nil)
    #expect(try message(.inBillingRetry, .loading) == message(.expired, .loading))
  }

  @Test("Lengths of time are in the catalog's language, and credits of several features are one list")
  func lengthsInLanguages() throws {
    let catalog = try Catalog(
      json: Data(
        """
        { "schemaVersion": 1, "app": { "id": "app", "name": "App" },
          "features": { "play": { "title": "Play", "allowance": "duration", "per": "day" },
            "story": { "allowance": "count", "unit": { "one": "story", "other": "stories" } } },
          "freeTier": { "grants": { "play": "PT30M" } },
          "products": [{ "kind": "consumable", "id": "more", "name": "More", "credits": { "play": "PT1H30M", "story": 1 } }],
          "paywalls": { "default": { "headline": "Mehr als {limit}" } } }
        """.utf8))
    let expected = [
      "en": ["Adds 1 hour 30 minutes, 1 story", "Mehr als 30 minutes", "30 minutes remaining", "Play: no time/30 minutes"],
      "de": ["1 Stunde 30 Minuten, 1 story dazu", "Mehr als 30 Minuten", "Noch 30 Minuten", "Play: keine Zeit/30 Minuten"],
      "ja": ["1時間30分、1 stories追加", "Mehr als 30分", "残り30分", "Play：0秒/30分"],
    ]
    for (language, texts) in expected {
      let catalog = try catalog.localized(by: CatalogStrings(json: Data(#"{ "language": "\#(language)" }"#.utf8)))
      let snapshot = Screens.snapshot(catalog)
      let request = AccessRequest("play")
      let paywall = try #require(snapshot.paywall(at: .default))
      let option = PaywallScreen(of: paywall, snapshot: snapshot, loading: .loaded(Screens.products(catalog))).options.first
      let meter = try #require(snapshot.meter(of: "play"))
      let headline = snapshot.definition(at: .default, for: request).headline
      #expect([option?.note, headline, meter.remainingText, meter.text] == texts, "\(language)")
    }
  }

  @Test("Every control has an accessibility label, in every language", arguments: ["en", "de", "ja"])
  func labels(language: String) throws {
    for app in ["maze-packs", "heatlab", "magical-stories", "dozzi"] {
      let catalog = try Screens.catalog(app).localized(by: CatalogStrings(json: Data(#"{ "language": "\#(language)" }"#.utf8)))
      let snapshot = Screens.snapshot(catalog)
      for placement in catalog.paywalls.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
        guard let paywall = snapshot.paywall(at: placement) else { continue }
        let screen = PaywallScreen(of: paywall, snapshot: snapshot, loading: .loaded(Screens.products(catalog)))
        #expect(screen.actions.allSatisfy { !$0.label.isEmpty && !$0.accessibilityLabel.isEmpty })
        #expect(screen.options.allSatisfy { $0.accessibilityLabel.contains($0.name) && $0.accessibilityLabel.contains($0.price ?? "-") })
        #expect(!"\(screen)".contains("{"), "a placeholder is left: \(screen)")
      }
    }
  }

  @Test("German and Japanese have their own texts for trials, renewals and notes")
  func languages() throws {
    func trial(_ language: String) throws -> String? {
      let catalog = try Screens.catalog("magical-stories").localized(
        by: CatalogStrings(json: Data(#"{ "language": "\#(language)" }"#.utf8)))
      let snapshot = Screens.snapshot(catalog)
      let paywall = try #require(snapshot.paywall(at: .default))
      return PaywallScreen(of: paywall, snapshot: snapshot, loading: .loaded(Screens.products(catalog))).selected?.trial
    }
    #expect(try trial("de") == "7 Tage kostenlos, danach $89.99 pro Jahr")
    #expect(try trial("ja") == "7日間無料、その後は$89.99/年")
  }

  @Test("MAGIC-29, DOZZI-05: the meter shows used and remaining amounts, with the singular for one; a subscriber has none")
  func meters() throws {
    let catalog = try Screens.catalog("magical-stories")
    func used(_ count: Int) -> [Fact] {
      (0..<count).map {
        .use(Use(key: "\($0)", feature: "story", date: Screens.now - 60, day: Int(Screens.now.timeIntervalSince1970) / 86400, zone: "GMT"))
      }
    }
    let meter = try #require(Screens.snapshot(catalog, used(1)).meter(of: "story"))
    #expect(meter.text == "Stories this month: 1/3" && abs(meter.progress - 1 / 3) < 1e-9 && meter.remainingText == "2 stories remaining")
    #expect([2, 3].map { Screens.snapshot(catalog, used($0)).remainingText(of: "story") } == ["1 story remaining", "0 stories remaining"])
    let premium = Screens.snapshot(catalog, [Screens.transaction("com.magicalstories.premium.yearly")])
    #expect(premium.meter(of: "story") == nil && premium.remainingText(of: "story") == "Unlimited stories")
    #expect(premium.remainingText(of: "customThemes") == nil)
  }

  @Test("While a subscription may have renewed, the meter does not show the limit of the free tier")
  func metersInDoubt() throws {
    let catalog = try Screens.catalog("magical-stories")
    let ended = [Screens.transaction("com.magicalstories.premium.yearly", ended: true)]
    let inDoubt = Screens.snapshot(catalog, ended, answered: false)
    #expect(inDoubt.meter(of: "story") == nil && inDoubt.remainingText(of: "story") == nil && inDoubt.allows("story"))
    #expect(Screens.snapshot(catalog, ended).meter(of: "story")?.limit == 3)
    #expect(Screens.snapshot(catalog, answered: false).meter(of: "story")?.limit == 3, "Nothing is recorded before the first answer")
    let limit = Fact.cap(Cap(feature: "story", subject: Member.child("max").subject, amount: "2", revision: Revision(Screens.now)))
    let child = Snapshot(
      of: CustomerState(ended + [limit]), catalog: catalog, situation: Situation(member: .child("max"), store: .waiting), at: Screens.now)
    #expect(child.meter(of: "story")?.limit == 2, "A parent's limit holds for a subscriber as well")
  }
}

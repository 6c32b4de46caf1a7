// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeTools
import Testing

/// What the rules read of texts, names and arms: more than one case for each rule.
@Suite("Lint: texts, names and arms", .timeLimit(.minutes(30)))
struct LintTextTests {
  private static func codes(_ base: String, _ patch: String) throws -> [String] {
    LintTests.codes(try ToolFixtures.patched(ToolFixtures.text("lint/\(base).json"), patch))
  }

  private static func codes(_ base: String, trust text: String, _ sections: String = "") throws -> [String] {
    try codes(base, #"{ \#(sections)"paywalls": { "default": { "trust": ["\#(text)"] } } }"#)
  }

  @Test(
    "MAZE-38: a text that denies a subscription is no mention of one",
    arguments: [
      "Subscription-free. Yours for ever.", "Pay once. It doesn't renew.", "This isn’t a subscription.",
      "One payment instead of a subscription",
      "Free of subscriptions", "Free from trials", "It won't renew", "Pay once rather than subscribe", "Unlike a subscription",
      "Don't bother with subscriptions", "Never pay for a subscription again", "No other purchases or subscriptions",
    ])
  func denied(_ text: String) throws { #expect(try Self.codes("packs", trust: text) == []) }

  @Test(
    "MAZE-38: trials are subscriptions",
    arguments: [
      "Free trials for all", "With a 7-day-trial", "Auto-renews", "A subscription, free", "No limits with our monthly subscription",
      "Nothing beats a subscription", "There is no better subscription", "No ads. No trial, but a subscription", "3 each month",
    ])
  func asserted(_ text: String) throws { #expect(try Self.codes("packs", trust: text) == ["copy.recurring-in-one-time"]) }

  @Test("Extreme prices end no command: the saving of a plan is bounded", arguments: ["0.01", "99999999999999999999.00"])
  func extremePrices(_ yearly: String) throws {
    let other = yearly == "0.01" ? "99999999999999999999.00" : "0.01"
    func plan(_ id: String, _ price: String, _ period: String) -> String {
      #"""
      { "kind": "subscription", "id": "\#(id)", "name": "Plan", "group": "g", "level": 1, "period": "\#(period)",
        "price": { "amount": "\#(price)", "currency": "USD" }, "grants": { "f": true },
        "offers": [{ "type": "introductory", "mode": "payAsYouGo", "period": "P1M", "periods": 3,
                     "price": { "amount": "\#(price)", "currency": "USD" } }] }
      """#
    }
    let catalog = #"""
      { "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "features": { "f": {} },
        "products": [\#(plan("m", other, "P1M")), \#(plan("y", yearly, "P1Y"))],
        "paywalls": { "default": { "headline": "Save 99 %", "actions": ["purchase", "restore"] } } }
      """#
    #expect(!LintTests.codes(catalog).isEmpty)
  }

  @Test(
    "A sentence about data is no claim that none is shared",
    arguments: ["Never lose your data", "Works offline: no data connection needed"])
  func data(_ text: String) throws {
    #expect(try Self.codes("packs", trust: text, #""privacy": { "collected": ["appUsage"] }, "#) == [])
  }

  @Test(
    "A claim that no data is shared, in any order of its words",
    arguments: [
      "No data shared", "Your data never leaves your device", "We don't collect any data", "Nothing is shared", "Never shares your data",
    ])
  func noData(_ text: String) throws {
    #expect(try Self.codes("packs", trust: text, #""privacy": { "collected": ["appUsage"] }, "#) == ["claim.noDataShared"])
  }

  @Test("A claim of no ads in other words", arguments: ["Ad-free", "Free of ads", "No advertising", "Without ads"])
  func noAds(_ text: String) throws {
    #expect(try Self.codes("packs", trust: text, #""privacy": { "ads": "contextual" }, "#) == ["claim.noAds"])
  }

  @Test(
    "A denial beside a subscription that exists is no claim that there is none",
    arguments: ["You don't need Wi-Fi with your subscription", "No limits with your subscription", "No ads while your subscription lasts"])
  func existing(_ text: String) throws { #expect(try Self.codes("plans", trust: text) == []) }

  @Test(
    "XC-10, HEAT-35: a price in any sign, code or word",
    arguments: [
      "Was 9.99, now less", "Was 12.99, now 9.99", "Only 4.99", "{price} instead of 9.99", "4.99USD", "5 CAD", "9,99 zł", "5 kr", "₱ 99",
      "＄4.99", "4.99 dollars", "499 yen", "99 cents", "USD 5", "Nur 4,99 €!",
    ])
  func price(_ text: String) throws { #expect(try Self.codes("plans", trust: text) == ["price-in-text"]) }

  @Test(
    "A number beside another word is no price",
    arguments: [
      "Now with version 2.10", "Lose 5 pounds", "TRY 7 new looks", "ALL 25 looks", "Only 3 notes", "Was 2.50 m long", "5 km of notes",
      "A yen for 3 notes", "100% of euro coins",
    ])
  func noPrice(_ text: String) throws { #expect(try Self.codes("plans", trust: text) == []) }

  private static func plan(_ id: String, _ period: String, _ price: String, offers: String = "") -> String {
    #"""
    { "kind": "subscription", "id": "pro.\#(id)", "name": "Pro \#(id)", "group": "pro", "level": 1, "period": "\#(period)",
      "price": { "amount": "\#(price)", "currency": "USD" }, "entitlements": ["pro"], "offers": [\#(offers)] }
    """#
  }

  @Test(
    "DEF-S1, MAGIC-02: a saving that the plans do not give",
    arguments: [
      ("Save 50%", false), ("Save 34 % a year", false), ("Save 33%", true), ("Save 10 percent", true), ("4 months free", true),
      ("5 months free", false), ("34% off", false), ("50% more notes", true), ("Works 100% offline", true),
    ])
  func savings(text: String, isRight: Bool) throws {
    // 12 x 4.99 is 59.88; 39.92 are 8 months, and 39.99 leave less than 4.
    let products = "[\(Self.plan("monthly", "P1M", "4.99")), \(Self.plan("yearly", "P1Y", "39.92"))]"
    let patch = #"{ "products": \#(products), "paywalls": { "default": { "subtitle": "\#(text)" } } }"#
    #expect(try Self.codes("plans", patch) == (isRight ? [] : ["saving-in-text"]))
  }

  @Test("The share of the price that a paid offer saves may be named, and no more", arguments: [("Save 50%", true), ("Save 60%", false)])
  func savingOfAnOffer(text: String, isRight: Bool) throws {
    let offer =
      #"{ "type": "introductory", "mode": "payAsYouGo", "period": "P1M", "periods": 3, "price": { "amount": "5.00", "currency": "USD" } }"#
    let plan = Self.plan("monthly", "P1M", "10.00", offers: offer)
    let patch = #"{ "products": [\#(plan)], "paywalls": { "default": { "subtitle": "\#(text)" } } }"#
    #expect(try Self.codes("plans", patch) == (isRight ? [] : ["saving-in-text"]))
  }

  @Test(
    "An offer that is paid at once must be below the price of as many periods, of any length",
    arguments: [
      ("P1M", "4.99", "P1Y", "59.88", false), ("P1M", "4.99", "P1Y", "59.87", true), ("P1Y", "30.00", "P1Y", "30.00", false),
      ("P1Y", "30.00", "P1Y", "29.99", true), ("P7D", "1.99", "P14D", "3.98", false), ("P7D", "1.99", "P14D", "3.97", true),
      ("P1Y", "30.00", "P6M", "30.00", false), ("P1Y", "30.00", "P6M", "29.00", true),
    ])
  func offerPrice(plan: String, price: String, length: String, offer: String, isRight: Bool) throws {
    let terms =
      #"{ "type": "introductory", "mode": "payUpFront", "period": "\#(length)", "price": { "amount": "\#(offer)", "currency": "USD" } }"#
    let patch = #"{ "products": [\#(Self.plan("monthly", plan, price, offers: terms))] }"#
    #expect(try Self.codes("plans", patch) == (isRight ? [] : ["offer-not-cheaper"]))
  }

  @Test("Prices in another currency are not compared with the catalog's") func otherCurrency() throws {
    let text = Data(try ToolFixtures.text("lint/plans.json").utf8)
    func codes(_ price: Money) -> [String] {
      Lint(rules: [.prices(match: ["pro.monthly": price], in: "other")]).findings(in: text).map(\.diagnostic.code.rawValue)
    }
    #expect(codes(Money(amount: 5, currency: "EUR")) == [] && codes(Money(amount: 5, currency: "USD")) == ["price-mismatch"])
  }

  @Test("DEF-S1: a saving by less than a whole month is none")
  func lessThanAMonth() throws {
    let products = "[\(Self.plan("monthly", "P1M", "4.99")), \(Self.plan("yearly", "P1Y", "39.99"))]"
    let patch = #"{ "products": \#(products), "paywalls": { "default": { "subtitle": "4 months free" } } }"#
    #expect(try Self.codes("plans", patch) == ["saving-in-text"])
  }

  @Test(
    "HEAT-17, DEF-H12: the length of a trial in a text",
    arguments: [
      ("14-day free trial", ["trial-in-text"]), ("30 days free", ["trial-in-text"]), ("Try it free for 2 weeks", ["trial-in-text"]),
      ("A trial of 3 days", ["trial-in-text"]), ("7-day free trial", []), ("1 week free", []), ("Free for 7 days", []),
      ("Your last 14 days are free to read", []), ("14 days of notes", []),
    ])
  func trials(text: String, codes: [String]) throws {
    let offer = #"{ "type": "introductory", "mode": "freeTrial", "period": "P7D" }"#
    let patch =
      #"{ "products": [\#(Self.plan("monthly", "P1M", "4.99", offers: offer))], "paywalls": { "default": { "subtitle": "\#(text)" } } }"#
    #expect(try Self.codes("plans", patch) == codes)
  }

  @Test(
    "The length of a free trial that is a product of its own, in another text",
    arguments: [("Start your 14-day free trial", true), ("Start your 30-day free trial", false)])
  func trialProduct(text: String, isRight: Bool) throws {
    let trial = #"""
      { "kind": "nonConsumable", "id": "com.example.trial", "name": "14-day Trial", "period": "P14D",
        "price": { "amount": "0", "currency": "USD" }, "grants": { "old": "unlimited" } }
      """#
    let patch = #"""
      { "features": { "old": { "title": "Old notes", "allowance": "window" } }, "entitlements": { "pro": { "grants": { "old": "unlimited" } } },
        "products": [\#(Self.plan("monthly", "P1M", "4.99")), \#(trial)], "paywalls": { "default": { "subtitle": "\#(text)" } } }
      """#
    #expect(try Self.codes("plans", patch).contains("trial-in-text") == !isRight)
  }

  @Test(
    "The free days of the free tier may be named beside a trial of another length",
    arguments: [("Free for 3 days", true), ("Free for 5 days", false)])
  func freeWindow(text: String, isRight: Bool) throws {
    let offer = #"{ "type": "introductory", "mode": "freeTrial", "period": "P7D" }"#
    let patch = #"""
      { "features": { "old": { "title": "Old notes", "allowance": "window" } }, "freeTier": { "grants": { "old": "P3D" } },
        "entitlements": { "pro": { "grants": { "old": "unlimited" } } }, "products": [\#(Self.plan("monthly", "P1M", "4.99", offers: offer))],
        "paywalls": { "default": { "subtitle": "\#(text)" } } }
      """#
    #expect(try Self.codes("plans", patch) == (isRight ? [] : ["trial-in-text"]))
  }

  @Test("HEAT-17: a trial that nothing has", arguments: ["Try it free for 14 days", "First week on us"])
  func noTrial(text: String) throws { #expect(try Self.codes("plans", trust: text) == ["claim.freeTrial"]) }

  @Test("A title such as Notes is the noun of a limit without a unit")
  func titleNoun() throws {
    #expect(try Self.codes("plans", trust: "Write 5 free notes") == ["limit-in-text"])
    #expect(try Self.codes("packs", trust: "The first 5 stories are free") == ["limit-in-text"])
    #expect(try Self.codes("packs", trust: "The first 3 stories are free, 20 stories in all") == [])
  }

  @Test("A price in the texts beside the buy button is a price in a text")
  func legal() throws {
    #expect(try Self.codes("plans", #"{ "legal": { "renewal": "Renews at $4.99 per month." } }"#) == ["price-in-text"])
    #expect(try Self.codes("plans", #"{ "legal": { "cancellation": "Cancel, or pay 4.99 €." } }"#) == ["price-in-text"])
  }

  @Test("A mistake in a paywall is one mistake: nothing is known of its actions", arguments: ["default", "settings"])
  func unreadablePaywall(placement: String) throws {
    let patch = #"{ "paywalls": { "\#(placement)": { "benefits": [{ "features": ["folders"] }] } } }"#
    #expect(try Self.codes("plans", patch) == ["missing-key"])
  }

  @Test(
    "A number before a counted noun is a claim about the limit",
    arguments: [
      ("Write 3 notes", true), ("Write three more free notes", true), ("5 notes", false), ("One note a day", false),
      ("Export 5 files", true), ("12 months of all notes", true),
    ])
  func limits(text: String, isRight: Bool) throws {
    let patch =
      #"{ "features": { "note": { "unit": { "one": "note", "other": "notes" } } }, "paywalls": { "default": { "subtitle": "\#(text)" } } }"#
    #expect(try Self.codes("plans", patch) == (isRight ? [] : ["limit-in-text"]))
  }

  @Test("A limit that only an entitlement gives may be named", arguments: [("Write 40 notes", true), ("Write 50 notes", false)])
  func limitOfAnEntitlement(text: String, isRight: Bool) throws {
    let patch = #"{ "entitlements": { "pro": { "grants": { "note": 40 } } }, "paywalls": { "default": { "subtitle": "\#(text)" } } }"#
    #expect(try Self.codes("plans", patch) == (isRight ? [] : ["limit-in-text"]))
  }

  @Test("An empty label is named, not the labels")
  func label() throws {
    let text = try ToolFixtures.patched(
      ToolFixtures.text("lint/packs.json"), #"{ "paywalls": { "default": { "labels": { "purchase": "" } } } }"#)
    #expect(
      LintTests.found(text).map(\.diagnostic.message) == [
        "This text is empty, so a screen reader cannot read it. Write it, or remove \"purchase\"."
      ])
  }

  // MARK: Names of what is recorded

  @Test(
    "MAZE-24: of a child only what is known to be harmless is recorded",
    arguments: [
      "birthYear", "zipCode", "gps", "gender", "school", "eMail", "dob", "note", "deviceId", "ip", "heart", "DOB", "GPSLevel", "userIDFA",
    ])
  func kids(_ name: String) throws {
    #expect(
      try Self.codes("packs", #"{ "events": { "custom": { "done": { "properties": { "\#(name)": "number" } } } } }"#) == [
        "kids-personal-data"
      ])
  }

  @Test(
    "HEAT-39: no health value is recorded, under whatever name",
    arguments: [
      "restingHR", "bodyMass", "kcal", "hrv", "vo2max", "spo2", "steps", "mood", "menstruation", "heartRate", "pulseCount", "maxBPM", "BMI",
      "ECGResult", "restingHRLevel",
    ])
  func health(_ name: String) throws {
    let health = #"{ "app": { "domain": "health" }, "#
    #expect(
      try Self.codes("plans", health + #""events": { "custom": { "done": { "properties": { "\#(name)": "number" } } } } }"#) == [
        "health-data"
      ])
  }

  @Test("HEAT-39, MAZE-24: events, milestones and synchronized fields named like a health value or personal data")
  func names() throws {
    let health = #"{ "app": { "domain": "health" }, "#
    #expect(try Self.codes("plans", health + #""events": { "custom": { "heartRate": {} } } }"#) == ["health-data"])
    #expect(
      try Self.codes("plans", health + #""milestones": { "heartRate": { "feature": "note", "uses": 5, "action": "x" } } }"#) == [
        "health-data"
      ])
    #expect(try Self.codes("plans", health + #""sync": { "merge": { "heartRate": "max", "completed": "or" } } }"#) == ["health-data"])
    #expect(try Self.codes("packs", #"{ "sync": { "merge": { "birthYear": "max", "stars": "max" } } }"#) == ["kids-personal-data"])
  }

  @Test(
    "Properties that say what they count are fine",
    arguments: ["length", "storyLength", "levelIndex", "seconds", "pageCount", "difficulty"])
  func harmless(_ name: String) throws {
    #expect(try Self.codes("packs", #"{ "events": { "custom": { "done": { "properties": { "\#(name)": "number" } } } } }"#) == [])
  }

  @Test("A child's app collects nothing that identifies the child")
  func labels() throws {
    #expect(
      try Self.codes("packs", #"{ "privacy": { "collected": ["name", "appUsage", "preciseLocation"] } }"#) == [
        "kids-personal-data", "kids-personal-data",
      ])
    #expect(try Self.codes("plans", #"{ "privacy": { "collected": ["name", "appUsage", "preciseLocation"] } }"#) == [])
  }

  @Test("A misspelt key or word of privacy and server is a warning with the right one")
  func misspelt() throws {
    let text = try ToolFixtures.patched(
      ToolFixtures.text("lint/plans.json"),
      #"{ "privacy": { "colected": [], "collected": ["appUsag"] }, "server": { "provides": ["verificaton"] } }"#)
    #expect(
      LintTests.found(text).map(\.diagnostic.message) == [
        "There is no key \"colected\". Did you mean \"collected\"?", "There is no privacy label \"appUsag\". Did you mean \"appUsage\"?",
        "There is no service \"verificaton\". Did you mean \"verification\"?",
      ])
  }

  // MARK: Arms, sales, offers

  @Test("HEAT-19, XC-10: an arm of an experiment is checked as the catalog of its customers")
  func arms() throws {
    func arm(_ set: String) throws -> [String] {
      let text = try ToolFixtures.patched(
        ToolFixtures.text("lint/plans.json"),
        #"{ "experiments": { "cta": { "arms": [{ "id": "a", "weight": 0.5 }, { "id": "b", "weight": 0.5, "set": \#(set) }] } } }"#)
      return LintTests.found(text).map { "\($0.diagnostic.code) \($0.diagnostic.path): \($0.diagnostic.message)" }
    }
    #expect(
      try arm(#"{ "paywalls": { "settings": { "actions": ["upgrade", "manage"] } } }"#) == [
        "restore-missing experiments.cta.arms[1].set: With the arm \"b\", at paywalls.settings.actions: Customers cannot restore purchases here. Add "
          + "\"restore\" to \"actions\"."
      ])
    #expect(try arm(#"{ "paywalls": { "default": { "headline": "Only $2.99" } } }"#).map { $0.prefix(13) } == ["price-in-text"])
    #expect(try arm(#"{ "paywalls": { "default": { "headline": "Write much more" } } }"#) == [])
  }

  @Test("A part that only a product no longer sold opens, plans of two groups with equal grants, and an offer for less than one period")
  func sales() throws {
    let pack = #""kind": "nonConsumable", "price": { "amount": "9.99", "currency": "USD" }"#
    func part(_ isSold: Bool) throws -> [String] {
      try Self.codes(
        "packs",
        #"""
        { "features": { "note": { "title": "Notes", "allowance": "count" }, "many": { "title": "Many", "of": "note", "atLeast": 10 } }, "freeTier": { "grants": { "note": 3 } },
          "products": [{ \#(pack), "id": "pack.denny", "name": "Denny", "grants": { "story": { "denny": "unlimited" } } },
            { \#(pack), "id": "notes", "name": "Notes", "grants": { "note": 10 }, "onSale": \#(isSold) }] }
        """#)
    }
    #expect(try part(false) == ["feature-not-on-sale"])
    #expect(try part(true) == [])
    func plan(_ id: String, _ group: String, _ rest: String) -> String {
      #"""
      { "kind": "subscription", "id": "\#(id)", "name": "Pro \#(id)", "group": "\#(group)", "level": 1, "period": "P1M",
        "price": { "amount": "4.99", "currency": "USD" }, \#(rest) }
      """#
    }
    let grants = #""grants": { "note": "unlimited", "look": "fine", "folders": true }"#
    func groups(_ other: String) throws -> [String] {
      try Self.codes(
        "plans", "{ \"entitlements\": null, \"products\": [\(plan("pro.monthly", "pro", grants)), \(plan("pro.b", other, grants))] }")
    }
    #expect(try groups("other") == ["plans-in-several-groups"])
    #expect(try groups("pro") == [])
    let offer =
      #""offers": [{ "type": "promotional", "id": "o", "mode": "payUpFront", "period": "P1W", "price": { "amount": "400", "currency": "USD" } }]"#
    #expect(
      try Self.codes("plans", "{ \"products\": [\(plan("pro.monthly", "pro", #""entitlements": ["pro"], \#(offer)"#))] }") == [
        "offer-not-cheaper"
      ])
  }

  @Test("HEAT-19, XC-10: a paywall without actions restores as usual; one with an empty list neither sells nor restores")
  func noActions() throws {
    for patch in [
      #"{ "paywalls": null }"#, #"{ "paywalls": { "default": null, "more": { "headline": "More" } } }"#,
      #"{ "paywalls": { "default": { "actions": null }, "more": { "headline": "More" } } }"#,
    ] {
      #expect(try Self.codes("plans", patch) == [], "\(patch)")
    }
    let empty = #"{ "paywalls": { "default": { "actions": [], "prompt": "soft", "frequency": { "every": "P3D" } } } }"#
    #expect(try Set(Self.codes("plans", empty)) == ["restore-missing", "purchase-missing", "prompt-without-dismiss"])
  }

  @Test("A paywall's other mistakes do not hide that it cannot restore")
  func restoreBesideAnother() throws {
    let patch = #"{ "paywalls": { "default": { "actions": ["purchase", "dismiss"], "frequency": { "every": "often" } } } }"#
    #expect(Set(try Self.codes("plans", patch)) == ["restore-missing", "bad-value"])
  }

  @Test("A list of products that only an arm sells, or that are no longer sold, sells nothing")
  func emptyPaywalls() throws {
    func codes(_ rest: String) throws -> [String] {
      let old = Self.plan("old", "P1M", "4.99").replacingOccurrences(of: #""group""#, with: #"\#(rest), "group""#)
      return try Self.codes(
        "plans",
        #"{ "products": [\#(Self.plan("monthly", "P1M", "4.99")), \#(old)], "paywalls": { "default": { "products": ["pro.old"] } } }"#)
    }
    #expect(try codes(#""onSale": false"#) == ["paywall-sells-nothing"])
    #expect(try codes(#""variantOf": "pro.monthly""#) == ["paywall-sells-nothing"])
    #expect(try codes(#""onSale": true"#) == [])
  }

  @Test("A label that is missing is reported at what implies it, where no section declares any")
  func labelPlace() throws {
    let patch = #"{ "events": { "sinks": ["local", "firstParty"] } }"#
    let text = try ToolFixtures.patched(ToolFixtures.text("lint/plans.json"), patch)
    #expect(LintTests.found(text).map { "\($0.diagnostic.code) \($0.diagnostic.path)" } == ["privacy-label-missing events.sinks[1]"])
    #expect(try Self.codes("plans", #"{ "events": { "sinks": ["lokal"] } }"#) == ["bad-value"])
    #expect(try Self.codes("plans", #"{ "server": { "url": "http://notes.example" } }"#) == ["address-not-https"])
  }

  @Test("A misspelt app hides no finding")
  func app() throws {
    let terms = #""legal": { "terms": "http://a.example" }, "#
    #expect(try Self.codes("plans", "{ \(terms)\"app\": { \"audience\": \"kid\" } }") == ["bad-value", "address-not-https"])
    #expect(try Self.codes("plans", "{ \(terms)\"app\": { \"id\": null } }") == ["missing-key", "address-not-https"])
  }

  @Test("An acceptance of a misspelt code has a suggestion")
  func acceptance() throws {
    let text = try ToolFixtures.patched(
      ToolFixtures.text("lint/packs.json"),
      #"{ "lint": { "accept": [{ "code": "adress-not-https", "at": "legal", "reason": "It is old." }] } }"#)
    #expect(
      LintTests.found(text).map(\.diagnostic.message) == [
        "This accepts nothing: there is no \"adress-not-https\" at \"legal\". Did you mean \"address-not-https\"?"
      ])
  }
}

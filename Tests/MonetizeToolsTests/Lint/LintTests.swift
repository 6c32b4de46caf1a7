// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeJSON
import MonetizeTools
import Testing

@Suite("Lint", .timeLimit(.minutes(30)))
struct LintTests {
  static func found(_ text: String) -> [LintFinding] { Lint().findings(in: Data(text.utf8)).filter { $0.reason == nil } }
  static func codes(_ text: String) -> [String] { found(text).map(\.diagnostic.code.rawValue) }

  @Test("MAGIC-62, HEAT-46, DOZZI-20: the shipped catalogs are clean", arguments: ToolFixtures.shipped)
  func shipped(_ name: String) throws {
    let text = try ToolFixtures.shipped(name)
    #expect(Lint().findings(in: Data(text.utf8)).map(\.diagnostic.description) == [])
  }

  @Test("DOZZI-02, DOZZI-21, DOZZI-22: the seed's own texts give exactly its errors") func seed() throws {
    var text = try ToolFixtures.shipped("dozzi")
    text = try ToolFixtures.replacing(
      "Unlimited bedtime stories, premium voices",
      "Create unlimited personalized bedtime stories with premium voices for your child", in: text)
    text = try ToolFixtures.replacing("No ads, no tracking", "Stories generated on-device, no data shared", in: text)
    text = try ToolFixtures.replacing(
      "\"No subscriptions •", "\"✨ Join thousands of happy families\", \"No subscriptions •", in: text)
    let report = Lint().report(on: [LintFile(name: "dozzi.json", json: Data(text.utf8))])
    #expect(Self.codes(text) == ["iap-description-too-long", "claim.noDataShared", "social-proof"])
    #expect(report.status == .no)
    try ToolFixtures.expectGolden(report.text, "lint-dozzi-seed.txt")
  }

  @Test("DOZZI-20: a subscription contradicts the seed's text") func subscription() throws {
    let plan = """
      "products": [
          { "kind": "subscription", "id": "com.dozzi.monthly", "name": "Monthly", "group": "g", "level": 1, "period": "P1M",
            "price": { "amount": "1.99", "currency": "USD" }, "grants": { "story": "unlimited" } },
      """
    var text = try ToolFixtures.replacing("\"products\": [", plan, in: ToolFixtures.shipped("dozzi"))
    text = try ToolFixtures.replacing("\"noSubscriptions\", \"noRecurringCharges\", ", "", in: text)
    let codes = Self.codes(text)
    #expect(codes.contains("claim.noSubscriptions") && codes.contains("claim.noRecurringCharges"), "\(codes)")
  }

  @Test(
    "HEAT-18, HEAT-19, HEAT-20, HEAT-46, XC-10: deleting one required element gives exactly one error, at its line",
    arguments: [
      (
        "\"prompt\": \"soft\", \"actions\": [\"purchase\", \"restore\", \"dismiss\"]",
        "\"prompt\": \"soft\", \"actions\": [\"purchase\", \"dismiss\"]", "restore-missing", 31
      ),
      ("[\"upgrade\", \"restore\", \"manage\"]", "[\"upgrade\", \"manage\"]", "restore-missing", 36),
      ("\"terms\": \"https://heatlab.example/terms\", ", "", "terms-missing", 38),
      ("\"privacy\": \"https://heatlab.example/privacy\", ", "", "privacy-missing", 38),
      ("\"renewal\": \"Renews automatically at {price} per {period} until cancelled.\",\n", "\n", "renewal-missing", 38),
      (
        ",\n             \"cancellation\": \"Cancel at any time in Settings > Apple Account > Subscriptions, at least a day before it renews.\"",
        "", "cancellation-missing", 38
      ),
    ])
  func deleting(old: String, new: String, code: String, line: Int) throws {
    let found = Self.found(try ToolFixtures.replacing(old, new, in: ToolFixtures.shipped("heatlab")))
    #expect(found.map(\.diagnostic.code.rawValue) == [code] && found.first?.diagnostic.severity == .error)
    #expect(found.first?.diagnostic.position?.line == line, "\(found.map(\.diagnostic.description))")
  }

  @Test(
    "MAZE-38: words of recurring charges in a pack's texts are errors", arguments: ["Subscribe now", "0.99 per month", "Start your trial"])
  func recurring(words: String) throws {
    let text = try ToolFixtures.replacing("One-time purchase", words, in: ToolFixtures.shipped("maze-packs"))
    #expect(Self.codes(text) == ["copy.recurring-in-one-time"])
  }

  @Test("PUZZ-27, PUZZ-28, PUZZ-29: rules for children in the puzzle file")
  func puzzles() throws {
    let text = try ToolFixtures.shipped("maxs-puzzles")
    func codes(_ patch: String) throws -> [String] { Self.codes(try ToolFixtures.patched(text, patch)) }
    #expect(try codes(#"{ "privacy": { "ads": "behavioral" } }"#) == ["kids-ads"])
    #expect(try codes(#"{ "privacy": { "social": true } }"#) == ["kids-social"])
    #expect(try codes(#"{ "privacy": { "accounts": { "consent": null } } }"#) == ["kids-consent"])
    #expect(try codes(#"{ "legal": null }"#) == ["privacy-missing"])
    let sold =
      #"{ "products": [{ "kind": "consumable", "id": "tip", "name": "A tip", "price": { "amount": "0.99", "currency": "USD" } }] }"#
    #expect(try codes(sold).contains("kids-gate-missing"))
  }

  // MARK: Many mistakes at once

  @Test("A catalog with 30 different mistakes gives 30 diagnostics, and nothing that follows from them") func thirty() throws {
    let text = try ToolFixtures.text("lint/thirty.json")
    let found = Self.found(text)
    #expect(Set(found.map(\.diagnostic.code)).count == 30 && found.count == 30, "\(found.count) \(Set(found.map(\.diagnostic.code)).count)")
    #expect(found.map { $0.diagnostic.position?.line ?? 0 } == found.map { $0.diagnostic.position?.line ?? 0 }.sorted())
    try ToolFixtures.expectGolden(found.map { "\($0.diagnostic)\n" }.joined(), "lint-thirty.txt")
  }

  @Test("Consequences of a mistake that validate finds are not reported") func noNoise() throws {
    let text = try ToolFixtures.text("lint/plans.json")
    // Misspelt sections would look as if restore, terms, privacy and the rest were missing.
    for section in ["paywalls", "legal", "entitlements"] {
      let codes = Self.codes(try ToolFixtures.replacing("\n  \"\(section)\"", "\n  \"x\(section)\"", in: text))
      #expect(
        codes.first == "unknown-key" && Set(codes).subtracting(["unknown-key", "unknown-entitlement"]).isEmpty, "\(section) \(codes)")
    }
    // Unrelated findings are still reported.
    let both = try ToolFixtures.replacing(
      "\"headline\"", "\"heading\"", in: text.replacingOccurrences(of: "https://notes.example/t", with: "http://t"))
    #expect(Self.codes(both) == ["unknown-key", "address-not-https"])
  }

  // MARK: Accepting

  @Test("An accepted finding has its reason, does not count, and is still in the JSON") func accepting() throws {
    let text = try ToolFixtures.patched(
      ToolFixtures.text("lint/packs.json"),
      #"{ "legal": { "terms": null }, "lint": { "accept": [{ "code": "terms-missing", "at": "legal", "reason": "The store's are enough." }] } }"#
    )
    let report = Lint().report(on: [LintFile(name: "packs.json", json: Data(text.utf8))])
    #expect(report.status == .fine && report.text == "1 accepted in packs.json.\n")
    #expect(report.files[0].findings.map(\.reason) == ["The store's are enough."])
    #expect(report.json.contains("\"accepted\" : \"The store's are enough.\"") && report.github == "")
    #expect(report.sarif.contains("\"justification\" : \"The store's are enough.\""))
  }

  @Test("An acceptance covers its place and everything in it, and nothing else") func places() throws {
    let accept = #"{ "code": "iap-name-too-short", "at": "products[1]", "reason": "It is the name of a game." }"#
    let pack =
      #"{ "kind": "nonConsumable", "name": "X", "price": { "amount": "0.99", "currency": "USD" }, "grants": { "story": { "denny": "unlimited" } }, "id": "#
    let packs = (0...10).map { "\(pack)\"p\($0)\" }" }.joined(separator: ",")
    let text = try ToolFixtures.patched(
      ToolFixtures.text("lint/packs.json"), "{ \"products\": [\(packs)], \"lint\": { \"accept\": [\(accept)] } }")
    let open = Self.found(text).map(\.diagnostic.path)
    #expect(open == (0...10).filter { $0 != 1 }.map { "products[\($0)].name" })
  }

  @Test("An acceptance is read strictly") func strict() throws {
    let text = try ToolFixtures.patched(
      ToolFixtures.text("lint/packs.json"), #"{ "lint": { "accept": [{ "code": "terms-missing", "at": "legal" }, { "cod": 1 }] } }"#)
    let codes = Self.codes(text)
    #expect(codes.contains("missing-key") && codes.contains("unknown-key"), "\(codes)")
  }

  // MARK: An app's own rules, and formats

  @Test("An app adds a rule, which can be accepted like any other") func ownRule() throws {
    let rule = LintRule("acme-headline", .warning, source: "Acme style guide") { subject in
      subject.texts.filter { $0.key == "headline" && $0.text.count > 5 }.map {
        LintMistake(at: $0.place, "This headline has \($0.text.count) characters. Shorten it to 5.")
      }
    }
    let text = try ToolFixtures.text("lint/plans.json")
    let lint = Lint(rules: .standard + [rule])
    let found = lint.findings(in: Data(text.utf8))
    #expect(found.map(\.diagnostic.path) == ["paywalls.default.headline"] && found.first?.source == "Acme style guide")
    let accepted = try ToolFixtures.patched(
      text, #"{ "lint": { "accept": [{ "code": "acme-headline", "at": "", "reason": "It is a good one." }] } }"#)
    #expect(lint.findings(in: Data(accepted.utf8)).allSatisfy { $0.reason != nil })
  }

  @Test("A rule about the whole file is skipped while the file has a mistake") func wholeFile() throws {
    let rule = LintRule("never", source: "a test") { [LintMistake(at: $0.root, "It is wrong. Mend it.")] }
    let text = try ToolFixtures.text("lint/plans.json")
    #expect(Lint(rules: [rule]).findings(in: Data(text.utf8)).map(\.diagnostic.code) == ["never"])
    #expect(
      Lint(rules: [rule]).findings(in: Data((try ToolFixtures.replacing("\"group\"", "\"groop\"", in: text)).utf8)).allSatisfy {
        $0.diagnostic.code != "never"
      })
  }

  @Test("As JSON, for GitHub, as SARIF") func formats() throws {
    let text = try ToolFixtures.patched(
      ToolFixtures.text("lint/packs.json"), #"{ "legal": { "terms": null, "privacy": "http://a.example/100%" } }"#)
    let report = Lint().report(on: [LintFile(name: "shop, new:1.json", json: Data(text.utf8))])
    try ToolFixtures.expectGolden(report.json + "\n" + report.github + "\n" + report.sarif, "lint-formats.txt")
  }

  @Test("Invalid JSON, another file and a catalog of another version are reported and not linted")
  func unreadable() {
    #expect(Self.codes("{ \"schemaVersion\": 1,") == ["syntax"] || Self.codes("{ \"schemaVersion\": 1,").count == 1)
    #expect(Self.codes("[]").count == 1)
    #expect(Self.codes(#"{ "schemaVersion": 9, "app": { "id": "a", "name": "A" } }"#) == ["schema-version"])
  }
}

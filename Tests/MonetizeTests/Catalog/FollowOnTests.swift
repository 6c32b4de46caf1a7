// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Testing

/// One mistake gives one diagnostic: what only follows from it is not reported.
@Suite("Catalog: one mistake, one diagnostic", .timeLimit(.minutes(10)))
struct FollowOnTests {
  private static let catalog = #"""
    { "schemaVersion": 1, "app": { "id": "t", "name": "T" },
      "features": { "story": { "title": "Stories", "allowance": "count" }, "many": { "of": "story", "atLeast": 3, "unlockMessage": "More" } },
      "freeTier": { "grants": { "story": 1 } },
      "products": [
        { "kind": "subscription", "id": "m", "name": "Monthly", "group": "g", "level": 1, "period": "P1M", "grants": { "story": 9 },
          "offers": [{ "type": "introductory", "mode": "freeTrial", "period": "P7D" }] },
        { "kind": "subscription", "id": "y", "name": "Yearly", "group": "g", "level": 1, "period": "P1Y", "grants": { "story": 9 } }],
      "onboarding": [{ "id": "first", "pages": [{ "id": "done" }] }],
      "events": { "names": { "made": { "on": "onboardingStep", "step": "first/done" } } },
      "experiments": { "cta": { "arms": [{ "id": "a", "weight": 0.5 }, { "id": "b", "weight": 0.5 }] } },
      "monetization": "on" }
    """#

  @Test("The catalog itself has no mistake") func base() { #expect(Self.diagnostics(Self.catalog) == []) }

  @Test(
    "One mistake",
    arguments: [
      (
        #""kind": "subscription", "id": "m""#, #""id": "m""#,
        ["missing-key products[0]: The key \"kind\" is missing. Add it to this object."]
      ),
      (
        #""kind": "subscription", "id": "m""#, #""kid": "subscription", "id": "m""#,
        ["unknown-key products[0].kid: Unknown key \"kid\". Did you mean \"kind\"?"]
      ),
      (
        #""kind": "subscription", "id": "m""#, #""kind": 1, "id": "m""#,
        ["type-mismatch products[0].kind: Expected a string here, but found the number 1. Put it in quotes."]
      ),
      (#""name": "Monthly""#, #""namex": "Monthly""#, ["unknown-key products[0].namex: Unknown key \"namex\". Did you mean \"name\"?"]),
      (#""period": "P1Y""#, #""periodd": "P1Y""#, ["unknown-key products[1].periodd: Unknown key \"periodd\". Did you mean \"period\"?"]),
      (
        #""weight": 0.5 }, "#, #""wieght": 0.5 }, "#,
        ["unknown-key experiments.cta.arms[0].wieght: Unknown key \"wieght\". Did you mean \"weight\"?"]
      ),
      (
        #""of": "story""#, #""of": 1"#,
        ["type-mismatch features.many.of: Expected a string here, but found the number 1. Put it in quotes."]
      ),
      (#""of": "story""#, #""of": "stori""#, ["unknown-feature features.many.of: There is no feature \"stori\". Did you mean \"story\"?"]),
      (
        #""arms": [{ "id": "a", "weight": 0.5 }, { "id": "b", "weight": 0.5 }]"#, #""arms": {}"#,
        ["type-mismatch experiments.cta.arms: Expected an array here, but found an object. Write an array: [ … ]."]
      ),
      (
        #""pages": [{ "id": "done" }]"#, #""pages": [3]"#,
        ["type-mismatch onboarding[0].pages[0]: Expected an object here, but found the number 3. Write an object: { … }."]
      ),
      (
        #""period": "P1Y", "grants": { "story": 9 }"#, #""period": "P1Y""#,
        [
          "grants-nothing products[1]: \"y\" grants nothing to its buyers. Add \"entitlements\" or \"grants\"; a tip is of the kind \"consumable\"."
        ]
      ),
      (
        #""period": "P1Y", "grants": { "story": 9 }"#, #""period": "P1Y", "grants": { "story": 9, "story": 9 }"#,
        ["repeated-key products[1].grants.story: The key \"story\" appears twice in this object. Remove one of them."]
      ),
      (
        #""monetization": "on""#, #""monetization": "onn""#,
        ["bad-value monetization: Expected one of \"on\", \"off\" here, but found the string \"onn\". Did you mean \"on\"?"]
      ),
      (
        #""monetization": "on""#, #""privacy": "kids""#,
        ["type-mismatch privacy: Expected an object here, but found the string \"kids\". Write it in braces: { … }."]
      ),
    ])
  func one(old: String, new: String, found: [String]) throws {
    let text = Self.catalog.replacingOccurrences(of: old, with: new)
    #expect(text != Self.catalog)
    #expect(Self.diagnostics(text) == found)
  }

  private static func diagnostics(_ text: String) -> [String] {
    Catalog.reading(Data(text.utf8)).diagnostics.filter { $0.severity != .note }.map { "\($0.code) \($0.path): \($0.message)" }
  }
}

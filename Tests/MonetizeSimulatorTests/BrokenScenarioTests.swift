// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeJSON
import Testing

@testable import MonetizeSimulator

/// The reader agrees with the generated schema on structure: one list of variants tests both. `.ci/check-schema.py` checks the schema.
@Suite("Broken scenarios", .timeLimit(.minutes(30)))
struct BrokenScenarioTests {
  struct Variant: Sendable, CustomTestStringConvertible {
    let name: String
    /// The code of the mistake; `*` for any, `nil` for an odd but valid variant.
    let code: String?
    let json: String
    var testDescription: String { name }
  }

  static let variants: [Variant] = {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Fixtures/broken-scenarios.json")
    guard let text = try? String(contentsOf: url, encoding: .utf8), let list = try? JSONDocument(parsing: text).root,
      let base = list["base"],
      let entries = list["variants"]?.elements
    else { return [] }
    return entries.compactMap { entry in
      guard let name = entry["name"]?.string else { return nil }
      let steps = (base["steps"]?.elements ?? []).map { $0.text() } + [entry["step"]].compactMap { $0?.text() }
      let change = entry["patch"]?.text() ?? "{ \"steps\": [\(steps.joined(separator: ", "))] }"
      guard let patch = try? JSONDocument(parsing: change).root else { return nil }
      return Variant(name: name, code: entry["code"]?.string, json: base.applying(mergePatch: patch))
    }
  }()

  @Test("the list exists")
  func exists() {
    #expect(Self.variants.filter { $0.code != nil }.count >= 25 && Self.variants.filter { $0.code == nil }.count >= 5)
    #expect(Set(Self.variants.map(\.name)).count == Self.variants.count)
  }

  @Test("is refused, with its mistake", arguments: variants.filter { $0.code != nil })
  func refused(_ variant: Variant) throws {
    let error = try #require(throws: ScenarioError.self) { try Scenario(json: Data(variant.json.utf8)) }
    #expect(variant.code == "*" || error.diagnostics.contains { $0.code.rawValue == variant.code }, "\(error)")
  }

  @Test("is odd, and accepted", arguments: variants.filter { $0.code == nil })
  func accepted(_ variant: Variant) throws { _ = try Scenario(json: Data(variant.json.utf8)) }

  @Test(
    "A word that people use for a verb leads to the verb",
    arguments: [
      ("buy", #"Did you mean "purchase"?"#), ("spend", #"Did you mean "use"?"#), ("Login", #"Did you mean "account"?"#),
      ("purchse", #"Did you mean "purchase"?"#), ("Wait", #"Time passes in a step of its own, such as { "advance": "P3D" }."#),
      ("expect", #"Expectations without an action are a step of their own, such as { "expect": { "charged": "0.00" } }."#),
      ("Each", #"A loop is a step of its own, such as { "each": { "n": "1...3" }, "steps": [] }."#),
      ("offline", #"A setting is changed with "set", such as { "do": "set", "network": "offline" }."#),
      ("price", #"It is a setting: { "do": "set", "price": … }."#),
    ])
  func words(verb: String, mend: String) {
    let text = #"{ "title": "T", "catalog": "c.json", "start": "2026-03-01T00:00:00Z", "steps": [{ "do": "\#(verb)" }] }"#
    let error = #expect(throws: ScenarioError.self) { try Scenario(json: Data(text.utf8)) }
    #expect(error?.diagnostics.map(\.message) == [#"There is no verb "\#(verb)". \#(mend)"#])
  }

  @Test(
    "A step without a verb, or with an expectation beside one, is one mistake with the missing word",
    arguments: [
      (#"{ "product": "p", "expect": { "outcome": "completed" } }"#, #"This step has no verb. Add "do", such as "do": "purchase"."#),
      (#"{ "feature": "f", "work": "fails", "times": 3 }"#, #"This step has no verb. Add "do", such as "do": "use"."#),
      (
        #"{ "feature": "f", "allowed": true }"#,
        #""allowed" is an expectation. Write a step with "expect": { "expect": { "allowed": … } }."#
      ),
      (
        #"{ "do": "launch", "charged": "0.00" }"#,
        #"Unknown key "charged". It is an expectation: write "expect": { "charged": … }."#
      ),
      (#"{ "action": "launch" }"#, #"Unknown key "action". Did you mean "do"?"#),
      (#"{ "check": { "feature": "f", "allowed": true } }"#, #"Unknown key "check". Did you mean "expect"?"#),
      (#"{ "wait": "P3D" }"#, #"Unknown key "wait". Did you mean "advance"?"#),
      (
        #"{ "note": "nothing" }"#,
        #"A step has exactly one of "do", "advance", "expect" and "each", but this has none of them."#
      ),
    ])
  func withoutVerb(step: String, message: String) {
    let text = #"{ "title": "T", "catalog": "c.json", "start": "2026-03-01T00:00:00Z", "steps": [\#(step)] }"#
    let error = #expect(throws: ScenarioError.self) { try Scenario(json: Data(text.utf8)) }
    #expect(error?.diagnostics.map(\.message) == [message])
  }

  @Test("Each of those words means a verb that exists") func meanings() {
    let verbs = Set(ScenarioVocabulary.standard.verbs.map { $0.info.name })
    #expect(ScenarioReader.otherWords.allSatisfy { verbs.contains($1) && !verbs.contains($0) })
  }
}

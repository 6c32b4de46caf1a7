// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize
@testable import MonetizeSimulator

/// An example of a new verb: this type is all of it.
private struct Steal: ScenarioVerb {
  static let info = ScenarioVerbInfo("steal", .customer, "The device is taken away and the app closed.", outcomes: "`gone`")
  let thief: String

  init(_ keys: StepKeys) { thief = keys.required("thief", .text, "Who takes it.") }
  func title(_ names: CatalogWords) -> String { "\(thief) takes the device" }
  func perform(_ stage: ScenarioStage) async throws(ScenarioProblem) -> Outcome? {
    stage.world.quit(stage.session)
    return "gone"
  }
}

/// A new verb is a type; a new expectation, setting or quirk is a row. The reader, the schema, the guide's tables and `play` then have it.
@Suite("Additions to scenarios", .timeLimit(.minutes(30)))
struct ScenarioAdditionTests {
  private static let catalog = """
    { "schemaVersion": 1, "app": { "id": "test.more", "name": "More" }, "features": { "story": { "title": "Stories" } },
      "products": [{ "kind": "nonConsumable", "id": "pack", "name": "Pack", "price": { "amount": "2.00", "currency": "USD" },
        "grants": { "story": true } }] }
    """

  private static let vocabulary: ScenarioVocabulary = {
    var vocabulary = ScenarioVocabulary.standard
    vocabulary.verbs.append(Steal.self)
    vocabulary.product.append(.init("known", .yesNo, "Whether the store sells it.") { $0.world.store.sells($0.status.product) })
    vocabulary.otherSettings.append(
      .init("poor", .flag, "Whether every card is empty.", words: { isPoor, _ in isPoor ? "no money" : "money" }) { isPoor, stage in
        await stage.store.setPayment(isPoor ? .fails : .works)
      })
    vocabulary.quirks.append(
      .init(
        "lateAnswers", "Reads answer with a date of long ago.", read: { StoreAnswer(transactions: $0.transactions, date: .distantPast) }))
    return vocabulary
  }()

  private func run(_ steps: String) async throws -> ScenarioReport {
    let json = #"{ "catalog": "c", "start": "2026-03-01T12:00:00Z", "steps": [\#(steps)] }"#
    return await (try ScenarioRunner(Scenario(json: Data(json.utf8), Self.vocabulary), catalog: Data(Self.catalog.utf8))).run()
  }

  @Test("are read, performed, shown and checked") func done() async throws {
    let report = try await run(
      """
      { "do": "launch" }, { "do": "set", "poor": true, "quirks": { "lateAnswers": true } },
      { "expect": { "product": "pack", "known": true } },
      { "do": "purchase", "product": "pack", "expect": { "outcome": "failed" } },
      { "do": "steal", "thief": "Max", "expect": { "outcome": "gone" } }
      """)
    #expect(report.passed && report.checks.count == 3, "\(report.failures) \(report.problems)")
    #expect(report.entries.map(\.title).contains("no money, lateAnswers on") && report.entries.last?.title == "Max takes the device")
  }

  @Test(
    "have their mistakes reported like all others",
    arguments: [
      (#"{ "do": "steal" }"#, "\"thief\" is missing"), (#"{ "do": "stael", "thief": "Max" }"#, "Did you mean \"steal\"?"),
      (#"{ "do": "set", "pour": true }"#, "Did you mean \"poor\"?"), (#"{ "do": "set", "poor": 1 }"#, "true or false"),
      (#"{ "do": "set", "quirks": { "lateAnswer": true } }"#, "Did you mean \"lateAnswers\"?"),
      (#"{ "expect": { "product": "pack", "knwon": true } }"#, "Did you mean \"known\"?"),
      (#"{ "expect": { "product": "pack", "known": "yes" } }"#, "true or false"),
    ])
  func mistakes(_ step: String, _ words: String) throws {
    let json = #"{ "catalog": "c", "start": "2026-03-01T12:00:00Z", "steps": [\#(step)] }"#
    let error = try #require(throws: ScenarioError.self) { try Scenario(json: Data(json.utf8), Self.vocabulary) }
    #expect(error.description.contains(words), "\(error)")
    #expect(throws: ScenarioError.self) { try Scenario(json: Data(json.utf8)) }
  }

  @Test("appear in the schema, in the guide's tables and in a prompt's completions") func told() {
    let vocabulary = Self.vocabulary
    for word in ["do-steal", "\"thief\"", "\"poor\"", "\"known\"", "\"lateAnswers\""] {
      #expect(vocabulary.schema.contains(word) && !ScenarioVocabulary.standard.schema.contains(word), "\(word)")
    }
    let tables = vocabulary.tables.map(\.text).joined()
    for word in ["`steal`", "**`thief`**", "`poor`", "`known`", "`lateAnswers`"] { #expect(tables.contains(word), "\(word)") }
    #expect(vocabulary.keys(of: "steal").map(\.name) == ["thief"] && vocabulary.worldSettings.contains { $0.name == "poor" })
  }
}

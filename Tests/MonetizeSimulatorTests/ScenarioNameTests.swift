// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import Testing

/// Names are replaced where values are read: each keeps its type, in the same way each time, and positions are those of the author's file.
@Suite("Scenario names", .timeLimit(.minutes(30)))
struct ScenarioNameTests {
  private static let catalog = """
    { "schemaVersion": 1, "app": { "id": "test.names", "name": "Names" },
      "features": { "story": { "allowance": "count" } }, "freeTier": { "grants": { "story": 9 } },
      "products": [{ "kind": "nonConsumable", "id": "pack", "name": "Pack", "price": { "amount": "1.00", "currency": "USD" },
        "grants": { "story": "unlimited" } },
        { "kind": "subscription", "id": "month", "name": "Monthly", "group": "g", "level": 1, "period": "P1M",
          "price": { "amount": "5.00", "currency": "USD" }, "grants": { "story": "unlimited" },
          "offers": [{ "type": "promotional", "id": "stay", "mode": "freeTrial", "period": "P1M" }] }] }
    """

  private func read(_ steps: String, parameters: String = "{}", _ replaced: [String: String] = [:]) throws(ScenarioError) -> Scenario {
    let json = #"{ "catalog": "c", "start": "2026-03-01T12:00:00Z", "parameters": \#(parameters),\#n"steps": [\#(steps)] }"#
    return try Scenario(json: Data(json.utf8), parameters: replaced)
  }

  private func run(_ steps: String, parameters: String = "{}", _ replaced: [String: String] = [:]) async throws -> ScenarioReport {
    let scenario = try read(#"{ "do": "launch" }, "# + steps, parameters: parameters, replaced)
    return await (try ScenarioRunner(scenario, catalog: Data(Self.catalog.utf8))).run()
  }

  @Test("Parameters that name each other have the same values in any order") func each() async throws {
    for parameters in [#"{ "a": "${b}", "b": "${c}ck", "c": "pa" }"#, #"{ "c": "pa", "b": "${c}ck", "a": "${b}" }"#] {
      for _ in 0..<20 {
        let report = try await run(
          #"{ "do": "purchase", "product": "${a}", "expect": { "outcome": "completed" } }"#, parameters: parameters)
        #expect(report.passed, "\(report.failures)")
      }
    }
    let report = try await run(
      #"{ "do": "purchase", "product": "${a}", "expect": { "outcome": "completed" } }"#,
      parameters: #"{ "a": "${b}ck", "b": "nothing" }"#, ["b": "pa"])
    #expect(report.passed, "\(report.failures)")
  }

  @Test("Circular parameters are reported, and do not hang") func round() throws {
    let error = try #require(throws: ScenarioError.self) {
      try read(#"{ "do": "launch" }"#, parameters: #"{ "a": "${b}", "b": "x${a}" }"#)
    }
    #expect(error.diagnostics.contains { $0.message.contains("${a} → ${b} → ${a}") }, "\(error)")
  }

  @Test("A loop's numbers are numbers in the place of a number, and text in a text") func sorts() async throws {
    let report = try await run(
      """
      { "each": { "n": [8, 7] }, "steps": [
        { "do": "use", "feature": "story", "key": "${n}", "expect": { "feature": "story", "remaining": "${n}" } } ] },
      { "each": { "n": [1, 2] }, "steps": [{ "do": "use", "feature": "story", "count": "${n}", "key": "k${n}" }] },
      { "expect": { "feature": "story", "remaining": 4, "used": { "atLeast": 5 } } }
      """)
    #expect(report.passed && report.checks.count == 4, "\(report.failures) \(report.problems)")
    let error = try #require(throws: ScenarioError.self) {
      try read(#"{ "each": { "n": ["2"] }, "steps": [{ "do": "use", "feature": "story", "count": "${n}" }] }"#)
    }
    #expect(error.diagnostics.map(\.code) == ["type-mismatch"])
  }

  @Test("A loop within a loop hides the outer loop's name, and a parameter's") func hidden() async throws {
    let report = try await run(
      """
      { "each": { "n": [1, 2] }, "steps": [{ "each": { "n": [3, 4] }, "steps": [{ "do": "use", "feature": "story", "key": "k${n}" }] }] },
      { "expect": { "feature": "story", "used": 2 } }
      """, parameters: #"{ "n": 5 }"#)
    #expect(report.passed, "\(report.failures)")
  }

  @Test(
    "A mistake in a loop is reported once where the author wrote it, also after long names",
    arguments: [
      (#"{ "each": { "n": [1, 2] }, "steps": [{ "do": "use", "feature": "${n}${n}${n}", "cuont": 1 }] }"#, "steps[0].steps[0].cuont", 90),
      (
        #"{ "each": { "name": ["much longer than the name"] }, "steps": [{ "do": "use", "feature": "${name}", "count": 0 }] }"#,
        "steps[0].steps[0].count", 120
      ),
      (#"{ "do": "use", "feature": "${a}", "count": "x" }"#, "steps[0].count", 54),
    ])
  func places(_ steps: String, _ path: String, _ column: Int) throws {
    let error = try #require(throws: ScenarioError.self) { try read(steps, parameters: #"{ "a": "a long text instead" }"#) }
    #expect(error.diagnostics.count == 1, "\(error)")
    #expect(error.diagnostics[0].path == path)
    #expect(error.diagnostics[0].position == SourcePosition(line: 2, column: column), "\(error)")
  }

  @Test(
    "A name without a value is reported",
    arguments: [
      (#"{ "do": "use", "feature": "${p.id}" }"#, "${p} is one value, without parts"),
      (#"{ "do": "use", "feature": "${p" }"#, "closing brace is missing"),
      (#"{ "do": "use", "feature": "story", "count": "${q}" }"#, "${q} has no value"),
      (#"{ "each": { "n": [{ "id": "pack" }] }, "steps": [{ "do": "launch" }] }"#, "but this is an object"),
    ])
  func nothing(_ steps: String, _ words: String) throws {
    let error = try #require(throws: ScenarioError.self) { try read(steps, parameters: #"{ "p": "pack" }"#) }
    #expect(error.diagnostics.count == 1 && error.diagnostics[0].message.contains(words), "\(error)")
    #expect(error.diagnostics[0].position?.line == 2)
  }

  @Test("The replacement of a parameter has its type") func replacements() async throws {
    let step = #"{ "expect": { "feature": "story", "remaining": "${left}" } }"#
    #expect(try await run(step, parameters: #"{ "left": 3 }"#, ["left": "9"]).passed)
    let error = try #require(throws: ScenarioError.self) { try read(step, parameters: #"{ "left": 3 }"#, ["left": "nine"]) }
    #expect(error.description.contains("is a number, and \"nine\" is not"), "\(error)")
  }

  @Test("Reading is linear: 3,000 rounds in a file of a megabyte take seconds, not minutes") func linear() throws {
    let padding = String(
      repeating: #"{ "do": "use", "feature": "story", "note": "\#(String(repeating: "x", count: 900))" }, "#, count: 1000)
    let clock = ContinuousClock()
    let time = try clock.measure {
      let scenario = try read(padding + #"{ "each": { "n": "1...3000" }, "steps": [{ "do": "use", "feature": "story", "key": "${n}" }] }"#)
      #expect(scenario.stepCount == 4000)
    }
    #expect(time < .seconds(30))
  }

  @Test(
    "A product or feature that no catalog of the scenario has is reported with its place, before the run",
    arguments: [
      (#"{ "do": "purchase", "product": "pck" }"#, ["pck"]), (#"{ "expect": { "product": "pck", "state": null } }"#, ["pck"]),
      (#"{ "expect": { "feature": "stroy", "remaining": null } }"#, ["stroy"]),
      (#"{ "do": "set", "onSale": { "pck": false }, "price": { "product": "pak", "amount": "1.00" } }"#, ["pak", "pck"]),
      (#"{ "do": "use", "feature": "stroy", "expect": { "product": "pck", "owned": false } }"#, ["pck", "stroy"]),
      (#"{ "expect": { "feature": "stroy", "error": "unknownFeature" } }"#, []),
      (#"{ "do": "purchase", "product": "month", "offer": "stayy" }"#, ["month"]),
      (#"{ "do": "purchase", "product": "month", "offer": "stayy", "expect": { "error": "ineligibleForOffer" } }"#, []),
      (#"{ "do": "set", "codes": { "pack": { "half": "1.00" } } }, { "do": "purchase", "product": "pack", "offer": "half" }"#, []),
      (#"{ "do": "purchase", "product": "pck", "expect": { "outcome": "failed", "error": "productUnavailable" } }"#, []),
      (#"{ "do": "update", "set": { "features": { "new": { "allowance": "count" } } } }, { "do": "use", "feature": "new" }"#, []),
    ])
  func unknownNames(_ steps: String, _ names: [String]) throws {
    let runner = try ScenarioRunner(try read(steps), catalog: Data(Self.catalog.utf8))
    var found: [Diagnostic] = []
    do throws(ScenarioError) { try runner.checkNames() } catch { found = error.diagnostics }
    #expect(found.allSatisfy { $0.code == "unknown-name" && $0.position?.line == 2 && $0.message.contains("Did you mean") })
    #expect(found.map { $0.message.split(separator: "\"")[1] }.sorted() == names.map { Substring($0) })
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeJSON
import MonetizeSimulator
import Testing

@testable import MonetizeTools

@Suite("monetize check: laws", .timeLimit(.minutes(30)))
struct CheckLawTests {
  /// A random catalog that sells all its products, with an introductory offer.
  private static func json(_ random: inout Random) -> Data? {
    for _ in 0..<200 {
      let text = RandomPair.random(&random).edited(&random).text()
        .replacingOccurrences(of: #""name": "#, with: #""price": { "amount": "2.99", "currency": "USD" }, "name": "#)
        .replacingOccurrences(
          of: #""app": { "id": "t", "price": { "amount": "2.99", "currency": "USD" }, "#, with: #""app": { "id": "t", "#
        )
        .replacingOccurrences(
          of: #""level": 1,"#,
          with: #""level": 1, "offers": [{ "type": "introductory", "mode": "freeTrial", "period": "P7D" }],"#)
      if (try? Catalog(json: Data(text.utf8))) != nil { return Data(text.utf8) }
    }
    return nil
  }

  @Test("What a search assumes of a customer is what the simulated store and the app answer, after each step", arguments: LawSeeds.run(8))
  func agrees(_ seed: Int) async throws {
    var random = Random(UInt64(seed) &* 104_729 &+ 7)
    let json = try #require(Self.json(&random))
    let catalog = try Catalog(json: json)
    let model = CheckModel(catalog, hasServer: false, options: CatalogCheck.Options())
    let cache = CheckCache()
    for walk in 0..<4 {
      var state = CheckState()
      var steps = [#"{ "do": "launch" }"#]
      for _ in 0..<9 {
        let answers = cache.answers(state.facts, model)
        for (index, probe) in model.probes.enumerated() {
          steps.append("{ \"expect\": \(model.expect(probe, at: model.date(state.now), isAllowed: answers.summary.allowed[index])) }")
        }
        for (feature, left) in zip(model.metered, answers.summary.left) where left > 0 && left < .max {
          let question = CheckModel.question(AccessRequest(catalog.features[feature].id))
          steps.append("{ \"expect\": { \(question), \"remaining\": \(left) } }")
        }
        guard let (action, next) = model.successors(of: state, answers, cache).randomElement(using: &random) else { break }
        steps += model.steps(action, state)
        state = next
      }
      let text = """
        { "title": "walk", "catalog": "c.json", "start": "\(ISODate.text(model.start))", "steps": [
        \(steps.joined(separator: ",\n"))
        ] }
        """
      let report = await (try ScenarioRunner(try Scenario(json: Data(text.utf8)), catalog: json)).run()
      let different = report.checks.filter { !$0.holds }.prefix(1).map { check -> String in
        "line \(check.line): \(check.subject) expected \(check.expected), found \(check.found)"
      }
      let actions = steps.enumerated().filter { !$1.contains("expect") }.map { "\($0 + 2): \($1)" }.joined(separator: "\n")
      let isSame = report.passed
      #expect(isSame, "seed \(seed), walk \(walk): \(different) \(report.problems)\n\(actions)\n\(String(decoding: json, as: UTF8.self))")
    }
  }

  @Test("Each counterexample fails in the simulated store as well", arguments: LawSeeds.run(8))
  func confirmed(_ seed: Int) async throws {
    var random = Random(UInt64(seed) &* 15_485_863 &+ 11)
    let json = try #require(Self.json(&random))
    var options = CatalogCheck.Options()
    (options.depth, options.states, options.tasks) = (5, 600, 1)
    for found in await (try CatalogCheck(json, options: options)).run(catalogPath: "c.json").counterexamples {
      #expect(found.isConfirmed == true, "seed \(seed): \(found.message)\n\(found.scenario)\n\(String(decoding: json, as: UTF8.self))")
    }
  }
}

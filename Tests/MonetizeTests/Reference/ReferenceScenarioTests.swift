// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize
@testable import MonetizeSimulator

/// The reference also answers as the engine does in every shipped scenario: with the facts of a store that renews, refunds and shares.
@Suite(.timeLimit(.minutes(30)))
struct ReferenceScenarioTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Examples/Scenarios")

  private static let files: [URL] = {
    let found = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL } ?? []
    return found.filter { $0.pathExtension == "json" && !$0.path.contains("/schema/") }.sorted { $0.path < $1.path }
  }()

  private struct Result {
    var decisions = 0
    var difference: String?
  }

  @Test("After each step of each shipped scenario, the second implementation gives the same answers") func agrees() async throws {
    var decisions = 0
    for file in Self.files {
      guard let scenario = try? Scenario(json: Data(contentsOf: file)) else { continue }
      let catalog = URL(fileURLWithPath: scenario.catalogPath, relativeTo: file)
      var runner = try ScenarioRunner(scenario, catalog: Data(contentsOf: catalog))
      let result = Locked(Result())
      runner.hooks.after = { world, step in
        guard result.withLock({ $0.difference == nil }) else { return }
        for monetizer in world.sessions.compactMap(\.monetizer) {
          let (number, difference) = Self.compare(monetizer, Self.others[step.line % Self.others.count])
          result.withLock { $0.decisions += number }
          if let difference { result.withLock { $0.difference = "line \(step.line): \(difference)" } }
        }
      }
      _ = await runner.run()
      decisions += result.withLock { $0.decisions }
      if let difference = result.withLock({ $0.difference }) {
        Issue.record("\(file.deletingLastPathComponent().lastPathComponent)/\(file.lastPathComponent), \(difference)")
      }
    }
    #expect(decisions > 50_000, "\(decisions) decisions were compared")
    print("The reference gives the same \(decisions) answers in shipped scenarios")
  }

  /// The members besides the customer, one for each step.
  private static let others: [Member] = [.child("max"), .parent("mum"), .demo]

  private static func compare(_ monetizer: Monetizer, _ other: Member) -> (Int, String?) {
    let (known, catalog, state) = (monetizer.snapshot, monetizer.catalog, monetizer.state)
    guard let reference = try? ReferenceCatalog(catalog.text) else { return (0, "the catalog is not readable") }
    var number = 0
    for member in [known.situation.member, other] {
      var situation = known.situation
      situation.member = member
      let snapshot = Snapshot(of: state, catalog: catalog, situation: situation, at: known.date)
      let rules = ReferenceRules(
        catalog: reference, facts: ReferenceFacts(member.role == .demo ? [] : state.facts), situation: situation, now: known.date)
      for request in FrontDoor.questions(catalog) {
        number += 1
        if let difference = ReferenceTests.difference(snapshot.decision(for: request), rules, request) {
          return (number, "\(difference)\nat \(known.date), \(situation)\n\(RandomWorld.text(state.facts))")
        }
      }
    }
    return (number, nil)
  }
}

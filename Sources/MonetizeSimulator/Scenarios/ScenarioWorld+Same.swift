// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// Checks that devices agree: their snapshots are equal, so that no question has two answers. Updates that one of them still lacks count;
/// the times of the snapshots do not.
extension ScenarioWorld {
  func same(_ devices: [String], _ expectation: ScenarioExpectation) -> ScenarioReport.Check {
    let snapshots = devices.map { name in (name: name, snapshot: session(name).monetizer?.snapshot) }
    let differences = snapshots.dropFirst().compactMap { difference(snapshots[0], $0) }
    return .init(
      subject: devices.joined(separator: " and "), fact: "snapshots", expected: "equal",
      found: differences.isEmpty ? "equal" : differences.joined(separator: "; "), why: nil, holds: differences.isEmpty,
      line: expectation.line)
  }

  /// The differences between two devices in words; `nil` when there are none.
  private func difference(_ one: (name: String, snapshot: Snapshot?), _ other: (name: String, snapshot: Snapshot?)) -> String? {
    guard let first = one.snapshot, let second = other.snapshot else {
      let shut = [one, other].filter { $0.snapshot == nil }.map(\.name)
      return "the app is not running on \(shut.joined(separator: " and "))"
    }
    if first == second { return nil }
    var different: [String] = []
    func compare(_ what: String, _ a: ScenarioValue, _ b: ScenarioValue) {
      if a != b { different.append("\(what) is \(a.text(in: zone)) on \(one.name) and \(b.text(in: zone)) on \(other.name)") }
    }
    func compare(_ subject: String, _ a: [String: ScenarioValue], _ b: [String: ScenarioValue]?) {
      for fact in a.keys.sorted() { compare("\(subject) \(fact)", a[fact] ?? .absent, b?[fact] ?? .absent) }
    }
    compare("the account", ScenarioValue(first.situation.account), ScenarioValue(second.situation.account))
    compare("the time zone", .text(first.situation.zone.identifier), .text(second.situation.zone.identifier))
    compare("whether the store has answered", .bool(first.situation.store.hasAnswered), .bool(second.situation.store.hasAnswered))
    compare(
      "the environment", ScenarioValue(first.situation.environment?.rawValue), ScenarioValue(second.situation.environment?.rawValue))
    for status in first.products {
      let facts = [status, second.status(of: status.product)].map { $0.map { ScenarioValue.facts(ScenarioSubjects.status, of: $0) } }
      compare(status.product.rawValue, facts[0] ?? [:], facts[1])
    }
    for feature in first.catalog.features {
      let answers = [first, second].map { ScenarioValue.facts(of: $0.decision(for: feature.id), feature, zone).filter { $0.key != "text" } }
      compare(feature.id.rawValue, answers[0], answers[1])
      let items = [second.newlyAllowed(since: first), first.newlyAllowed(since: second)].map { $0.filter { $0.feature == feature.id } }
      for (name, requests) in zip([other.name, one.name], items) where requests.contains(where: { $0.item != nil }) {
        different.append("\(requests.count) of \(feature.id) are allowed on \(name) alone")
      }
    }
    compare("the next change", ScenarioValue(first.nextChange), ScenarioValue(second.nextChange))
    let more = different.count > 4 ? " and \(different.count - 4) more" : ""
    return different.isEmpty ? "their facts differ, but no answer does" : different.prefix(4).joined(separator: ", ") + more
  }
}

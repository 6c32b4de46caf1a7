// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeJSON

@testable import MonetizeSimulator

/// Each device runs its own version: that of its last update, whatever other devices run. Computed from the steps, not from the world.
struct VersionLaw {
  /// The number of items of the collection, by device; 4 in the first version.
  private var items: [String: Int] = [:]

  mutating func check(_ world: ScenarioWorld, _ step: ScenarioStep) -> [Violation] {
    if let patch = step.does(ScenarioVerbs.Update.self)?.catalogPatch, let count = patch["collections"]?["denny"]?["items"]?.int {
      items[step.frame?.device ?? "phone"] = count
    }
    return world.sessions.compactMap { session in
      guard let found = session.monetizer?.catalog.collection("denny")?.items.count else { return nil }
      let expected = items[session.name] ?? 4
      if found == expected { return nil }
      return Violation(law: "own-version", text: "\(session.name) has \(found) items, and its version has \(expected).")
    }
  }
}

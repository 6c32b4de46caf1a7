// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Stages
import Testing

/// The nine states are those of `ProductState`: unknown, never, pending, trial, active, grace, billingRetry, expired, revoked. Active
/// without renewal has the same access as active.
@Suite(.timeLimit(.minutes(30)))
struct MatrixTests {
  private static let folder = Stage.root.appendingPathComponent("Examples/Tests/Golden")

  /// The app's file, with the planned trials enabled.
  private static func catalog(_ app: String) throws -> Catalog {
    try app == "heatlab" ? Catalog(json: Stage.json(app, ("\"enabled\": false", "\"enabled\": true"))) : Catalog(json: Stage.json(app))
  }

  @Test(
    "MAGIC-51, HEAT-02, HEAT-03, HEAT-23, MAGIC-07, MAGIC-08: a customer's access in each state matches the signed table",
    arguments: ["heatlab", "magical-stories", "maze-packs", "dozzi", "maxs-puzzles"])
  func matrix(_ app: String) async throws {
    let matrix = try await Matrix(Self.catalog(app))
    for (state, snapshot) in matrix.columns where !matrix.catalog.products.isEmpty {
      #expect(snapshot.products.first?.state.rawValue == state)
    }
    let file = Self.folder.appendingPathComponent("\(app)-matrix.txt")
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil {
      try matrix.text.write(to: file, atomically: true, encoding: .utf8)
      return
    }
    let signed = try String(contentsOf: file, encoding: .utf8)
    let difference = Self.difference(signed, matrix.text)
    #expect(
      difference.isEmpty, "\(file.lastPathComponent) differs; RECORD_SNAPSHOTS=1 writes it anew.\n\(difference.joined(separator: "\n"))")
  }

  /// The different lines: `-` for the signed table, `+` for the current one.
  private static func difference(_ old: String, _ new: String) -> [String] {
    let (old, new) = (old.components(separatedBy: "\n"), new.components(separatedBy: "\n"))
    let changes = new.difference(from: old)
    return changes.removals.map { change in if case .remove(_, let line, _) = change { "- \(line)" } else { "" } }
      + changes.insertions.map { change in if case .insert(_, let line, _) = change { "+ \(line)" } else { "" } }
  }

  @Test("MAGIC-51, HEAT-02: nine states, with 13 and 8 features") func size() async throws {
    let magic = try await Matrix(Self.catalog("magical-stories"))
    #expect(magic.columns.map(\.name) == ProductState.allCases.map(\.rawValue) && magic.columns.count == 9)
    // The thirteen of the seed, and the five amounts and levels that they are parts of.
    #expect(magic.catalog.features.count == 18)
    #expect(magic.equals == ["com.magicalstories.premium.yearly"])
    let heat = try await Matrix(Self.catalog("heatlab"))
    #expect(heat.columns.count == 9 && heat.catalog.features.count == 8)
  }

  @Test("MAGIC-16, DEF-S6: in each state the facade, the snapshot and the decision agree about every feature")
  func oneAnswer() async throws {
    let catalog = try Self.catalog("magical-stories")
    for state in ProductState.allCases {
      let stage = try #require(try await Stage.at(state, of: catalog.products.first?.id, in: catalog))
      let (monetizer, snapshot) = (stage.monetizer, stage.monetizer.snapshot)
      for feature in catalog.features.flatMap({ [$0.id] + $0.aliases }) {
        let answers = [
          monetizer.allows(feature), snapshot.allows(feature), monetizer.decision(for: feature).isAllowed,
          snapshot.decision(for: feature).isAllowed, monetizer.as(.customer).allows(feature),
          monetizer.decision(for: AccessRequest(feature)).isAllowed,
        ]
        #expect(Set(answers).count == 1, "\(feature) in \(state): \(answers)")
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import Testing

/// Each line of `Docs/Simulator.md` names a scenario that shows it.
@Suite(.timeLimit(.minutes(30)))
struct SimulatorPageTests {
  private static let folder = "Examples/Scenarios/app-store"

  private func page() throws -> String {
    try String(contentsOf: Shipped.root.appendingPathComponent("Docs/Simulator.md"), encoding: .utf8)
  }

  /// The files in the scenarios' folder that a text links to.
  private func linked(in text: String) -> Set<String> {
    Set(text.components(separatedBy: "(../\(Self.folder)/").dropFirst().compactMap { $0.components(separatedBy: ")").first })
  }

  @Test("Every scenario on the page exists, and every existing one is on the page") func named() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Shipped.root.appendingPathComponent(Self.folder).path)
    #expect(linked(in: try page()) == Set(files.filter { $0.hasSuffix(".json") }))
    #expect(linked(in: "[a](../\(Self.folder)/no-such.json)") == ["no-such.json"])
  }

  @Test("Every line of a table names what shows it, or that nothing does") func complete() throws {
    let rows = try page().components(separatedBy: "\n").filter {
      $0.hasPrefix("| ") && !$0.hasPrefix("| Capability") && !$0.hasPrefix("| Member")
    }
    #expect(rows.count > 110)
    for row in rows {
      #expect(
        row.components(separatedBy: " | ").allSatisfy { !$0.trimmingCharacters(in: ["|", " "]).isEmpty } || row.hasPrefix("|  |"), "\(row)")
    }
  }

  @Test("Each quirk, and each API that can fail, is on in some scenario") func switches() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Shipped.root.appendingPathComponent(Self.folder).path)
    let all = try files.map { try String(contentsOf: Shipped.root.appendingPathComponent("\(Self.folder)/\($0)"), encoding: .utf8) }
      .joined()
    let quirks = StoreQuirk.all.map(\.rawValue)
    for quirk in quirks { #expect(all.contains("\"\(quirk)\": true"), "\(quirk)") }
    let apis = StoreAPI.all.map(\.rawValue)
    for api in apis { #expect(all.contains("\"errors\": { \"\(api)\": "), "\(api)") }
  }
}

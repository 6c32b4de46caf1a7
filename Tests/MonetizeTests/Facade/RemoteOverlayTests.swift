// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize

/// Remote configuration that comes, fails, is wrong, and stays for the next launch.
@Suite("Remote overlays", .timeLimit(.minutes(30)))
struct RemoteOverlayTests {
  private func five(_ count: Int) -> String { #"[{ "id": "five", "patch": { "freeTier": { "grants": { "story": \#(count) } } } }]"# }

  private func monetizer() throws -> Monetizer {
    Monetizer(catalog: try Shipped.catalog("magical-stories")) {
      ($0.store, $0.time, $0.startsByItself) = (ScriptedStore(), TestTime(), false)
    }
  }

  @Test("The first overlays store the installation's name, which decides its shares; overlays of an account do not")
  func nameIsStored() async throws {
    for unit in [nil, "ann"] {
      let storage = MemoryStorage()
      let monetizer = try TestShop.monetizer(storage: storage)
      for _ in 0..<2 {
        try monetizer.apply(Overlay.list(json: Data("[]".utf8)), for: unit)
        await monetizer.settled()
      }
      #expect(storage.load().records.count == (unit == nil ? 1 : 0))
      #expect((try TestShop.monetizer(storage: storage).parts.source == monetizer.parts.source) == (unit == nil))
    }
  }

  @Test("Overlays that open a feature send an event") func event() async throws {
    let log = EventLog()
    let monetizer = try TestShop.monetizer(log: log)
    await monetizer.start()
    let overlay = #"[{ "id": "open", "patch": { "freeTier": { "grants": { "extra": true } } } }]"#
    // With a unit, because the stored name of the installation would send it as well.
    try monetizer.apply(Overlay.list(json: Data(overlay.utf8)), for: "ann")
    #expect(log.count(.accessChanged) == 1 && monetizer.allows("extra"))
  }

  @Test("AMB-46: the last good configuration is kept; a failure and a mistake change nothing, also after a relaunch")
  func keepsTheLastGoodOne() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("overlays-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    let first = try monetizer()
    first.applyKeptOverlays(from: file)
    #expect(first.decision(for: "story").limit == 3, "no file")
    #expect(await first.refreshOverlays(keepingAt: file) { Data(five(5).utf8) } == .applied)
    #expect(first.decision(for: "story").limit == 5)
    #expect(await first.refreshOverlays(keepingAt: file) { throw CancellationError() } == .unreachable)
    for wrong in [five(-1), "{}", "[", #"[{ "id": "x", "patch": { "products": [] } }]"#] {
      guard case .refused(let diagnostics) = await first.refreshOverlays(keepingAt: file, { Data(wrong.utf8) }) else {
        Issue.record("\(wrong) was not refused.")
        continue
      }
      #expect(!diagnostics.isEmpty)
    }
    #expect(first.decision(for: "story").limit == 5)
    let second = try monetizer()
    second.applyKeptOverlays(from: file)
    #expect(second.decision(for: "story").limit == 5)
    #expect(await second.refreshOverlays(keepingAt: file) { Data("[]".utf8) } == .applied)
    #expect(second.decision(for: "story").limit == 3)
  }

  @Test(
    "A refused overlay names the place in the fetched text",
    arguments: [
      (#""freeTier": { "grants": { "stroy": 5 } }"#, "2:39 [0].patch.freeTier.grants.stroy"),
      (#""freeTier": 5"#, "2:16 [0].patch.freeTier"),
      (#""releases": []"#, "2:16 [0].patch.releases"),
      (#""paywalls": { "default": { "headline": 5 } }"#, "2:43 [0].patch.paywalls.default.headline"),
      // The name of what is removed is in another part of the catalog.
      (#""paywalls": { "special": null }"#, "2:2 onboarding[0].placement"),
    ])
  func positions(patch: String, place: String) async throws {
    let list = "[{ \"id\": \"x\", \"patch\":\n { \(patch) } }]"
    let overlays = try Overlay.list(json: Data(list.utf8))
    let catalog = try Catalog(
      json: Data(
        """
        { "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "features": { "story": { "allowance": "count", "per": "month" } },
          "freeTier": { "grants": { "story": 3 } }, "releases": ["v1"], "paywalls": { "default": {}, "special": {} },
          "onboarding": [{ "id": "welcome", "placement": "special" }] }
        """.utf8))
    let error = #expect(throws: CatalogError.self) { try catalog.applying(overlays[0]) }
    #expect(error?.diagnostics.map { "\($0.position.map { "\($0)" } ?? "?") \($0.path)" } == [place])
  }

  @Test("The given unit decides the shares, not the installation's name") func unit() throws {
    let overlays = try Overlay.list(json: Data(#"[{ "id": "half", "percent": 50, "patch": {} }]"#.utf8))
    let units = (0..<20).map { "customer \($0)" }
    let included = units.filter(overlays[0].includes)
    #expect(!included.isEmpty && included.count < units.count)
    for unit in units {
      let monetizer = try TestShop.monetizer()
      try monetizer.apply(overlays, for: unit)
      #expect(monetizer.appliedOverlays == (included.contains(unit) ? ["half"] : []), "\(unit)")
    }
  }
}

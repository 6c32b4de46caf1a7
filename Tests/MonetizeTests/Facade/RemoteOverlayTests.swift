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
}

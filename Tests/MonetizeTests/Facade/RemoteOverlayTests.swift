// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize

/// Remote configuration that comes, fails, is wrong, and stays for the next launch.
@Suite("Remote overlays", .timeLimit(.minutes(30)))
struct RemoteOverlayTests {
  private struct Provider: OverlayProvider {
    var text: String?
    func overlays() async throws -> Data {
      guard let text else { throw CancellationError() }
      return Data(text.utf8)
    }
  }

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
    #expect(await first.refreshOverlays(from: Provider(text: five(5)), keepingAt: file) == .applied)
    #expect(first.decision(for: "story").limit == 5)
    #expect(await first.refreshOverlays(from: Provider(text: nil), keepingAt: file) == .unreachable)
    for wrong in [five(-1), "{}", "[", #"[{ "id": "x", "patch": { "products": [] } }]"#] {
      guard case .refused(let diagnostics) = await first.refreshOverlays(from: Provider(text: wrong), keepingAt: file) else {
        Issue.record("\(wrong) was not refused.")
        continue
      }
      #expect(!diagnostics.isEmpty)
    }
    #expect(first.decision(for: "story").limit == 5)
    let second = try monetizer()
    second.applyKeptOverlays(from: file)
    #expect(second.decision(for: "story").limit == 5)
    #expect(await second.refreshOverlays(from: Provider(text: "[]"), keepingAt: file) == .applied)
    #expect(second.decision(for: "story").limit == 3)
  }
}

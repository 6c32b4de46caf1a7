// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizePreview
import MonetizeSimulator
import MonetizeUI
import SwiftUI
import Testing

@Suite("The simulated store in a running app", .timeLimit(.minutes(30)))
@MainActor struct PreviewTests {
  private let monthly = "com.heatlab.pro.monthly"

  /// Waits until a condition holds, by turns of the main thread.
  private func wait(for host: ViewHost, until isTrue: (ViewHost) -> Bool) async -> Bool {
    for _ in 0..<20_000 {
      if isTrue(host) { return true }
      await Task.yield()
    }
    return false
  }

  @Test("The panel buys, refunds, lets a month pass, asks to buy, approves, and goes offline; the app's views follow")
  func panel() async throws {
    let preview = PreviewStore(catalog: try Stage.catalog("heatlab"), at: Stage.start)
    let host = ViewHost(
      VStack {
        Text("Insights").gated(by: "aiInsights")
        PreviewPanel(preview)
      }.preview(preview))
    #expect(await wait(for: host) { $0.texts.contains("Unlock") })
    host.tap("Buy \(monthly)")
    #expect(await wait(for: host) { $0.texts.contains("Insights") })
    host.tap("Wait a month")
    #expect(await wait(for: host) { $0.texts.contains { $0.hasPrefix("Time: 2026-04-01") } })
    #expect(host.texts.contains("Insights"), "it renews")
    host.tap("Refund \(monthly)")
    #expect(await wait(for: host) { $0.texts.contains("Unlock") })
    host.tap("Ask to Buy")
    #expect(await wait(for: host) { _ in preview.asksToBuy })
    host.tap("AI insights, locked")
    #expect(await wait(for: host) { $0.control("Subscribe")?.isDisabled == false })
    host.tap("Subscribe")
    #expect(await wait(for: host) { $0.texts.contains { $0.hasPrefix("Waiting for approval") } })
    host.swipeDown()
    host.tap("Approve com.heatlab.pro.annual")
    #expect(await wait(for: host) { $0.texts.contains("Insights") })
    host.tap("Offline")
    #expect(await wait(for: host) { _ in preview.isOffline })
    #expect(preview.device.network == .offline)
  }

  @Test("What makes no sense is said and changes nothing")
  func problems() async throws {
    let preview = PreviewStore(catalog: try Stage.catalog("heatlab"), owns: [ProductID(monthly)], at: Stage.start)
    await preview.start()
    #expect(preview.model.monetizer.allows("aiInsights"))
    await preview.refund("com.heatlab.pro.annual")
    #expect(preview.problem != nil && preview.model.monetizer.allows("aiInsights"))
    await preview.refund(ProductID(monthly))
    #expect(preview.problem == nil && !preview.model.monetizer.allows("aiInsights"))
  }
}

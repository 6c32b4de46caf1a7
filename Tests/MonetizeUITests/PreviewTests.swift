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

  @Test("The panel lets days and years pass, declines a request, and shows why a tap had no effect")
  func more() async throws {
    let preview = PreviewStore(catalog: try Stage.catalog("heatlab"), at: Stage.start)
    let host = ViewHost(PreviewPanel(preview).preview(preview))
    func passed(_ button: String, _ length: Period) async -> Bool {
      let end = length.added(to: preview.date, in: .storeCalendar)
      host.tap(button)
      return await wait(for: host) { $0.texts.contains("Time: \(ISODate.text(end))") }
    }
    #expect(await wait(for: host) { $0.texts.contains("Time: \(ISODate.text(Stage.start))") })
    #expect(await passed("Wait a day", Period(days: 1)))
    #expect(await passed("Wait a month", Period(months: 1)))
    #expect(await passed("Wait a year", Period(years: 1)))
    #expect(preview.model.monetizer.snapshot.date == preview.date, "the app has the time of the store")
    await preview.setAsksToBuy(true)
    _ = try await preview.model.monetizer.purchase(ProductID(monthly))
    #expect(await wait(for: host) { $0.control("Decline \(monthly)") != nil })
    host.tap("Decline \(monthly)")
    #expect(await wait(for: host) { _ in preview.store.waitingPurchases().isEmpty })
    // The store does not tell the app of a refusal. A second one has nothing to decline.
    #expect(!preview.model.monetizer.allows("aiInsights") && preview.problem == nil)
    await preview.decline(ProductID(monthly))
    let problem = try #require(preview.problem)
    #expect(await wait(for: host) { $0.texts.contains(problem) })
    host.tap("Buy \(monthly)")
    #expect(await wait(for: host) { !$0.texts.contains(problem) })
    await preview.buy("unknown")
    #expect(preview.problem != nil)
  }

  @Test("The app starts with the view, once, with the app's own settings and the owned products")
  func starting() async throws {
    let json = #"""
      { "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "features": { "edit": { "allowance": "count" } },
        "products": [{ "kind": "consumable", "id": "edits", "name": "Edits", "price": { "amount": "1.00", "currency": "USD" },
          "credits": { "edit": 10 } }] }
      """#
    let preview = PreviewStore(catalog: try Catalog(json: Data(json.utf8)), owns: ["edits"], at: Stage.start) {
      $0.zone = { TimeZone(identifier: "Asia/Tokyo") ?? .gmt }
    }
    for _ in 0..<200 { await Task.yield() }
    #expect(!preview.model.monetizer.snapshot.situation.store.hasAnswered, "nothing happens before the start")
    await preview.start()
    await preview.start()
    #expect(preview.store.transactions().count == 1)
    #expect(preview.model.monetizer.snapshot.situation.store.hasAnswered)
    #expect(preview.model.monetizer.decision(for: "edit").remaining == 10)
    #expect(preview.model.monetizer.snapshot.situation.zone.identifier == "Asia/Tokyo")
  }
}

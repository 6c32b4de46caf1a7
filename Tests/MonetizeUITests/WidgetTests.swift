// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import SwiftUI
import Testing
import WidgetKit

@testable import HeatlabWidget

/// The example widget reads the file that the app writes, and agrees with the app's engine.
@Suite("The example widget", .timeLimit(.minutes(30)))
@MainActor struct WidgetTests {
  private let monthly: ProductID = "com.heatlab.pro.monthly"

  private final class Answer: @unchecked Sendable {
    var timeline = Timeline<InsightEntry>(entries: [], policy: .never)
  }

  /// An app and its widget, which share a state file.
  @MainActor private final class Shared {
    let store: SimulatedStore
    let device: SimulatedDevice
    let monetizer: Monetizer
    let provider: InsightProvider
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("widget-\(UUID().uuidString)/state")

    init(seed: UInt64 = 1) async throws {
      let catalog = try Stage.catalog("heatlab")
      store = SimulatedStore(catalog: catalog, start: Stage.start, seed: seed)
      device = store.device()
      let (device, storage, time) = (device, FileStorage(url), device.time)
      monetizer = Monetizer(catalog: catalog) {
        $0.store = device
        $0.time = time
        $0.storage = storage
        $0.startsByItself = false
      }
      provider = InsightProvider(catalog: catalog, storage: FileStorage(url)) { time.now }
      await monetizer.start()
    }

    deinit { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }

    var timeline: Timeline<InsightEntry> {
      // The system waits for the call of the handler. This provider calls it before it returns.
      let answer = Answer()
      provider.getTimeline(in: TimelineProviderContext()) { answer.timeline = $0 }
      return answer.timeline
    }

    /// What the widget may not show beside the engine's answer.
    func lie(_ entry: InsightEntry?) -> String? {
      let access = monetizer.access(to: "aiInsights")
      if entry?.access?.isOpen == true, !access.isOpen { return "content, which is \(access.decision)" }
      if entry?.access?.paywall != nil, access.isOpen { return "an offer of what is open" }
      return nil
    }
  }

  private func texts(_ entry: InsightEntry) -> [String] { ViewHost(InsightView(entry: entry)).texts }

  @Test("HEAT-24: a plan that ends has an entry at that instant; before it the widget has the insight, from it on neither content nor more")
  func ending() async throws {
    let app = try await Shared()
    _ = try await app.monetizer.purchase(monthly)
    try await app.store.setAutoRenew(false, product: monthly)
    await app.monetizer.refresh()
    let end = try #require(app.monetizer.decision(for: "aiInsights").validUntil)
    let timeline = app.timeline
    #expect(timeline.entries.map(\.date) == [Stage.start, end] && timeline.policy == .atEnd)
    #expect(timeline.entries.map { $0.access?.isOpen } == [true, false])
    #expect(texts(timeline.entries[0]).contains { $0.hasPrefix("You recover fastest") })
    #expect(!texts(timeline.entries[1]).contains { $0.hasPrefix("You recover fastest") })
    await app.store.advance(by: end.timeIntervalSince(Stage.start) - 1)
    #expect(app.monetizer.allows("aiInsights") && app.lie(timeline.entries[0]) == nil)
    await app.store.advance(by: 1)
    #expect(!app.monetizer.allows("aiInsights") && app.lie(timeline.entries[1]) == nil)
    await app.monetizer.refresh()
    #expect(app.lie(timeline.entries[1]) == nil && app.lie(app.timeline.entries.first) == nil)
  }

  @Test("A plan that renews is not offered again while the app sleeps; the next launch of the app brings the insight back")
  func renewing() async throws {
    let app = try await Shared()
    _ = try await app.monetizer.purchase(monthly)
    await app.monetizer.refresh()
    let later = try #require(app.timeline.entries.last)
    await app.store.advance(by: later.date.timeIntervalSince(Stage.start) + 60)
    await app.monetizer.refresh()
    #expect(app.monetizer.allows("aiInsights") && app.lie(later) == nil && app.timeline.entries.first?.access?.isOpen == true)
  }

  @Test("Without a purchase there is one entry and no insight; a damaged file shows neither content nor a prompt")
  func free() async throws {
    let app = try await Shared()
    #expect(app.timeline.entries.count == 1 && app.timeline.policy == .never && app.timeline.entries[0].access?.isOpen == false)
    let placeholder = app.provider.placeholder(in: TimelineProviderContext())
    #expect(texts(placeholder) == ["Heatlab", "Open Heatlab to see your sessions."])
    try Data("no state".utf8).write(to: app.url)
    #expect(app.timeline.entries.map { $0.access == nil } == [true] && texts(app.timeline.entries[0]) == texts(placeholder))
  }

  @Test("Under random schedules the widget shows no content that the engine denies, and no prompt for what is open")
  func random() async throws {
    for seed in 1...20 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed)
      let app = try await Shared(seed: seed)
      var timeline = app.timeline
      for step in 1...12 {
        let product = app.monetizer.catalog.products.map(\.id).randomElement(using: &random) ?? monthly
        switch Int.random(in: 0..<5, using: &random) {
        case 0: _ = try? await app.device.buyOnTheStore(PurchaseRequest(product))
        case 1: try? await app.store.refund(product)
        case 2: try? await app.store.setAutoRenew(Bool.random(using: &random), product: product)
        case 3: await app.store.setPayment(Bool.random(using: &random) ? .works : .fails)
        default: await app.store.advance(by: Period(days: Int.random(in: 1...20, using: &random)))
        }
        await app.monetizer.refresh()
        // The app reloads the widget when its answer changes.
        timeline = app.timeline
        let shown = timeline.entries.last { $0.date <= app.monetizer.now }
        #expect(app.lie(shown) == nil, "seed \(seed), step \(step): \(app.lie(shown) ?? "")")
        #expect(app.lie(timeline.entries.first) == nil)
      }
    }
  }

  @Test("The configuration shows the provider's entries") func configuration() {
    #expect("\(type(of: HeatlabWidget().body))".hasPrefix("StaticConfiguration<InsightView>"))
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizePaywalls
import MonetizeSimulator
import MonetizeUI
import SwiftUI
import Testing

/// What views may never show, under random schedules over the simulated store.
@Suite("Laws of the views", .timeLimit(.minutes(30)))
@MainActor struct LawTests {
  private struct Wall: View {
    let requests: [AccessRequest]

    var body: some View {
      ForEach(requests.indices, id: \.self) { index in
        FeatureGate(requests[index]) {
          Text(verbatim: "content \(index)")
        } placeholder: { notice, tap in
          Button(action: tap) { Text(verbatim: "\(notice.sort.rawValue) \(index)") }
        }
      }
    }
  }

  /// A gate that asks once and keeps the answer, as the seeds do.
  private struct StaleWall: View {
    let requests: [AccessRequest]
    @Environment(\.monetizer) private var monetizer
    @State private var answers: [Bool]?

    var body: some View {
      let open = answers ?? requests.map { monetizer?.decision(for: $0).isAllowed ?? false }
      ForEach(requests.indices, id: \.self) { index in
        Text(verbatim: open[index] ? "content \(index)" : "locked \(index)")
      }
      .onAppear { answers = open }
    }
  }

  private static let apps: [(app: String, requests: [AccessRequest])] = [
    ("heatlab", [AccessRequest("aiInsights"), AccessRequest("periodComparisons"), AccessRequest("workoutTracking")]),
    ("magical-stories", [AccessRequest("story"), AccessRequest("customThemes"), AccessRequest("childProfiles", held: 1)]),
    ("maze-packs", [AccessRequest("story.play", item: "denny/1"), AccessRequest("story.play", item: "denny/4")]),
    ("dozzi", [AccessRequest("story"), AccessRequest("voices", level: "premium")]),
  ]

  /// What a screen shows that is not in the engine's answer, now.
  private func lie(_ host: ViewHost, _ requests: [AccessRequest], _ monetizer: Monetizer) -> String? {
    let texts = Set(host.tree.flatMap(\.all).filter { $0.kind == .text }.compactMap(\.text))
    for (index, request) in requests.enumerated() {
      let access = monetizer.access(to: request)
      let expected =
        switch access {
        case .open: "content \(index)"
        case .offer: "locked \(index)"
        default: nil as String?
        }
      if texts.contains("content \(index)"), !access.isOpen { return "content of \(request.feature), which is \(access.decision)" }
      if texts.contains("locked \(index)"), access.paywall == nil { return "a lock on \(request.feature), which is \(access.decision)" }
      if let expected, !texts.contains(expected) { return "\(expected) is missing for \(request.feature)" }
    }
    return nil
  }

  private func step(_ stage: Stage, _ host: ViewHost, _ random: inout SeededGenerator) async -> String {
    let products = stage.catalog.products.map(\.id)
    let product = products.randomElement(using: &random) ?? "none"
    switch Int.random(in: 0..<14, using: &random) {
    case 0:
      _ = try? await stage.device.buyOnTheStore(PurchaseRequest(product))
      return "buys \(product) on the store"
    case 1:
      try? await stage.store.refund(product)
      return "refund of \(product)"
    case 2:
      await stage.store.advance(by: Period(days: Int.random(in: 1...40, using: &random)))
      return "days pass"
    case 3:
      try? await stage.store.setNetwork(Bool.random(using: &random) ? .online : .offline)
      return "network"
    case 4:
      await stage.store.setAskToBuy(Bool.random(using: &random))
      return "ask to buy"
    case 5:
      try? await stage.store.approve(product)
      return "approval of \(product)"
    case 6:
      _ = try? await stage.monetizer.spend("story")
      return "a story"
    case 7:
      await stage.monetizer.refresh()
      return "foreground"
    case 8:
      await stage.store.setPayment(Bool.random(using: &random) ? .works : .fails)
      return "payment"
    case 9:
      try? await stage.store.setAutoRenew(Bool.random(using: &random), product: product)
      return "auto-renew"
    case 10, 11:
      let control = host.controls.randomElement(using: &random)?.spoken ?? ""
      host.tap(control)
      return "tap on \(control)"
    case 12:
      await stage.passGate(host)
      return "the gate"
    default:
      host.swipeDown()
      return "swipe"
    }
  }

  /// Plays a schedule. Returns the first lie with the steps that led to it.
  private func play(_ seed: UInt64, steps: Int = 20, _ wall: ([AccessRequest]) -> any View) async throws -> String? {
    var random = SeededGenerator(seed)
    let (app, requests) = Self.apps[Int(seed) % Self.apps.count]
    let stage = try await Stage(app, isAnswered: Bool.random(using: &random), seed: seed)
    func show(_ view: some View) -> ViewHost { stage.show(view) }
    let host = show(wall(requests))
    var log: [String] = []
    for _ in 0..<steps {
      log.append(await step(stage, host, &random))
      // What is drawn anew is true at once; what was drawn before is true when the news has come.
      _ = host.redraw()
      if let lie = lie(host, requests, stage.monetizer) {
        return "seed \(seed), \(app), drawn anew: \(lie)\n\(log.joined(separator: "\n"))"
      }
      await stage.settle()
      if let lie = lie(host, requests, stage.monetizer) { return "seed \(seed), \(app): \(lie)\n\(log.joined(separator: "\n"))" }
      if stage.model.snapshot != stage.monetizer.snapshot {
        return "seed \(seed): the model is behind the engine\n\(log.joined(separator: "\n"))"
      }
      if let prompt = prompt(host, stage) { return "seed \(seed): \(prompt)\n\(log.joined(separator: "\n"))" }
    }
    host.close()
    return nil
  }

  /// A paywall that sells to a customer who has everything that it is about.
  private func prompt(_ host: ViewHost, _ stage: Stage) -> String? {
    guard host.hasSheet, host.elements.contains(where: { $0.text == "Restore Purchases" }) else { return nil }
    let all = Self.apps.first { $0.app == stage.app }?.requests ?? []
    return all.allSatisfy { stage.monetizer.access(to: $0).isOpen } ? "a paywall for a customer who has everything" : nil
  }

  @Test("No view shows what the engine denies, nor a prompt to a customer who is entitled; model, view and engine agree")
  func random() async throws {
    let count = ProcessInfo.processInfo.environment["MONETIZE_SCHEDULES"].flatMap { Int($0) } ?? 60
    let first = UInt64(ProcessInfo.processInfo.environment["MONETIZE_SEED"] ?? "") ?? 1
    for seed in first..<first + UInt64(count) {
      let found = try await play(seed) { Wall(requests: $0) }
      #expect(found == nil, "MONETIZE_SEED=\(seed): \(found ?? "")")
      if found != nil { return }
    }
  }

  @Test("The law notices a gate that asks once and keeps the answer")
  func stale() async throws {
    var found: String?
    for seed in 1...20 as ClosedRange<UInt64> where found == nil { found = try await play(seed) { StaleWall(requests: $0) } }
    #expect(found != nil)
  }
}

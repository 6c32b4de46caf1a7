// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// One step of a sequence, with the number of customers who reached it.
struct FunnelStep: Sendable {
  let title: String
  let count: Int
  /// The share of customers of the first step.
  let ofFirst: Decimal
  /// The share of the customers of the previous step; `nil` if that step has no customers.
  let ofPrevious: Decimal?
  /// The median time until the next step, in seconds.
  var seconds: Decimal?

  static func all(_ counts: [(title: String, count: Int, seconds: Decimal?)]) -> [FunnelStep] {
    guard let first = counts.first?.count, first > 0 else { return [] }
    return counts.indices.map { index in
      let (step, before) = (counts[index], index > 0 ? counts[index - 1].count : first)
      return FunnelStep(
        title: step.title, count: step.count, ofFirst: Decimal(step.count) / Decimal(first),
        ofPrevious: before > 0 ? Decimal(step.count) / Decimal(before) : nil, seconds: step.seconds)
    }
  }

  /// The steps from a shown paywall to a completed purchase.
  static func purchase(_ log: EventLog) -> [FunnelStep] {
    all([
      ("paywall shown", log.all(.paywallShown).count, nil), ("purchase begun", log.all(.purchaseStarted).count, nil),
      ("purchase completed", log.completed, nil),
    ])
  }

  /// The steps of the onboarding, in the order in which customers first reach them. Each `onboardingStep` names its step in its property
  /// `step`.
  static func onboarding(_ log: EventLog, payers: Set<String>) -> [FunnelStep] {
    let started = log.customers("onboardingStarted")
    if started.isEmpty { return [] }
    var reached: [String: [String: Date]] = [:]
    var order: [String] = []
    for event in log.all("onboardingStep") {
      guard case .text(let step) = event.properties?["step"] else { continue }
      if reached[step] == nil { order.append(step) }
      let customer = EventLog.customer(of: event)
      if reached[step]?[customer] == nil { reached[step, default: [:]][customer] = event.at }
    }
    let done = Dictionary(log.all("onboardingCompleted").map { (EventLog.customer(of: $0), $0.at) }) { first, _ in first }
    var ways = order.map { (title: $0, times: reached[$0] ?? [:]) }
    ways.append((title: "completed", times: done))
    let seconds = seconds(ways.map(\.times))
    let counts = ways.indices.map { (title: ways[$0].title, count: ways[$0].times.count, seconds: median(seconds[$0])) }
    return all(
      [("started", started.count, nil)] + counts + [("paid", started.intersection(payers).count, nil)])
  }

  /// For each step, the times from it to each customer's own next one. The order may differ between customers, as between arms.
  /// - Parameter steps: When each customer reached each step, the end last.
  private static func seconds(_ steps: [[String: Date]]) -> [[TimeInterval]] {
    var ways: [String: [(date: Date, step: Int)]] = [:]
    for (step, times) in steps.enumerated() {
      for (customer, date) in times { ways[customer, default: []].append((date, step)) }
    }
    var seconds = Array(repeating: [TimeInterval](), count: steps.count)
    for way in ways.values.map({ $0.sorted { ($0.date, $0.step) < ($1.date, $1.step) } }) {
      for (from, to) in zip(way, way.dropFirst()) where from.step < steps.count - 1 {
        seconds[from.step].append(to.date.timeIntervalSince(from.date))
      }
    }
    return seconds
  }

  /// The step after which the largest share of customers is lost: its next step has the smallest share of it.
  static func dropOff(_ steps: some Collection<FunnelStep>) -> String? {
    let shares = zip(steps, steps.dropFirst()).compactMap { step, next in next.ofPrevious.map { (title: step.title, share: $0) } }
    return shares.min { $0.share < $1.share }.flatMap { $0.share < 1 ? $0.title : nil }
  }

  private static func median(_ values: [TimeInterval]) -> Decimal? {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return nil }
    return Decimal((sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2)
  }
}

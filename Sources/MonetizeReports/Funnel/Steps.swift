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
    let counts = ways.indices.map { index -> (title: String, count: Int, seconds: Decimal?) in
      let next = index + 1 < ways.count ? ways[index + 1].times : [:]
      let seconds = ways[index].times.compactMap { customer, date in next[customer].map { $0.timeIntervalSince(date) } }
      return (ways[index].title, ways[index].times.count, median(seconds))
    }
    return all(
      [("started", started.count, nil)] + counts + [("paid", started.intersection(payers).count, nil)])
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

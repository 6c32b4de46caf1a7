// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Reaches the catalog's milestones, such as a rating request after three stories. A milestone is reached once per customer. Only devices
/// that have not exchanged their facts can each reach it.
struct Milestones: Sendable {
  /// The minimum time between a paywall or a purchase and a milestone, in seconds.
  static let pause: TimeInterval = ActivitySession.pause

  let parts: Parts

  /// Reaches the milestones of the used features. Reaches none while a paywall is open, or within ``pause`` after one opened or closed or
  /// after a purchase; a later use then reaches the milestone.
  func reach(by uses: [Use]) async {
    let used = Set(uses.map(\.feature))
    for milestone in parts.catalog.milestones where used.contains(milestone.feature) && isDue(milestone) && !isSelling {
      let mark = ProgressEntry(mark: milestone.id, in: .milestones, source: parts.source, value: 1)
      let now = parts.clock.now
      guard await !parts.writer.add([.progress(mark)]).news.isEmpty else { continue }
      var event = MonetizeEvent(.milestoneReached, at: now, feature: milestone.feature)
      event.properties = ["milestone": .text(milestone.id), "action": .text(milestone.action)]
      parts.events.send([event])
    }
  }

  /// Whether the customer and the family have used the feature often enough, and no device has reached the milestone.
  private func isDue(_ milestone: Milestone) -> Bool {
    let (state, now) = (parts.answers.now, parts.clock.now)
    let count = state.facts.usage.subjects.subtracting([.everyone]).reduce(0) { sum, subject in
      sum + state.facts.usage.totals(of: milestone.feature, by: subject, since: nil, at: now, in: state.environment).all
    }
    return count >= milestone.uses && state.facts.marks(.milestones)[milestone.id] == nil
  }

  private var isSelling: Bool {
    let start = parts.clock.now - Self.pause
    let selling: [MonetizeEvent.Name] = [.paywallShown, .paywallDismissed, .purchaseCompleted]
    return parts.isPaywallOpen.copy || selling.contains { parts.events.hasHappened($0, after: start) }
  }
}

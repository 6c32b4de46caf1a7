// SPDX-License-Identifier: Apache-2.0
import Foundation

extension Parts {
  /// The minimum time between a paywall and a rating request, in seconds.
  static let moment: TimeInterval = ActivitySession.pause

  /// Reaches the milestones of the used features, each once per customer. Reaches none while a paywall is open, or within ``moment`` after
  /// one opened or closed or after a purchase; a later use then reaches the milestone.
  func reachMilestones(by uses: [Use]) async {
    let used = Set(uses.map(\.feature))
    for milestone in catalog.milestones where used.contains(milestone.feature) {
      let (facts, now) = (answers.facts, clock.now)
      let environment = answers.now.environment
      let count = facts.usage.subjects.subtracting([.everyone]).reduce(0) { sum, subject in
        sum + facts.usage.totals(of: milestone.feature, by: subject, since: nil, at: now, in: environment).all
      }
      let selling: [MonetizeEvent.Name] = [.paywallShown, .paywallDismissed, .purchaseCompleted]
      guard count >= milestone.uses, !isPaywallOpen.copy, !selling.contains(where: { events.hasHappened($0, since: now - Self.moment) })
      else { continue }
      let mark = ProgressEntry(mark: milestone.id, in: .milestones, source: source, value: 1)
      guard await !writer.add([.progress(mark)]).news.isEmpty else { continue }
      var event = MonetizeEvent(.milestoneReached, at: now, feature: milestone.feature)
      event.properties = ["milestone": .text(milestone.id), "action": .text(milestone.action)]
      events.send([event])
    }
  }
}

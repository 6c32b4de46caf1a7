// SPDX-License-Identifier: Apache-2.0
import Foundation
public import Monetize

/// The names of the marks of an onboarding.
private enum Mark {
  static let begun = "begun"
  static let ended = "ended"
  static func shown(_ place: String) -> String { "shown \(place)" }
  static func done(_ place: String) -> String { "done \(place)" }
  static func exit(_ name: String) -> String { "exit \(name)" }

  /// The names of one kind, without the kind itself.
  static func names(_ kind: (String) -> String, in marks: [String: Int]) -> [String: Int] {
    let prefix = kind("")
    return Dictionary(marks.compactMap { $0.key.hasPrefix(prefix) ? (String($0.key.dropFirst(prefix.count)), $0.value) : nil }) {
      first, _ in
      first
    }
  }
}

extension Monetizer {
  /// The customer's position in the onboarding, which a kill of the app does not change. Only reads.
  ///
  /// A step for customers without an entitlement is hidden from those who have it, and while that is unknown or a purchase waits. A
  /// customer who restores a purchase on the first page therefore never sees the trial offer. While monetization is off, steps and buttons
  /// that open a paywall are hidden. A finished onboarding stays finished, even when a plan ends later.
  public var onboarding: OnboardingFlow {
    let (snapshot, marks) = (snapshot, marks(.onboarding))
    let exit = Mark.names(Mark.exit, in: marks).keys.min()
    let outcomes = Mark.names(Mark.done, in: marks).compactMapValues(OnboardingFlow.Outcome.init(rawValue:))
    return OnboardingFlow(
      snapshot.catalog.onboarding, outcomes: outcomes, exit: exit, hasEnded: marks[Mark.ended] != nil,
      sells: snapshot.catalog.isMonetized
    ) { entitlement in
      switch snapshot.summary(of: entitlement)?.state {
      case .trial, .active, .grace, .billingRetry, .unknown, .pending: true
      case .never, .expired, .revoked, nil: false
      }
    }
  }

  /// Records that the current place is shown. Call it at launch, and whenever a place appears. Sends `onboardingStarted`, `onboardingStep` and
  /// `premiumFeatureViewed`, and `onboardingCompleted` when nothing is left, each once.
  /// - Returns: The flow; show its ``OnboardingFlow/place``.
  @discardableResult
  public func showOnboarding() async -> OnboardingFlow {
    let flow = onboarding
    guard let place = flow.place else {
      await endOnboarding()
      return flow
    }
    let news = await mark([Mark.begun: 1, Mark.shown(place.id): 1], in: .onboarding)
    var events = news.contains(Mark.begun) ? [MonetizeEvent(.onboardingStarted, at: now)] : []
    if news.contains(Mark.shown(place.id)) {
      var event = MonetizeEvent(.onboardingStep, at: now)
      event.properties["step"] = .text(place.step.id)
      event.properties["page"] = place.page.map { .text($0.id) }
      events.append(event)
      events += place.step.teasers.map { MonetizeEvent(.premiumFeatureViewed, at: now, feature: $0.feature) }
    }
    send(events)
    return flow
  }

  /// Makes a move of the customer, and stores it: `await monetizer.moveOnboarding { $0.complete(place.id) }`. A move that does not fit the
  /// current place changes nothing, so that a second tap does no harm.
  /// - Returns: The flow after the move.
  @discardableResult
  public func moveOnboarding(_ move: (inout OnboardingFlow) -> Bool) async -> OnboardingFlow {
    var flow = onboarding
    let before = flow.outcomes
    if move(&flow) {
      var marks: [String: Int] = [:]
      for (place, outcome) in flow.outcomes where before[place] != outcome { marks[Mark.done(place)] = outcome.rawValue }
      if let exit = flow.exitTaken { marks[Mark.exit(exit)] = 1 }
      _ = await mark(marks, in: .onboarding)
    }
    // A purchase can also end the onboarding: it hides an offer that was the last place.
    if flow.isOver { await endOnboarding() }
    return flow
  }

  private func endOnboarding() async {
    // Without any mark, the onboarding has never begun.
    if marks(.onboarding).isEmpty { return }
    if await mark([Mark.ended: 1], in: .onboarding).isEmpty { return }
    send([MonetizeEvent(.onboardingCompleted, at: now)])
  }
}

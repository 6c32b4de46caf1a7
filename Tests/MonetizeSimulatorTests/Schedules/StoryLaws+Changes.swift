// SPDX-License-Identifier: Apache-2.0
import Foundation

@testable import Monetize
@testable import MonetizeSimulator

extension StoryLaws {
  private static let requests =
    ["hint", "gem", "extras"].map { AccessRequest(FeatureID($0)) } + [AccessRequest("story.play", item: "denny/3")]

  /// (h) A parent's limit allows nothing more, and no remote configuration takes away paid access.
  func changes(_ scene: Scene, _ device: inout Device, _ step: ScenarioStep) -> [Violation] {
    var found = newCap(scene, &device, step)
    let version = scene.monetizer.parts.answers.now.version
    guard device.compared != version else { return found }
    device.compared = version
    let state = scene.monetizer.state
    if !state.caps.isEmpty {
      let uncapped = CustomerState(state.facts.filter { if case .cap = $0.sort { false } else { true } })
      for member in [Member.customer, .child("max")] {
        let capped = scene.monetizer.as(member).snapshot
        let free = Snapshot(of: uncapped, catalog: capped.catalog, situation: capped.situation, at: capped.date)
        found += wider(capped, than: free).map {
          Violation(
            law: "caps-only-narrow", text: "\(scene.session.name): with its limits \(member) has more of \($0.feature) than without.")
        }
      }
    }
    if !scene.monetizer.appliedOverlays.isEmpty {
      let paid = Snapshot(of: state, catalog: shelf.paidOnly, situation: scene.snapshot.situation, at: scene.snapshot.date)
      found += wider(paid, than: scene.snapshot).map {
        Violation(
          law: "overlays-take-nothing-paid", text: "\(scene.session.name): an overlay takes \($0.feature) away, which was paid for.")
      }
    }
    return found
  }

  /// The requests that one allows and the other denies or allows less of.
  private func wider(_ one: Snapshot, than other: Snapshot) -> [AccessRequest] {
    Self.requests.filter { request in
      let (more, less) = (one.decision(for: request), other.decision(for: request))
      return more.isAllowed && (!less.isAllowed || more.remaining ?? .max > less.remaining ?? .max)
    }
  }

  /// The first limit of a feature leaves at most its amount, whatever was bought.
  private func newCap(_ scene: Scene, _ device: inout Device, _ step: ScenarioStep) -> [Violation] {
    guard case .cap(let cap)? = step.does(ScenarioVerbs.Record.self)?.content, let frame = step.frame, frame.device == scene.session.name,
      !owners.mixed.contains(scene.session.name),
      device.capped.insert(Cap.Key(feature: cap.feature, subject: frame.member.subject)).inserted,
      let limit = cap.amount.flatMap({ Int($0) })
    else { return [] }
    let feature = cap.feature
    let decision = scene.monetizer.as(frame.member).decision(for: feature)
    guard decision.isAllowed, decision.remaining ?? .max > limit else { return [] }
    return [
      Violation(
        law: "caps-only-narrow", text: "\(scene.session.name): \(feature) is limited to \(limit), and more is left.",
        expectation: scene.expects("\"feature\": \"\(feature)\", \"as\": \"\(frame.member)\", \"remaining\": { \"atMost\": \(limit) }"))
    ]
  }
}

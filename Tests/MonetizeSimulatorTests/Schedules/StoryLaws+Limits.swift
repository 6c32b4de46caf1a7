// SPDX-License-Identifier: Apache-2.0
import Foundation

@testable import Monetize
@testable import MonetizeSimulator

extension StoryLaws {
  /// (f) Uses never exceed the limit, and counted uses stay counted.
  func limits(_ scene: Scene, _ device: inout Device, _ world: ScenarioWorld, _ step: ScenarioStep) -> [Violation] {
    var found: [Violation] = []
    let (hints, gems) = (scene.monetizer.decision(for: "hint"), scene.monetizer.decision(for: "gem"))
    for (name, before, after) in [("hint", device.hints, hints), ("gem", device.gems, gems)] {
      // Uses on another device could not know of the uses here.
      guard !owners.arrived.contains(scene.session.name), let before, let used = before.used, let now = after.used, now > used,
        let limit = after.limit.map({ $0 - (scene.isCapped(FeatureID(name)) ? 0 : after.credits ?? 0) }),
        now > limit
      else { continue }
      found.append(
        Violation(
          law: "never-over-the-limit", text: "\(scene.session.name): \(now) uses of \(name), and the limit is \(limit).",
          expectation: scene.expects("\"feature\": \"\(name)\", \"used\": { \"atMost\": \(limit) }")))
    }
    if let use = step.does(ScenarioVerbs.Use.self), let frame = step.frame, use.key == nil, use.request.feature == "hint",
      use.work == .succeeds,
      frame.member == .customer, frame.device == scene.session.name, let before = device.hints, before.limit != nil
    {
      device.committed += Self.number(of: "used", in: world.lastStep.outcome) - ((before.credits ?? 0) - (hints.credits ?? 0))
    }
    if let used = hints.used, used < device.committed, !owners.mixed.contains(scene.session.name) {
      found.append(
        Violation(
          law: "uses-are-kept", text: "\(scene.session.name): \(device.committed) hints were used, and \(used) are counted.",
          expectation: scene.expects("\"feature\": \"hint\", \"used\": { \"atLeast\": \(device.committed) }")))
    }
    (device.hints, device.gems) = (hints, gems)
    return found
  }

  /// The count of an outcome such as `3 used, 1 denied`.
  static func number(of word: String, in outcome: String?) -> Int {
    guard let outcome else { return 0 }
    if outcome == word { return 1 }
    return outcome.components(separatedBy: ", ").filter { $0.hasSuffix(" " + word) }.compactMap { Int($0.prefix { $0 != " " }) }.reduce(
      0, +)
  }

  /// (g) Nothing changes by itself before the announced time.
  func quiet(_ scene: Scene, _ device: inout Device) -> [Violation] {
    let (snapshot, now) = (scene.snapshot, scene.now)
    let version = scene.monetizer.parts.answers.now.version
    // The same facts were checked already.
    if let looked = device.looked, looked == (version, snapshot.nextChange) { return [] }
    device.looked = (version, snapshot.nextChange)
    let end = snapshot.nextChange ?? now + 400 * 86400
    guard end > now else { return [] }
    // The last moment, or the first: one of the two is enough for many stories.
    let moment = version % 3 == 0 ? now : end - 0.001
    if moment >= now {
      let later = Snapshot(of: scene.monetizer.state, catalog: snapshot.catalog, situation: snapshot.situation, at: moment)
      guard later != snapshot else { return [] }
      return [
        Violation(
          law: "nothing-between-changes",
          text:
            "\(scene.session.name): at \(ISODate.text(moment)) it is different, and the next change is \(snapshot.nextChange.map(ISODate.text) ?? "never").",
          expectation: scene.expects("\"nextChange\": { \"atMost\": \"\(ISODate.text(moment))\" }"))
      ]
    }
    return []
  }
}

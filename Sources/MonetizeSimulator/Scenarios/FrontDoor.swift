// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// The calls that an app's views use to ask about the customer: `allows(_:)` and `decision(for:)` of the facade.
///
/// Scenarios use these calls and check the law *One answer*: the answers agree with the snapshot, with `as(.customer)`, and with a snapshot
/// newly made from the facts. The calls come first, because reading a snapshot may refresh the data behind them.
struct FrontDoor: Sendable {
  var allows: @Sendable (FeatureID) -> Bool
  var decision: @Sendable (AccessRequest) -> Decision

  init(_ monetizer: Monetizer) {
    allows = { monetizer.allows($0) }
    decision = { request in
      // Use the call that an app makes for this kind of question.
      if request == AccessRequest(request.feature) { return monetizer.decision(for: request.feature) }
      if let item = request.item, request == AccessRequest(request.feature, item: item) {
        return monetizer.decision(for: request.feature, item: item)
      }
      return monetizer.decision(for: request)
    }
  }

  /// One question per feature, and one about the first and the last item of each collection of a feature that opens items.
  static func questions(_ catalog: Catalog) -> [AccessRequest] {
    let items = catalog.collections.prefix(4).flatMap { collection in
      [collection.items.first, collection.items.last].compactMap { item in
        item.map { ItemPath(collection: collection.id, item: $0.id, part: collection.parts.first) }
      }
    }
    return catalog.features.flatMap { feature in
      [AccessRequest(feature.id)] + (type(of: feature.shape).isAboutItems ? items.map { AccessRequest(feature.id, item: $0) } : [])
    }
  }

  /// The first disagreement between two calls; `nil` when all agree.
  func disagreement(with monetizer: Monetizer, about questions: [AccessRequest]) -> String? {
    // Collect all answers before reading anything else.
    let answers = questions.map { (request: $0, allows: isPlain($0) ? allows($0.feature) : nil, decision: decision($0)) }
    let (snapshot, customer) = (monetizer.snapshot, monetizer.as(.customer))
    for (request, isAllowed, decision) in answers {
      let asked = "\(request.feature)" + (request.item.map { " \($0)" } ?? "")
      if let isAllowed, isAllowed != snapshot.allows(request.feature) {
        return "allows(\(asked)) is \(isAllowed), but the snapshot has \(!isAllowed)"
      }
      if let isAllowed, isAllowed != decision.isAllowed {
        return "allows(\(asked)) is \(isAllowed), but decision(for:) is \(decision.isAllowed)"
      }
      let other = customer.decision(for: request)
      if decision != other {
        return "decision(for: \(asked)) is \(Self.text(decision)), but as(.customer) is \(Self.text(other))"
      }
    }
    return nil
  }

  /// The first answer that does not follow from the recorded facts; `nil` when all do. An event handler's answers must already include the
  /// change that its event reports.
  func delay(behind monetizer: Monetizer) -> String? {
    let catalog = monetizer.catalog
    let answers = catalog.features.map { ($0.id, allows($0.id), decision(AccessRequest($0.id)).remaining) }
    let known = monetizer.snapshot
    let fresh = Snapshot(of: monetizer.state, catalog: catalog, situation: known.situation, at: known.date)
    for (feature, isAllowed, left) in answers {
      let expected = fresh.decision(for: feature)
      if isAllowed != expected.isAllowed || left != expected.remaining {
        let (shown, fact) = (Self.text(isAllowed, left), Self.text(expected.isAllowed, expected.remaining))
        return "\(feature) is \(shown), but by the facts it is \(fact)"
      }
    }
    return nil
  }

  private func isPlain(_ request: AccessRequest) -> Bool { request == AccessRequest(request.feature) }

  private static func text(_ decision: Decision) -> String {
    "\(decision.reason) (\(text(decision.isAllowed, decision.remaining))"
      + (decision.balance.map { ", balance \($0)" } ?? "") + (decision.used.map { ", used \($0)" } ?? "") + ")"
  }

  private static func text(_ isAllowed: Bool, _ left: Int?) -> String {
    (isAllowed ? "allowed" : "denied") + (left.map { ", \($0) left" } ?? "")
  }
}

extension ScenarioWorld {
  /// Asks each running app, as its views do, before anything else reads its answers. Records contradictions. Without a change of the facts
  /// or the time an app gives the same answers, and is not asked again.
  func askAtFrontDoors() {
    for session in sessions {
      guard let monetizer = session.monetizer, !session.isDead else { continue }
      if session.hasNewGround() {
        let door = runner.hooks.door(monetizer, session)
        if let text = door.disagreement(with: monetizer, about: FrontDoor.questions(monetizer.catalog)) { disagree(text, session) }
      }
      for text in session.takeDelays() { disagree(text, session) }
    }
  }

  func disagree(_ text: String, _ session: ScenarioSession) { disagreements.append("\(session.name): \(text).") }

  /// Reports an app's contradictions as problems of the step at this line.
  func reportDisagreements(line: Int) {
    for text in disagreements { problem("The app gives two answers to one question. \(text)", line: line) }
    reportedDisagreements += disagreements
    disagreements = []
  }

  /// The app's answer about a use that is about to be made; `nil` for any member other than the customer. A use of a part is a use of
  /// its whole, so both must be allowed.
  func expectedAnswer(_ request: AccessRequest, _ access: MemberAccess, _ session: ScenarioSession) -> Decision? {
    guard access.member == .customer else { return nil }
    let door = runner.hooks.door(access.monetizer, session)
    let answer = door.decision(request)
    guard answer.isAllowed, let part = access.monetizer.catalog.feature(request.feature)?.part else { return answer }
    var whole = request
    whole.feature = part.whole
    return door.decision(whole)
  }

  /// Compares the answer before a use with the outcome of the use.
  func compare(_ answer: Decision?, _ outcome: String, _ request: AccessRequest, _ session: ScenarioSession) {
    guard let answer, answer.isAllowed == (outcome == "denied") else { return }
    disagree(
      "\(request.feature) is \(answer.isAllowed ? "allowed" : "denied (\(answer.reason))"), but using it is \(outcome)", session)
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

extension ScenarioWorld {
  /// How to find a fact of a subject, and an explanation of it; `find` is `nil` when the subject does not exist.
  private typealias Finding = (find: ((String, ScenarioValue) -> ScenarioValue?)?, why: String?)

  /// Compares an expectation with the facts.
  func check(_ expectation: ScenarioExpectation) -> [ScenarioReport.Check] {
    if case .same(let devices) = expectation.subject { return [same(devices, expectation)] }
    let session = session(expectation.device)
    let finding = finding(expectation, session)
    return expectation.facts.map { name, expected in
      // No expectation holds for a missing subject, not even that a fact is absent.
      let value = finding.find?(name, expected)
      let who = [
        expectation.subject.text(names(session)), expectation.member == .customer ? "" : "as \(expectation.member)",
        expectation.device.map { "on \($0)" } ?? "",
      ]
      return .init(
        subject: who.filter { !$0.isEmpty }.joined(separator: " "), fact: name,
        expected: expected.text(in: zone),
        found: value == nil && expected == .absent ? "nothing" : (value ?? .absent).asked(by: expected).text(in: zone), why: finding.why,
        holds: value.map { expected.accepts($0) } ?? false,
        line: expectation.line)
    }
  }

  private func facts<Subject>(_ facts: [ScenarioFact<Subject>], of subject: Subject, why: String? = nil) -> Finding {
    ({ name, asked in facts.first { $0.shape.name == name }?.find(subject, asked) }, why)
  }

  private func nothing(_ why: String) -> Finding { (nil, why) }

  private func finding(_ expectation: ScenarioExpectation, _ session: ScenarioSession) -> Finding {
    let vocabulary = scenario.vocabulary
    if case .world = expectation.subject { return facts(vocabulary.step, of: .init(world: self, session: session)) }
    guard let monetizer = session.monetizer else { return nothing("the app is not running") }
    let catalog = monetizer.catalog
    let snapshot = monetizer.as(expectation.member).snapshot
    switch expectation.subject {
    case .feature(let request): return answer(request, expectation, monetizer, session)
    case .items(let feature, let pattern):
      let items = catalog.items(matching: pattern)
      if let why = items.isEmpty ? "the catalog has no \(pattern)" : noFeature(feature, catalog) { return nothing(why) }
      let allowed = items.filter { snapshot.decision(for: feature, item: $0).isAllowed }.count
      return facts(vocabulary.items, of: .init(allowed: allowed, count: items.count), why: "there are \(items.count) of \(pattern)")
    case .product(let product):
      if let status = monetizer.snapshot.status(of: product) {
        return facts(vocabulary.product, of: .init(status: status, world: self, session: session))
      }
      let guess = closestMatch(to: product.rawValue, in: catalog.products.map(\.id.rawValue))
      return nothing("the catalog has no such product" + (guess.map { ", but \($0)" } ?? ""))
    case .paywall(let placement, let request):
      guard snapshot.catalog.allPlacements.contains(placement.rawValue) else { return nothing("the catalog has no such placement") }
      let asked = request?.request(at: session.device.time.now, in: catalog)
      let open = hands[session.name]?.paywall.flatMap { $0.placement == placement ? $0 : nil }
      let shown = asked.map { snapshot.paywall(for: snapshot.decision(for: $0), request: $0) } ?? snapshot.paywall(at: placement)
      return facts(
        vocabulary.paywall,
        of: .init(
          placement: placement, shown: shown, definition: snapshot.definition(at: placement, for: asked),
          usualActions: snapshot.actions(at: placement), isOpen: open != nil,
          opened: request == nil ? open?.definition : nil))
    case .same, .world: return nothing("")
    }
  }

  private func answer(
    _ request: ScenarioRequest, _ expectation: ScenarioExpectation, _ monetizer: Monetizer, _ session: ScenarioSession
  ) -> Finding {
    let catalog = monetizer.catalog
    let question = request.request(at: session.device.time.now, in: catalog)
    let decision = decision(for: question, expectation.member, monetizer, session)
    if decision.isError, !expectation.facts.contains(where: { $0.name == "error" || $0.name == "reason" }) {
      // An error answers no question, so expectations fail unless they expect the error.
      return nothing(noFeature(request.feature, catalog) ?? "the reason is \(decision.reason)")
    }
    let opened = decision.unlockedBy.isEmpty ? "" : ", opened by \(decision.unlockedBy.map(\.rawValue).joined(separator: ", "))"
    return facts(
      scenario.vocabulary.question, of: .init(decision: decision, feature: catalog.feature(request.feature), zone: zone),
      why: "the reason is \(decision.reason)\(opened)")
  }

  /// The answer for a member; for the customer, by the call that the app's views use.
  private func decision(for request: AccessRequest, _ member: Member, _ monetizer: Monetizer, _ session: ScenarioSession) -> Decision {
    guard member == .customer else { return monetizer.as(member).decision(for: request) }
    let door = runner.hooks.door(monetizer, session)
    let decision = door.decision(request)
    if let text = door.disagreement(with: monetizer, about: [request]) { disagree(text, session) }
    return decision
  }

  /// The sentence for a feature that the catalog lacks, with the closest name; `nil` when it has the feature.
  private func noFeature(_ feature: FeatureID, _ catalog: Catalog) -> String? {
    guard catalog.feature(feature) == nil else { return nil }
    let guess = closestMatch(to: feature.rawValue, in: catalog.features.map(\.id.rawValue))
    return "the catalog has no such feature" + (guess.map { ", but \($0)" } ?? "")
  }

  /// The value of an event of the app.
  static func value(_ event: MonetizeEvent) -> ScenarioValue {
    var object: [String: ScenarioValue] = ["name": .text(event.name.rawValue)]
    object["product"] = event.product.map { .text($0.rawValue) }
    object["feature"] = event.feature.map { .text($0.rawValue) }
    object["item"] = event.item.map { .text($0.description) }
    object["placement"] = event.placement.map { .text($0.rawValue) }
    object["error"] = event.error.map { .text($0.rawValue) }
    if event.name == .accessChanged {
      object["newlyAllowed"] = ScenarioValue(event.newlyAllowed.count)
      object["noLongerAllowed"] = ScenarioValue(event.noLongerAllowed.count)
    }
    return .object(object)
  }

  /// An amount as a decimal, with the currency when there are several.
  static func total(_ amounts: [Money]) -> String {
    amounts.count < 2 ? amounts.first?.amountText ?? "0.00" : amounts.map(\.description).joined(separator: " + ")
  }
}

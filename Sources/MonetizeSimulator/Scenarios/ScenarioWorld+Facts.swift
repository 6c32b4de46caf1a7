// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeJSON

extension ScenarioWorld {
  /// Compares what must hold with what is.
  func check(_ expectation: ScenarioExpectation) -> [ScenarioReport.Check] {
    if case .same(let devices) = expectation.subject { return [same(devices, expectation)] }
    let session = session(expectation.device)
    var why: String?
    let found = facts(expectation, session, &why)
    return expectation.facts.map { name, expected in
      // Nothing holds of what is not there, also not that it has no such fact.
      let value = found?[name]
      let who = [
        expectation.subject.text(names(session)), expectation.member == .customer ? "" : "as \(expectation.member)",
        expectation.device.map { "on \($0)" } ?? "",
      ]
      return .init(
        subject: who.filter { !$0.isEmpty }.joined(separator: " "), fact: name, expected: expected.text(in: zone),
        found: value == nil && expected == .absent ? "nothing" : (value ?? .absent).asked(by: expected).text(in: zone), why: why,
        holds: value.map { expected.accepts($0, zone: zone) } ?? false,
        line: expectation.line)
    }
  }

  /// The facts of a subject; `nil` when there is no such thing.
  private func facts(_ expectation: ScenarioExpectation, _ session: ScenarioSession, _ why: inout String?) -> [String: ScenarioValue]? {
    switch expectation.subject {
    case .feature(let request):
      guard let monetizer = session.monetizer else { return notRunning(&why) }
      let question = request.request(at: session.device.time.now, in: monetizer.effectiveCatalog)
      let decision = decision(for: question, expectation.member, monetizer, session)
      if decision.isError, !expectation.facts.contains(where: { $0.name == "error" || $0.name == "reason" }) {
        // The answer to a question about nothing holds for nothing, unless that is what is expected.
        why = noFeature(request.feature, monetizer.effectiveCatalog) ?? "the reason is \(decision.reason)"
        return nil
      }
      why =
        "the reason is \(decision.reason)"
        + (decision.unlockedBy.isEmpty ? "" : ", opened by \(decision.unlockedBy.map(\.rawValue).joined(separator: ", "))")
      return Self.facts(decision, monetizer.effectiveCatalog.feature(request.feature), zone)
    case .items(let feature, let pattern):
      guard let monetizer = session.monetizer else { return notRunning(&why) }
      let snapshot = monetizer.as(expectation.member).snapshot
      let items = Self.items(pattern, monetizer.effectiveCatalog)
      let nothing = items.isEmpty ? "the catalog has no \(pattern)" : noFeature(feature, monetizer.effectiveCatalog)
      if let nothing {
        why = nothing
        return nil
      }
      let allowed = items.filter { snapshot.decision(for: feature, item: $0).isAllowed }.count
      why = "there are \(items.count) of \(pattern)"
      return ["allowedCount": ScenarioValue(allowed), "deniedCount": ScenarioValue(items.count - allowed)]
    case .product(let product):
      guard let monetizer = session.monetizer else { return notRunning(&why) }
      guard let status = monetizer.snapshot.status(of: product) else {
        let products = monetizer.effectiveCatalog.products.map(\.id.rawValue)
        why = "the catalog has no such product" + (closestMatch(to: product.rawValue, in: products).map { ", but \($0)" } ?? "")
        return nil
      }
      return Self.facts(status).merging([
        "finished": ScenarioValue(isFinished(product, session)),
        "offers": offers(product, expectation.facts.first { $0.name == "offers" }?.value, session),
        "priceIncreaseAgreed": ScenarioValue(agreed(product, session)),
      ]) { own, _ in own }
    case .paywall(let placement, let request):
      guard let monetizer = session.monetizer else { return notRunning(&why) }
      let snapshot = monetizer.as(expectation.member).snapshot
      let asked = request?.request(at: session.device.time.now, in: monetizer.effectiveCatalog)
      let model = asked.map { snapshot.paywall(for: snapshot.decision(for: $0), request: $0) } ?? snapshot.paywall(at: placement)
      guard snapshot.catalog.allPlacements.contains(placement.rawValue) else {
        why = "the catalog has no such placement"
        return nil
      }
      return Self.facts(placement, model, snapshot, asked)
    case .same: return nil
    case .world: return worldFacts(expectation, session)
    }
  }

  /// The answer for a member; for the customer as the app's views hear it.
  private func decision(for request: AccessRequest, _ member: Member, _ monetizer: Monetizer, _ session: ScenarioSession) -> Decision {
    guard member == .customer else { return monetizer.as(member).decision(for: request) }
    let door = runner.hooks.door(monetizer, session)
    let decision = door.decision(request)
    if let text = door.disagreement(with: monetizer, about: [request]) { disagree(text, session) }
    return decision
  }

  /// That a catalog has no such feature, with the one that was probably meant; `nil` when it has.
  private func noFeature(_ feature: FeatureID, _ catalog: Catalog) -> String? {
    guard catalog.feature(feature) == nil else { return nil }
    let guess = closestMatch(to: feature.rawValue, in: catalog.features.map(\.id.rawValue))
    return "the catalog has no such feature" + (guess.map { ", but \($0)" } ?? "")
  }

  private func notRunning(_ why: inout String?) -> [String: ScenarioValue]? {
    why = "the app is not running"
    return nil
  }

  private func worldFacts(_ expectation: ScenarioExpectation, _ session: ScenarioSession) -> [String: ScenarioValue] {
    let before = lastStep.before[session.name]
    let after = session.monetizer?.snapshot
    func difference(_ earlier: Snapshot?, _ later: Snapshot?) -> ScenarioValue {
      guard let earlier, let later else { return .number(0) }
      return ScenarioValue(later.newlyAllowed(since: earlier).count)
    }
    let isUnchanged = lastStep.states[session.name] == session.stored
    let isQuiet = lastStep.eventCount[session.name] == session.events.count && lastStep.calls[session.name] == session.device.calls
    var facts: [String: ScenarioValue] = [
      "outcome": ScenarioValue(lastStep.outcome), "error": ScenarioValue(lastStep.error), "newlyAllowed": difference(before, after),
      "noLongerAllowed": difference(after, before), "state": .text(isUnchanged ? "unchanged" : "changed"),
      "nothing": .bool(isUnchanged && isQuiet && before == after),
      "calls": .object(session.device.calls.mapValues { ScenarioValue($0) }), "nextChange": ScenarioValue(session.monetizer?.nextChange),
      "charged": .money(store.money(of: session.device.customer).charged),
      "refunded": .money(store.money(of: session.device.customer).refunded),
      "granted": ScenarioValue(session.monetizer?.state.transactions.count), "variant": session.variants,
      "appTransaction": lastStep.appTransaction.map(Self.value) ?? .absent,
    ]
    if let expected = expectation.facts.first(where: { $0.name == "log" })?.value {
      facts["log"] = Self.log(Array(store.log.dropFirst(logAsked)), asked: expected)
      logAsked = store.log.count
    }
    if let asked = expectation.facts.first(where: { $0.name == "transactions" }) {
      let all = store.transactions(of: session.device.customer)
      if case .list = asked.value {
        facts["transactions"] = .list(all.map { value($0, of: session.device.customer) })
      } else {
        facts["transactions"] = ScenarioValue(all.count)
      }
    }
    if expectation.facts.contains(where: { $0.name == "events" }) { facts["events"] = .list(session.takeEvents().map(Self.value)) }
    return facts
  }

  /// Whether all of the customer's purchases of a product are finished on the device; `nil` when there are none.
  private func isFinished(_ product: ProductID, _ session: ScenarioSession) -> Bool? {
    let bought = store.transactions(of: session.device.customer).filter { $0.productID == product }
    return bought.isEmpty ? false : bought.allSatisfy { session.device.finished.contains($0.id) }
  }

  /// Who may use which offer of a product, of those that are asked about: by their ids, the introductory one as `introductory`. Unknown is what
  /// the store does not have, and everything while the device does not reach it.
  private func offers(_ product: ProductID, _ asked: ScenarioValue?, _ session: ScenarioSession) -> ScenarioValue {
    guard case .object(let ids) = asked else { return .absent }
    return .object(
      ids.keys.reduce(into: [:]) { found, id in
        let eligibility =
          session.device.network == .offline
          ? .unknown
          : store.eligibility(of: id == "introductory" ? nil : id, for: product, customer: session.device.customer)
        found[id] = .text(eligibility.rawValue)
      })
  }

  /// Whether the customer agreed to a higher price; `nil` when there is none.
  private func agreed(_ product: ProductID, _ session: ScenarioSession) -> Bool? {
    store.subscriptions(of: session.device.customer).last { $0.productID == product }?.priceIncreaseAgreed
  }

  /// An amount as a decimal; with the currency where there are several.
  static func total(_ amounts: [Money]) -> String {
    amounts.count < 2 ? amounts.first?.amountText ?? "0.00" : amounts.map(\.description).joined(separator: " + ")
  }

  /// Where a snapshot says that the customer stands with a product.
  static func facts(_ status: ProductStatus) -> [String: ScenarioValue] {
    [
      "owned": ScenarioValue(status.isOwned), "state": ScenarioValue(status.state.rawValue), "expires": ScenarioValue(status.expires),
      "willRenew": ScenarioValue(status.willRenew), "renewsInto": ScenarioValue(status.renewsInto?.rawValue),
      "graceUntil": ScenarioValue(status.graceUntil), "retryUntil": ScenarioValue(status.retryUntil),
      "pending": ScenarioValue(status.isPending), "ownership": ScenarioValue(status.ownership?.rawValue),
      "commitment": status.commitment.map(value) ?? .absent,
    ]
  }

  static func facts(_ decision: Decision, _ feature: Feature?, _ zone: TimeZone) -> [String: ScenarioValue] {
    let isUnlimited = decision.isAllowed && feature.map { type(of: $0.shape).isMetered } == true && decision.limit == nil
    return [
      "allowed": ScenarioValue(decision.isAllowed), "reason": ScenarioValue(decision.reason.rawValue),
      "remaining": isUnlimited ? .text("unlimited") : ScenarioValue(decision.remaining), "used": ScenarioValue(decision.used),
      "limit": isUnlimited ? .text("unlimited") : ScenarioValue(decision.limit), "credits": ScenarioValue(decision.credits),
      "resetsAt": ScenarioValue(decision.resetsAt),
      "level": ScenarioValue(decision.level), "cutoff": ScenarioValue(decision.cutoff),
      "requires": ScenarioValue(decision.requires?.description),
      "balance": ScenarioValue(decision.balance), "price": ScenarioValue(decision.price),
      "unlockedBy": ScenarioValue(decision.unlockedBy.map(\.rawValue)), "buyingHelps": ScenarioValue(decision.buyingHelps),
      "placement": ScenarioValue(decision.placement?.rawValue), "validUntil": ScenarioValue(decision.validUntil),
      "error": ScenarioValue(decision.isError ? decision.reason.rawValue : nil),
      "text": .text(decision.text(for: feature, zone: zone)),
    ]
  }

  /// The items that a pattern names: `forest/*`, `forest/4/*`, `forest/*/*`.
  static func items(_ pattern: String, _ catalog: Catalog) -> [ItemPath] {
    let pieces = pattern.components(separatedBy: "/")
    return catalog.collections.filter { pieces[0] == "*" || $0.id.rawValue == pieces[0] }.flatMap { collection -> [ItemPath] in
      let items = collection.items.filter { pieces.count < 2 || pieces[1] == "*" || $0.id == pieces[1] }
      return items.flatMap { item -> [ItemPath] in
        guard pieces.count > 2 else { return [ItemPath(collection: collection.id, item: item.id)] }
        return collection.parts.filter { pieces[2] == "*" || $0 == pieces[2] }
          .map { ItemPath(collection: collection.id, item: item.id, part: $0) }
      }
    }
  }
}

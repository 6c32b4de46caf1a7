// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

extension ScenarioWorld {
  /// Compares what must hold with what is.
  func check(_ expectation: ScenarioExpectation) -> [ScenarioReport.Check] {
    guard let session = session(expectation.device, line: expectation.line) else { return [] }
    if case .same(let devices) = expectation.subject { return [same(devices, expectation)] }
    var why: String?
    let found = facts(expectation, session, &why)
    return expectation.facts.map { name, expected in
      let value = found[name] ?? .absent
      let who = [
        expectation.subject.text, expectation.member == .customer ? "" : "as \(expectation.member)",
        expectation.device.map { "on \($0)" } ?? "",
      ]
      return .init(
        subject: who.filter { !$0.isEmpty }.joined(separator: " "), fact: name, expected: expected.text(in: zone),
        found: value.asked(by: expected).text(in: zone), why: why, holds: Self.accepts(expected, value, name: name, zone),
        line: expectation.line)
    }
  }

  /// Events may be named alone or by some of what they carry; everything else compares as it is.
  private static func accepts(_ expected: ScenarioValue, _ found: ScenarioValue, name: String, _ zone: TimeZone) -> Bool {
    guard name == "events", case .list(let list) = expected, case .list(let events) = found else {
      return expected.accepts(found, zone: zone)
    }
    return list.count == events.count
      && zip(list, events).allSatisfy { wanted, event in
        if case .text(let name) = wanted, case .object(let carried) = event { return carried["name"] == .text(name) }
        return wanted.accepts(event, zone: zone)
      }
  }

  private func same(_ devices: [String], _ expectation: ScenarioExpectation) -> ScenarioReport.Check {
    let snapshots = devices.map { name in sessions.first { $0.name == name }?.monetizer?.snapshot }
    let holds = snapshots.dropFirst().allSatisfy { snapshot in
      guard let first = snapshots.first ?? nil, let snapshot else { return false }
      return first.products.map(\.isOwned) == snapshot.products.map(\.isOwned) && first.newlyAllowed(since: snapshot).isEmpty
        && snapshot.newlyAllowed(since: first).isEmpty
    }
    return .init(
      subject: devices.joined(separator: " and "), fact: "snapshots", expected: "equal", found: holds ? "equal" : "different", why: nil,
      holds: holds, line: expectation.line)
  }

  private func facts(_ expectation: ScenarioExpectation, _ session: ScenarioSession, _ why: inout String?) -> [String: ScenarioValue] {
    switch expectation.subject {
    case .feature(let request):
      guard let monetizer = session.monetizer else { return notRunning(&why) }
      let access = monetizer.as(expectation.member)
      let decision = access.decision(for: request.request(at: session.device.time.now))
      why =
        "the reason is \(decision.reason)"
        + (decision.unlockedBy.isEmpty ? "" : ", opened by \(decision.unlockedBy.map(\.rawValue).joined(separator: ", "))")
      return Self.facts(decision, monetizer.effectiveCatalog.feature(request.feature), zone)
    case .items(let feature, let pattern):
      guard let monetizer = session.monetizer else { return notRunning(&why) }
      let snapshot = monetizer.as(expectation.member).snapshot
      let items = Self.items(pattern, catalog)
      let allowed = items.filter { snapshot.decision(for: feature, item: $0).isAllowed }.count
      why = "there are \(items.count) of \(pattern)"
      return ["allowedCount": ScenarioValue(allowed), "deniedCount": ScenarioValue(items.count - allowed)]
    case .product(let product):
      guard let monetizer = session.monetizer else { return notRunning(&why) }
      guard let status = monetizer.snapshot.status(of: product) else {
        why = "the catalog has no such product"
        return [:]
      }
      return [
        "owned": ScenarioValue(status.isOwned), "state": ScenarioValue(status.state.rawValue), "expires": ScenarioValue(status.expires),
        "willRenew": ScenarioValue(status.willRenew), "renewsInto": ScenarioValue(status.renewsInto?.rawValue),
        "graceUntil": ScenarioValue(status.graceUntil), "retryUntil": ScenarioValue(status.retryUntil),
        "pending": ScenarioValue(status.isPending),
        "ownership": ScenarioValue(status.ownership?.rawValue), "finished": ScenarioValue(isFinished(product, session)),
        "offers": offers(product, session), "priceIncreaseAgreed": ScenarioValue(agreed(product, session)),
        "commitment": status.commitment.map(Self.value) ?? .absent,
      ]
    case .paywall(let placement, let request):
      guard let monetizer = session.monetizer else { return notRunning(&why) }
      let snapshot = monetizer.snapshot
      let asked = request?.request(at: session.device.time.now)
      let decision = asked.map { snapshot.decision(for: $0) }
      let model = asked.flatMap { asked in decision.flatMap { snapshot.paywall(for: $0, request: asked) } }
      let definition = monetizer.effectiveCatalog.paywall(placement)
      return [
        "products": ScenarioValue(model?.products.map(\.rawValue) ?? definition?.products?.map(\.rawValue) ?? []),
        "headline": ScenarioValue(definition?.headline), "actions": ScenarioValue(definition?.actions ?? []),
        "shown": ScenarioValue(model?.placement == placement),
      ]
    case .same: return [:]
    case .world: return worldFacts(expectation, session)
    }
  }

  private func notRunning(_ why: inout String?) -> [String: ScenarioValue] {
    why = "the app is not running"
    return [:]
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
      "calls": .object(session.device.calls.mapValues { ScenarioValue($0) }), "nextChange": ScenarioValue(after?.nextChange),
      "charged": .text(Self.total(store.money(of: session.device.customer).charged)),
      "refunded": .text(Self.total(store.money(of: session.device.customer).refunded)),
      "granted": ScenarioValue(session.monetizer?.state.transactions.count), "variant": session.variants,
      "appTransaction": lastStep.appTransaction.map(Self.value) ?? .absent,
    ]
    if expectation.facts.contains(where: { $0.name == "log" }) {
      facts["log"] = ScenarioValue(store.log.dropFirst(logAsked).map(Self.words))
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

  /// Who may use which offer of a product: those with an id by it, the introductory one as `introductory`.
  private func offers(_ product: ProductID, _ session: ScenarioSession) -> ScenarioValue {
    var found: [String: ScenarioValue] = [:]
    let definition = store.world.products.first { $0.id == product }
    for code in definition?.codes.keys.sorted() ?? [] {
      found[code] = .text(store.eligibility(of: code, for: product, customer: session.device.customer).rawValue)
    }
    for offer in definition?.terms?.offers ?? [] {
      guard offer.id != nil || offer.type == .introductory else { continue }
      let eligibility = store.eligibility(of: offer.id, for: product, customer: session.device.customer)
      found[offer.id ?? "introductory"] = .text(eligibility.rawValue)
    }
    return .object(found)
  }

  /// Whether the customer agreed to a higher price; `nil` when there is none.
  private func agreed(_ product: ProductID, _ session: ScenarioSession) -> Bool? {
    store.subscriptions(of: session.device.customer).last { $0.productID == product }?.priceIncreaseAgreed
  }

  /// An amount as a decimal; with the currency where there are several.
  static func total(_ amounts: [Money]) -> String {
    amounts.count < 2 ? amounts.first?.amountText ?? "0.00" : amounts.map(\.description).joined(separator: " + ")
  }

  /// A transaction as Apple's test session shows it, in the words of StoreKit.
  private func value(_ transaction: StoreTransaction, of customer: CustomerID) -> ScenarioValue {
    let isOver = transaction.expirationDate.map { $0 <= store.clock.now } ?? false
    let isRenewal = store.world.isRenewal(transaction.id, customer: customer)
    return .object([
      "id": .text(transaction.id.rawValue), "original": .text(transaction.originalID.rawValue),
      "product": .text(transaction.productID.rawValue), "purchased": .instant(transaction.purchaseDate),
      "expires": ScenarioValue(transaction.expirationDate),
      "state": .text(transaction.revocation != nil ? "revoked" : transaction.isUpgraded ? "upgraded" : isOver ? "expired" : "purchased"),
      "reason": .text(isRenewal ? "renewal" : "purchase"), "revoked": ScenarioValue(transaction.revocation?.date),
      "revocationReason": ScenarioValue(transaction.revocation?.reason.rawValue), "ownership": .text(transaction.ownership.rawValue),
      "offer": ScenarioValue(transaction.offer.map { $0.id ?? $0.type.rawValue }), "quantity": ScenarioValue(transaction.quantity),
      "price": ScenarioValue(transaction.price?.amountText), "account": ScenarioValue(transaction.account),
      "environment": .text(transaction.environment.rawValue),
    ])
  }

  private static func value(_ commitment: RenewalInfo.Commitment) -> ScenarioValue {
    .object([
      "payment": ScenarioValue(commitment.payment), "payments": ScenarioValue(commitment.payments), "ends": .instant(commitment.ends),
      "willRenew": .bool(commitment.willRenew),
    ])
  }

  private static func value(_ app: AppTransactionRecord) -> ScenarioValue {
    .object([
      "appID": .text(app.appID), "environment": .text(app.environment.rawValue), "originalPurchaseDate": .instant(app.originalPurchaseDate),
      "originalAppVersion": .text(app.originalAppVersion),
    ])
  }

  private static func value(_ event: MonetizeEvent) -> ScenarioValue {
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

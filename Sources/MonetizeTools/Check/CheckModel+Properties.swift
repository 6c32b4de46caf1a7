// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeJSON

extension CheckModel {
  /// The violations that follow from a customer's facts alone. `known` are those already found.
  func findings(in customer: CheckFacts, _ snapshot: Snapshot, _ cache: CheckCache, without known: Set<String>) -> [CheckFinding] {
    let own = options.properties.filter { !known.contains($0.id) }.compactMap { $0.finding(snapshot) }
    if known.contains(CheckProperty.paywallUseless.code) { return own }
    return own + [paywallUseless(customer, snapshot, cache)].compactMap { $0 }
  }

  /// The violations that are visible in one state. `known` are those already found.
  func findings(in state: CheckState, _ answers: CheckAnswers, _ cache: CheckCache, without known: Set<String>) -> [CheckFinding] {
    var found = answers.findings.filter { !known.contains($0.code) }
    func look(_ property: CheckProperty, _ find: () -> CheckFinding?) {
      if !known.contains(property.code), let finding = find() { found.append(finding) }
    }
    if state.hasBought {
      if hasUnlisted { look(.restoreLoses) { restoreLoses(state, answers, cache) } }
      if looksAtUses { look(.devicesDiffer) { devicesDiffer(state, cache) } }
      look(.lapseBelowFree) { lapseBelowFree(state, answers, cache) }
    } else {
      look(.freeOverLimit) { freeOverLimit(state) }
    }
    // Dates play no role in these.
    if cache.isFirst(state) {
      look(.introductoryTwice) { introductoryTwice(state) }
      look(.capLifted) { capLifted(state) }
    }
    return found
  }

  private func freeOverLimit(_ state: CheckState) -> CheckFinding? {
    if state.uses.isEmpty { return nil }
    let snapshot = snapshot(state.facts)
    for feature in metered {
      let id = catalog.features[feature].id
      let decision = snapshot.decision(for: id)
      guard decision.isAllowed, decision.measure == .lifetime, let limit = decision.limit else { continue }
      let used = state.uses.filter { $0.feature == feature && $0.isCounted }.reduce(0) { $0 + $1.amount }
      guard used >= limit else { continue }
      let why = state.isReinstalled ? "after a reinstallation" : "although it is used up"
      return CheckFinding(
        code: CheckProperty.freeOverLimit.code,
        message:
          "A customer who bought nothing used \(used) of \(limit) of \"\(id)\", the limit for ever, and may use it again "
          + "\(why).",
        expect: Self.expect(AccessRequest(id), isAllowed: false))
    }
    return nil
  }

  private func restoreLoses(_ state: CheckState, _ answers: CheckAnswers, _ cache: CheckCache) -> CheckFinding? {
    // The store does not list finished consumables.
    var listed = state.facts
    for index in listed.purchases.made.map(\.product) where !type(of: catalog.products[index].kind).isListed {
      listed.purchases[index] = .init()
    }
    let fresh = cache.base(listed, self)
    func finding(_ message: String, _ expect: String) -> CheckFinding {
      CheckFinding(
        code: CheckProperty.restoreLoses.code, message: message, steps: [#"{ "do": "reinstall", "keeps": "nothing" }"#, restoreStep],
        expect: expect)
    }
    for (index, probe) in probes.enumerated() where answers.summary.allowed[index] && !fresh.decisions[index].isAllowed {
      return finding(
        "\"\(probe.request.feature)\" was paid for, but is closed on a fresh installation after a restore.",
        expect(probe, at: date(state.now), isAllowed: true))
    }
    // Where the feature is open anyway, only the credits are missing.
    let snapshot = snapshot(state.facts)
    for feature in metered {
      let request = AccessRequest(catalog.features[feature].id)
      let lost = (snapshot.decision(for: request).credits ?? 0) - (fresh.snapshot.decision(for: request).credits ?? 0)
      guard lost > 0, let credits = snapshot.decision(for: request).credits else { continue }
      return finding(
        "\(lost) bought credits of \"\(request.feature)\" are lost on a fresh installation after a restore.",
        "{ \(Self.question(request)), \"credits\": \(credits) }")
    }
    return nil
  }

  private var restoreStep: String {
    catalog.parentalGate?.covers(.restore) ?? false ? #"{ "do": "restore", "gate": "pass" }"# : #"{ "do": "restore" }"#
  }

  private func devicesDiffer(_ state: CheckState, _ cache: CheckCache) -> CheckFinding? {
    // The store shows purchases on all devices; uses are known only on their own device.
    let (snapshot, other) = (snapshot(state.facts), cache.base(state.facts, self).snapshot)
    for product in catalog.products where product.storeType != .none {
      let (owned, there) = (snapshot.status(of: product.id)?.isOwned ?? false, other.status(of: product.id)?.isOwned ?? false)
      guard owned != there else { continue }
      return CheckFinding(
        code: CheckProperty.devicesDiffer.code,
        message: "\"\(product.id)\" is \(owned ? "" : "not ")owned on one device of the customer, but \(there ? "" : "not ")on another.",
        steps: [#"{ "do": "launch", "on": "tablet" }"#],
        expect: #"{ "product": \#(quoted(product.id.rawValue)), "on": "tablet", "owned": \#(owned) }"#)
    }
    return nil
  }

  private func lapseBelowFree(_ state: CheckState, _ answers: CheckAnswers, _ cache: CheckCache) -> CheckFinding? {
    guard !state.hasActive, state.uses.contains(where: { $0.unpaid < $0.amount && $0.isCounted && !$0.isForgotten }) else { return nil }
    let never = cache.answers(state.factsWithoutPurchases, self).summary.allowed
    for (index, probe) in probes.enumerated() where never[index] && !answers.summary.allowed[index] {
      return CheckFinding(
        code: CheckProperty.lapseBelowFree.code,
        message:
          "After the end of a purchase \"\(probe.request.feature)\" is closed to this customer, but open to a customer who never paid.",
        expect: expect(probe, at: date(state.now), isAllowed: true))
    }
    return nil
  }

  private func paywallUseless(_ customer: CheckFacts, _ snapshot: Snapshot, _ cache: CheckCache) -> CheckFinding? {
    let useless = cache.useless(customer.purchases.active, self)
    if useless.isEmpty { return nil }
    for placement in placements {
      guard let paywall = snapshot.paywall(at: placement), let first = paywall.products.first(where: useless.contains) else { continue }
      let rest = paywall.products.filter { !useless.contains($0) }.map { quoted($0.rawValue) }
      return CheckFinding(
        code: CheckProperty.paywallUseless.code,
        message: "The paywall \"\(placement)\" offers \"\(first)\" to a customer who already has everything in it.",
        expect: #"{ "paywall": \#(quoted(placement.rawValue)), "products": [\#(rest.joined(separator: ", "))] }"#)
    }
    return nil
  }

  private func introductoryTwice(_ state: CheckState) -> CheckFinding? {
    let had = state.purchases.made.map(\.product).filter { catalog.products[$0].subscription?.introductoryOffer != nil }
    for index in catalog.products.indices where catalog.products[index].isOnSale && hasIntroduction(index, state) {
      let product = catalog.products[index]
      let known = had.first { other in
        let earlier = catalog.products[other]
        return !Set(earlier.entitlements).isDisjoint(with: product.entitlements) || Self.contains(earlier.grants, product.grants)
          || Self.contains(product.grants, earlier.grants)
      }
      guard let known else { continue }
      return CheckFinding(
        code: CheckProperty.introductoryTwice.code,
        message:
          "\"\(product.id)\" gives what \"\(catalog.products[known].id)\" gives, and introduces it a second time: they are in "
          + "different groups.",
        expect: #"{ "product": \#(quoted(product.id.rawValue)), "offers": { "introductory": "ineligible" } }"#)
    }
    return nil
  }

  /// Whether the first of two gives all of the second.
  private static func contains(_ whole: [FeatureID: Granted], _ part: [FeatureID: Granted]) -> Bool {
    !part.isEmpty && part.allSatisfy { whole[$0.key]?.gives(atLeast: $0.value) ?? false }
  }

  /// A parent's limits affect only the child's answers. They are checked for each state and make no states of their own: with everything
  /// closed at once, after any purchase.
  private func capLifted(_ state: CheckState) -> CheckFinding? {
    let caps = catalog.features.filter { $0.part == nil }.map {
      Fact.cap(Cap(feature: $0.id, subject: Self.child.subject, amount: "false", revision: Revision(start)))
    }
    let facts = CustomerState(storeFacts(state.facts) + caps)
    let snapshot = Snapshot(of: facts, catalog: catalog, situation: Situation(member: Self.child), at: date(state.now))
    guard let probe = probes.first(where: { decision($0, snapshot).isAllowed }) else { return nil }
    let whole = catalog.features[probe.feature].part?.whole ?? catalog.features[probe.feature].id
    return CheckFinding(
      code: CheckProperty.capLifted.code,
      message: "A parent has closed \"\(whole)\" for a child, but \"\(probe.request.feature)\" is open to the child.",
      steps: [#"{ "do": "record", "cap": { "feature": \#(quoted(whole.rawValue)), "amount": false }, "as": "child:max" }"#],
      expect: expect(probe, at: snapshot.date, isAllowed: false, as: "child:max"))
  }

  // MARK: Texts of a scenario

  func quoted(_ text: String) -> String { JSONWriter.quoted(text) }

  func expect(_ probe: Probe, at now: Date, isAllowed: Bool, as member: String? = nil) -> String {
    Self.expect(request(probe, at: now), isAllowed: isAllowed, as: member)
  }

  static func expect(_ request: AccessRequest, isAllowed: Bool, as member: String? = nil) -> String {
    "{ \(question(request, as: member)), \"allowed\": \(isAllowed) }"
  }

  static func question(_ request: AccessRequest, as member: String? = nil) -> String {
    let texts: [(key: String, text: String?)] = [
      ("feature", request.feature.rawValue), ("item", request.item?.description), ("level", request.level),
      ("held", request.held.map(String.init)), ("date", request.date.map { ISODate.text($0) }), ("as", member),
    ]
    return texts.compactMap { key, text in text.map { "\"\(key)\": \(key == "held" ? $0 : JSONWriter.quoted($0))" } }.joined(
      separator: ", ")
  }
}

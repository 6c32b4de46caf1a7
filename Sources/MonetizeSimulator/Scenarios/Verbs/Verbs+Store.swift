// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

extension StepKeys {
  fileprivate func product() -> ProductID { required("product", .product, "A product's id.") }
}

/// Actions of the customer at the store.
extension ScenarioVerbs {
  enum Switch: String, Sendable, Decodable, CaseIterable { case on, off }

  struct Approve: ScenarioVerb {
    static let info = ScenarioVerbInfo(
      "approve", .customer, "Accepts a pending Ask to Buy request, interrupted purchase or price increase.")
    let product: ProductID
    init(_ keys: StepKeys) { product = keys.product() }
    func title(_ names: CatalogWords) -> String { "approve \(names.product(product))" }
    func perform(_ stage: ScenarioStage) async throws(ScenarioProblem) -> Outcome? {
      try await stage.atStore { (store, customer) throws(SimulationError) in try await store.approve(product, customer: customer) }
    }
  }

  struct Decline: ScenarioVerb {
    static let info = ScenarioVerbInfo("decline", .customer, "Declines a pending request, interrupted purchase or price increase.")
    let product: ProductID
    init(_ keys: StepKeys) { product = keys.product() }
    func title(_ names: CatalogWords) -> String { "decline \(names.product(product))" }
    func perform(_ stage: ScenarioStage) async throws(ScenarioProblem) -> Outcome? {
      try await stage.atStore { (store, customer) throws(SimulationError) in try await store.decline(product, customer: customer) }
    }
  }

  struct Renewal: ScenarioVerb {
    static let info = ScenarioVerbInfo("renewal", .customer, "Turns auto-renew on or off.")
    let to: Switch
    let product: ProductID?
    init(_ keys: StepKeys) {
      to = keys.required("to", .word, "on or off.")
      product = keys.optional("product", .product, "The plan. Absent: the only one.")
    }
    func title(_ names: CatalogWords) -> String {
      "turn renewal \(to.rawValue)" + (product.map { " for \(names.product($0))" } ?? "")
    }
    func perform(_ stage: ScenarioStage) async throws(ScenarioProblem) -> Outcome? {
      try await stage.atStore { (store, customer) throws(SimulationError) in
        try await store.setAutoRenew(to == .on, product: product, customer: customer)
      }
    }
  }

  struct Manage: ScenarioVerb {
    static let info = ScenarioVerbInfo(
      "manage", .customer, "Turns auto-renew on or off in the store's sheet inside the app.", outcomes: "`failed` on an error")
    let product: ProductID
    let to: Switch
    init(_ keys: StepKeys) {
      product = keys.product()
      to = keys.required("to", .word, "on or off.")
    }
    func title(_ names: CatalogWords) -> String { "turn renewal \(to.rawValue) for \(names.product(product)), in the app" }
    func perform(_ stage: ScenarioStage) async throws(ScenarioProblem) -> Outcome? {
      await stage.asking { () async throws(StoreError) in
        try await stage.device.manageSubscriptions(product, autoRenew: to == .on)
        return nil
      }
    }
  }

  struct RequestRefund: ScenarioVerb {
    static let info = ScenarioVerbInfo(
      "requestRefund", .customer, "Requests a refund in the app.", outcomes: "`failed` on an error")
    let product: ProductID
    init(_ keys: StepKeys) { product = keys.product() }
    func title(_ names: CatalogWords) -> String { "ask for a refund of \(names.product(product))" }
    func perform(_ stage: ScenarioStage) async throws(ScenarioProblem) -> Outcome? {
      await stage.asking { () async throws(StoreError) in
        try await stage.device.requestRefund(product)
        return nil
      }
    }
  }

  struct Family: ScenarioVerb {
    static let info = ScenarioVerbInfo("family", .customer, "Adds or removes a member of the family.")
    let member: String
    let joins: Bool
    init(_ keys: StepKeys) {
      member = keys.required("member", .name, "The member.")
      joins = keys.optional("joins", .yes, "Adds the member.") ?? false
      _ = keys.optional("leaves", .yes, "Removes the member.")
      keys.exactlyOne(of: ["joins", "leaves"], "A person either \"joins\": true or \"leaves\": true. Write one of them.")
    }
    func title(_ names: CatalogWords) -> String { "\(member) \(joins ? "joins" : "leaves") the family" }
    func perform(_ stage: ScenarioStage) async throws(ScenarioProblem) -> Outcome? {
      let known = stage.world.sessions.map(\.device.customer.rawValue)
      if !known.contains(member), let guess = known.first(where: { $0.lowercased() == member.lowercased() }) {
        throw ScenarioProblem(text: "No device belongs to \"\(member)\", but one to \"\(guess)\". Write the same name.")
      }
      return try await stage.atStore { (store, customer) throws(SimulationError) in
        if joins { try await store.joinFamily(CustomerID(member), of: customer) } else { try await store.leaveFamily(CustomerID(member)) }
      }
    }
  }
}

/// Actions of the store.
extension ScenarioVerbs {
  struct Refund: ScenarioVerb {
    /// `none`: requested and not granted.
    enum Part: String, Sendable, Decodable, CaseIterable { case full, prorated, none }
    static let info = ScenarioVerbInfo("refund", .store, "Refunds a purchase.")
    let product: ProductID
    let part: Part
    let reason: StoreTransaction.Revocation.Reason
    let isReversed: Bool
    init(_ keys: StepKeys) {
      product = keys.product()
      part = keys.optional("part", .word, "The refunded part; none: requested and not granted. Absent: full.") ?? .full
      let reasons: [StoreTransaction.Revocation.Reason] = [.developerIssue, .other]
      let known = ScenarioSort.word(of: reasons.map(\.rawValue), "reason of a refund")
      reason = .init(rawValue: keys.optional("reason", known, "Apple's reason. Absent: other.") ?? reasons[1].rawValue)
      isReversed = keys.optional("reverse", .flag, "Whether to reverse an earlier refund.") ?? false
    }
    func title(_ names: CatalogWords) -> String {
      let name = names.product(product)
      if isReversed { return "reverse the refund of \(name)" }
      return part == .none ? "refuse a refund of \(name)" : "refund \(name)" + (part == .prorated ? ", prorated" : "")
    }
    func perform(_ stage: ScenarioStage) async throws(ScenarioProblem) -> Outcome? {
      try await stage.atStore { (store, customer) throws(SimulationError) in
        if part == .none { return try await store.declineRefund(product, customer: customer) }
        if isReversed { return try await store.reverseRefund(product, customer: customer) }
        try await store.refund(product, customer: customer, part: part == .full ? .full : .prorated, reason: reason)
      }
    }
  }

  struct Renew: ScenarioVerb {
    static let info = ScenarioVerbInfo("renew", .store, "Renews a plan at once.")
    let product: ProductID
    init(_ keys: StepKeys) { product = keys.product() }
    func title(_ names: CatalogWords) -> String { "renew \(names.product(product)) now" }
    func perform(_ stage: ScenarioStage) async throws(ScenarioProblem) -> Outcome? {
      try await stage.atStore { (store, customer) throws(SimulationError) in try await store.renew(product, customer: customer) }
    }
  }

  struct Expire: ScenarioVerb {
    static let info = ScenarioVerbInfo("expire", .store, "Ends a plan at once.")
    let product: ProductID
    init(_ keys: StepKeys) { product = keys.product() }
    func title(_ names: CatalogWords) -> String { "expire \(names.product(product)) now" }
    func perform(_ stage: ScenarioStage) async throws(ScenarioProblem) -> Outcome? {
      try await stage.atStore { (store, customer) throws(SimulationError) in try await store.expire(product, customer: customer) }
    }
  }

  struct Extend: ScenarioVerb {
    static let info = ScenarioVerbInfo("extend", .store, "Extends a plan.")
    let product: ProductID
    let by: Period
    init(_ keys: StepKeys) {
      product = keys.product()
      by = keys.required("by", .period, "The added time.")
    }
    func title(_ names: CatalogWords) -> String { "extend \(names.product(product)) by \(by.words)" }
    func perform(_ stage: ScenarioStage) async throws(ScenarioProblem) -> Outcome? {
      try await stage.atStore { (store, customer) throws(SimulationError) in try await store.extend(product, by: by, customer: customer) }
    }
  }

  struct Deliver: ScenarioVerb {
    static let info = ScenarioVerbInfo(
      "deliver", .store, "Delivers the same transactions again, `times` times.", countsTimes: true)
    let times: Int
    init(_ keys: StepKeys) { times = keys.times }
    func title(_ names: CatalogWords) -> String { "deliver everything again" + (times > 1 ? " × \(times)" : "") }
    func perform(_ stage: ScenarioStage) async throws(ScenarioProblem) -> Outcome? {
      await stage.store.deliverAgain(customer: stage.customer, times: times)
      return nil
    }
  }

  struct Forget: ScenarioVerb {
    static let info = ScenarioVerbInfo(
      "forget", .store, "Clears the purchase history and offer eligibility, or deletes the transactions of one product.")
    let product: ProductID?
    let newestOnly: Bool
    init(_ keys: StepKeys) {
      product = keys.optional("product", .product, "A product's id. Absent: everything is cleared.")
      newestOnly = keys.optional("newest", .flag, "Whether to delete only the newest transaction. Absent: all.") ?? false
      keys.needs(
        "product", when: .is("newest", true), "\"newest\" needs a \"product\". Add it, or remove \"newest\".")
    }
    func title(_ names: CatalogWords) -> String {
      product.map { "delete \(newestOnly ? "the newest transaction" : "all transactions") of \(names.product($0))" }
        ?? "clear the purchase history"
    }
    func perform(_ stage: ScenarioStage) async throws(ScenarioProblem) -> Outcome? {
      try await stage.atStore { (store, customer) throws(SimulationError) in
        guard let product else { return await store.forget(customer: customer) }
        try await store.forget(product, newestOnly: newestOnly, customer: customer)
      }
    }
  }

  struct SetWorld: ScenarioVerb {
    static let info = ScenarioVerbInfo("set", .world, "Changes settings of the world.")
    let settings: [ScenarioSetting.Value]
    init(_ keys: StepKeys) {
      settings = keys.vocabulary.settings.compactMap { $0.read(keys) }
      keys.any(
        of: keys.vocabulary.settings.map(\.name), "\"set\" needs a setting, such as \"network\": \"offline\".")
    }
    func title(_ names: CatalogWords) -> String { settings.map { $0.words(names) }.filter { !$0.isEmpty }.joined(separator: ", ") }
    func perform(_ stage: ScenarioStage) async throws(ScenarioProblem) -> Outcome? {
      for setting in settings {
        do throws(SimulationError) { try await setting.apply(stage) } catch { throw ScenarioProblem(error) }
      }
      return nil
    }
  }
}

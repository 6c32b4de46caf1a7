// SPDX-License-Identifier: Apache-2.0
import Foundation

@testable import Monetize
@testable import MonetizeSimulator

/// The laws of credits, by an account kept beside the engine: the credits that the store sold, minus the observed uses.
struct CreditLaws {
  private struct Purchase {
    let quantity: Int
    let environment: StoreEnvironment
    let product: ProductID
    /// The latest update about it, kept when the history was cleared: no store lists a consumable.
    var isRevoked: Bool
    /// The purchase history was cleared, so no later update can arrive.
    var isForgotten = false
  }

  private struct Device {
    var process: String?
    /// The used credits of each feature since the secure storage was wiped.
    var taken: [FeatureID: Int] = [:]
    var isWiped = false
    var before: [FeatureID: Decision] = [:]
  }

  static let features: [FeatureID] = ["hint", "gem"]

  private var sold: [CustomerID: [TransactionID: Purchase]] = [:]
  private var devices: [String: Device] = [:]

  mutating func remember(_ truth: StoreWorld, _ customer: CustomerID) {
    for id in (sold[customer] ?? [:]).keys { sold[customer]?[id]?.isForgotten = true }
    for transaction in truth.transactions(of: customer) where Story.credits[transaction.productID] != nil {
      sold[customer, default: [:]][transaction.id] = Purchase(
        quantity: transaction.quantity, environment: transaction.environment, product: transaction.productID,
        isRevoked: transaction.revocation != nil)
    }
  }

  /// The app is closed.
  mutating func ended(on device: String) { devices[device]?.before = [:] }

  /// Everything on the device is gone, including what survives a reinstallation.
  mutating func wiped(_ device: String) { devices[device] = Device(isWiped: true) }

  /// - Parameter elsewhere: The purchases that the customer's other devices have finished, which are no longer delivered.
  mutating func check(
    _ scene: StoryLaws.Scene, _ step: ScenarioStep, outcome: String?, elsewhere: @autoclosure () -> Set<TransactionID>, isComplete: Bool
  ) -> [Violation] {
    let name = scene.session.name
    var device = devices[name] ?? Device()
    defer { devices[name] = device }
    if device.process != scene.monetizer.parts.run { (device.process, device.before) = (scene.monetizer.parts.run, [:]) }
    // Those of the environment in the device's last update.
    let environment = scene.snapshot.situation.environment
    let purchases = (sold[scene.session.device.customer] ?? [:]).filter { environment == nil || $0.value.environment == environment }
    let isMissed = purchases.keys.contains { scene.monetizer.state.transactions[$0] == nil }
    let elsewhere = isMissed ? elsewhere() : []
    var found: [Violation] = []
    for feature in Self.features {
      let now = scene.monetizer.decision(for: feature)
      if let before = device.before[feature], let use = step.does(ScenarioVerbs.Use.self), let frame = step.frame, frame.device == name,
        use.request.feature == feature
      {
        device.taken[feature, default: 0] += (before.credits ?? 0) - (now.credits ?? 0)
        found += used(scene, feature, before, now, use, frame.member, outcome)
      }
      device.before[feature] = now
      found += addUp(scene, feature, now, purchases, device, elsewhere, isComplete)
    }
    return found
  }

  /// Grants are used first, then credits, and failed work costs nothing.
  private func used(
    _ scene: StoryLaws.Scene, _ feature: FeatureID, _ before: Decision, _ now: Decision, _ use: ScenarioVerbs.Use, _ member: Member,
    _ outcome: String?
  ) -> [Violation] {
    let (credits, left) = (before.credits ?? 0, now.credits ?? 0)
    func violation(_ law: String, _ text: String, _ expected: Int) -> Violation {
      Violation(law: law, text: "\(scene.session.name): \(text)", expectation: scene.expects(feature, credits: expected))
    }
    if use.work == .fails, left != credits {
      return [violation("failed-work-is-free", "work of \(feature) failed, and \(credits) credits became \(left).", credits)]
    }
    if left > credits { return [violation("uses-give-nothing", "a use of \(feature) made \(left) credits of \(credits).", credits)] }
    // A key may be that of an earlier use, and a child has its own limits.
    guard use.work == .succeeds, use.key == nil, member == .customer, !scene.isCapped(feature) else { return [] }
    let granted = before.remaining.map { max(0, $0 - credits) }
    let expected = granted.map { credits - max(0, StoryLaws.number(of: "used", in: outcome) - $0) } ?? credits
    if left == expected { return [] }
    return [
      violation(
        "grants-before-credits",
        "\(outcome ?? "") of \(feature) with \(granted.map(String.init) ?? "no end of") granted: \(left) of \(credits) credits.",
        expected)
    ]
  }

  /// The balance is the credits paid for and not taken back, minus those used, and never negative.
  private func addUp(
    _ scene: StoryLaws.Scene, _ feature: FeatureID, _ decision: Decision, _ purchases: [TransactionID: Purchase], _ device: Device,
    _ elsewhere: Set<TransactionID>, _ isComplete: Bool
  ) -> [Violation] {
    func sum(_ purchases: [TransactionID: Purchase]) -> Int {
      purchases.values.reduce(0) { $0 + $1.quantity * (Story.credits[$1.product]?[feature] ?? 0) }
    }
    let (left, taken) = (decision.credits ?? 0, device.taken[feature] ?? 0)
    let text = "\(scene.session.name): \(left) credits of \(feature) are left, \(taken) were used, and"
    guard (0...max(0, sum(purchases) - taken)).contains(left) else {
      return [
        Violation(
          law: "credits-are-paid", text: "\(text) \(sum(purchases)) were ever paid for.",
          expectation: scene.expects(feature, credits: max(0, sum(purchases) - taken)))
      ]
    }
    let state = scene.monetizer.state
    for (id, purchase) in purchases.sorted(by: { $0.key < $1.key }) {
      let known = state.transactions[id]
      // The app had it and was deleted with everything it kept: no store lists finished consumables.
      if known == nil, device.isWiped || elsewhere.contains(id) { continue }
      if purchase.isForgotten { continue }
      if known == nil || (known?.revocation != nil) != purchase.isRevoked {
        return isComplete
          ? [
            Violation(
              law: "credits-come", text: "\(scene.session.name): \(id) is \(known == nil ? "not known" : "not known as it is now").")
          ]
          : []
      }
    }
    let paid = sum(
      purchases.filter { id, purchase in
        guard let known = state.transactions[id] else { return false }
        return purchase.isForgotten ? known.revocation == nil : !purchase.isRevoked
      })
    if left == max(0, paid - taken) { return [] }
    return [
      Violation(
        law: "credits-add-up", text: "\(text) \(paid) are paid for.", expectation: scene.expects(feature, credits: max(0, paid - taken)))
    ]
  }
}

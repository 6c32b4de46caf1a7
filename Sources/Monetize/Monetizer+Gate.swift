// SPDX-License-Identifier: Apache-2.0
import Foundation

extension Monetizer {
  /// Shows the parental gate and returns a pass. Returns a pass at once when the catalog has no gate.
  /// - Throws: ``GateFailed`` when the gate was not passed.
  public func passParentalGate() async throws(GateFailed) -> GatePass {
    if baseCatalog.parentalGate != nil {
      parts.send(.gatePresented)
      guard await parts.configuration.parentalGate.challenge() else {
        parts.send(.gateFailed)
        throw GateFailed()
      }
      parts.send(.gatePassed)
    }
    return passes.issue()
  }

  /// Shows the parental gate if it covers purchases. Returns `nil` when it does not.
  func passForPurchase() async throws(GateFailed) -> GatePass? {
    guard let gate = baseCatalog.parentalGate, gate.covers(.purchase) else { return nil }
    return try await passParentalGate()
  }

  /// Uses up a pass for an action. Purchases, restores and sheets of the store do this themselves. Call it before opening a link that
  /// leaves the app, for ``ParentalGatePolicy/Action/links``.
  /// - Throws: ``GateRequired`` when the gate covers the action and the pass is missing, used or expired.
  public func usePass(_ pass: GatePass?, for action: ParentalGatePolicy.Action) throws(GateRequired) {
    guard let gate = baseCatalog.parentalGate, gate.covers(action) else { return }
    if !passes.take(pass) { throw GateRequired(action: action) }
  }

  /// The result of a tap.
  public enum Opening: Sendable, Hashable {
    /// Open: show it.
    case content(Decision)
    /// A purchase helps: show this paywall. The pass of the gate, if any, is valid for one purchase from it.
    case paywall(Paywall, GatePass?)
    /// Closed, and buying does not help or that is not known yet: show the reason.
    case denied(Decision)
    /// The parental gate was not passed: show nothing.
    case gateFailed
  }

  /// Handles a tap by one member. A demo sends no event.
  func open(_ request: AccessRequest, as member: Member) async -> Opening {
    await open(by: member) { () -> (Paywall?, Opening) in
      let snapshot = parts.answers.current(member).snapshot
      let decision = snapshot.decision(for: request)
      if decision.isAllowed { return (nil, .content(decision)) }
      return (snapshot.paywall(for: decision, request: request), .denied(decision))
    }
  }

  /// Handles a tap on an offer that no feature led to: shows the gate, then returns the paywall of a placement. Denies it with the reason
  /// when everything is owned, nothing is on sale, or the store has not answered.
  public func openPaywall(at placement: PlacementID) async -> Opening {
    await open { () -> (Paywall?, Opening) in
      let snapshot = snapshot
      let reason: Reason =
        snapshot.situation.store.hasAnswered ? .notOffered : snapshot.situation.store.reasonForDoubt
      return (snapshot.paywall(at: placement), .denied(.denied(reason)))
    }
  }

  /// - Parameter find: Finds the paywall at this moment, or the result without one.
  private func open(by member: Member = .customer, _ find: () -> (paywall: Paywall?, instead: Opening)) async -> Opening {
    var (first, instead) = find()
    if first == nil, case .denied(let decision) = instead, decision.reason.isWaiting, decision.reason != .pending {
      await sync.answer(within: StoreSync.patience)
      (first, instead) = find()
    }
    guard first != nil else { return instead }
    let pass: GatePass?
    do throws(GateFailed) { pass = try await passForPurchase() } catch { return .gateFailed }
    // Finds it again, because an approval or a purchase elsewhere may have arrived while the gate was open.
    let (paywall, other) = find()
    guard let paywall else { return other }
    var event = MonetizeEvent(.paywallShown, at: now, feature: paywall.request?.feature, item: paywall.request?.item)
    event.placement = paywall.placement
    parts.isPaywallOpen.set(true)
    parts.send(event, by: member)
    return .paywall(paywall, pass)
  }
}

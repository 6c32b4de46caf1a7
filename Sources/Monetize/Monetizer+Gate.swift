// SPDX-License-Identifier: Apache-2.0
import Foundation

extension Monetizer {
  /// Shows the parental gate. Only needed where the catalog has one; where it has none, the pass is given at once.
  /// - Throws: ``GateFailed`` when nobody passed it.
  public func passParentalGate() async throws(GateFailed) -> GatePass {
    if catalog.parentalGate != nil {
      parts.tell(.gatePresented)
      guard await parts.configuration.parentalGate.challenge() else {
        parts.tell(.gateFailed)
        throw GateFailed()
      }
      parts.tell(.gatePassed)
    }
    return effects.passes.give()
  }

  /// Uses a pass up. Nothing behind a covered door starts without this.
  func useUp(_ pass: GatePass?, at door: ParentalGatePolicy.Door) throws(GateRequired) {
    guard let gate = catalog.parentalGate, gate.covers(door) else { return }
    if !effects.passes.take(pass) { throw GateRequired(door: door) }
  }

  /// Checks a link out of the app: call it with a fresh pass before opening one.
  /// - Throws: ``GateRequired`` where the catalog's gate covers links and the pass is missing, used or old.
  public func openLink(pass: GatePass? = nil) throws(GateRequired) { try useUp(pass, at: .links) }

  /// What happens when a person taps something.
  public enum Opening: Sendable, Hashable {
    /// It is open: show it.
    case content(Decision)
    /// It can be bought: show this paywall. The pass, where there is a gate, is good for one purchase from it.
    case paywall(Paywall, GatePass?)
    /// It is closed, and buying does not help or it is not known yet: say why.
    case denied(Decision)
    /// The parental gate was not passed: show nothing.
    case gateFailed
  }

  /// For how long a tap right after the start waits for the store's first answer, in seconds.
  static let patience: TimeInterval = 3

  /// Does what a tap on something does, in the right order: the content, or first the gate and then the paywall, or the reason. What the
  /// store's first answer may open waits for it, up to three seconds.
  public func open(_ request: AccessRequest) async -> Opening { await open(request, as: .customer) }

  /// The same for one member. A demo leaves no event.
  func open(_ request: AccessRequest, as member: Member) async -> Opening {
    await open(tells: member.role != .demo) { () -> (Paywall?, Opening) in
      let (decision, snapshot) = parts.answers.decision(for: request, by: member)
      if decision.isAllowed { return (nil, .content(decision)) }
      return (snapshot.paywall(for: decision, request: request), .denied(decision))
    }
  }

  /// Does what a tap on an offer does that no question has led to: first the gate, and then the paywall of that placement. Where everything
  /// is owned, nothing is on sale, or the store has not said what is owned, it is denied with the reason.
  public func openPaywall(at placement: PlacementID) async -> Opening {
    await open { () -> (Paywall?, Opening) in
      let snapshot = snapshot
      let reason: Reason =
        snapshot.situation.store.hasAnswered ? .notOffered : snapshot.situation.store.reasonForDoubt
      return (snapshot.paywall(at: placement), .denied(.denied(reason)))
    }
  }

  /// - Parameter find: The paywall at this moment, or what there is instead.
  private func open(tells: Bool = true, _ find: () -> (paywall: Paywall?, instead: Opening)) async -> Opening {
    var (first, instead) = find()
    if first == nil, case .denied(let decision) = instead, decision.reason == .unknown {
      await effects.sync.firstAnswer(within: Self.patience)
      (first, instead) = find()
    }
    guard first != nil else { return instead }
    var pass: GatePass?
    if let gate = catalog.parentalGate, gate.covers(.purchase) {
      do throws(GateFailed) { pass = try await passParentalGate() } catch { return .gateFailed }
    }
    // While the gate was open, an approval, a purchase elsewhere or a request may have arrived: ask again.
    let (paywall, other) = find()
    guard let paywall else {
      // What the pass was for is over.
      effects.passes.take(pass)
      return other
    }
    var event = MonetizeEvent(.paywallShown, at: now, feature: paywall.request?.feature, item: paywall.request?.item)
    event.placement = paywall.placement
    if tells { parts.events.tell([event]) }
    return .paywall(paywall, pass)
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation

extension Monetizer {
  /// When a pass was given.
  struct PassState: Sendable {
    let issued: Date
  }

  /// How long a pass is fresh, in seconds.
  private static let passLifetime: TimeInterval = 600

  /// Shows the parental gate. Only needed where the catalog has one; where it has none, the pass is given at once.
  /// - Throws: ``GateFailed`` when nobody passed it.
  public func passParentalGate() async throws(GateFailed) -> GatePass {
    if catalog.parentalGate != nil {
      event(.gatePresented)
      guard await configuration.parentalGate.challenge() else {
        event(.gateFailed)
        throw GateFailed()
      }
      event(.gatePassed)
    }
    return core.withLock { core in
      core.passes = core.passes.filter { isFresh($0.value) }
      core.nextPass += 1
      let pass = GatePass(number: core.nextPass, run: run)
      core.passes[pass] = PassState(issued: configuration.time.now)
      return pass
    }
  }

  /// Uses a pass up. Nothing behind a covered door starts without this.
  func useUp(_ pass: GatePass?, at door: ParentalGatePolicy.Door) throws(GateRequired) {
    guard let gate = catalog.parentalGate, gate.covers(door) else { return }
    let passes = core.withLock { core in
      guard let pass, let state = core.passes.removeValue(forKey: pass) else { return false }
      return isFresh(state)
    }
    if !passes { throw GateRequired(door: door) }
  }

  private func isFresh(_ state: PassState) -> Bool {
    let age = configuration.time.now.timeIntervalSince(state.issued)
    return age >= 0 && age < Self.passLifetime
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
    /// It is closed, and buying does not help or nobody knows yet: say why.
    case denied(Decision)
    /// Nobody passed the parental gate: show nothing.
    case gateFailed
  }

  /// Does what a tap on something does, in the right order: the content, or first the gate and then the paywall, or the reason.
  public func open(_ request: AccessRequest) async -> Opening { await open(request, as: .customer) }

  /// The same for one member. Somebody who only looks around leaves no event.
  func open(_ request: AccessRequest, as member: Member) async -> Opening {
    await open(tells: member.role != .demo) { () -> (Paywall?, Opening) in
      let (snapshot, decision) = answer(request, member)
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
        switch snapshot.situation.store {
        case .waiting: .unknown
        case .unreachable: .storeUnreachable
        case .answered: .notOffered
        }
      return (snapshot.paywall(at: placement), .denied(.denied(reason)))
    }
  }

  /// - Parameter find: The paywall at this moment, or what there is instead.
  private func open(tells: Bool = true, _ find: () -> (paywall: Paywall?, instead: Opening)) async -> Opening {
    let (first, instead) = find()
    guard first != nil else { return instead }
    var pass: GatePass?
    if let gate = catalog.parentalGate, gate.covers(.purchase) {
      do throws(GateFailed) { pass = try await passParentalGate() } catch { return .gateFailed }
    }
    // While the gate was open, an approval, a purchase elsewhere or a request may have arrived: ask again.
    let (paywall, other) = find()
    guard let paywall else {
      // What the pass was for is over.
      core.withLock { core in if let pass { core.passes[pass] = nil } }
      return other
    }
    var event = MonetizeEvent(.paywallShown, at: now, feature: paywall.request?.feature, item: paywall.request?.item)
    event.placement = paywall.placement
    if tells { emit(event) }
    return .paywall(paywall, pass)
  }

  private func answer(_ request: AccessRequest, _ member: Member) -> (Snapshot, Decision) {
    let snapshot = self.as(member).snapshot
    return (snapshot, snapshot.decision(for: request, at: max(snapshot.date, now)))
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation

extension Monetizer {
  /// Sends an event of the app's own, which the catalog declares under `events.custom`. An event that does not fit its declaration is not
  /// sent; ``MonetizeConfiguration/onUnknownName`` receives the reason.
  /// - Parameters:
  ///   - name: The event.
  ///   - properties: Its properties, each of the type that the catalog declares.
  ///   - member: The member that the event is about. In a demo nothing is sent.
  public func track(_ name: MonetizeEvent.Name, _ properties: [String: PropertyValue] = [:], by member: Member = .customer) {
    guard member.role != .demo else { return }
    let mistake = baseCatalog.events.map { $0.mistake(in: name, properties) } ?? "The catalog declares no events. Add \"events\"."
    if let mistake { return parts.names.report(mistake) }
    var event = MonetizeEvent(name, at: now)
    event.properties = properties
    parts.send(event, by: member)
  }

  /// Ends a paywall that the app has closed: voids its pass, and sends ``MonetizeEvent/Name/paywallDismissed`` unless the customer owns one
  /// of its products. In a demo no event is sent.
  public func closePaywall(_ paywall: Paywall, pass: GatePass? = nil, by member: Member = .customer) {
    passes.take(pass)
    parts.isPaywallOpen.set(false)
    if paywall.isDone(in: parts.answers.current(member).snapshot) { return }
    var event = MonetizeEvent(.paywallDismissed, at: now, feature: paywall.request?.feature, item: paywall.request?.item)
    event.placement = paywall.placement
    parts.send(event, by: member)
  }

  /// Sends events of Monetize's own, for its other modules.
  package func send(_ events: [MonetizeEvent]) { parts.events.send(events) }

  /// Whether an event of this name was among the latest 1,000, within the last five minutes.
  package func hasJustHappened(_ name: MonetizeEvent.Name) -> Bool { parts.events.hasHappened(name, after: now - Milestones.pause) }

  /// Ends the session: a person went from one part of the app to its start. Later events belong to another session.
  public func endSession(of member: Member = .customer) { parts.send(MonetizeEvent(.sessionEnded, at: now), by: member) }
}

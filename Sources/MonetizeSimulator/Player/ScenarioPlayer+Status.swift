// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Monetize

extension ScenarioPlayer {
  /// The customer's current products and limits, and the next change, in a few words.
  public struct Status: Sendable, Hashable, CustomStringConvertible {
    /// Now.
    public let date: Date
    /// The next change that happens by itself, such as `Stories starts again`; `nil` when none is planned.
    public let next: String?
    /// `2026-03-08 12:00 · Premium trial until 03-15 · story 2 of 3 left · next: 2026-04-01 story resets`.
    public let description: String

    init(_ world: ScenarioWorld, _ session: ScenarioSession, _ member: Member) {
      date = world.store.clock.now
      let customer = session.device.customer
      let snapshot = session.monetizer?.as(member).snapshot
      let words = StatusWords(
        names: CatalogWords(snapshot?.catalog ?? session.version.catalog, ids: world.runner.showsIDs), now: date, zone: world.zone,
        risen: Set(world.store.subscriptions(of: customer).filter { $0.priceIncreaseAgreed == false }.map(\.productID)))
      var parts = [String(words.time(date).prefix(16))]
      if let snapshot {
        let has = snapshot.products.compactMap(words.product)
        parts += has.isEmpty ? [snapshot.catalog.products.isEmpty ? "nothing for sale" : "nothing bought"] : has
        parts += words.limits(snapshot).prefix(3)
      } else {
        parts.append("the app is not running")
      }
      let renewal = world.store.nextRenewal(of: customer)
      let change = [snapshot?.nextChange, renewal].compactMap { $0 }.filter { [date] in $0 > date }.min()
      next = change.map { words.event(at: $0, renewal: renewal, snapshot) }
      if let change, let next { parts.append("next: \(words.day(change)) \(next)") }
      description = parts.joined(separator: " · ")
    }
  }
}

/// The words of a status.
private struct StatusWords {
  let names: CatalogWords
  let now: Date
  let zone: TimeZone
  /// The plans whose price increase waits for an answer.
  let risen: Set<ProductID>

  func time(_ date: Date) -> String { ScenarioValue.instant(date).text(in: zone) }
  func day(_ date: Date) -> String { String(time(date).prefix(10)) }

  /// A day of the current year is written without its year.
  private func short(_ date: Date) -> String { day(date).prefix(4) == day(now).prefix(4) ? String(day(date).dropFirst(5)) : day(date) }

  /// `Premium Monthly trial until 03-15`; `nil` for a product that the customer neither has nor waits for.
  func product(_ status: ProductStatus) -> String? {
    let name = names.product(status.product)
    let until = status.expires.map { (status.willRenew == false ? " ends " : " until ") + short($0) } ?? ""
    let waits = (status.isPending ? ", waits for approval" : "") + rise(status)
    switch status.state {
    case .never, .expired, .revoked: return nil
    case .unknown: return status.expires.map { "\(name) not known since \(short($0))" + rise(status) }
    case .pending: return "\(name) waits for approval\(rise(status))"
    case .trial: return "\(name) trial\(until)\(waits)"
    case .active: return "\(name)\(until)\(waits)"
    case .grace: return "\(name) in grace" + (status.graceUntil.map { " until \(short($0))" } ?? "") + rise(status)
    case .billingRetry: return "\(name) in billing retry\(rise(status))"
    }
  }

  private func rise(_ status: ProductStatus) -> String { risen.contains(status.product) ? ", a price increase waits" : "" }

  /// The metered features that certainly have a limit now, such as `Stories █░░ 1 of 3 stories left`.
  func limits(_ snapshot: Snapshot) -> [String] {
    snapshot.catalog.features.filter { $0.part == nil && type(of: $0.shape).isMetered }.compactMap { feature in
      let decision = snapshot.decision(for: feature.id)
      guard let left = decision.remaining, let limit = decision.limit,
        !snapshot.mayGiveMore(than: decision, for: feature.id)
      else { return nil }
      return "\(names.feature(feature.id)) \(ScenarioChanges.left(left, of: limit, feature))"
    }
  }

  /// The change at a date, such as `Stories starts again`.
  func event(at date: Date, renewal: Date?, _ snapshot: Snapshot?) -> String {
    var events = snapshot.map { snapshot in snapshot.products.compactMap { end(of: $0, at: date, snapshot.catalog) } } ?? []
    if events.isEmpty, renewal == date { events.append("a plan renews") }
    for feature in snapshot?.catalog.features ?? [] where feature.part == nil {
      guard let decision = snapshot?.decision(for: feature.id), decision.resetsAt == date else { continue }
      events.append("\(names.feature(feature.id)) \(decision.measure?.isRolling == true ? "has more" : "starts again")")
    }
    if events.isEmpty, let waiting = snapshot?.products.first(where: \.isPending)?.product {
      events.append("the request for \(names.product(waiting)) ends")
    }
    if events.isEmpty, let changing = snapshot.map({ changing(at: date, $0) }), !changing.isEmpty {
      events.append("\(changing.prefix(3).joined(separator: ", "))\(changing.count > 3 ? " and others" : "") may change")
    }
    return events.isEmpty ? "something changes" : events.joined(separator: ", ")
  }

  /// The features whose answer holds until a date.
  private func changing(at date: Date, _ snapshot: Snapshot) -> [String] {
    snapshot.catalog.features.filter { $0.part == nil && snapshot.decision(for: $0.id).validUntil == date }.map { names.feature($0.id) }
  }

  /// The end of a product's period at a date; `nil` when none ends then.
  private func end(of status: ProductStatus, at date: Date, _ catalog: Catalog) -> String? {
    let name = names.product(status.product)
    if status.state == .grace, status.graceUntil == date { return "grace of \(name) ends" }
    if status.isOwned, status.expires == date {
      let renews = catalog.product(status.product).map { type(of: $0.kind).renews } ?? false
      if status.willRenew == false || !renews { return "\(name) ends" }
      if risen.contains(status.product) { return "\(name) ends unless the price is agreed to" }
      return ScenarioChanges.other(status).map { "\(name) becomes \(names.product($0))" } ?? "\(name) renews"
    }
    return status.state == .billingRetry && status.retryUntil == date ? "billing retry of \(name) ends" : nil
  }
}

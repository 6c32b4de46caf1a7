// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

extension ScenarioPlayer {
  /// The customer's current products and limits, and the next change, in a few words.
  public struct Status: Sendable, Hashable, CustomStringConvertible {
    /// The remaining amount of a metered feature.
    public struct Limit: Sendable, Hashable {
      /// The feature.
      public let feature: FeatureID
      /// The remaining amount.
      public let left: Int
      /// The limit.
      public let limit: Int
      /// A sentence for people: `Stories █░░ 1 of 3 stories left`.
      public let text: String
    }

    /// Now.
    public let date: Date
    /// The zone of the times in ``description``.
    public let zone: TimeZone
    /// Whether the app runs. While it does not, access is unknown.
    public let isRunning: Bool
    /// Whether the catalog has anything to buy.
    public let isShop: Bool
    /// The products that the customer has or waits for, such as `Premium Monthly trial until 03-15`.
    public let has: [String]
    /// The metered features that currently have a limit.
    public let limits: [Limit]
    /// The date of the next change that happens by itself.
    public let nextDate: Date?
    /// The change at ``nextDate``, such as `story resets`.
    public let next: String?

    /// `2026-03-08 12:00 · Premium trial until 03-15 · story 2 of 3 left · next: 2026-04-01 story resets`.
    public var description: String {
      var parts = [String(Self.text(date, zone).prefix(16))]
      if !isRunning {
        parts.append("the app is not running")
      } else {
        parts += has.isEmpty ? [isShop ? "nothing bought" : "nothing for sale"] : has
      }
      parts += limits.prefix(3).map(\.text)
      if let nextDate, let next { parts.append("next: \(Self.day(nextDate, zone)) \(next)") }
      return parts.joined(separator: " · ")
    }

    private static func text(_ date: Date, _ zone: TimeZone) -> String {
      ISODate.text(date, in: .storeCalendar(in: zone)).replacingOccurrences(of: "T", with: " ")
    }

    private static func day(_ date: Date, _ zone: TimeZone) -> String { String(text(date, zone).prefix(10)) }

    /// A day of the current year is written without its year.
    private static func short(_ date: Date, from now: Date, _ zone: TimeZone) -> String {
      let (day, today) = (day(date, zone), day(now, zone))
      return day.prefix(4) == today.prefix(4) ? String(day.dropFirst(5)) : day
    }

    init(_ world: ScenarioWorld, _ session: ScenarioSession?, _ member: Member) {
      let now = world.store.clock.now
      let snapshot = session?.monetizer?.as(member).snapshot
      let zone = world.zone
      let names = session.map(world.names) ?? CatalogWords(world.runner.catalog)
      date = now
      self.zone = zone
      isRunning = snapshot != nil
      isShop = snapshot?.catalog.products.isEmpty == false
      let plans = session.map { world.store.subscriptions(of: $0.device.customer) } ?? []
      let waiting = Set(plans.filter { $0.priceIncreaseAgreed == false }.map(\.productID))
      has =
        snapshot?.products.compactMap { status in
          Self.words(status, snapshot?.catalog.product(status.product)?.name, now, zone).map {
            waiting.contains(status.product) ? "\($0), a price increase waits" : $0
          }
        } ?? []
      limits =
        snapshot?.catalog.features.compactMap { feature in
          guard feature.part == nil, type(of: feature.shape).isMetered, let decision = snapshot?.decision(for: feature.id),
            let left = decision.remaining, let limit = decision.limit
          else { return nil }
          let text = "\(names.feature(feature.id)) \(ScenarioChanges.left(left, of: limit, feature))"
          return Limit(feature: feature.id, left: left, limit: limit, text: text)
        } ?? []
      let renewal = session.flatMap { world.store.nextRenewal(of: $0.device.customer) }
      let next = [snapshot?.nextChange, renewal].compactMap { $0 }.filter { $0 > now }.min()
      nextDate = next
      self.next = next.map { Self.event(at: $0, renewal: renewal, snapshot, waiting) }
    }

    private static func words(_ status: ProductStatus, _ name: String?, _ now: Date, _ zone: TimeZone) -> String? {
      let name = name ?? status.product.rawValue
      let expires = status.expires.map { short($0, from: now, zone) }
      let until = expires.map { status.willRenew == false ? " ends \($0)" : " until \($0)" } ?? ""
      let waits = status.isPending ? ", waits for approval" : ""
      switch status.state {
      case .never, .expired, .revoked: return nil
      case .unknown: return expires.map { "\(name) not known since \($0)" }
      case .pending: return "\(name) waits for approval"
      case .trial: return "\(name) trial\(until)\(waits)"
      case .active: return "\(name)\(until)\(waits)"
      case .grace: return "\(name) in grace" + (status.graceUntil.map { " until \(short($0, from: now, zone))" } ?? "")
      case .billingRetry: return "\(name) in billing retry"
      }
    }

    private static func event(at date: Date, renewal: Date?, _ snapshot: Snapshot?, _ waiting: Set<ProductID>) -> String {
      var events: [String] = []
      for status in snapshot?.products ?? [] {
        let name = snapshot?.catalog.product(status.product)?.name ?? status.product.rawValue
        if status.state == .grace, status.graceUntil == date {
          events.append("grace of \(name) ends")
        } else if status.expires == date, status.state == .revoked {
          events.append("the refunded period of \(name) ends")
        } else if status.isOwned, status.expires == date {
          let other = ScenarioChanges.other(status).map { snapshot?.catalog.product($0)?.name ?? $0.rawValue }
          let renews = snapshot?.catalog.product(status.product).map { type(of: $0.kind).renews } ?? false
          let ends = waiting.contains(status.product) ? "\(name) ends unless the price is agreed to" : nil
          events.append(
            status.willRenew == false || !renews ? "\(name) ends" : ends ?? other.map { "\(name) becomes \($0)" } ?? "\(name) renews")
        } else if status.state == .billingRetry, status.retryUntil == date {
          events.append("billing retry of \(name) ends")
        }
      }
      if events.isEmpty, renewal == date { events.append("a plan renews") }
      for feature in snapshot?.catalog.features ?? [] where feature.part == nil {
        if snapshot?.decision(for: feature.id).resetsAt == date { events.append("\(feature.title) starts again") }
      }
      if events.isEmpty, let waiting = snapshot?.products.first(where: \.isPending)?.product {
        events.append("the request for \(snapshot?.catalog.product(waiting)?.name ?? waiting.rawValue) ends")
      }
      return events.isEmpty ? "something changes" : events.joined(separator: ", ")
    }
  }
}

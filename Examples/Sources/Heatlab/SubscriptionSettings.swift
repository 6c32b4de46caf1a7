// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

/// Settings > Subscription: where the person stands, and what can be done there.
public struct SubscriptionSettings: Sendable, Hashable {
  /// What can be done.
  public enum Action: String, Sendable, Hashable {
    /// Opens the paywall.
    case upgrade
    /// Restores purchases.
    case restore
    /// Opens the store's list of subscriptions.
    case manage
  }

  /// Where the person stands.
  public let status: ProStatus
  /// What can be done, in the catalog's order.
  public let actions: [Action]

  /// The settings as a snapshot has them.
  public init(_ snapshot: Snapshot) {
    let status = ProStatus(snapshot)
    self.status = status
    let listed = snapshot.catalog.paywall(.settings)?.actions ?? []
    actions = listed.compactMap(Action.init).filter { action in
      switch action {
      case .upgrade: status.isUpgradeOffered
      case .restore: true
      case .manage: status.isManageable
      }
    }
  }

  /// The status in a line.
  public func line(in zone: TimeZone) -> String {
    func day(_ date: Date?) -> String { date.map { String(Instant.text($0, in: Instant.calendar(zone)).prefix(10)) } ?? "" }
    return switch status.state {
    case .unknown: "Checking…"
    case .never: "Free"
    case .pending: "Waiting for approval"
    case .inTrial(let end): "Pro, free until \(day(end))"
    case .active(nil, _): "Pro"
    case .active(let end, let willRenew): "Pro, \(willRenew ? "renews" : "ends") \(day(end))"
    case .grace(let end): "Pro until \(day(end)): the payment failed"
    case .billingRetry: "The payment failed"
    case .expired(let end): "Ended \(day(end))"
    case .revoked(let date): "Refunded \(day(date))"
    }
  }
}

extension ProStatus {
  /// Whether there is something to sell: not to somebody who has it, or of whom nobody knows yet, or whose purchase waits.
  fileprivate var isUpgradeOffered: Bool {
    switch state {
    case .never, .expired, .revoked: true
    default: false
    }
  }

  /// Whether the store has a subscription to show. A gift is none.
  fileprivate var isManageable: Bool {
    switch state {
    case .inTrial, .grace, .billingRetry, .active(_?, _): true
    default: false
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

/// The app's questions about Pro, on the phone and on the watch. Nothing is stored here: every answer is the monetizer's present one.
/// `monetizer.access(to:)` returns what to show in place of a feature.
public struct HeatlabPro: Sendable {
  /// The app's monetizer.
  public let monetizer: Monetizer

  /// Makes it from the app's monetizer.
  public init(_ monetizer: Monetizer) { self.monetizer = monetizer }

  /// Whether this person is Pro: for views that only show a badge. Gated views use the access, which can also be waiting.
  public var isPro: Bool { monetizer.snapshot.isEntitled(to: .pro) }

  /// The present content of Settings > Subscription; `nil` only if the catalog has no Pro.
  public var settings: SubscriberSummary? { monetizer.snapshot.summary(of: .pro) }
}

/// A comparison of two periods. In the catalog they are one feature with three aliases.
public enum PeriodComparison: String, Sendable, Hashable, CaseIterable {
  /// This week and the last one.
  case weekOverWeek = "comparison.wow"
  /// This month and the last one.
  case monthOverMonth = "comparison.mom"
  /// This year and the last one.
  case yearOverYear = "comparison.yoy"

  /// The feature to ask for.
  public var feature: FeatureID { FeatureID(rawValue) }
}

extension SubscriberSummary {
  /// The status in one line, in the app's words.
  public func line(in zone: TimeZone) -> String {
    func day(_ date: Date?) -> String { date.map { String(ISODate.text($0, in: .storeCalendar(in: zone)).prefix(10)) } ?? "" }
    return switch state {
    case .unknown: "Checking…"
    case .never: "Free"
    case .pending: "Waiting for approval"
    case .trial: "\(title), free until \(day(date))"
    case .active where date == nil: title
    case .active: "\(title), \(willRenew ? "renews" : "ends") \(day(date))"
    case .grace: "\(title) until \(day(date)): the payment failed"
    case .billingRetry: "The payment failed"
    case .expired: "Ended \(day(date))"
    case .revoked: "Refunded \(day(date))"
    }
  }
}

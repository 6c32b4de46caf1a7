// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

/// What the app asks about Pro, on the phone and on the watch. Nothing here is stored: every answer is the monetizer's, at this moment.
/// What stands in the place of a feature, `monetizer.access(to:)` says.
public struct HeatlabPro: Sendable {
  /// Who answers, sells and remembers.
  public let monetizer: Monetizer

  /// Makes it from the app's monetizer.
  public init(_ monetizer: Monetizer) { self.monetizer = monetizer }

  /// Whether this person is Pro: for views that only want a badge. What is behind a gate asks for its access, which can also wait.
  public var isPro: Bool { monetizer.snapshot.isEntitled(to: .pro) }

  /// Settings > Subscription as it is now; `nil` only where the catalog has no Pro.
  public var settings: SubscriberSummary? { monetizer.snapshot.summary(of: .pro) }
}

/// Two periods side by side. The catalog knows them as one feature with three more names.
public enum PeriodComparison: String, Sendable, Hashable, CaseIterable {
  /// This week and the last.
  case weekOverWeek = "comparison.wow"
  /// This month and the last.
  case monthOverMonth = "comparison.mom"
  /// This year and the last.
  case yearOverYear = "comparison.yoy"

  /// What to ask for.
  public var feature: FeatureID { FeatureID(rawValue) }
}

extension SubscriberSummary {
  /// The status in a line, in the app's words.
  public func line(in zone: TimeZone) -> String {
    func day(_ date: Date?) -> String { date.map { String(Instant.text($0, in: Instant.calendar(zone)).prefix(10)) } ?? "" }
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

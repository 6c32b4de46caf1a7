// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

/// The content of Settings > Subscription, as a value: the status in one line with its date, and the possible actions.
public struct SubscriptionScreen: Sendable, Hashable {
  /// The title above it.
  public let title: String
  /// The plan: the product's name, or else the entitlement's title; `Free` for a customer who has none; `nil` while that is unknown.
  public let plan: String?
  /// The state in words, such as `Renews on April 1, 2026`; `nil` when only the plan is shown.
  public let status: String?
  /// A sentence for each subscription that still renews although the customer no longer needs it; see
  /// `SubscriberSummary.redundantSubscriptions`.
  public let notices: [String]
  /// The state behind the words.
  public let state: ProductState
  /// Whether a failed payment needs the customer's attention.
  public let needsAttention: Bool
  /// The buttons, in the catalog's order, without `dismiss`.
  public let actions: [PaywallScreen.Action]
  /// The address for help and feedback, the catalog's `legal.support`; `nil` without one.
  public let supportURL: URL?
  /// The label of the link to it.
  public let supportLabel: String

  /// The screen of a summary.
  /// - Parameters:
  ///   - summary: The customer's status, from `Snapshot.summary(of:at:)`.
  ///   - catalog: The catalog of the snapshot. The framework's words are in its language.
  ///   - zone: The time zone of dates.
  public init(_ summary: SubscriberSummary, in catalog: Catalog, zone: TimeZone = .current) {
    let language = catalog.language
    title = language.text(.subscription)
    state = summary.state
    plan =
      summary.isEntitled || summary.state == .billingRetry
      ? summary.productName ?? summary.title : summary.state == .unknown ? nil : language.text(.subscriptionFree)
    needsAttention = summary.state == .grace || summary.state == .billingRetry
    (supportURL, supportLabel) = (catalog.legal?.support.flatMap(URL.init(string:)), language.text(.buttonSupport))
    func dated(_ text: FrameworkText) -> String? { summary.date.map { language.text(text, ["date": language.day($0, in: zone)]) } }
    let change = summary.product?.planEnd.flatMap { date in
      summary.product?.nextPlan.flatMap(catalog.product).map { next in
        language.text(.subscriptionChanges, ["name": next.name, "date": language.day(date, in: zone)])
      }
    }
    status =
      switch summary.state {
      case .unknown: language.text(.featureChecking)
      case .never: nil
      case .pending: language.text(.storeWaiting)
      case .trial: dated(.subscriptionTrial)
      case .active where summary.isGift: language.text(.subscriptionGift)
      case .active: change ?? dated(summary.willRenew ? .subscriptionRenews : .subscriptionEnds)
      case .grace: dated(.subscriptionGrace)
      case .billingRetry: language.text(.subscriptionRetry)
      case .expired: dated(.subscriptionExpired)
      case .revoked: dated(.subscriptionRevoked)
      }
    notices = summary.redundantSubscriptions.compactMap(catalog.product).map { language.text(.subscriptionRedundant, ["name": $0.name]) }
    // The catalog's default placement lists `dismiss` for its paywalls. Settings have nothing to close.
    actions = summary.actions.filter { $0 != .dismiss }.map { action in
      let label = action == .upgrade ? language.text(.buttonPlans) : action.label(in: language)
      return PaywallScreen.Action(id: action, label: label, isPrimary: action == .upgrade, isEnabled: true, accessibilityLabel: label)
    }
  }
}

extension PurchaseOutcome {
  /// The text for a customer after a purchase; `nil` when the screen itself shows the outcome: bought, cancelled or waiting.
  public func text(in language: Language) -> String? {
    switch self {
    case .completed, .alreadyOwned, .pending, .cancelled: nil
    case .unverified: language.text(.storeUnverified)
    case .failed(let error): language.text(error.code == .otherAccount ? .storeOtherAccount : .storePurchaseFailed)
    }
  }
}

extension RestoreOutcome {
  /// The text for a customer after a restore; `nil` after a cancellation.
  public func text(in language: Language) -> String? {
    switch self {
    case .restored: language.text(.storeRestored)
    case .nothingActive: language.text(.storeNothingActive)
    case .nothingToRestore: language.text(.storeNothingToRestore)
    case .cancelled: nil
    case .failed: language.text(.storeRestoreFailed)
    }
  }
}

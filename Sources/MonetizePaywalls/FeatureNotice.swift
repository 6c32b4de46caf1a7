// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

/// The replacement for a feature that is not open: a lock, a wait or a reason, with every text, as a value.
///
/// ```swift
/// if let notice = FeatureNotice(for: request, monetizer.access(to: request), in: monetizer.snapshot.catalog) { … }
/// ```
public struct FeatureNotice: Sendable, Hashable {
  /// The sort of notice.
  public enum Sort: String, Sendable, Hashable, CaseIterable {
    /// A purchase opens the feature. ``FeatureNotice/button`` leads to it.
    case locked
    /// The store has not answered yet.
    case checking
    /// The store could not be reached. ``FeatureNotice/button`` tries again.
    case unreachable
    /// A purchase waits for approval, such as a parent's.
    case waitingForApproval
    /// The feature is closed, and no purchase opens it.
    case closed
  }

  /// The sort of notice.
  public let sort: Sort
  /// The feature's title, or its unlock message if the catalog has no title.
  public let title: String
  /// The text for the customer: the feature's unlock message, or the reason.
  public let message: String
  /// The label of its button; `nil` when there is nothing to tap.
  public let button: String?
  /// The text that a screen reader speaks for the whole notice.
  public let accessibilityLabel: String

  /// The notice of an access; `nil` while the feature is open.
  /// - Parameters:
  ///   - request: The request.
  ///   - access: The access to the feature.
  ///   - catalog: The source of the texts.
  ///   - zone: The time zone of dates in the texts.
  public init?(for request: AccessRequest, _ access: FeatureAccess, in catalog: Catalog, zone: TimeZone = .current) {
    let feature = catalog.feature(request.feature)
    let language = catalog.language
    // Without a title in the catalog, the title is the id, which people should not see.
    title = feature.map { $0.title == $0.id.rawValue ? $0.unlockMessage ?? $0.title : $0.title } ?? request.feature.rawValue
    switch access {
    case .open: return nil
    case .offer(_, let decision):
      sort = .locked
      let reason = decision.reason == .limitReached ? Self.reason(decision, feature, catalog, zone) : nil
      message = reason ?? feature?.unlockMessage ?? title
      button = language.text(.buttonUnlock)
    case .waiting(let decision):
      switch decision.reason {
      case .pending: (sort, message, button) = (.waitingForApproval, language.text(.storeWaiting), nil)
      case .storeUnreachable:
        (sort, message, button) = (.unreachable, language.text(.storeUnreachable), language.text(.buttonRetry))
      default: (sort, message, button) = (.checking, language.text(.featureChecking), nil)
      }
    case .closed(let decision):
      (sort, message, button) = (.closed, Self.reason(decision, feature, catalog, zone), nil)
    }
    let state = sort == .locked ? language.text(.featureLocked) : nil
    let spoken = [title, state, message == title ? nil : message].compactMap { $0 }
    accessibilityLabel = spoken.joined(separator: language.text(.comma))
  }

  private static func reason(_ decision: Decision, _ feature: Feature?, _ catalog: Catalog, _ zone: TimeZone) -> String {
    let language = catalog.language
    let resets = decision.resetsAt.map { language.text(.featureResets, ["date": language.day($0, in: zone)]) }
    let sentence =
      switch decision.reason {
      case .limitReached, .capacity:
        language.text(
          .featureLimitReached, ["count": decision.limit.map { feature?.words(for: $0, in: language) ?? "\($0)" } ?? ""])
      case .parentalLimit: language.text(.featureParentalLimit)
      case .requiresParent, .requiresRole: language.text(.featureRequiresParent)
      case .requiresCompletion: language.text(.featureRequiresCompletion, ["name": decision.requires?.item ?? ""])
      case .insufficientCoins:
        language.text(.featureCoins, ["balance": "\(decision.balance ?? 0)", "price": "\(decision.price ?? 0)"])
      default: language.text(.featureClosed)
      }
    return [sentence, resets].compactMap { $0 }.joined(separator: " ")
  }
}

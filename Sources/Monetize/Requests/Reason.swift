// SPDX-License-Identifier: Apache-2.0

/// The reason for a decision. An open set: an app's own allowance may define its own.
public struct Reason: StringIdentifier {
  /// The text, such as `requiresPurchase`.
  public let rawValue: String
  /// Makes a reason from its text.
  public init(rawValue: String) { self.rawValue = rawValue }

  // MARK: Allowed

  /// Part of the free tier.
  public static let free: Self = "free"
  /// Bought once.
  public static let owned: Self = "owned"
  /// Paid for by a subscription.
  public static let subscribed: Self = "subscribed"
  /// Given without a purchase.
  public static let complimentary: Self = "complimentary"
  /// Covered by credits, beyond the grants. A use takes some of them.
  public static let credits: Self = "credits"
  /// Open, because monetization is off.
  public static let monetizationOff: Self = "monetizationOff"

  // MARK: Denied, and a purchase may help

  /// A purchase is required.
  public static let requiresPurchase: Self = "requiresPurchase"
  /// The limit of this period, or of all time, is used up.
  public static let limitReached: Self = "limitReached"
  /// No more may exist at once.
  public static let capacity: Self = "capacity"
  /// Older than the window.
  public static let outsideWindow: Self = "outsideWindow"
  /// A purchase that would open it waits for approval.
  public static let pending: Self = "pending"
  /// The store has not answered yet. Wait; show neither the content nor a paywall.
  public static let unknown: Self = "unknown"
  /// The store could not be reached, so the answer is unknown. Offer to retry.
  public static let storeUnreachable: Self = "storeUnreachable"

  // MARK: Denied, and no purchase helps

  /// Another item must be completed first.
  public static let requiresCompletion: Self = "requiresCompletion"
  /// Not for this family member; a parent may.
  public static let requiresParent: Self = "requiresParent"
  /// Not for this role.
  public static let requiresRole: Self = "requiresRole"
  /// The price exceeds the coin balance.
  public static let insufficientCoins: Self = "insufficientCoins"
  /// Not released yet.
  public static let notAvailable: Self = "notAvailable"
  /// Limited by a parent.
  public static let parentalLimit: Self = "parentalLimit"
  /// Another account has taken over, and another monetizer answers (``Monetizer/handOver(to:policy:heir:storage:secureStorage:)``).
  public static let handedOver: Self = "handedOver"
  /// The storage refused to record the use, so it did not begin. Retry when there is space.
  public static let notRecorded: Self = "notRecorded"
  /// No product on sale opens it.
  public static let notOffered: Self = "notOffered"

  // MARK: Errors in the request

  /// The feature is not in the catalog.
  public static let unknownFeature: Self = "unknownFeature"
  /// The item is not in the catalog, or not in a collection of the feature.
  public static let unknownItem: Self = "unknownItem"
  /// The feature does not have this level.
  public static let unknownLevel: Self = "unknownLevel"
  /// The request lacks the number that exists already (``AccessRequest/held``).
  public static let heldMissing: Self = "heldMissing"

  /// Whether the denial is temporary: the store's answer is missing, or a purchase waits. Show neither the content nor a paywall.
  public var isWaiting: Bool { self == .unknown || self == .storeUnreachable || self == .pending }

  /// Whether the request has an error: it names something that is not in the catalog, or lacks a value that the allowance needs.
  public var isError: Bool { self == .unknownFeature || self == .unknownItem || self == .unknownLevel || self == .heldMissing }
}

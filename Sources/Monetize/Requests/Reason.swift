// SPDX-License-Identifier: Apache-2.0

/// Why a decision is as it is. An open set: an app's own allowance may have its own reason.
public struct Reason: StringIdentifier {
  /// The text, such as `requiresPurchase`.
  public let rawValue: String
  /// Makes a reason from its text.
  public init(rawValue: String) { self.rawValue = rawValue }

  // MARK: Allowed

  /// Everyone has it.
  public static let free: Self = "free"
  /// Bought once.
  public static let owned: Self = "owned"
  /// Paid for by a subscription.
  public static let subscribed: Self = "subscribed"
  /// Given without a purchase.
  public static let complimentary: Self = "complimentary"
  /// The grants do not cover it, and bought credits do: using it takes some.
  public static let credits: Self = "credits"
  /// Everything that money limits is free at the moment.
  public static let monetizationOff: Self = "monetizationOff"

  // MARK: Denied, and a purchase may help

  /// It has to be bought.
  public static let requiresPurchase: Self = "requiresPurchase"
  /// The limit of this period, or of all time, is used up.
  public static let limitReached: Self = "limitReached"
  /// As many exist as may exist at once.
  public static let capacity: Self = "capacity"
  /// It is older than the window reaches.
  public static let outsideWindow: Self = "outsideWindow"
  /// A purchase that would open it waits for somebody's approval.
  public static let pending: Self = "pending"
  /// The store has not answered yet. Wait; show neither the content nor a paywall.
  public static let unknown: Self = "unknown"
  /// The store could not be reached, so that nobody knows. Offer to try again.
  public static let storeUnreachable: Self = "storeUnreachable"

  // MARK: Denied, and no purchase helps

  /// Another item has to be completed first.
  public static let requiresCompletion: Self = "requiresCompletion"
  /// Not for this member of the family; a parent may.
  public static let requiresParent: Self = "requiresParent"
  /// Not for this role.
  public static let requiresRole: Self = "requiresRole"
  /// It costs more coins than there are.
  public static let insufficientCoins: Self = "insufficientCoins"
  /// It is not out yet.
  public static let notAvailable: Self = "notAvailable"
  /// A parent has limited it.
  public static let parentalLimit: Self = "parentalLimit"
  /// Somebody has signed in or out, and another monetizer answers now (``Monetizer/handOver(to:policy:storage:secureStorage:)``).
  public static let handedOver: Self = "handedOver"
  /// The storage refused to record the use, so that it did not begin. Try again when there is space.
  public static let notRecorded: Self = "notRecorded"
  /// Nothing on sale opens it.
  public static let notOffered: Self = "notOffered"

  // MARK: The question is wrong

  /// The catalog has no such feature.
  public static let unknownFeature: Self = "unknownFeature"
  /// The catalog has no such item, or the feature is not about it.
  public static let unknownItem: Self = "unknownItem"
  /// The feature has no such level.
  public static let unknownLevel: Self = "unknownLevel"
  /// The question needs the number of what exists already (``AccessRequest/held``).
  public static let heldMissing: Self = "heldMissing"

  /// Whether it is denied for now only: the store has not answered or cannot be reached, or a purchase waits for approval. Show neither
  /// the content nor a paywall.
  public var isWaiting: Bool { self == .unknown || self == .storeUnreachable || self == .pending }

  /// Whether the question is wrong: it names something that the catalog does not have, or lacks what the allowance needs.
  public var isError: Bool { self == .unknownFeature || self == .unknownItem || self == .unknownLevel || self == .heldMissing }
}

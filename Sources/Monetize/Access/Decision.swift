// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The answer to an ``AccessRequest``: whether, why, and what would change it.
public struct Decision: Sendable, Hashable {
  /// Whether the customer may do it now.
  public internal(set) var isAllowed: Bool
  /// Why.
  public internal(set) var reason: Reason
  /// The products on sale that would make this decision allowed, in catalog order: exactly those. Empty when allowed.
  public internal(set) var unlockedBy: [ProductID] = []
  /// Where to lead a person who wants it: a placement with a paywall. `nil` when buying does not help, or when nobody knows yet.
  public internal(set) var placement: PlacementID?
  /// What gives the access, when it is allowed.
  public internal(set) var grantedBy: GrantSource?
  /// Until when this answer holds by itself; `nil` when no time is known at which it changes.
  public internal(set) var validUntil: Date?
  /// Dated things from this moment on are visible, for features with a window that is limited.
  public internal(set) var cutoff: Date?
  var verdict: Verdict

  /// How much is left, at least 0; `nil` where nothing counts down.
  public var remaining: Int? { verdict.remaining }
  /// How much of the limit is used; `nil` where nothing counts.
  public var used: Int? { verdict.used }
  /// The limit; `nil` where there is none.
  public var limit: Int? { verdict.limit }
  /// When the count begins anew; `nil` when never.
  public var resetsAt: Date? { verdict.resetsAt }
  /// The level that is granted, for features with levels.
  public var level: String? { verdict.level }
  /// What has to be completed first.
  public var requires: ItemPath? { verdict.requires }
  /// How many bought credits are left, which ``remaining`` holds as well; `nil` where none were ever bought.
  public var credits: Int? { verdict.credits }
  /// The coins there are, for what costs coins.
  public var balance: Int? { verdict.balance }
  /// The coins it costs.
  public var price: Int? { verdict.price }
  /// Whether a purchase would open it.
  public var buyingHelps: Bool { !unlockedBy.isEmpty }
  /// Whether the question named something that the catalog does not have. Then `reason` says what.
  public var isError: Bool { reason.isError }

  init(_ verdict: Verdict) {
    isAllowed = verdict.isAllowed
    reason = verdict.reason
    self.verdict = verdict
    validUntil = verdict.changesAt
  }

  static func denied(_ reason: Reason) -> Decision { Decision(.denied(reason)) }
}

/// What gives access to something.
public enum GrantSource: Sendable, Hashable {
  /// Everyone has it.
  case freeTier
  /// A product that the customer has.
  case product(ProductID)
  /// Something given without a purchase.
  case complimentary(String)
  /// Credits that were bought cover it.
  case credits
  /// Money limits nothing at the moment.
  case monetizationOff
}

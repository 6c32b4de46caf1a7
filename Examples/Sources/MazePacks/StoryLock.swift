// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// What stands between a child and a story, as a grid shows it.
public enum StoryLock: Sendable, Hashable {
  /// Nothing: play.
  case open
  /// Show a lock; this product opens it.
  case locked(ProductID)
  /// The store has not answered yet. Show neither a lock nor a paywall, so that nothing flashes for somebody who owns the pack.
  case checking
  /// The store could not be reached, so that nobody knows. Offer to try again.
  case storeUnreachable
  /// Somebody was asked to approve the purchase. Show that it waits; it opens by itself.
  case awaitingApproval
  /// Closed, and buying does not help.
  case closed(Reason)

  /// What a decision about a story means for its picture in the grid.
  public init(_ decision: Decision) {
    if decision.isAllowed {
      self = .open
      return
    }
    switch decision.reason {
    case .unknown: self = .checking
    case .storeUnreachable: self = .storeUnreachable
    case .pending: self = .awaitingApproval
    default: self = decision.unlockedBy.first.map(StoryLock.locked) ?? .closed(decision.reason)
    }
  }
}

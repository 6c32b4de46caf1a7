// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// The status above the button that makes a story.
public struct CreationStatus: Sendable, Hashable {
  /// An image and its colour.
  public enum Look: String, Sendable, Hashable {
    /// Some stories are free.
    case free
    /// There is no limit.
    case unlimited
  }

  /// The style of the status.
  public let look: Look
  /// Whether the customer bought the unlimited stories. Without a purchase there may be no limit either, as while monetization is off.
  public let isOwner: Bool
  /// The remaining stories, as text.
  public let counter: StoryCounter
  /// The free stories are used up, and the store has not answered, cannot be reached, or has a pending purchase: show no paywall.
  public let isChecking: Bool

  /// Reads the status from a snapshot. Read it again for each of `monetizer.snapshots`.
  public init(_ snapshot: Snapshot) {
    let decision = snapshot.decision(for: .story)
    counter = StoryCounter(decision, unit: snapshot.catalog.feature(.story)?.unit)
    look = counter.remaining == nil ? .unlimited : .free
    isOwner = decision.reason == .owned
    isChecking = decision.reason.isWaiting
  }

  /// The name of the image.
  public var icon: String { look == .free ? "clock" : "infinity" }
  /// The name of its colour.
  public var color: String { look == .free ? "orange" : "blue" }
  /// A badge beside the image, for who paid.
  public var badge: String? { isOwner ? "PREMIUM" : nil }
}

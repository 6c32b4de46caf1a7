// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// What stands above the button that makes a story.
public struct CreationStatus: Sendable, Hashable {
  /// A picture and its colour.
  public enum Look: String, Sendable, Hashable {
    /// Some stories are free.
    case free
    /// There is no limit.
    case unlimited
  }

  /// Which look it has.
  public let look: Look
  /// What is left, in words.
  public let counter: StoryCounter
  /// What is left for free is used up, and the store has not answered, cannot be reached, or has a purchase wait: show no paywall.
  public let isChecking: Bool

  /// Reads the status from a snapshot; make it anew for each of `monetizer.snapshots`.
  public init(_ snapshot: Snapshot) {
    let decision = snapshot.decision(for: .story)
    counter = StoryCounter(decision, unit: snapshot.catalog.feature(.story)?.unit)
    look = counter.remaining == nil ? .unlimited : .free
    isChecking = decision.reason.isWaiting
  }

  /// The name of the picture.
  public var icon: String { look == .free ? "clock" : "infinity" }
  /// The name of its colour.
  public var color: String { look == .free ? "orange" : "blue" }
  /// A badge beside it.
  public var badge: String? { look == .free ? nil : "PREMIUM" }
}

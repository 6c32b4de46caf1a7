// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// How many stories may still be made, as the app says it.
public struct StoryCounter: Sendable, Hashable, CustomStringConvertible {
  /// How many are left; `nil` without a limit.
  public let remaining: Int?
  private let word: String

  /// Reads a decision about ``Monetize/FeatureID/story``.
  /// - Parameters:
  ///   - decision: The decision.
  ///   - unit: The catalog's words for one and for several.
  public init(_ decision: Decision, unit: Feature.Unit?) {
    // A limit that is not known yet, or a feature that is closed, leaves nothing.
    remaining = decision.remaining ?? (decision.isAllowed ? nil : 0)
    word = unit?.word(for: remaining ?? 0) ?? (remaining == 1 ? "story" : "stories")
  }

  /// Whether another story may be made.
  public var allowsAnother: Bool { remaining != 0 }

  /// "2 stories remaining", "1 story remaining", "Unlimited stories".
  public var description: String { remaining.map { "\($0) \(word) remaining" } ?? "Unlimited \(word)" }
}

// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// The number of remaining stories, as the app shows it.
public struct StoryCounter: Sendable, Hashable, CustomStringConvertible {
  /// The number of remaining stories; `nil` without a limit.
  public let remaining: Int?
  private let word: String

  /// Reads a decision about ``Monetize/FeatureID/story``.
  /// - Parameters:
  ///   - decision: The decision.
  ///   - unit: The catalog's singular and plural noun.
  public init(_ decision: Decision, unit: Feature.Unit?) {
    // With an unknown limit or a closed feature, no story is left.
    remaining = decision.remaining ?? (decision.isAllowed ? nil : 0)
    word = unit?.word(for: remaining ?? 0) ?? (remaining == 1 ? "story" : "stories")
  }

  /// Whether another story may be made.
  public var allowsAnother: Bool { remaining != 0 }

  /// "2 stories remaining", "1 story remaining", "Unlimited stories".
  public var description: String { remaining.map { "\($0) \(word) remaining" } ?? "Unlimited \(word)" }
}

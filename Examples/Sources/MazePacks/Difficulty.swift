// SPDX-License-Identifier: Apache-2.0

/// The difficulty of a maze. There are exactly three; a story has one maze of each.
public enum Difficulty: String, Sendable, Hashable, Codable, CaseIterable {
  /// The old level 1.
  case easy
  /// The old level 3.
  case medium
  /// The old level 5.
  case hard

  /// The present difficulty of an old level; `nil` for the removed levels, and for anything else.
  ///
  /// It depends on the level and never on the old name. The old five were beginner, easy, medium, hard and expert, so the old "easy" is the
  /// removed level 2, and not the present easy.
  /// - Parameter oldLevel: The level in old files: `lv1` to `lv5`.
  public init?(oldLevel: String) {
    switch oldLevel {
    case "lv1": self = .easy
    case "lv3": self = .medium
    case "lv5": self = .hard
    default: return nil
    }
  }

  /// The next harder difficulty; `nil` after the last.
  public var harder: Difficulty? {
    switch self {
    case .easy: .medium
    case .medium: .hard
    case .hard: nil
    }
  }
}

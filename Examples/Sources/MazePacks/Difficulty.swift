// SPDX-License-Identifier: Apache-2.0

/// How hard a maze is. Exactly three; a story has one maze of each.
public enum Difficulty: String, Sendable, Hashable, Codable, CaseIterable {
  /// The old level 1.
  case easy
  /// The old level 3.
  case medium
  /// The old level 5.
  case hard

  /// The difficulty that an old level is called now; `nil` for the levels that are gone, and for anything else.
  ///
  /// It goes by level and never by the old name: the old five were beginner, easy, medium, hard and expert, so that the old "easy" is level 2,
  /// which is gone, and not what is called easy now.
  /// - Parameter oldLevel: The level as files wrote it: `lv1` to `lv5`.
  public init?(oldLevel: String) {
    switch oldLevel {
    case "lv1": self = .easy
    case "lv3": self = .medium
    case "lv5": self = .hard
    default: return nil
    }
  }

  /// The next harder one; `nil` after the last.
  public var harder: Difficulty? {
    switch self {
    case .easy: .medium
    case .medium: .hard
    case .hard: nil
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// The server's tables that the app reads and writes directly, with the rules for access to rows.
public enum HubTable: String, Sendable, CaseIterable {
  /// The items of the shop.
  case avatarItems = "avatar_items"
  /// Each player's outfit.
  case avatarConfigs = "avatar_configs"
  /// Each child's progress.
  case progressionLevels = "progression_levels"
  /// Each player's results in each module.
  case moduleProgress = "module_progress"
  /// Each player's preferences.
  case userSettings = "user_settings"

  /// The rule for reading and writing rows.
  public var scope: RowScope {
    switch self {
    case .avatarItems: RowScope(read: .all, write: .none)
    case .avatarConfigs, .moduleProgress, .userSettings: RowScope(read: .own, write: .own)
    // The server records a level when it is completed.
    case .progressionLevels: RowScope(read: .ownAndChildren, write: .none)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// The server's tables that the app reads and writes itself, and who may do what with whose rows.
public enum HubTable: String, Sendable, CaseIterable {
  /// What the shop sells.
  case avatarItems = "avatar_items"
  /// What each player wears.
  case avatarConfigs = "avatar_configs"
  /// How far each child has come.
  case progressionLevels = "progression_levels"
  /// What each player reached in each module.
  case moduleProgress = "module_progress"
  /// What each player has set.
  case userSettings = "user_settings"

  /// Who reads and writes whose rows.
  public var scope: RowScope {
    switch self {
    case .avatarItems: RowScope(read: .all, write: .none)
    case .avatarConfigs, .moduleProgress, .userSettings: RowScope(read: .own, write: .own)
    // Levels are recorded by the server, when a level is completed.
    case .progressionLevels: RowScope(read: .ownAndChildren, write: .none)
    }
  }
}

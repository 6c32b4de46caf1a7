// SPDX-License-Identifier: Apache-2.0
public import Monetize

extension FeatureID {
  /// What a parent sees of the children.
  public static let parentDashboard: Self = "parentDashboard"
  /// Time at the puzzles, which a parent may limit.
  public static let playTime: Self = "playTime"
  /// Items for coins.
  public static let shop: Self = "shop"
  /// Whether coins are shown at all.
  public static let coins: Self = "coins"

  /// A feature of Circuit Challenge.
  public static func circuitChallenge(_ name: String) -> Self { FeatureID("circuit-challenge.\(name)") }
}

extension CollectionID {
  static let presets: Self = "presets"
  static let levels: Self = "levels"
}

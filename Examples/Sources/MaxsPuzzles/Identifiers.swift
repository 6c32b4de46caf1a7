// SPDX-License-Identifier: Apache-2.0
public import Monetize

extension FeatureID {
  /// A parent's view of the children.
  public static let parentDashboard: Self = "parentDashboard"
  /// Play time, which a parent may limit.
  public static let playTime: Self = "playTime"
  /// Items in the shop, for coins.
  public static let shop: Self = "shop"
  /// Whether coins are shown.
  public static let coins: Self = "coins"

  /// A feature of Circuit Challenge.
  public static func circuitChallenge(_ name: String) -> Self { FeatureID("circuit-challenge.\(name)") }
}

extension CollectionID {
  static let presets: Self = "presets"
  static let levels: Self = "levels"
}

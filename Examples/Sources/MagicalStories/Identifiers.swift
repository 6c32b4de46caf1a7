// SPDX-License-Identifier: Apache-2.0
public import Monetize

extension FeatureID {
  /// Generating a story; counted by month in the free tier.
  public static let story: Self = "story"
  /// The number of child profiles.
  public static let childProfiles: Self = "childProfiles"
  /// The level of parental controls.
  public static let parentalControls: Self = "parentalControls"
  /// The level of illustrations.
  public static let illustrations: Self = "illustrations"
  /// The priority of generation.
  public static let generationPriority: Self = "generationPriority"
  /// The library of finished stories: always open.
  public static let storyLibrary: Self = "storyLibrary"
  /// Reading: always open.
  public static let basicReading: Self = "basicReading"
  /// Reading without a connection.
  public static let offlineReading: Self = "offlineReading"
  /// Collections of stories that grow with a child.
  public static let growthPathCollections: Self = "growthPathCollections"
  /// Analytics of a child's reading.
  public static let parentalAnalytics: Self = "parentalAnalytics"
  /// Custom themes.
  public static let customThemes: Self = "customThemes"
}

extension EntitlementID {
  /// The entitlement of all plans.
  public static let premium: Self = "premium"
}

// SPDX-License-Identifier: Apache-2.0
public import Monetize

extension FeatureID {
  /// Generating a story; counted by month for those who do not pay.
  public static let story: Self = "story"
  /// How many child profiles there may be.
  public static let childProfiles: Self = "childProfiles"
  /// How far parents control the app.
  public static let parentalControls: Self = "parentalControls"
  /// How stories are illustrated.
  public static let illustrations: Self = "illustrations"
  /// How soon stories are generated.
  public static let generationPriority: Self = "generationPriority"
  /// The stories that were made, always.
  public static let storyLibrary: Self = "storyLibrary"
  /// Reading, always.
  public static let basicReading: Self = "basicReading"
  /// Reading without a connection.
  public static let offlineReading: Self = "offlineReading"
  /// Collections of stories that a child grows with.
  public static let growthPathCollections: Self = "growthPathCollections"
  /// How a child reads.
  public static let parentalAnalytics: Self = "parentalAnalytics"
  /// Themes of one's own.
  public static let customThemes: Self = "customThemes"
}

extension EntitlementID {
  /// What all plans give.
  public static let premium: Self = "premium"
}

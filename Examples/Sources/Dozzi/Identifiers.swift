// SPDX-License-Identifier: Apache-2.0
public import Monetize

extension FeatureID {
  /// Making a story: two lifetime free stories.
  public static let story: Self = "story"
  /// The voices that read a story.
  public static let voices: Self = "voices"
  /// The child is the hero: never gated.
  public static let personalization: Self = "personalization"
  /// All stories made so far: never gated.
  public static let library: Self = "library"
}

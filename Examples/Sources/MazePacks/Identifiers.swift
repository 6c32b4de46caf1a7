// SPDX-License-Identifier: Apache-2.0
public import Monetize

extension FeatureID {
  /// Opening a pack: never locked.
  public static let packOpen: Self = "pack.open"
  /// Playing a story.
  public static let storyPlay: Self = "story.play"
}

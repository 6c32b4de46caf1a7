// SPDX-License-Identifier: Apache-2.0
import MazePacks
import Monetize
import Testing

@Suite(.timeLimit(.minutes(1)))
struct MazeTests {
  @Test func idsAreThoseOfTheCatalog() { #expect(FeatureID.storyPlay == "story.play") }
}

// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// One story of a pack. Free or locked as a whole, whatever the difficulty.
public struct Story: Sendable, Hashable {
  /// The pack it is in.
  public let pack: CollectionID
  /// Its id in the pack: of numbered stories the number, from 1.
  public let id: String

  /// Makes a story from its pack and its id; whether there is one, the catalog says.
  public init(pack: CollectionID, id: String) {
    self.pack = pack
    self.id = id
  }

  /// How the framework calls it: `denny/4`.
  public var path: ItemPath { ItemPath(collection: pack, item: id) }

  /// Its three mazes, from easy to hard.
  public var levels: [StoryLevel] { Difficulty.allCases.map(level) }

  /// Its maze at one difficulty.
  public func level(_ difficulty: Difficulty) -> StoryLevel { StoryLevel(story: self, difficulty: difficulty) }
}

/// One maze: a story at one difficulty.
public struct StoryLevel: Sendable, Hashable {
  /// The story.
  public let story: Story
  /// How hard it is.
  public let difficulty: Difficulty

  /// Makes a level.
  public init(story: Story, difficulty: Difficulty) {
    self.story = story
    self.difficulty = difficulty
  }

  /// How the framework calls it: `denny/4/easy`.
  public var path: ItemPath { ItemPath(collection: story.pack, item: story.id, part: difficulty.rawValue) }

  /// The same story, one harder; `nil` after the last level. It never leads to another story, and so never past a lock.
  public var next: StoryLevel? { difficulty.harder.map(story.level) }
}

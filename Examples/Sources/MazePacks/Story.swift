// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// A story of a pack. Free or locked as a whole, at every difficulty.
public struct Story: Sendable, Hashable {
  /// The pack of the story.
  public let pack: CollectionID
  /// The id in the pack: for numbered stories the number, from 1.
  public let id: String

  /// Makes a story from its pack and its id; the catalog decides whether it exists.
  public init(pack: CollectionID, id: String) {
    self.pack = pack
    self.id = id
  }

  /// The item's path in the framework: `denny/4`.
  public var path: ItemPath { ItemPath(collection: pack, item: id) }

  /// The three mazes, from easy to hard.
  public var levels: [StoryLevel] { Difficulty.allCases.map(level) }

  /// The maze at a difficulty.
  public func level(_ difficulty: Difficulty) -> StoryLevel { StoryLevel(story: self, difficulty: difficulty) }
}

/// A maze: a story at one difficulty.
public struct StoryLevel: Sendable, Hashable {
  /// The story.
  public let story: Story
  /// The difficulty.
  public let difficulty: Difficulty

  /// Makes a level.
  public init(story: Story, difficulty: Difficulty) {
    self.story = story
    self.difficulty = difficulty
  }

  /// The item's path in the framework: `denny/4/easy`.
  public var path: ItemPath { ItemPath(collection: story.pack, item: story.id, part: difficulty.rawValue) }

  /// The same story, one harder; `nil` after the last level. It never leads to another story, so never past a lock.
  public var next: StoryLevel? { difficulty.harder.map(story.level) }
}

// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// All stories of a pack at one difficulty. Locked ones are also shown.
public struct StoryGrid: Sendable, Hashable {
  /// One story in the grid.
  public struct Cell: Sendable, Hashable, Identifiable {
    /// The story at the grid's difficulty: the target of a tap.
    public let level: StoryLevel
    /// The story's position in its pack, from 1.
    public let number: Int
    /// What to show in place of the story: the maze, or a lock.
    public let access: FeatureAccess
    /// The solved difficulties.
    public let solved: [Difficulty]

    /// The story.
    public var id: Story { level.story }
    /// Whether it was solved at the grid's difficulty.
    public var isSolved: Bool { solved.contains(level.difficulty) }
  }

  /// The pack.
  public let pack: Pack
  /// The chosen difficulty.
  public let difficulty: Difficulty
  /// The stories, in order.
  public let cells: [Cell]

  /// Makes the grid from one snapshot, so all locks agree with each other.
  public init(_ pack: Pack, at difficulty: Difficulty, snapshot: Snapshot, progress: StoryProgress) {
    self.pack = pack
    self.difficulty = difficulty
    cells = pack.stories.enumerated().map { index, story in
      let level = story.level(difficulty)
      return Cell(
        level: level, number: index + 1, access: snapshot.access(to: .storyPlay, item: level.path),
        solved: progress.solvedDifficulties(of: story))
    }
  }
}

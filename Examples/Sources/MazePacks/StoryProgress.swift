// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// The mazes that a child has solved: a value, read from the framework's completions.
public struct StoryProgress: Sendable, Hashable {
  private let solved: Set<ItemPath>

  /// Reads completions, such as `monetizer.completions`.
  public init(_ completions: [Completion] = []) { solved = Set(completions.map(\.item)) }

  /// Whether a maze was solved.
  public func isSolved(_ level: StoryLevel) -> Bool { solved.contains(level.path) }

  /// The solved difficulties of a story, from easy to hard.
  public func solvedDifficulties(of story: Story) -> [Difficulty] { story.levels.filter(isSolved).map(\.difficulty) }

  /// Whether all three mazes of a story were solved.
  public func isComplete(_ story: Story) -> Bool { story.levels.allSatisfy(isSolved) }

  /// The progress of a pack: the number of complete stories out of all.
  public func progress(in pack: Pack) -> PackProgress {
    PackProgress(completed: pack.stories.filter(isComplete).count, total: pack.stories.count)
  }
}

/// The progress of a pack.
public struct PackProgress: Sendable, Hashable, CustomStringConvertible {
  /// The stories with all three mazes solved.
  public let completed: Int
  /// All stories, including locked ones.
  public let total: Int

  /// `5/20`.
  public var description: String { "\(completed)/\(total)" }
}

/// The result of solving a maze.
public enum SolvedLevel: Sendable, Hashable {
  /// The story has mazes left, or was complete before.
  case solved(StoryLevel)
  /// This was the third maze of its story, for the first time: celebrate.
  case completedStory(Story)
}

extension Monetizer {
  /// The mazes solved so far.
  public var storyProgress: StoryProgress { StoryProgress(completions) }

  /// Records a solved maze. The story is complete with its third distinct level, in any order, and only once.
  public func solve(_ level: StoryLevel) async -> SolvedLevel {
    let before = storyProgress
    await complete(level.path)
    let isNewlyComplete = !before.isComplete(level.story) && storyProgress.isComplete(level.story)
    return isNewlyComplete ? .completedStory(level.story) : .solved(level)
  }
}

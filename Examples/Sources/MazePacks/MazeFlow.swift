// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// The flow of the app: onboarding, shelf, grid, story, celebration. A pure state machine without locks and purchases.
///
/// ```
/// onboarding -choose-> shelf -open-> grid -play-> story -solved-> story | celebration
///                        ^--------------- next, after the last level, and from the celebration
/// ```
public struct MazeFlow: Sendable, Hashable {
  /// A screen.
  public enum Route: Sendable, Hashable {
    /// Choose a difficulty; only the first time.
    case onboarding
    /// The bookshelf, also with only one pack.
    case shelf
    /// The stories of a pack at a difficulty.
    case grid(pack: CollectionID, Difficulty)
    /// A maze.
    case story(StoryLevel)
    /// A completed story.
    case celebration(Story)
  }

  /// An event for the flow.
  public enum Event: Sendable, Hashable {
    /// A difficulty was chosen: in the onboarding, on the shelf or in the grid.
    case choose(Difficulty)
    /// A pack on the shelf was tapped, whether bought or not.
    case open(pack: CollectionID)
    /// A story in the grid was tapped, and ``MazeShop/tap(_:)`` returned that it is open.
    case play(StoryLevel)
    /// A maze was solved, with the result of ``Monetize/Monetizer/solve(_:)``.
    case solved(SolvedLevel)
    /// "Next" was tapped.
    case next
    /// "Back" was tapped.
    case back
  }

  /// The current screen.
  public private(set) var route: Route
  /// The memory, which the app stores after each change.
  public private(set) var memory: MazeMemory

  /// Starts the flow: with a stored difficulty at the shelf.
  public init(_ memory: MazeMemory = MazeMemory()) {
    self.memory = memory
    route = memory.isOnboarded ? .shelf : .onboarding
  }

  /// Handles an event. An event without meaning on this screen changes nothing.
  /// - Returns: Whether the event had a meaning.
  @discardableResult
  public mutating func handle(_ event: Event) -> Bool {
    guard let destination = destination(of: event) else { return false }
    if case .choose(let difficulty) = event { memory.difficulty = difficulty }
    route = destination
    return true
  }

  private func destination(of event: Event) -> Route? {
    switch (route, event) {
    case (.onboarding, .choose), (.shelf, .choose): .shelf
    case (.grid(let pack, _), .choose(let difficulty)): .grid(pack: pack, difficulty)
    case (.shelf, .open(let pack)): memory.difficulty.map { .grid(pack: pack, $0) }
    case (.grid(let pack, _), .play(let level)): level.story.pack == pack ? .story(level) : nil
    case (.story(let level), .solved(.solved(let solved))): level == solved ? route : nil
    case (.story(let level), .solved(.completedStory(let story))): level.story == story ? .celebration(story) : nil
    // To the same story, one harder; after the last level to the shelf, never to the next story.
    case (.story(let level), .next): level.next.map(Route.story) ?? .shelf
    case (.story(let level), .back): memory.difficulty.map { .grid(pack: level.story.pack, $0) }
    case (.celebration, .next), (.celebration, .back), (.grid, .back): .shelf
    default: nil
    }
  }
}

/// The memory of the flow between two runs of the app: small, `Codable`, and without data about the child.
public struct MazeMemory: Sendable, Hashable, Codable {
  /// The chosen difficulty; `nil` before the onboarding.
  public var difficulty: Difficulty?

  /// Makes a memory; empty for a new user.
  public init(difficulty: Difficulty? = nil) { self.difficulty = difficulty }

  /// Whether the onboarding is done.
  public var isOnboarded: Bool { difficulty != nil }
}

// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// The actions behind taps: play a story, lead a parent through the gate to the one offer of its pack, or explain a denial.
///
/// Every way to the store goes through the parental gate: a ``PackOffer`` exists only behind it and is valid for one attempt.
public struct MazeShop: Sendable {
  /// The app's catalog.
  public let maze: MazeCatalog
  /// The app's monetizer.
  public let monetizer: Monetizer

  /// Makes a shop.
  /// - Parameters:
  ///   - maze: The checked catalog.
  ///   - configure: Store, storage and gate, as for ``Monetize/Monetizer``.
  public init(_ maze: MazeCatalog, _ configure: (inout Monetizer.Configuration) -> Void = { _ in }) {
    self.maze = maze
    monetizer = Monetizer(catalog: maze.catalog, configure)
  }

  // MARK: Screens

  /// The present bookshelf. Make it again for each of `monetizer.snapshots`.
  public var shelf: Shelf { Shelf(maze, snapshot: monetizer.snapshot, progress: monetizer.storyProgress) }

  /// The present grid of a pack; `nil` when there is no such pack.
  public func grid(of pack: CollectionID, at difficulty: Difficulty) -> StoryGrid? {
    maze.pack(pack).map { StoryGrid($0, at: difficulty, snapshot: monetizer.snapshot, progress: monetizer.storyProgress) }
  }

  // MARK: Taps

  /// The result of a tap on something that may be locked.
  public enum Tap: Sendable, Hashable {
    /// Play.
    case play(StoryLevel)
    /// The gate was passed: show the paywall.
    case offer(PackOffer)
    /// Show neither a lock nor a paywall: the store has not answered (`unknown`), cannot be reached (`storeUnreachable`: offer a retry with
    /// `monetizer.refresh()`), or a purchase waits for approval (`pending`).
    case waiting(Reason)
    /// The gate was not passed: show nothing.
    case gateFailed
    /// Closed, and buying does not help; also for unknown stories.
    case closed(Reason)
  }

  /// Handles a tap on a story in the grid: plays it, or shows the gate and then the paywall.
  public func tap(_ level: StoryLevel) async -> Tap {
    switch await monetizer.open(AccessRequest(.storyPlay, item: level.path)) {
    case .content: .play(level)
    case .paywall(let paywall, let pass): offer(of: level.story.pack, paywall, pass)
    case .gateFailed: .gateFailed
    case .denied(let decision): decision.reason.isWaiting ? .waiting(decision.reason) : .closed(decision.reason)
    }
  }

  /// Handles "Buy" on a pack's card or in the settings, and again after an error: gate, then paywall.
  /// - Returns: Never `.play` for a pack that is not bought; `.closed(.owned)` for a bought one.
  public func offer(for pack: CollectionID) async -> Tap {
    guard let pack = maze.pack(pack) else { return .closed(.unknownItem) }
    let snapshot = monetizer.snapshot
    let locked = pack.stories.first { !snapshot.decision(for: .storyPlay, item: $0.path).isAllowed }
    guard let locked else { return .closed(.owned) }
    let tap = await tap(locked.level(.easy))
    // The pack was bought elsewhere while the gate was open: nothing is on sale any more.
    if case .play = tap { return .closed(.owned) }
    return tap
  }

  /// Handles a purchase that was started in the store (a promoted product), through the same gate and paywall.
  public func promotion(of product: ProductID) async -> Tap {
    guard let pack = maze.pack(openedBy: product) else { return .closed(.notOffered) }
    return await offer(for: pack.id)
  }

  private func offer(of pack: CollectionID, _ paywall: Paywall, _ pass: GatePass?) -> Tap {
    guard let pack = maze.pack(pack), paywall.products.contains(pack.product) else { return .closed(.notOffered) }
    return .offer(PackOffer(pack: pack, paywall: paywall, pass: pass))
  }
}

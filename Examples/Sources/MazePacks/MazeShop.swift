// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// What taps do: play a story, or lead a parent through the gate to the one offer of its pack, or say why not.
///
/// Every way to the store goes through the parental gate: a ``PackOffer`` exists only behind it and is good for one start.
public struct MazeShop: Sendable {
  /// What the app sells, as this app needs it.
  public let maze: MazeCatalog
  /// Who answers, sells and remembers.
  public let monetizer: Monetizer

  /// Makes a shop.
  /// - Parameters:
  ///   - maze: The catalog, checked.
  ///   - configure: Store, storage and gate, as for ``Monetize/Monetizer``.
  public init(_ maze: MazeCatalog, _ configure: (inout Monetizer.Configuration) -> Void = { _ in }) {
    self.maze = maze
    monetizer = Monetizer(catalog: maze.catalog, configure)
  }

  // MARK: Screens

  /// The bookshelf as it is now. Make it anew for each of `monetizer.snapshots`.
  public var shelf: Shelf { Shelf(maze, snapshot: monetizer.snapshot, progress: monetizer.storyProgress) }

  /// The grid of a pack as it is now; `nil` when there is no such pack.
  public func grid(of pack: CollectionID, at difficulty: Difficulty) -> StoryGrid? {
    maze.pack(pack).map { StoryGrid($0, at: difficulty, snapshot: monetizer.snapshot, progress: monetizer.storyProgress) }
  }

  // MARK: Taps

  /// What a tap on something that may be locked led to.
  public enum Tap: Sendable, Hashable {
    /// Play.
    case play(StoryLevel)
    /// A parent passed the gate: show the paywall.
    case offer(PackOffer)
    /// Show neither a lock nor a paywall: the store has not answered (`unknown`), cannot be reached (`storeUnreachable`: offer to try again
    /// with `monetizer.refresh()`), or a purchase waits for approval (`pending`).
    case waiting(Reason)
    /// Nobody passed the gate: show nothing.
    case gateFailed
    /// Closed, and buying does not help; also what there is not.
    case closed(Reason)
  }

  /// A story in the grid was tapped: it plays, or first the gate and then the paywall.
  public func tap(_ level: StoryLevel) async -> Tap {
    switch await monetizer.open(AccessRequest(.storyPlay, item: level.path)) {
    case .content: .play(level)
    case .paywall(let paywall, let pass): offer(of: level.story.pack, paywall, pass)
    case .gateFailed: .gateFailed
    case .denied(let decision): decision.reason.isWaiting ? .waiting(decision.reason) : .closed(decision.reason)
    }
  }

  /// "Buy" on a pack's card or in the settings, and again after an error: gate, then paywall.
  /// - Returns: never `.play` for a pack that is not bought; `.closed(.owned)` for one that is.
  public func offer(for pack: CollectionID) async -> Tap {
    guard let pack = maze.pack(pack) else { return .closed(.unknownItem) }
    let snapshot = monetizer.snapshot
    let locked = pack.stories.first { !snapshot.decision(for: .storyPlay, item: $0.path).isAllowed }
    guard let locked else { return .closed(.owned) }
    let tap = await tap(locked.level(.easy))
    // Bought elsewhere while the gate was open: nothing is for sale any more.
    if case .play = tap { return .closed(.owned) }
    return tap
  }

  /// A purchase that was started in the store (a promoted product): it goes through the same gate and paywall.
  public func promotion(of product: ProductID) async -> Tap {
    guard let pack = maze.pack(openedBy: product) else { return .closed(.notOffered) }
    return await offer(for: pack.id)
  }

  private func offer(of pack: CollectionID, _ paywall: Paywall, _ pass: GatePass?) -> Tap {
    guard let pack = maze.pack(pack), paywall.products.contains(pack.product) else { return .closed(.notOffered) }
    return .offer(PackOffer(pack: pack, paywall: paywall, pass: pass))
  }
}

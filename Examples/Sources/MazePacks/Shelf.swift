// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// The bookshelf: a card for each pack, shown always, also when there is only one.
public struct Shelf: Sendable, Hashable {
  /// The cards, in the catalog's order.
  public let cards: [PackCard]

  /// Makes the shelf of one moment.
  public init(_ maze: MazeCatalog, snapshot: Snapshot, progress: StoryProgress) {
    cards = maze.packs.map { PackCard($0, snapshot: snapshot, progress: progress) }
  }
}

/// A pack as a book on the shelf. A tap opens its grid, bought or not.
public struct PackCard: Sendable, Hashable, Identifiable {
  /// The pack.
  public let pack: Pack
  /// How far the child is: `5/20`.
  public let progress: PackProgress
  /// What stands before the stories that are not free: ``StoryLock/open`` when the pack was bought.
  public let lock: StoryLock

  /// Makes the card of one moment.
  public init(_ pack: Pack, snapshot: Snapshot, progress: StoryProgress) {
    self.pack = pack
    self.progress = progress.progress(in: pack)
    let locks = pack.stories.lazy.map { StoryLock(snapshot.decision(for: .storyPlay, item: $0.path)) }
    lock = locks.first { $0 != .open } ?? .open
  }

  /// The pack's id.
  public var id: CollectionID { pack.id }
  /// What a person calls it.
  public var title: String { pack.title }
  /// The name of the picture on the cover.
  public var cover: String { pack.cover }
  /// The name of the look.
  public var theme: String { pack.theme }

  /// The product to buy it with; `nil` when it is bought, or nobody knows yet.
  public var product: ProductID? { if case .locked(let product) = lock { product } else { nil } }
  /// Whether it can be bought now.
  public var canBeBought: Bool { product != nil }
}

// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// The bookshelf: a card for each pack, always shown, also with only one pack.
public struct Shelf: Sendable, Hashable {
  /// The cards, in the catalog's order.
  public let cards: [PackCard]

  /// Makes the shelf from a snapshot.
  public init(_ maze: MazeCatalog, snapshot: Snapshot, progress: StoryProgress) {
    cards = maze.packs.map { PackCard($0, snapshot: snapshot, progress: progress) }
  }
}

/// A pack as a book on the shelf. A tap opens its grid, whether bought or not.
public struct PackCard: Sendable, Hashable, Identifiable {
  /// The pack.
  public let pack: Pack
  /// The child's progress: `5/20`.
  public let progress: PackProgress
  /// What to show in place of the stories that are not free: open when the pack was bought.
  public let access: FeatureAccess

  /// Makes the card from a snapshot.
  public init(_ pack: Pack, snapshot: Snapshot, progress: StoryProgress) {
    self.pack = pack
    self.progress = progress.progress(in: pack)
    let all = pack.stories.map { snapshot.access(to: .storyPlay, item: $0.path) }
    access = all.first { !$0.isOpen } ?? all[0]
  }

  /// The pack's id.
  public var id: CollectionID { pack.id }
  /// The title that people see.
  public var title: String { pack.title }
  /// The name of the cover image.
  public var cover: String { pack.cover }
  /// The name of the visual theme.
  public var theme: String { pack.theme }

  /// The product to buy it with; `nil` when it is bought, or its state is unknown.
  public var product: ProductID? { access.paywall?.products.first }
  /// Whether it can be bought now.
  public var canBeBought: Bool { product != nil }
}

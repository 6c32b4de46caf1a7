// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// A pack of stories, bought once like a book. ``MazeCatalog`` makes it from the file and has checked it.
public struct Pack: Sendable, Hashable, Identifiable {
  /// The id in code and file names.
  public let id: CollectionID
  /// The title that people see.
  public let title: String
  /// The name of the cover image.
  public let cover: String
  /// The name of the visual theme.
  public let theme: String
  /// The stories in order. The first ones are free; the catalog defines how many.
  public let stories: [Story]
  /// The one product that opens the whole pack.
  public let product: ProductID
}

// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// A pack of stories, bought once like a book. ``MazeCatalog`` makes it from the file and has checked what it needs.
public struct Pack: Sendable, Hashable, Identifiable {
  /// What code and file names call it.
  public let id: CollectionID
  /// What a person calls it.
  public let title: String
  /// The name of the picture on its cover.
  public let cover: String
  /// The name of its look.
  public let theme: String
  /// Its stories in order. The first ones are free: how many, the catalog says.
  public let stories: [Story]
  /// The one product that opens all of it.
  public let product: ProductID
}

// SPDX-License-Identifier: Apache-2.0

/// A step from one schema version of catalogs to the next, as edits of the text. Order, layout and `$comment`s stay as they are.
///
/// Version 1 is the first, so ``standard`` is empty. A later version adds its step here.
public struct CatalogMigration: Sendable {
  /// An edit of every member at a path. In a path, `*` is any key or index.
  public enum Edit: Sendable {
    /// Gives the member another key.
    case rename(_ path: [String], to: String)
    /// Removes the member.
    case remove(_ path: [String])
    /// Replaces a text, number, `true`, `false` or `null`, given as it is written; `nil` keeps it.
    case replace(_ path: [String], with: @Sendable (_ literal: String) -> String?)
  }

  /// The schema version that it reads. It writes the next one.
  public let version: Int
  /// The edits, all made to the text as it was before the step.
  public let edits: [Edit]

  /// Makes a step.
  public init(from version: Int, _ edits: [Edit]) { (self.version, self.edits) = (version, edits) }

  /// The steps to the schema version that this version of Monetize reads.
  public static let standard: [CatalogMigration] = []
}

// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// One thing that is wrong with the maze files.
public struct ContentFinding: Sendable, Hashable, CustomStringConvertible {
  /// What sort of thing; stable, for scripts.
  public struct Code: StringIdentifier {
    /// The text, such as `missing-file`.
    public let rawValue: String
    /// Makes a code from its text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A story of the catalog has no maze at a difficulty.
    public static let missingFile: Self = "missing-file"
    /// A maze of a level that there is no more, or under an old name.
    public static let oldLevel: Self = "old-level"
    /// A maze that no story of the catalog asks for.
    public static let unknownFile: Self = "unknown-file"
    /// A difficulty that is not easy, medium or hard.
    public static let unknownDifficulty: Self = "unknown-difficulty"
    /// A maze says another difficulty than its name.
    public static let wrongDifficulty: Self = "wrong-difficulty"
    /// The manifest's total is not the number of mazes in the catalog.
    public static let manifestTotal: Self = "manifest-total"
    /// The manifest does not list each maze once.
    public static let manifestEntries: Self = "manifest-entries"
    /// The samples are not one for each difficulty.
    public static let samples: Self = "samples"
    /// A file is not what it should be, or cannot be read.
    public static let unreadable: Self = "unreadable"
  }

  /// What sort of thing.
  public let code: Code
  /// The file it is about.
  public let file: String
  /// What is wrong and how to mend it, in a sentence.
  public let message: String

  /// `denny_07_lv2.json: … [old-level]`.
  public var description: String { "\(file): \(message) [\(code)]" }
}

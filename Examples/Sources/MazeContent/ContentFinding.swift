// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// A finding about the maze files.
public struct ContentFinding: Sendable, Hashable, CustomStringConvertible {
  /// The kind of a finding; stable, for scripts.
  public struct Code: StringIdentifier {
    /// The code as text, such as `missing-file`.
    public let rawValue: String
    /// Makes a code from its text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A story of the catalog has no maze at a difficulty.
    public static let missingFile: Self = "missing-file"
    /// A maze of a removed level, or under an old name.
    public static let oldLevel: Self = "old-level"
    /// A maze that belongs to no story of the catalog.
    public static let unknownFile: Self = "unknown-file"
    /// A difficulty that is not easy, medium or hard.
    public static let unknownDifficulty: Self = "unknown-difficulty"
    /// A maze has a difficulty that differs from its name.
    public static let wrongDifficulty: Self = "wrong-difficulty"
    /// The manifest's total differs from the number of mazes in the catalog.
    public static let manifestTotal: Self = "manifest-total"
    /// The manifest does not list each maze once.
    public static let manifestEntries: Self = "manifest-entries"
    /// The samples are not one for each difficulty.
    public static let samples: Self = "samples"
    /// A file has the wrong content, or cannot be read.
    public static let unreadable: Self = "unreadable"
  }

  /// The kind of finding.
  public let code: Code
  /// The file.
  public let file: String
  /// The problem and its fix, in one sentence.
  public let message: String

  /// `denny_07_lv2.json: … [old-level]`.
  public var description: String { "\(file): \(message) [\(code)]" }
}

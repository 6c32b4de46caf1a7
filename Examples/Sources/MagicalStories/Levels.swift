// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// The level of parental controls.
public enum ParentalControls: String, Sendable, Hashable, CaseIterable {
  /// Age and language.
  case basic
  /// All controls.
  case full
}

/// The level of illustrations. Every story has illustrations.
public enum Illustrations: String, Sendable, Hashable, CaseIterable {
  /// One image a page.
  case standard
  /// The same characters on every page.
  case premium
}

/// The priority of generation in the app's own queue.
public enum GenerationPriority: String, Sendable, Hashable, CaseIterable, Comparable {
  /// In order.
  case standard
  /// Before the others.
  case high

  /// `high` comes first in descending order.
  public static func < (a: Self, b: Self) -> Bool { a == .standard && b == .high }
}

extension Snapshot {
  /// The level of parental controls.
  public var parentalControls: ParentalControls { level(of: .parentalControls) ?? .basic }
  /// The level of illustrations.
  public var illustrations: Illustrations { level(of: .illustrations) ?? .standard }
  /// The priority of generation.
  public var generationPriority: GenerationPriority { level(of: .generationPriority) ?? .standard }

  /// `nil` for a level of a later catalog, which this version of the app cannot show.
  private func level<Level: RawRepresentable<String>>(of feature: FeatureID) -> Level? {
    decision(for: feature).level.flatMap(Level.init)
  }
}

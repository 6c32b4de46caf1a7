// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// How far parents control the app.
public enum ParentalControls: String, Sendable, Hashable, CaseIterable {
  /// Age and language.
  case basic
  /// All of it.
  case full
}

/// How a story is illustrated. Every story has illustrations.
public enum Illustrations: String, Sendable, Hashable, CaseIterable {
  /// A picture a page.
  case standard
  /// The same characters on every page.
  case premium
}

/// How soon a story is generated, for the app's own queue.
public enum GenerationPriority: String, Sendable, Hashable, CaseIterable, Comparable {
  /// In turn.
  case standard
  /// Before the others.
  case high

  /// `high` comes first in a queue that is sorted downwards.
  public static func < (a: Self, b: Self) -> Bool { a == .standard && b == .high }
}

extension Snapshot {
  /// How far parents control the app.
  public var parentalControls: ParentalControls { level(of: .parentalControls) ?? .basic }
  /// How stories are illustrated.
  public var illustrations: Illustrations { level(of: .illustrations) ?? .standard }
  /// How soon stories are generated.
  public var generationPriority: GenerationPriority { level(of: .generationPriority) ?? .standard }

  /// A level that a later version of the catalog adds is none that this version of the app can show.
  private func level<Level: RawRepresentable<String>>(of feature: FeatureID) -> Level? {
    decision(for: feature).level.flatMap(Level.init)
  }
}

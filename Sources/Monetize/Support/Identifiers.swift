// SPDX-License-Identifier: Apache-2.0

/// A name that apps extend with static constants, so that a typo is in one place:
///
/// ```swift
/// extension FeatureID { static let storyPlay: Self = "story.play" }
/// ```
///
/// Two identifiers are equal when their texts are; they sort by text.
public protocol StringIdentifier: RawRepresentable<String>, Sendable, Hashable, Comparable, Codable, ExpressibleByStringLiteral,
  CustomStringConvertible
{
  /// Makes an identifier from its text. Any text is accepted; whether it names something is the catalog's to say.
  init(rawValue: String)
}

extension StringIdentifier {
  /// Makes an identifier from its text.
  public init(_ text: String) { self.init(rawValue: text) }
  /// Makes an identifier from a literal.
  public init(stringLiteral value: String) { self.init(rawValue: value) }
  /// The text.
  public var description: String { rawValue }
  /// Sorts by text.
  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// A unit that code asks about: "may this customer do this now?"
public struct FeatureID: StringIdentifier {
  /// The text, as the catalog writes it.
  public let rawValue: String
  /// Makes an identifier from its text.
  @inlinable
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Makes an identifier from a literal: free, so that a question may name its feature where it is asked.
  @inlinable
  public init(stringLiteral value: String) { rawValue = value }
}

/// What the store calls a product.
public struct ProductID: StringIdentifier {
  /// The store's text for it.
  public let rawValue: String
  /// Makes an identifier from its text.
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// A named right that several products may give.
public struct EntitlementID: StringIdentifier {
  /// The text, as the catalog writes it.
  public let rawValue: String
  /// Makes an identifier from its text.
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// A set of items that is sold, or opened, in parts: a pack of stories, a list of levels.
public struct CollectionID: StringIdentifier {
  /// The text, as the catalog writes it.
  public let rawValue: String
  /// Makes an identifier from its text.
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// A named place in the app that may show a paywall.
public struct PlacementID: StringIdentifier {
  /// The text, as the catalog writes it.
  public let rawValue: String
  /// Makes an identifier from its text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The placement that the others inherit from.
  public static let `default`: Self = "default"
  /// Where a limit that has been used up leads.
  public static let usageLimitReached: Self = "usageLimitReached"
  /// Where a feature that is not granted leads.
  public static let featureRestricted: Self = "featureRestricted"
  /// A settings screen.
  public static let settings: Self = "settings"
}

/// The store's name of one transaction. A renewal has its own, and shares the original one of its chain.
public struct TransactionID: StringIdentifier {
  /// The store's text for it.
  public let rawValue: String
  /// Makes an identifier from its text.
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// An experiment: arms of a catalog that customers are spread over.
public struct ExperimentID: StringIdentifier {
  /// The text, as the catalog writes it.
  public let rawValue: String
  /// Makes an identifier from its text.
  public init(rawValue: String) { self.rawValue = rawValue }
}

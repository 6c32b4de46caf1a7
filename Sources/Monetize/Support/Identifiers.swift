// SPDX-License-Identifier: Apache-2.0

/// An identifier that apps extend with static constants, so that each text is written once:
///
/// ```swift
/// extension FeatureID { static let storyPlay: Self = "story.play" }
/// ```
///
/// Identifiers are compared and sorted by their texts.
public protocol StringIdentifier: RawRepresentable<String>, Sendable, Hashable, Comparable, Codable, ExpressibleByStringLiteral,
  CustomStringConvertible
{
  /// Makes an identifier from any text. The catalog decides whether it names something.
  init(rawValue: String)
}

extension StringIdentifier {
  /// Makes an identifier from its text.
  public init(_ text: String) { self.init(rawValue: text) }
  /// Makes an identifier from a literal.
  public init(stringLiteral value: String) { self.init(rawValue: value) }
  /// The text.
  public var description: String { rawValue }
  /// Reads the text. The standard library's way for all raw values takes longer.
  public init(from decoder: any Decoder) throws { self.init(rawValue: try String(from: decoder)) }
  /// Sorts by text.
  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// A unit of access that code asks about: "may this customer do this now?"
public struct FeatureID: StringIdentifier {
  /// The text, as written in the catalog.
  public let rawValue: String
  /// Makes an identifier from its text.
  @inlinable
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Makes an identifier from a literal without cost, so that code can write the literal in each question.
  @inlinable
  public init(stringLiteral value: String) { rawValue = value }
}

/// The store's id of a product.
public struct ProductID: StringIdentifier {
  /// The text, as written in the store.
  public let rawValue: String
  /// Makes an identifier from its text.
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// A named right that several products may give.
public struct EntitlementID: StringIdentifier {
  /// The text, as written in the catalog.
  public let rawValue: String
  /// Makes an identifier from its text.
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// A set of items that are sold or opened in parts: a pack of stories, a list of levels.
public struct CollectionID: StringIdentifier {
  /// The text, as written in the catalog.
  public let rawValue: String
  /// Makes an identifier from its text.
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// A named place in the app that may show a paywall.
public struct PlacementID: StringIdentifier {
  /// The text, as written in the catalog.
  public let rawValue: String
  /// Makes an identifier from its text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The placement that all others inherit from.
  public static let `default`: Self = "default"
  /// The usual placement after a limit is used up.
  public static let usageLimitReached: Self = "usageLimitReached"
  /// The usual placement for a feature that is not granted.
  public static let featureRestricted: Self = "featureRestricted"
  /// A settings screen.
  public static let settings: Self = "settings"

  /// The placements that decisions lead to, even in catalogs that do not declare them.
  static let builtIn: Set<Self> = [.default, .usageLimitReached, .featureRestricted]
}

/// The store's id of one transaction. Each renewal has its own id and shares the original id of its chain.
public struct TransactionID: StringIdentifier {
  /// The text, as written by the store.
  public let rawValue: String
  /// Makes an identifier from its text.
  public init(rawValue: String) { self.rawValue = rawValue }
}

extension TransactionID {
  /// Whether a store that counts its transactions made this id first: the smaller number comes first, so `t9` comes before `t10`. A total order
  /// of any texts.
  func isEarlier(than other: Self) -> Bool {
    let (length, otherLength) = (rawValue.utf8.count, other.rawValue.utf8.count)
    return length == otherLength ? self < other : length < otherLength
  }
}

/// An experiment: arms of a catalog, to which customers are assigned.
public struct ExperimentID: StringIdentifier {
  /// The text, as written in the catalog.
  public let rawValue: String
  /// Makes an identifier from its text.
  public init(rawValue: String) { self.rawValue = rawValue }
}

// SPDX-License-Identifier: Apache-2.0

/// Something that code asks about, with the shape of its limit.
public struct Feature: Sendable {
  /// What code calls it.
  public let id: FeatureID
  /// What a person calls it.
  public let title: String
  /// The shape of its limit, with its parameters; a part of a feature has the shape of the whole.
  public let shape: any AllowanceShape
  /// The feature that this is a part of, with the amount that it takes.
  public let part: Part?
  /// The collections that its items are in; `nil` for all.
  public let collections: [CollectionID]?
  /// The word for one and for several, for texts about a limit.
  public let unit: Unit?
  /// What has to hold before it is open, whatever was paid; for a part, what has to hold for the whole as well.
  public let conditions: [any Condition]
  /// Where a denial leads, when not to the usual placement.
  public let placement: PlacementID?
  /// What a paywall says about opening it.
  public let unlockMessage: String?
  /// What it is, for lists of features; may name `{limit}`.
  public let description: String?
  /// Other names of the same.
  public let aliases: [FeatureID]
  /// Whether its uses are also kept where a reinstallation does not reach.
  public let survivesReinstall: Bool

  /// The release that brings it; `nil` when it is out.
  public var release: String? { condition(ReleaseCondition.self)?.release }
  /// The roles that may use it; `nil` for all.
  public var roles: [Member.Role]? { condition(RoleCondition.self)?.roles }
  /// The condition of a type; of a part the part's own before the whole's.
  public func condition<C: Condition>(_ type: C.Type) -> C? { conditions.lazy.compactMap { $0 as? C }.first }

  /// An amount for people: `1 story`, `30 minutes`.
  public func words(for amount: Int) -> String {
    shape.words(for: amount) ?? "\(amount)" + (unit.map { " \($0.word(for: amount))" } ?? "")
  }

  /// That a feature is open when another is granted at least so much.
  public struct Part: Sendable {
    /// The whole.
    public let whole: FeatureID
    /// The amount of the whole that opens the part.
    public let atLeast: Granted
  }

  /// The words for an amount.
  public struct Unit: Sendable, Hashable, Codable {
    /// For one.
    public let one: String
    /// For none and for several.
    public let other: String

    /// The word that goes with a number.
    public func word(for number: Int, in language: Language = .english) -> String { language.isSingular(number) ? one : other }
  }
}

// SPDX-License-Identifier: Apache-2.0

/// Something that code asks about, with the shape of its limit.
public struct Feature: Sendable {
  /// What code calls it.
  public var id: FeatureID { content.value.id }
  /// What a person calls it.
  public var title: String { content.value.title }
  /// The shape of its limit, with its parameters; a part of a feature has the shape of the whole.
  public var shape: any AllowanceShape { content.value.shape }
  /// The feature that this is a part of, with the amount that it takes.
  public var part: Part? { content.value.part }
  /// The collections that its items are in; `nil` for all.
  public var collections: [CollectionID]? { content.value.collections }
  /// The word for one and for several, for texts about a limit.
  public var unit: Unit? { content.value.unit }
  /// What has to hold before it is open, whatever was paid; for a part, what has to hold for the whole as well.
  public var conditions: [any Condition] { content.value.conditions }
  /// The release that brings it; `nil` when it is out.
  public var release: String? { condition(ReleaseCondition.self)?.release }
  /// The roles that may use it; `nil` for all.
  public var roles: [Member.Role]? { condition(RoleCondition.self)?.roles }
  /// Where a denial leads, when not to the usual placement.
  public var placement: PlacementID? { content.value.placement }
  /// What a paywall says about opening it.
  public var unlockMessage: String? { content.value.unlockMessage }
  /// What it is, for lists of features; may name `{limit}`.
  public var description: String? { content.value.description }
  /// Other names of the same.
  public var aliases: [FeatureID] { content.value.aliases }
  /// Whether its uses are also kept where a reinstallation does not reach.
  public var survivesReinstall: Bool { content.value.survivesReinstall }

  /// All that is known of it.
  struct Content: Sendable {
    let id: FeatureID
    let title: String
    let shape: any AllowanceShape
    let part: Part?
    let collections: [CollectionID]?
    let unit: Unit?
    let conditions: [any Condition]
    let placement: PlacementID?
    let unlockMessage: String?
    let description: String?
    let aliases: [FeatureID]
    let survivesReinstall: Bool
  }
  // Shared: it has a dozen references, and each row that is made reads it.
  private let content: Shared<Content>

  init(_ content: Content) { self.content = Shared(content) }

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
    public func word(for number: Int) -> String { number == 1 ? one : other }
  }
}

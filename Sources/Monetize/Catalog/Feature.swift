// SPDX-License-Identifier: Apache-2.0

/// A unit of access that code asks about, with the shape of its limit.
public struct Feature: Sendable {
  /// The id that code uses.
  public let id: FeatureID
  /// The title that people see.
  public let title: String
  /// The shape of its limit, with parameters. A part has the shape of its whole.
  public let shape: any AllowanceShape
  /// The whole that this feature is a part of, with the amount that opens it.
  public let part: Part?
  /// The collections of its items; `nil` for all.
  public let collections: [CollectionID]?
  /// The nouns for one and for several uses, for texts about a limit. A part has those of its whole.
  public let unit: Unit?
  /// The conditions that must hold, whatever was paid. A part includes the conditions of its whole.
  public let conditions: [any Condition]
  /// The placement for a denial; `nil` for the usual one.
  public let placement: PlacementID?
  /// The text of a paywall that offers to unlock it.
  public let unlockMessage: String?
  /// A description for lists of features. May contain `{limit}`.
  public let description: String?
  /// Other names of the feature, such as names of past versions.
  public let aliases: [FeatureID]
  /// The id, then the other names.
  var names: [FeatureID] { [id] + aliases }
  /// Whether its uses are also kept in secure storage, which survives a reinstallation.
  public let survivesReinstall: Bool

  /// The release that adds it; `nil` when it is out.
  public var release: String? { condition(ReleaseCondition.self)?.release }
  /// The roles that may use it; `nil` for all.
  public var roles: [Member.Role]? { condition(RoleCondition.self)?.roles }
  /// The first condition of a type. A part's own condition comes before that of its whole.
  public func condition<C: Condition>(_ type: C.Type) -> C? { conditions.lazy.compactMap { $0 as? C }.first }

  /// An amount in words: `1 story`, `30 minutes`.
  /// - Parameters:
  ///   - amount: The amount.
  ///   - language: The language of lengths of time and of the choice between singular and plural; that of the catalog's texts.
  public func words(for amount: Int, in language: Language = .english) -> String {
    shape.words(for: amount, in: language) ?? "\(amount)" + (unit.map { " \($0.word(for: amount, in: language))" } ?? "")
  }

  /// The link from a part to its whole: the part opens when the whole is granted a certain amount.
  public struct Part: Sendable {
    /// The whole feature.
    public let whole: FeatureID
    /// The amount of the whole that opens the part.
    public let atLeast: Granted
  }

  /// The nouns for an amount.
  public struct Unit: Sendable, Hashable, Codable {
    /// The singular.
    public let one: String
    /// The plural, also used for each form that is absent.
    public let other: String
    /// The other forms of languages that have them, such as Russian and Arabic.
    private let zero, two, few, many: String?

    /// The noun that goes with a number.
    public func word(for number: Int, in language: Language = .english) -> String {
      switch language.plural(of: number) {
      case .zero: zero ?? other
      case .one: one
      case .two: two ?? other
      case .few: few ?? other
      case .many: many ?? other
      case .other: other
      }
    }

    /// The noun without a number, as in "unlimited stories": the form for a hundred.
    package func plural(in language: Language) -> String { word(for: 100, in: language) }
  }
}

extension Catalog {
  /// The collections of a feature's items: those that it names, or all.
  package func collections(of feature: Feature) -> [CatalogCollection] { feature.collections?.compactMap(collection) ?? collections }
}

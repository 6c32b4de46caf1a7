// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The shape of a feature's limit, with the parameters that all its grants share.
///
/// Decoded from the feature's JSON object. The value of `"allowance"` selects the type:
///
/// ```swift
/// struct Weekdays: AllowanceShape {
///   static let name = "weekdays"
///   struct Grant: Allowance { … }
/// }
/// let catalog = try Catalog(json: data, shapes: .standard.adding(Weekdays.self))
/// ```
public protocol AllowanceShape: Decodable, Sendable {
  /// The type of this shape's grants.
  associatedtype Grant: Allowance
  /// The value of `"allowance"` in the JSON.
  static var name: String { get }
  /// Whether uses are counted, so that ``AccessControl/spend(_:item:count:key:)`` records one. Default: `false`.
  static var isMetered: Bool { get }
  /// Whether the feature is opened item by item. Default: `false`.
  static var isAboutItems: Bool { get }
  /// Whether a grant is an amount, which the feature's `unit` names. Default: `true`; `false` where `Grant` only opens the feature.
  static var hasAmounts: Bool { get }
  /// Whether an amount is a number of seconds, as with a time limit. Default: `false`.
  static var countsSeconds: Bool { get }
  /// Whether a request needs the number that exists already (``AccessRequest/held``). Default: `false`.
  static var needsHeld: Bool { get }
  /// Whether a question can be about one dated thing, in ``AccessRequest/date``. Default: `false`.
  static var isAboutDates: Bool { get }
  /// The levels that a question can name in ``AccessRequest/level``, lowest first. Default: none.
  var levels: [String] { get }
  /// Decodes the amount of one grant. Default, where `Grant` is `Decodable`: decodes a `Grant`. Never called for `"unlimited"`.
  func grant(from decoder: any Decoder) throws -> Grant
  /// The verdict of an unlimited grant. Default: allowed.
  func unlimited(_ request: AccessRequest) -> Verdict
  /// What every customer has while the catalog sets `"monetization": "off"`. Default: unlimited. A shape whose limit is a rule of the app
  /// rather than a paid limit returns that rule.
  var withoutMoney: Granted { get }
  /// The local day and zone in which a use at this moment is counted. Default: the day in the device's zone.
  func day(in context: AllowanceContext) -> (day: Int, zone: TimeZone)
  /// Whether the items of a feature with this shape need a price in coins. Default: `false`.
  static var needsPrices: Bool { get }
  /// Decodes the amount that a purchase of credits adds. Default: a whole number.
  func credits(from decoder: any Decoder) throws -> Int
  /// An amount in words, such as `30 minutes`. Default: `nil`, for the number with the feature's unit.
  func words(for amount: Int, in language: Language) -> String?
  /// A verdict of this shape in a short English sentence without the feature's title. Default: `nil`, for the text of its reason.
  func text(for verdict: Verdict) -> String?
}

extension AllowanceShape {
  /// `false`.
  public static var isMetered: Bool { false }
  /// `false`.
  public static var isAboutItems: Bool { false }
  /// `true`.
  public static var hasAmounts: Bool { true }
  /// `false`.
  public static var countsSeconds: Bool { false }
  /// `false`.
  public static var needsHeld: Bool { false }
  /// `false`.
  public static var isAboutDates: Bool { false }
  /// None.
  public var levels: [String] { [] }
  /// Allowed.
  public func unlimited(_ request: AccessRequest) -> Verdict { .allowed }
  /// Unlimited.
  public var withoutMoney: Granted { .unlimited }
  /// The day in the device's zone.
  public func day(in context: AllowanceContext) -> (day: Int, zone: TimeZone) { context.today(within: nil) }
  /// `false`.
  public static var needsPrices: Bool { false }
  /// A whole number.
  public func credits(from decoder: any Decoder) throws -> Int { try decoder.singleValueContainer().decode(Int.self) }
  /// The number with the feature's unit.
  public func words(for amount: Int, in language: Language) -> String? { nil }
  /// The text of the reason.
  public func text(for verdict: Verdict) -> String? { nil }
}

extension AllowanceShape where Grant: Decodable {
  /// Decodes the grant.
  public func grant(from decoder: any Decoder) throws -> Grant { try Grant(from: decoder) }
}

/// The grant of an entitlement: a value that joins with another and judges a request.
///
/// **Laws.** `joined` is associative, commutative and idempotent, and never allows less than either side. `judge` is a pure function.
/// `AllowanceKit` in `MonetizeTesting` checks both. Keep a grant within three machine words, so that it needs no box.
public protocol Allowance: Sendable, Hashable {
  /// The most permissive combination of both, key by key: two grants of 10 give 10. Amounts that add up are facts, not grants.
  func joined(with other: Self) -> Self
  /// Judges whether this grant allows the request.
  func judge(_ request: AccessRequest, in context: AllowanceContext) -> Verdict
  /// The only collections whose items the grant allows; empty if it may allow items of every collection. The catalog checks that they
  /// exist, and `diff` asks about their items alone. Default: empty.
  var collections: [CollectionID] { get }
  /// How far back individual uses matter, in seconds. Default: `nil`, only totals matter.
  var lookBack: TimeInterval? { get }
  /// The same grant, counted from a purchase date; from `.distantFuture` for a purchase that is only offered. Default: unchanged.
  func anchored(at purchase: Date) -> Self
  /// Whether this grant's amount reaches that of `other`, which opens a part. If `other` has no purchase date, a grant with any date can
  /// reach it. Default: whether joining `other` adds nothing.
  func gives(atLeast other: Self) -> Bool
  /// Whether time alone can change a verdict, as with a count that resets or a window that slides. The claim `noPeriods` forbids it.
  /// Default: `true` when ``lookBack`` is set.
  var changesWithTime: Bool { get }
}

extension Allowance {
  /// Empty.
  public var collections: [CollectionID] { [] }
  /// `nil`.
  public var lookBack: TimeInterval? { nil }
  /// Unchanged.
  public func anchored(at purchase: Date) -> Self { self }
  /// Whether joining `other` adds nothing.
  public func gives(atLeast other: Self) -> Bool { joined(with: other) == self }
  /// `true` when ``lookBack`` is set.
  public var changesWithTime: Bool { lookBack != nil }

  /// Joins type-erased grants. Both sides have the same type, because a feature has one shape.
  func joined(withAny other: any Allowance) -> any Allowance {
    if let other = other as? Self { joined(with: other) } else { self }
  }
  func gives(atLeastAny other: any Allowance) -> Bool {
    if let other = other as? Self { gives(atLeast: other) } else { false }
  }
  func equals(_ other: any Allowance) -> Bool {
    if let other = other as? Self { self == other } else { false }
  }
}

extension Registry where Entry == any AllowanceShape.Type {
  /// The shapes that come with Monetize.
  public static var standard: Self {
    Self().adding(AccessShape.self).adding(ItemsShape.self).adding(CountShape.self).adding(CapacityShape.self).adding(WindowShape.self)
      .adding(LevelShape.self).adding(DurationShape.self).adding(PrerequisiteShape.self).adding(CoinsShape.self)
  }

  /// Adds a shape. Replaces a shape of the same name.
  public func adding(_ type: any AllowanceShape.Type) -> Self { adding(type.name, type) }
}

/// The shapes that a catalog may use.
public typealias AllowanceShapes = Registry<any AllowanceShape.Type>

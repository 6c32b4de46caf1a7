// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// What a feature declares: the shape of its limit, with the parameters that all its grants share.
///
/// It is decoded from the feature's own JSON object, found by that object's `"allowance"`:
///
/// ```swift
/// struct Weekdays: AllowanceShape {
///   static let name = "weekdays"
///   struct Grant: Allowance { … }
/// }
/// let catalog = try Catalog(json: data, shapes: .standard.adding(Weekdays.self))
/// ```
public protocol AllowanceShape: Decodable, Sendable {
  /// What a grant of this shape is.
  associatedtype Grant: Allowance
  /// The word in the JSON's `"allowance"`.
  static var name: String { get }
  /// Whether uses are counted, so that ``Monetizer/spend(_:item:count:key:)`` writes something down. Default: `false`.
  static var isMetered: Bool { get }
  /// Whether the feature is opened item by item. Default: `false`.
  static var isAboutItems: Bool { get }
  /// Reads the amount of one grant. Default, where `Grant` is `Decodable`: decodes it. The word `"unlimited"` never gets here.
  func grant(from decoder: any Decoder) throws -> Grant
  /// What an unlimited grant answers. Default: allowed.
  func unlimited(_ request: AccessRequest) -> Verdict
  /// What everyone has while the catalog says `"monetization": "off"`. Default: unlimited. A shape whose limit is a rule of the app, and
  /// not of money, gives the rule.
  var withoutMoney: Granted { get }
  /// The local day and zone that a use at this moment counts in. Default: the day in the device's zone.
  func day(in context: AllowanceContext) -> (day: Int, zone: TimeZone)
  /// Whether the items of such a feature need a price in coins. Default: `false`.
  static var needsPrices: Bool { get }
  /// Reads how much a purchase of credits adds. Default: a whole number.
  func credits(from decoder: any Decoder) throws -> Int
  /// An amount in English, for the command line and logs, such as `30 minutes`. Default: `nil`, for the number with the feature's unit.
  func words(for amount: Int) -> String?
  /// A verdict of this shape in a short English sentence without the feature's title. Default: `nil`, for the text of its reason.
  func text(for verdict: Verdict) -> String?
}

extension AllowanceShape {
  /// Most shapes count nothing.
  public static var isMetered: Bool { false }
  /// Most shapes are not about items.
  public static var isAboutItems: Bool { false }
  /// Allowed.
  public func unlimited(_ request: AccessRequest) -> Verdict { .allowed }
  /// Unlimited.
  public var withoutMoney: Granted { .unlimited }
  /// The day in the device's zone.
  public func day(in context: AllowanceContext) -> (day: Int, zone: TimeZone) { context.today(within: nil) }
  /// Most features cost no coins.
  public static var needsPrices: Bool { false }
  /// A whole number.
  public func credits(from decoder: any Decoder) throws -> Int { try decoder.singleValueContainer().decode(Int.self) }
  /// The number with the feature's unit.
  public func words(for amount: Int) -> String? { nil }
  /// The text of the reason.
  public func text(for verdict: Verdict) -> String? { nil }
}

extension AllowanceShape where Grant: Decodable {
  /// Decodes the grant.
  public func grant(from decoder: any Decoder) throws -> Grant { try Grant(from: decoder) }
}

/// What an entitlement grants: a value that joins with another and judges a request.
///
/// **Laws.** `joined` is associative, commutative and idempotent, and never allows less than either side. `judge` is a pure function.
/// `AllowanceKit` in `MonetizeTesting` checks both. Keep a grant at three words or fewer, so that it needs no box.
public protocol Allowance: Sendable, Hashable {
  /// The most permissive of both, key by key: two grants of 10 are 10. What adds up is a fact, not a grant.
  func joined(with other: Self) -> Self
  /// Whether this grant allows the request.
  func judge(_ request: AccessRequest, in context: AllowanceContext) -> Verdict
  /// The collections that the grant names, so that the catalog can check them. Default: none.
  var collections: [CollectionID] { get }
  /// How far back single uses matter, in seconds. Default: not at all.
  var lookBack: TimeInterval? { get }
  /// The same grant, counted from a purchase. Default: unchanged.
  func anchored(at purchase: Date) -> Self
  /// Whether time alone can change a judgement: a count that begins anew, a window that slides. The claim `noPeriods` asks. Default: only
  /// where single uses matter for a while, see ``lookBack``.
  var changesWithTime: Bool { get }
}

extension Allowance {
  /// Names none.
  public var collections: [CollectionID] { [] }
  /// Sums are enough.
  public var lookBack: TimeInterval? { nil }
  /// Not anchored.
  public func anchored(at purchase: Date) -> Self { self }
  /// Where nothing is looked back at, nothing slides.
  public var changesWithTime: Bool { lookBack != nil }

  /// The only step at which a type is erased: a feature has one shape, so both sides are of one type.
  func joined(withAny other: any Allowance) -> any Allowance {
    if let other = other as? Self { joined(with: other) } else { self }
  }
  func gives(atLeastAny other: any Allowance) -> Bool {
    if let other = other as? Self { joined(with: other) == self } else { false }
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

  /// These shapes and one more; of two with one name the later wins.
  public func adding(_ type: any AllowanceShape.Type) -> Self { adding(type.name, type) }
}

/// The shapes that a catalog may use.
public typealias AllowanceShapes = Registry<any AllowanceShape.Type>

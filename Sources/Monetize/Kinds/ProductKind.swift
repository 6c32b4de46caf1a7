// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A product type of the store. An app's own kind names the type that the store sells it as.
public enum StoreProductType: String, Sendable, Hashable, Codable, CaseIterable {
  /// Used up and bought again.
  case consumable
  /// Bought once, owned for ever.
  case nonConsumable
  /// Renews automatically.
  case autoRenewable
  /// Lasts for a time and does not renew.
  case nonRenewing
  /// Not sold, because every customer has it.
  case none

  /// Whether the store sells it again to a customer who has it: what is used up or runs out. It refuses a second purchase of anything else.
  package var isSoldAgain: Bool { self == .consumable || self == .nonRenewing }
}

/// The rule that turns purchases into access: the extension point for new kinds of products.
///
/// A kind is a value decoded from the product's JSON object. The value of `"kind"` selects the type:
///
/// ```swift
/// struct SeasonPass: ProductKind {
///   static let name = "seasonPass"
///   let season: Period
///   var length: Period? { season }
///   func ownership(from history: ProductHistory, at now: Date) -> Ownership {
///     .latest(of: history.transactions.map { .until(season.added(to: $0.purchaseDate, in: .storeCalendar)) }, at: now)
///   }
/// }
/// let catalog = try Catalog(json: data, kinds: .standard.adding(SeasonPass.self))
/// ```
///
/// **Law.** A kind is a pure function: equal histories and times give equal answers. The order of transactions has no effect, and another
/// valid transaction never ends access earlier. `ProductKindKit` in `MonetizeTesting` checks that.
public protocol ProductKind: Decodable, Sendable {
  /// The value of `"kind"` in the JSON.
  static var name: String { get }
  /// The store's product type. Default: `.nonConsumable`. The following defaults derive from it.
  static var storeType: StoreProductType { get }
  /// Whether the store renews it automatically, so that its end is final only after the store confirms it.
  static var renews: Bool { get }
  /// Whether the store can share it with a family.
  static var isShareable: Bool { get }
  /// Whether the store lists a purchase for as long as it counts. If `false`, a purchase missing from the list means nothing.
  static var isListed: Bool { get }
  /// Whether a purchase adds credits rather than grants. The catalog reads them from `"credits"`.
  static var sellsCredits: Bool { get }
  /// Whether ``ownership(from:at:)`` reads ``ProductHistory/uses``. Default: `false`.
  static var looksAtUses: Bool { get }
  /// How long the access of one purchase lasts, for paywalls, forecasts and comparisons of catalogs; `nil` for ever. Default: the period of
  /// ``subscription``.
  var length: Period? { get }
  /// Computes whether the product is owned at `now`, and until when. The history contains only valid transactions: verified, of this app,
  /// environment and account, not revoked, not upgraded.
  func ownership(from history: ProductHistory, at now: Date) -> Ownership
  /// The terms of a subscription; `nil` for other kinds. Default: `nil`.
  var subscription: SubscriptionTerms? { get }
  /// Whether time alone can begin or end access, which `noPeriods` forbids. Default: `true` for auto-renewable and non-renewing products, and
  /// with a ``length``.
  var changesWithTime: Bool { get }
  /// Whether it is a free trial without a subscription, whose price must be 0. Default: `false`.
  var isTrial: Bool { get }
}

extension ProductKind {
  /// `nonConsumable`.
  public static var storeType: StoreProductType { .nonConsumable }
  /// `true` for auto-renewable subscriptions.
  public static var renews: Bool { storeType == .autoRenewable }
  /// `true` for non-consumables and auto-renewable subscriptions (app-store-rules E.4).
  public static var isShareable: Bool { storeType == .nonConsumable || storeType == .autoRenewable }
  /// `true` for all but consumables, which no store lists after they are finished.
  public static var isListed: Bool { storeType != .consumable }
  /// `true` for consumables.
  public static var sellsCredits: Bool { storeType == .consumable }
  /// `false`.
  public static var looksAtUses: Bool { false }
  /// `nil`.
  public var subscription: SubscriptionTerms? { nil }
  /// The period of a subscription; other kinds have no length unless they declare one.
  public var length: Period? { subscription?.period }
  /// `true` for auto-renewable and non-renewing products, and with a length.
  public var changesWithTime: Bool { Self.storeType == .autoRenewable || Self.storeType == .nonRenewing || length != nil }
  /// `false`.
  public var isTrial: Bool { false }
}

/// The history of one product.
public struct ProductHistory: Sendable {
  /// The product.
  public let product: ProductID
  /// Its valid transactions, earliest purchase first. O(1); O(n log n) for those of several accounts, or shared ones beside bought ones.
  public var transactions: [StoreTransaction] {
    parts.count == 1 ? parts[0].transactions : parts.flatMap(\.transactions).sorted { $0.isEarlier(than: $1) }
  }
  /// The renewal status of the subscriptions of these transactions, by original transaction.
  public let renewals: [TransactionID: RenewalInfo]
  /// The dates of uses of the features that the product grants, earliest first. Empty unless ``ProductKind/looksAtUses`` is `true`.
  public let uses: [Date]
  /// The transactions in parts, in no order.
  let parts: [PurchaseHistory]

  /// Makes a history. Sorts transactions and uses.
  public init(
    product: ProductID, transactions: [StoreTransaction], renewals: [TransactionID: RenewalInfo] = [:], uses: [Date] = []
  ) {
    self.init(product: product, parts: [PurchaseHistory(transactions)], renewals: renewals, uses: uses)
  }

  /// The same with the transactions in parts.
  init(product: ProductID, parts: [PurchaseHistory], renewals: [TransactionID: RenewalInfo], uses: [Date]) {
    (self.product, self.parts, self.renewals, self.uses) = (product, parts, renewals, uses.sorted())
  }

  /// The latest transaction.
  var last: StoreTransaction? { parts.latest }

  /// The latest transaction of a chain.
  func last(of chain: TransactionID) -> StoreTransaction? {
    parts.filter { $0.contains(chain: chain) }.compactMap { $0.transactions.last { $0.originalID == chain } }.latest
  }

  /// The transactions that have not ended, earliest purchase first.
  func running(at now: Date) -> [StoreTransaction] {
    parts.flatMap { part in part.running(at: now).map { part.transactions[$0] } }.sorted { $0.isEarlier(than: $1) }
  }

  /// The date of the first purchase in the unbroken run of a period, in which each period begins where an earlier one of its chain ended.
  /// `counts` decides whether a trial belongs to the run that begins at its end.
  func anchor(of period: StoreTransaction, counts: (StoreTransaction, Date) -> Bool) -> Date {
    var first = period
    while true {
      let found = parts.compactMap { part in part.index(before: first).map { (part: part, index: $0) } }
      let latest = found.max { $0.part.transactions[$0.index].isEarlier(than: $1.part.transactions[$1.index]) }
      guard let (part, index) = latest else { return first.purchaseDate }
      if part.transactions[index].isFreeTrial, !counts(part.transactions[index], first.purchaseDate) { return first.purchaseDate }
      first = part.transactions[part.first(of: index)]
    }
  }

  /// The first use at or after a purchase; `nil` when there is none. O(log n).
  public func firstUse(since purchase: Date) -> Date? {
    let index = uses.indexPast { $0 < purchase }
    return index < uses.count ? uses[index] : nil
  }
}

extension Registry where Entry == any ProductKind.Type {
  /// The kinds that come with Monetize.
  public static var standard: Self {
    Self().adding(NonConsumable.self).adding(Subscription.self).adding(NonRenewing.self).adding(Consumable.self).adding(FreeTier.self)
  }

  /// Adds a kind. Replaces a kind of the same name.
  public func adding(_ type: any ProductKind.Type) -> Self { adding(type.name, type) }
}

/// The kinds that a catalog may use.
public typealias ProductKinds = Registry<any ProductKind.Type>

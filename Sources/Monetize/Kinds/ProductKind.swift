// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The sort of product that a store knows. An app's own kinds name the one that the store sells them as.
public enum StoreProductType: String, Sendable, Hashable, Codable, CaseIterable {
  /// Used up and bought again.
  case consumable
  /// Bought once, owned for ever.
  case nonConsumable
  /// Renews by itself.
  case autoRenewable
  /// Runs for a time and does not renew.
  case nonRenewing
  /// Not sold: everyone has it.
  case none
}

/// How what was bought turns into access: the one extension point for a new sort of product.
///
/// A kind is a value decoded from the same JSON object as the product's common keys, found by that object's `"kind"`:
///
/// ```swift
/// struct SeasonPass: ProductKind {
///   static let name = "seasonPass"
///   let season: Period
///   func ownership(from history: ProductHistory, at now: Date) -> Ownership {
///     .latest(of: history.transactions.map { .until(season.added(to: $0.purchaseDate, in: Instant.utc)) }, at: now)
///   }
/// }
/// let catalog = try Catalog(json: data, kinds: .standard.adding(SeasonPass.self))
/// ```
///
/// **Law.** A kind is a pure function: equal histories and times give equal answers, the order of transactions means nothing, and one more
/// valid transaction never ends access earlier. `ProductKindKit` in `MonetizeTesting` checks that.
public protocol ProductKind: Decodable, Sendable {
  /// The word in the JSON's `"kind"`.
  static var name: String { get }
  /// The sort of product that the store sells it as. Default: `.nonConsumable`. The defaults of what follows derive from it.
  static var storeType: StoreProductType { get }
  /// Whether the store renews it by itself, so that its end is only final once the store has confirmed it.
  static var renews: Bool { get }
  /// Whether the store can share it with a family.
  static var isShareable: Bool { get }
  /// Whether the store lists a purchase for as long as it counts. A purchase that is listed by no store is never missed.
  static var isListed: Bool { get }
  /// Whether a purchase adds credits, which add up, rather than grants. The catalog reads them from `"credits"`.
  static var sellsCredits: Bool { get }
  /// Whether ``ownership(from:at:)`` looks at ``ProductHistory/uses``. Default: `false`.
  static var looksAtUses: Bool { get }
  /// How long the access of one purchase lasts, for the texts of a paywall; `nil` for ever. Default: the period of ``subscription``.
  var length: Period? { get }
  /// Whether the product is owned at `now`, and until when by itself. Only valid transactions are in the history: verified, of this app,
  /// environment and account, not revoked, not upgraded.
  func ownership(from history: ProductHistory, at now: Date) -> Ownership
  /// The terms of a subscription; `nil`, the default, for anything else.
  var subscription: SubscriptionTerms? { get }
  /// Whether time alone can begin or end what it gives. The claim `noPeriods` asks. Default: for what the store renews, or sells for a time.
  var changesWithTime: Bool { get }
}

extension ProductKind {
  /// What most kinds are to the store.
  public static var storeType: StoreProductType { .nonConsumable }
  /// Auto-renewable subscriptions.
  public static var renews: Bool { storeType == .autoRenewable }
  /// Non-consumables and auto-renewable subscriptions (app-store-rules E.4).
  public static var isShareable: Bool { storeType == .nonConsumable || storeType == .autoRenewable }
  /// All but consumables, which no store lists once they are finished.
  public static var isListed: Bool { storeType != .consumable }
  /// Consumables.
  public static var sellsCredits: Bool { storeType == .consumable }
  /// Most kinds look at purchases alone.
  public static var looksAtUses: Bool { false }
  /// Most kinds are no subscriptions.
  public var subscription: SubscriptionTerms? { nil }
  /// The period of a subscription; other kinds have no length unless they declare one.
  public var length: Period? { subscription?.period }
  /// What is sold once and for ever does not change.
  public var changesWithTime: Bool { Self.storeType == .autoRenewable || Self.storeType == .nonRenewing }
}

/// What is known about one product.
public struct ProductHistory: Sendable {
  /// The product.
  public let product: ProductID
  /// Its valid transactions, earliest purchase first.
  public let transactions: [StoreTransaction]
  /// What the store says about the subscriptions that these belong to, by original transaction.
  public let renewals: [TransactionID: RenewalInfo]
  /// When features that the product grants were used, earliest first; empty unless the kind asks for uses (``ProductKind/looksAtUses``).
  public let uses: [Date]

  /// Makes a history; transactions and uses are sorted here.
  public init(
    product: ProductID, transactions: [StoreTransaction], renewals: [TransactionID: RenewalInfo] = [:], uses: [Date] = []
  ) {
    self.product = product
    self.transactions = transactions.sorted { $0.isEarlier(than: $1) }
    self.renewals = renewals
    self.uses = uses.sorted()
  }

  /// The first use at or after a purchase; `nil` while there is none. O(log n).
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

  /// These kinds and one more; of two with one name the later wins.
  public func adding(_ type: any ProductKind.Type) -> Self { adding(type.name, type) }
}

/// The kinds that a catalog may use.
public typealias ProductKinds = Registry<any ProductKind.Type>

// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// What sort of thing the store sells. An app's own kinds say which of these the store knows them as.
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
  /// What the store knows it as. Default: `.nonConsumable`.
  static var storeType: StoreProductType { get }
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
  /// Most kinds are no subscriptions.
  public var subscription: SubscriptionTerms? { nil }
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

  /// Makes a history; transactions are sorted here.
  public init(product: ProductID, transactions: [StoreTransaction], renewals: [TransactionID: RenewalInfo] = [:]) {
    self.init(product: product, sorted: transactions.sorted { $0.isEarlier(than: $1) }, renewals: renewals)
  }

  init(product: ProductID, sorted transactions: [StoreTransaction], renewals: [TransactionID: RenewalInfo]) {
    self.product = product
    self.transactions = transactions
    self.renewals = renewals
  }
}

/// Whether something is owned, and when that changes by itself.
public struct Ownership: Sendable, Hashable {
  /// Whether it is owned now.
  public let isActive: Bool
  /// When it ends by itself, half-open; `nil` when it does not.
  public let until: Date?
  /// The purchases that limits anchored to a purchase count from, earliest first: each grants its own.
  public let since: [Date]
  /// When the first of several purchases that give it is over: this very answer holds until then.
  let changesAt: Date?

  /// Not owned.
  public static let none = Ownership(isActive: false, until: nil, since: [], changesAt: nil)
  /// Owned, and never ends by itself.
  public static let forever = Ownership(isActive: true, until: nil, since: [], changesAt: nil)

  private init(isActive: Bool, until: Date?, since: [Date], changesAt: Date?) {
    self.isActive = isActive
    self.changesAt = changesAt
    self.until = until
    self.since = since
  }

  /// Owned until `end`; whether that is over is for ``latest(of:at:)`` to say.
  public static func until(_ end: Date, since: Date? = nil) -> Ownership {
    Ownership(isActive: true, until: end, since: since.map { [$0] } ?? [], changesAt: end)
  }

  /// The same, counted from a purchase.
  public func since(_ date: Date) -> Ownership { Ownership(isActive: isActive, until: until, since: [date], changesAt: changesAt) }

  /// All that are not over at `now`, as one: it lasts as long as the longest of them.
  public static func latest(of all: some Sequence<Ownership>, at now: Date) -> Ownership {
    let active = all.filter { $0.isActive && now < ($0.until ?? .distantFuture) }
    guard !active.isEmpty else { return .none }
    let end = active.map { $0.until ?? .distantFuture }.max()
    return Ownership(
      isActive: true, until: end == .distantFuture ? nil : end, since: Set(active.flatMap(\.since)).sorted(),
      changesAt: active.compactMap(\.changesAt).min())
  }
}

/// The kinds that a catalog may use: a value, handed to the decoder. There is no global registry.
public struct ProductKinds: Sendable {
  private var types: [String: any ProductKind.Type] = [:]

  /// The kinds that come with Monetize.
  public static let standard = ProductKinds()
    .adding(NonConsumable.self).adding(Subscription.self).adding(NonRenewing.self).adding(Consumable.self).adding(FreeTier.self)

  /// No kinds at all.
  public init() {}

  /// These kinds and one more; of two with one name the later wins.
  public func adding(_ type: any ProductKind.Type) -> ProductKinds {
    var copy = self
    copy.types[type.name] = type
    return copy
  }

  /// The kind of that name.
  public subscript(name: String) -> (any ProductKind.Type)? { types[name] }

  /// All names, sorted.
  public var names: [String] { types.keys.sorted() }
}

// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

extension StoreKitFile {
  /// A product of the file. Unreadable values are absent; ``check(_:)`` reports them.
  public struct Product: Sendable, Hashable {
    /// The store's id.
    public let id: ProductID
    /// The store's type.
    public let type: StoreProductType
    /// The display name: in the file's language, else the first; without one, the reference name, else the id.
    public let name: String
    /// The description for customers, in the same language.
    public let description: String?
    /// The developer's name for it, if it differs from the name.
    public let referenceName: String?
    /// The price, in the currency of the file's storefront. A decimal, exact.
    public let price: Decimal?
    /// Whether a family may share it. Always false for types that the store does not share.
    public let isFamilyShareable: Bool
    /// The terms, for auto-renewables. The group is the group's name, or its id if the name is missing or repeated.
    public let terms: SubscriptionTerms?
  }

  /// The file's storefront, an ISO 3166-1 alpha-3 code. Xcode's default is `USA`.
  public var storefront: String { tree["settings"]?["_storefront"]?.string ?? "USA" }

  /// The currency of the file's storefront; `USD` if unknown. The file itself has none.
  public var currency: String { StoreKitWords.currency(of: storefront) ?? "USD" }

  /// The products in the file's order: products, non-renewing subscriptions, then groups. For a duplicate id the first counts.
  public var products: [Product] {
    var seen: Set<ProductID> = []
    return StoreKitLists(tree).entries.compactMap { product($0.node, in: $0.group) }.filter { seen.insert($0.id).inserted }
  }

  /// The prices, by product, in the currency of the storefront. O(products).
  public var prices: [ProductID: Money] {
    let currency = currency
    return Dictionary(products.compactMap { product in product.price.map { (product.id, Money(amount: $0, currency: currency)) } }) {
      first, _ in first
    }
  }

  /// Reads one product. A `group` name makes it an auto-renewable.
  func product(_ node: StoreKitTree, in group: String?) -> Product? {
    guard let id = node["productID"]?.string, !id.isEmpty else { return nil }
    let word = node["type"]?.string
    guard let type = group == nil ? StoreKitWords.types.first(where: { $0.word == word })?.type : .autoRenewable,
      group != nil || type != .autoRenewable
    else { return nil }
    let terms = group.flatMap { self.terms(node, group: $0) }
    guard (terms != nil) == (group != nil) else { return nil }
    let reference = node["referenceName"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    let localization = localization(of: node).map { node["localizations"]?.elements[$0] } ?? nil
    let shown = localization?["displayName"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    let name = shown ?? reference ?? id
    let description = localization?["description"]?.string
    let price = node["displayPrice"]?.string.flatMap(Money.amount)
    return Product(
      id: ProductID(id), type: type, name: name, description: description?.isEmpty == false ? description : nil,
      referenceName: reference == name ? nil : reference, price: price.flatMap { $0 < 0 ? nil : $0 },
      isFamilyShareable: node["familyShareable"]?.bool == true && (type == .nonConsumable || type == .autoRenewable),
      terms: terms)
  }

  /// The index of the localization for a product's name: the file's language, then English, then the first.
  func localization(of node: StoreKitTree) -> Int? {
    let all = node["localizations"]?.elements ?? []
    let locales = all.map { $0["locale"]?.string }
    return [tree["settings"]?["_locale"]?.string, "en_US"].compactMap { $0 }.compactMap(locales.firstIndex(of:)).first
      ?? (all.isEmpty ? nil : 0)
  }

  private func terms(_ node: StoreKitTree, group: String) -> SubscriptionTerms? {
    guard let period = node["recurringSubscriptionPeriod"]?.string.flatMap(Period.init), !period.isZero else { return nil }
    var offers = [introduction(node).flatMap { offer($0, .introductory, id: nil) }].compactMap { $0 }
    var ids: Set<String> = []
    for list in StoreKitWords.offerLists {
      for element in node[list.key]?.elements ?? [] {
        guard let id = offerID(element, list.id), let offer = offer(element, list.type, id: id), ids.insert(id).inserted else { continue }
        offers.append(offer)
      }
    }
    return SubscriptionTerms(group: group, level: max(1, node["groupNumber"]?.int ?? 1), period: period, offers: offers)
  }

  /// The introductory offer: the single one, or of several the one that is billed up front.
  func introduction(_ node: StoreKitTree) -> StoreKitTree? {
    if let single = node["introductoryOffer"], !single.isNull { return single }
    return node["introductoryOffers"]?.elements.first { ($0["billingPlanType"]?.string ?? Self.upfront) == Self.upfront }
  }

  static let upfront = "BILLED_UPFRONT"

  /// The id of an offer in code and tests.
  func offerID(_ node: StoreKitTree, _ key: String) -> String? {
    [key, "referenceName", "internalID"].lazy.compactMap { node[$0]?.string }.first { !$0.allSatisfy(\.isWhitespace) }
  }

  /// Reads an offer; `nil` for one that the App Store does not support.
  func offer(_ node: StoreKitTree, _ type: SubscriptionOffer.OfferType, id: String?) -> SubscriptionOffer? {
    let word = node["paymentMode"]?.string
    guard let mode = StoreKitWords.modes.first(where: { $0.word == word || $0.mode.rawValue == word })?.mode,
      let period = node["subscriptionPeriod"]?.string.flatMap(Period.init), !period.isZero
    else { return nil }
    let number = node["numberOfPeriods"]?.int
    // A leftover price of a free offer is ignored.
    let amount = node["displayPrice"]?.string.flatMap(Money.amount)
    guard mode == .freeTrial || amount.map({ $0 >= 0 }) == true else { return nil }
    return SubscriptionOffer(
      type: type, mode: mode, period: period, id: id, periods: mode == .payAsYouGo ? number.map { max(1, $0) } : nil,
      price: mode == .freeTrial ? nil : amount.map { Money(amount: $0, currency: currency) })
  }
}

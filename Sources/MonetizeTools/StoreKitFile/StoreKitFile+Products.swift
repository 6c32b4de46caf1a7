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

  /// The currency of the prices: that of the storefront, or `USD` if the storefront is unknown. The file itself has none. Set it if the
  /// file's prices are in another one.
  public var currency: String {
    get { knownCurrency ?? "USD" }
    set { givenCurrency = newValue }
  }

  /// The same; `nil` if the storefront is unknown.
  var knownCurrency: String? { givenCurrency ?? StoreKitStorefronts.currency(of: storefront) }

  /// Whether an amount can be compared with the file's prices.
  func hasCurrency(_ money: Money) -> Bool { knownCurrency.map { $0 == money.currency } ?? true }

  /// The App Store's currency with an ISO 4217 code, in capitals or not; `nil` if it has none.
  public static func currency(named code: String) -> String? {
    StoreKitStorefronts.storefront(with: code.uppercased()).map { _ in code.uppercased() }
  }

  /// The products in the file's order: products, non-renewing subscriptions, then groups. For a duplicate id the first counts.
  public var products: [Product] { readProducts.map(\.product) }

  /// The products, each with its place in the file.
  var readProducts: [(product: Product, node: StoreKitTree)] {
    var seen: Set<ProductID> = []
    return StoreKitLists(tree).entries.compactMap { entry in product(entry.node, in: entry.group).map { ($0, entry.node) } }
      .filter { seen.insert($0.product.id).inserted }
  }

  /// The prices, by product, in the file's currency. Empty if the currency is unknown. O(products).
  public var prices: [ProductID: Money] {
    guard let currency = knownCurrency else { return [:] }
    return Dictionary(products.compactMap { product in product.price.map { (product.id, Money(amount: $0, currency: currency)) } }) {
      first, _ in first
    }
  }

  /// Reads one product. A `group` name makes it an auto-renewable.
  /// - Parameter localization: The index of the localization to read the texts from; `nil` for that in the file's language.
  func product(_ node: StoreKitTree, in group: String?, localization: Int? = nil) -> Product? {
    guard let id = node["productID"]?.string, !id.isEmpty else { return nil }
    let word = node["type"]?.string
    guard let type = group == nil ? StoreKitWords.types.first(where: { $0.word == word })?.type : .autoRenewable,
      group != nil || type != .autoRenewable
    else { return nil }
    let terms = group.flatMap { self.terms(node, group: $0) }
    guard (terms != nil) == (group != nil) else { return nil }
    let reference = node["referenceName"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    let localization = (localization ?? self.localization(of: node)).flatMap { node["localizations"]?.elements[$0] }
    let shown = localization?["displayName"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    let name = shown ?? reference ?? id
    let description = localization?["description"]?.string
    let price = node["displayPrice"]?.string.flatMap(StoreKitWords.price)
    return Product(
      id: ProductID(id), type: type, name: name, description: description?.isEmpty == false ? description : nil,
      referenceName: reference == name ? nil : reference, price: price.flatMap { $0 < 0 ? nil : $0 },
      isFamilyShareable: node["familyShareable"]?.bool == true && (type == .nonConsumable || type == .autoRenewable),
      terms: terms)
  }

  /// The index of the localization for a product's name.
  func localization(of node: StoreKitTree) -> Int? { preferred(node["localizations"]?.elements ?? []) }

  /// The locale of the localization for a product's name.
  func locale(of node: StoreKitTree) -> String? {
    localization(of: node).flatMap { node["localizations"]?.elements[$0]["locale"]?.string }
  }

  /// The file's locale. Default: American English.
  var locale: String { tree["settings"]?["_locale"]?.string ?? Language.english.storeLocale }

  /// The index of the element in the file's language: that locale, another of the same language, American or other English, or the first.
  func preferred(_ elements: [StoreKitTree]) -> Int? {
    func parts(_ locale: String) -> [Substring] { locale.lowercased().split { $0 == "_" || $0 == "-" } }
    let locales = elements.map { parts($0["locale"]?.string ?? "") }
    for wanted in [tree["settings"]?["_locale"]?.string, "en_US"].compactMap({ $0.map(parts) }) {
      if let index = locales.firstIndex(of: wanted) ?? locales.firstIndex(where: { $0.first == wanted.first }) { return index }
    }
    return elements.isEmpty ? nil : 0
  }

  /// The index of the privacy policy in the file's language, among those with an address if there are any.
  var privacyPolicyIndex: Int? {
    let all = tree["appPolicies"]?["policies"]?.elements ?? []
    let indices = all.indices.filter { all[$0]["policyURL"]?.string?.isEmpty == false }
    return indices.isEmpty ? preferred(all) : preferred(indices.map { all[$0] }).map { indices[$0] }
  }

  private func terms(_ node: StoreKitTree, group: String) -> SubscriptionTerms? {
    guard let period = node["recurringSubscriptionPeriod"]?.string.flatMap(Period.init), !period.isZero else { return nil }
    var ids: Set<String> = []
    let offers = self.offers(of: node).compactMap { type, id, element -> SubscriptionOffer? in
      guard let offer = offer(element, type, id: id), id.map({ ids.insert($0).inserted }) != false else { return nil }
      return offer
    }
    return SubscriptionTerms(group: group, level: max(1, node["groupNumber"]?.int ?? 1), period: period, offers: offers)
  }

  /// All offers of a product, also unreadable ones: the introductory offer, then those with an id.
  func offers(of node: StoreKitTree) -> [(type: SubscriptionOffer.OfferType, id: String?, node: StoreKitTree)] {
    [introduction(node).map { (.introductory, nil, $0) }].compactMap { $0 }
      + StoreKitWords.offerLists.flatMap { list in
        (node[list.key]?.elements ?? []).compactMap { element in offerID(element, list.id).map { (list.type, $0, element) } }
      }
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

  /// Reads an offer; `nil` for one that a catalog cannot contain.
  func offer(_ node: StoreKitTree, _ type: SubscriptionOffer.OfferType, id: String?) -> SubscriptionOffer? {
    try? readOffer(node, type, id: id)
  }

  /// Why an offer cannot be read, as the end of a sentence.
  struct UnreadOffer: Error { let reason: String }

  func readOffer(_ node: StoreKitTree, _ type: SubscriptionOffer.OfferType, id: String?) throws(UnreadOffer) -> SubscriptionOffer {
    guard (node["billingPlanType"]?.string ?? Self.upfront) == Self.upfront else {
      throw UnreadOffer(reason: "it belongs to a plan with monthly payments")
    }
    let word = node["paymentMode"]?.string
    guard let mode = StoreKitWords.modes.first(where: { $0.word == word || $0.mode.rawValue == word })?.mode else {
      throw UnreadOffer(reason: "its \"paymentMode\" cannot be read")
    }
    guard let period = node["subscriptionPeriod"]?.string.flatMap(Period.init), !period.isZero else {
      throw UnreadOffer(reason: "its \"subscriptionPeriod\" cannot be read")
    }
    let number = node["numberOfPeriods"]?.int
    // A leftover price of a free offer is ignored.
    let amount = node["displayPrice"]?.string.flatMap(StoreKitWords.price)
    guard mode == .freeTrial || amount.map({ $0 >= 0 }) == true else { throw UnreadOffer(reason: "its \"displayPrice\" cannot be read") }
    return SubscriptionOffer(
      type: type, mode: mode, period: period, id: id, periods: mode == .payAsYouGo ? number.map { max(1, $0) } : nil,
      price: mode == .freeTrial ? nil : amount.map { Money(amount: $0, currency: currency) })
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
public import Monetize

/// Texts about a catalog for people: names instead of ids, prices with their period, limits with their measure.
///
/// An id is replaced by a name only if no other product, or feature, has the same name.
public struct CatalogWords: Sendable {
  private let products: [ProductID: String]
  private let features: [FeatureID: String]
  private let catalog: Catalog
  private let showsIDs: Bool

  /// Makes the words of a catalog. O(products + features).
  /// - Parameters:
  ///   - catalog: The catalog.
  ///   - ids: Whether to show ids instead of names.
  public init(_ catalog: Catalog, ids: Bool = false) {
    (self.catalog, showsIDs) = (catalog, ids)
    products = ids ? [:] : Self.clear(catalog.products.map { ($0.id, $0.name) })
    features = ids ? [:] : Self.clear(catalog.features.map { ($0.id, $0.title) })
  }

  private static func clear<ID: Hashable>(_ names: [(id: ID, name: String)]) -> [ID: String] {
    Dictionary(grouping: names, by: \.name).filter { !$0.key.isEmpty && $0.value.count == 1 }
      .reduce(into: [:]) { found, group in found[group.value[0].id] = group.key }
  }

  /// The name of a product; its id when the name is ambiguous or the catalog has no such product.
  public func product(_ id: ProductID) -> String { products[id] ?? id.rawValue }

  /// A text with the names of products in place of their ids, where a word is an id. O(words).
  func naming(_ text: String) -> String {
    text.components(separatedBy: " ").map { word in
      let end = [",", ".", "'s"].first(where: word.hasSuffix) ?? ""
      return products[ProductID(String(word.dropLast(end.count)))].map { $0 + end } ?? word
    }.joined(separator: " ")
  }

  /// The title of a collection; its id when ids are shown or the catalog has no such collection.
  public func collection(_ id: CollectionID) -> String { showsIDs ? id.rawValue : catalog.collection(id)?.title ?? id.rawValue }

  /// An amount in the currency of a product's price.
  func money(_ amount: Decimal, for product: ProductID) -> String {
    catalog.product(product)?.price.map { "\(Money(amount: amount, currency: $0.currency))" }
      ?? Money(amount: amount, currency: "").amountText
  }

  /// The title of a feature; its id when the title is ambiguous or the catalog has no such feature.
  public func feature(_ id: FeatureID) -> String { features[id] ?? id.rawValue }

  /// The terms of a product: `8.99 USD a month, 7 days free`, `1.99 USD for 10 stories`.
  public func terms(_ product: CatalogProduct) -> String {
    terms(product, price: product.price, offer: product.subscription?.introductoryOffer)
  }

  /// The terms of a product for a customer: with the store's price and the introductory or win-back offer that the customer may use now.
  /// - Parameters:
  ///   - product: The product.
  ///   - snapshot: The customer's access, for the dates and the use of offers.
  ///   - listing: The store's listing for the customer; `nil` when the store is not known: the catalog's price and offer.
  public func terms(_ product: CatalogProduct, for snapshot: Snapshot, listing: StoreProduct? = nil) -> String {
    let group = product.subscription?.group
    let isUsed = snapshot.products.contains {
      $0.hasUsedIntroductoryOffer && catalog.product($0.product)?.subscription?.group == group
    }
    let own = product.subscription?.introductoryOffer
    let running = own.flatMap { isUsed || !$0.isRunning(at: snapshot.date) ? nil : $0 }
    let offer = listing.map { $0.introductoryOffer ?? $0.winBackOffer?.offer } ?? running
    return terms(product, price: listing?.price ?? product.price, offer: offer)
  }

  private func terms(_ product: CatalogProduct, price amount: Money?, offer: SubscriptionOffer?) -> String {
    let price = amount?.description ?? "no price,"
    var parts: [String] = []
    if let plan = product.subscription {
      parts.append("\(price) \(Self.each(plan.period))")
      // A purchase names any offer but an introductory one.
      let name = offer.flatMap { $0.type == .introductory ? nil : $0.id }.map { " with the offer \($0)" }
      if let offer { parts.append(Self.terms(offer) + (name ?? "")) }
    } else if let length = product.kind.length {
      parts.append(product.isTrial ? "free for \(length.words), once" : "\(price) for \(length.words)")
    } else if !product.credits.isEmpty {
      let credits = product.credits.sorted { $0.key.rawValue < $1.key.rawValue }.map { id, amount in
        catalog.feature(id).map { Self.counted(amount, of: $0) } ?? "\(amount) \(id)"
      }
      parts.append("\(price) for \(credits.joined(separator: " and "))")
    } else {
      let isAgain = product.storeType == .consumable
      parts.append(product.storeType == .none ? "not sold" : amount == nil ? "no price" : "\(price) \(isAgain ? "each time" : "once")")
    }
    if product.isFamilyShareable { parts.append("shared with the family") }
    if !product.isOnSale { parts.append("not on sale") }
    return parts.joined(separator: ", ")
  }

  /// The terms of an offer: `7 days free`, `the first 3 months for 9.99 USD`, `the first month for 1.99 USD`.
  public static func terms(_ offer: SubscriptionOffer) -> String {
    let price = offer.price?.description ?? "0"
    // Only an introductory offer is at the beginning.
    let first = offer.type == .introductory ? "the first " : ""
    let length = offer.period.words
    let firstLength = first + (!first.isEmpty && length.hasPrefix("1 ") ? String(length.dropFirst(2)) : length)
    switch offer.mode {
    case .freeTrial: return "\(offer.period.words) free"
    case .payUpFront: return "\(firstLength) for \(price)"
    case .payAsYouGo:
      let count = offer.periods ?? 1
      return count == 1
        ? "\(firstLength) for \(price)"
        : "\(price) \(each(offer.period)) for \(first.isEmpty ? "\(count) times" : "\(first)\(count)")"
    }
  }

  /// What is left of a limit: `3 of 5 stories`, `25 minutes of 30 minutes`.
  public static func left(_ left: Int, of limit: Int, _ feature: Feature) -> String {
    let first = feature.shape.words(for: left, in: .english) ?? "\(left)"
    return "\(first) of \(feature.words(for: limit))"
  }

  /// The words before the date at which a limit allows more: `starts again`, or `more from` for a rolling limit.
  public static func reset(of measure: Measure?) -> String { measure?.isRolling == true ? "more from" : "starts again" }

  /// A number with its noun: `1 step`, `2 steps`.
  /// - Parameters:
  ///   - number: The number.
  ///   - one: The singular.
  ///   - other: The plural; an `s` after the singular, if absent.
  ///   - digits: The number as text, if it has a form of its own.
  public static func counted(_ number: Int, _ one: String, _ other: String? = nil, digits: String? = nil) -> String {
    "\(digits ?? "\(number)") \(number == 1 ? one : other ?? one + "s")"
  }

  private static func counted(_ amount: Int, of feature: Feature) -> String {
    let words = feature.words(for: amount)
    return words == "\(amount)" ? "\(amount) × \(feature.title)" : words
  }

  /// `a month`, `a week`, `every 3 months`.
  public static func each(_ period: Period) -> String {
    if period == Period(days: 7) { return "a week" }
    let words = period.words.split(separator: " ")
    return words.count == 2 && words[0] == "1" ? "\(words[1] == "hour" ? "an" : "a") \(words[1])" : "every \(period.words)"
  }

  /// The measure of a limit: `a month`, `in 7 days`, `in all`.
  public static func per(_ measure: Measure?) -> String {
    switch measure {
    case nil: ""
    case .lifetime: "in all"
    case .calendar(let unit): "a \(unit.rawValue)"
    case .rolling(let seconds): "in \(Period(fixed: seconds).words)"
    case .anchored(let period, _): each(period)
    }
  }

  /// A paywall as text: its words, its products with the terms for the customer, its actions.
  /// - Parameters:
  ///   - paywall: The paywall.
  ///   - snapshot: The customer's access.
  ///   - listings: The store's listings for the customer.
  public func lines(_ paywall: Paywall, for snapshot: Snapshot, listings: [StoreProduct]) -> [String] {
    let words = paywall.definition
    let head = [words.title, words.headline, words.subtitle].compactMap { $0 }.map { "“\($0)”" }.joined(separator: " ")
    let products = paywall.products.map { id in
      "\(product(id))  \(catalog.product(id).map { terms($0, for: snapshot, listing: listings.first { $0.id == id }) } ?? "")"
        + (words.badges?[id.rawValue].map { ", “\($0)”" } ?? "")
        + (words.preselected == id && paywall.products.count > 1 ? ", preselected" : "")
    }
    let actions = paywall.actions.map { words.labels?[$0.rawValue] ?? $0.rawValue }.joined(separator: ", ")
    return ([head] + products + [actions.isEmpty ? "" : "can: \(actions)"]).filter { !$0.isEmpty }
  }
}

extension Catalog {
  /// The items that match a pattern such as `forest/*/*` or `*/4`, in the catalog's order.
  public func items(matching pattern: String) -> [ItemPath] {
    let pieces = pattern.components(separatedBy: "/")
    return collections.filter { pieces[0] == "*" || $0.id.rawValue == pieces[0] }.flatMap { collection -> [ItemPath] in
      let items = collection.items.filter { pieces.count < 2 || pieces[1] == "*" || $0.id == pieces[1] }
      return items.flatMap { item -> [ItemPath] in
        guard pieces.count > 2 else { return [ItemPath(collection: collection.id, item: item.id)] }
        return collection.parts.filter { pieces[2] == "*" || $0 == pieces[2] }
          .map { ItemPath(collection: collection.id, item: item.id, part: $0) }
      }
    }
  }
}

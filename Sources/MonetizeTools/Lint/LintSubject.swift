// SPDX-License-Identifier: Apache-2.0
public import Monetize
import MonetizeJSON

/// The input of rules: a catalog, matched with the text that it was read from.
public struct LintSubject: Sendable {
  /// The catalog; of a file with mistakes, its readable part.
  public let catalog: Catalog
  /// The whole text.
  public let root: LintPlace
  /// The readable products, in the order of the file.
  public let products: [(product: CatalogProduct, place: LintPlace)]
  /// The readable features, in the order of the file.
  public let features: [(feature: Feature, place: LintPlace)]
  /// All texts for customers in the file.
  public let texts: [LintText]
  /// Products by their index in the text, where some may be unreadable.
  let productsByIndex: [Int: CatalogProduct]
  /// Whether there is a subscription. Stored, because a rule needs it for each text.
  let sellsSubscriptions: Bool

  /// O(length of the text).
  init(_ catalog: Catalog, _ root: JSONValue) {
    (self.catalog, self.root) = (catalog, LintPlace(root))
    let read = (root["products"]?.elements ?? []).enumerated().compactMap { index, element in
      element["id"]?.string.flatMap { catalog.product(ProductID($0)) }.map { (index: index, product: $0, place: LintPlace(element)) }
    }
    products = read.map { ($0.product, $0.place) }
    sellsSubscriptions = read.contains { type(of: $0.product.kind).renews }
    productsByIndex = Dictionary(read.map { ($0.index, $0.product) }) { first, _ in first }
    features = (root["features"]?.members ?? []).compactMap { member in
      catalog.feature(FeatureID(member.key)).map { ($0, LintPlace(member.value)) }
    }
    texts = LintText.all(in: root)
  }

  /// The products on sale, with their places.
  var onSale: [(product: CatalogProduct, place: LintPlace)] { products.filter(\.product.isOnSale) }
  /// Whether the app is for children.
  var isForKids: Bool { catalog.app.audience == .kids }
  /// The paywalls of the file, with their places.
  var paywalls: [(placement: PlacementID, place: LintPlace)] { root["paywalls"]?.members.map { (PlacementID($0.key), $0.place) } ?? [] }
}

/// A text for customers.
public struct LintText: Sendable {
  /// Its place.
  public let place: LintPlace
  /// Its key, such as `headline`; in a list, the list's key.
  public let key: String
  /// The text.
  public let text: String
  /// The index of its product in `products`; `nil` for a text outside `products`.
  public let product: Int?

  private static let sections = ["freeTier", "features", "entitlements", "collections", "products", "paywalls", "onboarding"]
  private static let keys: Set<String> = [
    "title", "headline", "subtitle", "description", "purchaseLabel", "text", "unlockMessage", "name",
  ]
  private static let groups: Set<String> = ["labels", "trust"]

  /// All texts, in the order of the file. O(length of the text).
  static func all(in root: JSONValue) -> [LintText] {
    root.members.filter { sections.contains($0.key) }.flatMap { section in
      var texts: [LintText] = []
      let isProducts = section.key == "products"
      for (index, value) in (isProducts ? section.value.elements : [section.value]).enumerated() {
        collect(value, key: section.key, isText: false, product: isProducts ? index : nil, into: &texts)
      }
      return texts
    }
  }

  private static func collect(_ value: JSONValue, key: String, isText: Bool, product: Int?, into texts: inout [LintText]) {
    if isText, let text = value.string { texts.append(LintText(place: LintPlace(value), key: key, text: text, product: product)) }
    for element in value.elements { collect(element, key: key, isText: isText, product: product, into: &texts) }
    for member in value.members where member.key != "$comment" {
      let isGroup = groups.contains(member.key)
      collect(
        member.value, key: isText ? key : member.key,
        isText: isText || isGroup || keys.contains(member.key) && member.value.kind == .string,
        product: product, into: &texts)
    }
  }
}

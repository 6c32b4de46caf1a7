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
  /// All texts for customers in the file. When a table of texts is checked, those of the table.
  public let texts: [LintText]
  /// The language of the texts.
  public let language: Language
  /// Products by their index in the text, where some may be unreadable.
  let productsByIndex: [Int: CatalogProduct]
  /// Whether there is a subscription. Stored, because a rule needs it for each text.
  let sellsSubscriptions: Bool

  /// O(length of the text).
  /// - Parameter table: The table whose texts are checked, in its language; `nil` for the catalog's own texts.
  init(_ catalog: Catalog, _ root: JSONValue, table: (texts: JSONValue, language: Language)? = nil) {
    (self.catalog, self.root, language) = (catalog, LintPlace(root), table?.language ?? catalog.language)
    let read = (root["products"]?.elements ?? []).enumerated().compactMap { index, element in
      element["id"]?.string.flatMap { catalog.product(ProductID($0)) }.map { (index: index, product: $0, place: LintPlace(element)) }
    }
    products = read.map { ($0.product, $0.place) }
    sellsSubscriptions = read.contains { type(of: $0.product.kind).renews }
    productsByIndex = Dictionary(read.map { ($0.index, $0.product) }) { first, _ in first }
    features = (root["features"]?.members ?? []).compactMap { member in
      catalog.feature(FeatureID(member.key)).map { ($0, LintPlace(member.value)) }
    }
    let indexes = Dictionary(read.map { ($0.product.id.rawValue, $0.index) }) { first, _ in first }
    texts = LintText.all(in: table?.texts ?? root, products: indexes)
  }

  /// The products on sale, with their places.
  var onSale: [(product: CatalogProduct, place: LintPlace)] { products.filter(\.product.isOnSale) }
  /// The texts that rules about English words can judge: all, or none of another language.
  var englishTexts: [LintText] { language.base == Language.english.base ? texts : [] }
  /// The texts under a key of the products.
  func productTexts(_ key: String) -> [(place: LintPlace, text: String)] {
    texts.filter { $0.product != nil && $0.key == key }.map { ($0.place, $0.text) }
  }
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
  /// Its own key; in a list, the list's key.
  let name: String
  /// The text.
  public let text: String
  /// The index of its product in `products`; `nil` for a text outside `products`.
  public let product: Int?

  private static let sections = ["freeTier", "features", "entitlements", "collections", "products", "paywalls", "onboarding", "legal"]
  private static let keys: Set<String> = [
    "title", "headline", "subtitle", "benefitsTitle", "description", "purchaseLabel", "text", "unlockMessage", "name", "renewal",
    "cancellation",
  ]
  private static let groups: Set<String> = ["labels", "badges", "trust"]

  /// Whether it is about renewal or cancellation, which rules of their own require.
  var isLegal: Bool { key == "renewal" || key == "cancellation" }

  /// All texts, in the order of the file. `products` are the products' indexes by their ids, for a table, which has no list of products.
  /// O(length of the text).
  static func all(in root: JSONValue, products: [String: Int]) -> [LintText] {
    root.members.filter { sections.contains($0.key) }.flatMap { section in
      var texts: [LintText] = []
      var values: [(index: Int?, value: JSONValue)] = [(nil, section.value)]
      if section.key == "products" {
        values = section.value.elements.enumerated().map { ($0, $1) } + section.value.members.map { (products[$0.key], $0.value) }
      }
      for (index, value) in values { collect(value, key: section.key, name: section.key, isText: false, product: index, into: &texts) }
      return texts
    }
  }

  private static func collect(
    _ value: JSONValue, key: String, name: String, isText: Bool, product: Int?, into texts: inout [LintText]
  ) {
    if isText, let text = value.string {
      texts.append(LintText(place: LintPlace(value), key: key, name: name, text: text, product: product))
    }
    for element in value.elements { collect(element, key: key, name: name, isText: isText, product: product, into: &texts) }
    for member in value.members where member.key != "$comment" {
      let isGroup = groups.contains(member.key)
      collect(
        member.value, key: isText ? key : member.key, name: member.key,
        isText: isText || isGroup || keys.contains(member.key) && member.value.kind == .string, product: product, into: &texts)
    }
  }
}

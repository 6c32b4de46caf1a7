// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// One value of a product that is both in a catalog and in a file: how to read both sides in the same form, and how to write it.
struct StoreKitField: Sendable {
  /// The code of the difference.
  let code: String
  /// Whether the two sides can be compared. If not, the file's value stays unchanged.
  var applies: @Sendable (CatalogProduct, StoreKitFile) -> Bool = { _, _ in true }
  /// The catalog's value; `nil` leaves the file's value unchanged.
  let catalog: @Sendable (CatalogProduct) -> String?
  let file: @Sendable (StoreKitFile.Product) -> String?
  let set: @Sendable (inout StoreKitTree, CatalogProduct, StoreKitFile) -> Void
  /// Sets the default of a new product if the catalog has no value.
  var setDefault: @Sendable (inout StoreKitTree, CatalogProduct) -> Void = { _, _ in }

  static let all = [type, reference, price, family, level, period]

  private static let type = Self(
    code: "type-mismatch", catalog: { StoreKitWords.word(for: $0.storeType) }, file: { StoreKitWords.word(for: $0.type) },
    set: { node, product, _ in node["type"] = StoreKitWords.word(for: product.storeType).map(StoreKitTree.text) })

  private static let reference = Self(
    code: "reference-name-mismatch", catalog: \.referenceName, file: { $0.referenceName ?? $0.name },
    set: { node, product, _ in node["referenceName"] = product.referenceName.map(StoreKitTree.text) },
    setDefault: { node, product in node["referenceName"] = .text(product.name) })

  private static let price = Self(
    code: "price-mismatch", applies: { product, file in product.price.map(file.hasCurrency) != false },
    catalog: { $0.price.map { Money.text($0.amount) } }, file: { $0.price.map { Money.text($0) } },
    set: { node, product, _ in node["displayPrice"] = product.price.map { .text($0.amountText) } },
    setDefault: { node, _ in node["displayPrice"] = .text("0.00") })

  private static let family = Self(
    code: "family-mismatch", catalog: { String($0.isFamilyShareable) }, file: { String($0.isFamilyShareable) },
    set: { node, product, _ in node["familyShareable"] = .bool(product.isFamilyShareable) })

  private static let level = Self(
    code: "level-mismatch", catalog: { $0.subscription.map { String($0.level) } }, file: { $0.terms.map { String($0.level) } },
    set: { node, product, _ in node["groupNumber"] = product.subscription.map { .int($0.level) } })

  private static let period = Self(
    code: "period-mismatch", catalog: { $0.subscription.map { StoreKitWords.text($0.period) } },
    file: { $0.terms.map { StoreKitWords.text(StoreKitWords.sold($0.period)) } },
    set: { node, product, _ in node["recurringSubscriptionPeriod"] = product.subscription.map { .text(StoreKitWords.text($0.period)) } })
}

extension StoreKitTree {
  /// A text that is not empty.
  var text: String? { string.flatMap { $0.isEmpty ? nil : $0 } }

  /// A product's localization without texts.
  static func localization(_ locale: String) -> Self {
    .sorted(["description": .text(""), "displayName": .text(""), "locale": .text(locale)])
  }
}

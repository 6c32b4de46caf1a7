// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeJSON

/// Everything that code or the store refers to has a name that can be written: not an empty one, no slash where paths are written with
/// slashes, no control character where the store compares ids. Items are looked at where they are read.
enum NamedIdentifiers: CatalogRule {
  private static func isUnwritable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }

  static func findings(in draft: CatalogDraft) -> [CatalogFinding] {
    let products = draft.products.flatMap { product in
      [
        named(product.value.id.rawValue, "a product", at: product.source.at("id")),
        named(product.value.subscription?.group ?? "-", "a subscription group", at: product.source.at("group")),
        CatalogFinding(
          unless: !product.value.id.rawValue.unicodeScalars.contains(where: isUnwritable),
          "bad-id", at: product.source.at("id"),
          "A product's id has a control character or a line end in it, which no store accepts. Write it in letters, digits, dots and "
            + "underscores."),
      ]
    }
    let collections = draft.collections.flatMap { collection in
      [
        named(collection.value.id.rawValue, "a collection", at: collection.source),
        CatalogFinding(
          unless: !collection.value.id.rawValue.contains("/"), "bad-id", at: collection.source,
          "A collection's id has no slash: paths are written collection/item/part. Rename \"\(collection.value.id)\"."),
      ]
        + collection.value.parts.enumerated().map { index, part in
          CatalogFinding(
            unless: !part.isEmpty && !part.contains("/"), "bad-value", at: collection.source.at("parts", index),
            "A part's name is not empty and has no slash: paths are written collection/item/part.")
        }
    }
    let features = draft.features.flatMap { feature in
      [named(feature.value.id.rawValue, "a feature", at: feature.source)]
        + feature.value.aliases.enumerated().map { named($1.rawValue, "an alias", at: feature.source.at("aliases", $0)) }
    }
    let others =
      [named(draft.app?.id ?? "-", "the app", at: draft.root.at("app", "id"))]
      + draft.entitlements.map { named($0.value.id.rawValue, "an entitlement", at: $0.source) }
      + draft.modules.enumerated().map { named($1.id, "a module", at: draft.root.at("modules", $0, "id")) }
      + draft.paywalls.keys.sorted().map { named($0.rawValue, "a placement", at: draft.root.at("paywalls", $0.rawValue)) }
    return (products + collections + features + others).compactMap { $0 }
  }

  private static func named(_ id: String, _ what: String, at source: @autoclosure () -> JSONValue) -> CatalogFinding? {
    CatalogFinding(unless: !id.allSatisfy(\.isWhitespace), "empty-id", at: source(), "The id of \(what) is empty. Give it a name.")
  }
}

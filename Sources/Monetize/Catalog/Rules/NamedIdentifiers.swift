// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// Every identifier must be usable: not empty, no slash where paths are written with slashes, no control character where the store compares
/// ids. Items are checked while they are read.
enum NamedIdentifiers: CatalogRule {
  private static func isUnwritable(_ scalar: Unicode.Scalar) -> Bool {
    // Most ids are ASCII, and looking up a category takes longer than reading the id.
    if scalar.isASCII { return scalar.value < 32 || scalar.value == 127 }
    return switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }

  static func check(_ draft: CatalogDraft) {
    for name in draft.names {
      switch name.what {
      case "a part":
        draft.require(
          !name.text.isEmpty && !name.text.contains("/"), "bad-value", at: name.place(),
          "A part needs a name without a slash: paths are written collection/item/part.")
        continue
      case "an item": continue
      case "a collection":
        draft.require(
          !name.text.contains("/"), "bad-id", at: name.place(),
          "A collection's id must not have a slash: paths are written collection/item/part. Rename \"\(name.text)\".")
      case "a product":
        draft.require(
          !name.text.unicodeScalars.contains(where: isUnwritable), "bad-id", at: name.place(),
          "A product's id contains an invisible character or a line end, which no store accepts. Use letters, digits, dots and "
            + "underscores.")
      default: break
      }
      draft.require(
        !name.text.allSatisfy(\.isWhitespace), "empty-id", at: name.place(), "The id of \(name.what) is empty. Write one.")
    }
  }
}

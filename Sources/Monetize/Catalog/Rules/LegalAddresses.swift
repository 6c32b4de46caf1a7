// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeJSON

/// The addresses in `legal` must be valid.
enum LegalAddresses: CatalogRule {
  static func check(_ draft: CatalogDraft) {
    let legal = draft.catalog.legal
    for (key, text) in [("terms", legal?.terms), ("privacy", legal?.privacy), ("support", legal?.support)] {
      draft.require(
        text.map(isAddress) ?? true, "bad-address", at: draft.root.at("legal", key),
        "\"\(text ?? "")\" is not an address. Write one such as \"https://example.com/\(key)\".")
    }
  }

  private static func isAddress(_ text: String) -> Bool {
    guard !text.contains(where: \.isWhitespace), let parts = URLComponents(string: text), let scheme = parts.scheme else { return false }
    return scheme == "mailto" || scheme == "tel" ? !parts.path.isEmpty : !(parts.host ?? "").isEmpty
  }
}

// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// Texts in other languages must be complete.
extension LintRule {
  /// Finds the texts of a catalog that a table lacks: customers of that language read them in the catalog's.
  ///
  /// - Parameters:
  ///   - strings: The table.
  ///   - name: The table's name in messages, such as its file's name.
  public static func texts(translatedBy strings: CatalogStrings, in name: String) -> LintRule {
    LintRule("text-missing", .warning, source: "Docs/Guides/Lint.md", sections: []) { subject in
      strings.textsMissing(of: subject.root.value).map { keys, place in
        LintMistake(at: LintPlace(place), "\(name) has no text for this one. Add \"\(keys.joined(separator: "."))\" to it.")
      }
    }
  }
}

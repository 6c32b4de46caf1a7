// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// Texts in other languages must be complete.
extension LintRule {
  /// Finds the texts of a catalog that a table lacks: customers of that language read them in the catalog's. Also finds the texts that arms
  /// change without one in the table's language, and a table without the framework's own texts, in a language that the framework does not
  /// have.
  ///
  /// - Parameters:
  ///   - strings: The table.
  ///   - name: The table's name in messages, such as its file's name.
  public static func texts(translatedBy strings: CatalogStrings, in name: String) -> LintRule {
    LintRule("text-missing", .warning, source: "Docs/Guides/Lint.md", sections: []) { subject in
      strings.textsMissing(of: subject.root.value).map { keys, place in
        LintMistake(at: LintPlace(place), "\(name) has no text for this one. Add \"\(keys.joined(separator: "."))\" to it.")
      }
        + strings.textsMissing(inArmsOf: subject.root.value).map { keys, place in
          let message = "The arm changes this text, but not in \"\(strings.language)\". Add \"\(keys.joined(separator: "."))\" to the arm."
          return LintMistake(at: LintPlace(place), message)
        } + framework(strings, name, subject)
    }
  }

  /// Finds a catalog in a language for which neither the framework nor a table has the framework's own texts.
  static func frameworkTexts(inTablesFor languages: [Language]) -> LintRule {
    LintRule("text-missing", .warning, source: "Docs/Guides/Lint.md", sections: ["app"]) { subject in
      guard let language = subject.catalog.app.language, !languages.contains(language), !language.hasFrameworkTexts else { return [] }
      let name = language.rawValue
      let message =
        "The framework's own texts, such as \"Restore Purchases\", stay in English: it has none in \"\(name)\". "
        + "Add a table with them; `monetize generate texts` prints it."
      return [LintMistake(at: subject.root.at("app", "language"), message)]
    }
  }

  private static func framework(_ strings: CatalogStrings, _ name: String, _ subject: LintSubject) -> [LintMistake] {
    let missing = strings.frameworkTextsMissing
    guard let first = missing.first else { return [] }
    let message =
      "\(name) lacks \(missing.count) of the framework's own texts, such as \"\(Language.english.text(first))\", which stay in English. "
      + "Add them under \"framework\"; `monetize generate texts` prints them all."
    return [LintMistake(at: subject.root, message)]
  }
}

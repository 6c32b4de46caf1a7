// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// When a file declares modules, every dotted feature id or alias must begin with one of them.
enum DeclaredModules: CatalogRule {
  static func check(_ draft: CatalogDraft) {
    let modules = draft.catalog.modules.map(\.id)
    let known = Set(modules)
    // The module may be one whose id is empty.
    if modules.contains(where: { $0.allSatisfy(\.isWhitespace) }) { return }
    for name in draft.names where !known.isEmpty && ["a feature", "an alias"].contains(name.what) {
      guard let dot = name.text.firstIndex(of: "."), !known.contains(String(name.text[..<dot])) else { continue }
      draft.reader.reportUnknown("module", String(name.text[..<dot]), among: modules, at: name.place())
    }
  }
}

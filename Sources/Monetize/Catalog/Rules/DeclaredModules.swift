// SPDX-License-Identifier: Apache-2.0

/// In a file that declares modules, a dotted feature id or alias begins with one of them.
enum DeclaredModules: CatalogRule {
  static func check(_ draft: CatalogDraft, _ reader: JSONReader) {
    guard !draft.modules.isEmpty else { return }
    let known = draft.modules.map(\.id)
    for feature in draft.features {
      let aliases = feature.value.aliases.enumerated().map { place, alias in
        (alias.rawValue, feature.source["aliases"]?.elements.dropFirst(place).first ?? feature.source)
      }
      for (id, source) in [(feature.value.id.rawValue, feature.source)] + aliases {
        guard let dot = id.firstIndex(of: "."), !known.contains(String(id[..<dot])) else { continue }
        let module = String(id[..<dot])
        let fix = didYouMean(closestMatch(to: module, in: known), or: "Declare it under \"modules\".")
        reader.report(.error, "unknown-module", at: source, "There is no module \"\(module)\"." + fix)
      }
    }
  }
}

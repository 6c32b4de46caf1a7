// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// In a file that declares modules, a dotted feature id or alias begins with one of them.
enum DeclaredModules: CatalogRule {
  static func findings(in draft: CatalogDraft) -> [CatalogFinding] {
    let known = draft.modules.map(\.id)
    guard !known.isEmpty else { return [] }
    func check(_ id: FeatureID, at source: @autoclosure () -> JSONValue) -> CatalogFinding? {
      guard let dot = id.rawValue.firstIndex(of: ".") else { return nil }
      let module = String(id.rawValue[..<dot])
      return CatalogFinding(
        unless: known.contains(module), "unknown-module", at: source(),
        "There is no module \"\(module)\"." + didYouMean(closestMatch(to: module, in: known), or: "Declare it under \"modules\"."))
    }
    return draft.features.flatMap { feature in
      [check(feature.value.id, at: feature.source)]
        + feature.value.aliases.enumerated().map { check($1, at: feature.source.at("aliases", $0)) }
    }.compactMap { $0 }
  }
}

// SPDX-License-Identifier: Apache-2.0
public import Foundation
import MonetizeJSON

extension Catalog {
  /// Reads a catalog and returns every diagnostic, including warnings about a usable catalog. Never throws on content.
  public static func reading(
    _ json: Data, kinds: ProductKinds = .standard, shapes: AllowanceShapes = .standard, conditions: Conditions = .standard
  ) -> CatalogReading {
    reading(json, source: CatalogSource(String(decoding: json, as: UTF8.self), kinds, shapes, conditions))
  }

  /// - Parameter source: The source of the catalog; `json` is its text, in its language.
  static func reading(_ json: Data, source: CatalogSource) -> CatalogReading {
    let document: JSONDocument
    do throws(Diagnostic) { document = try JSONDocument(parsing: [UInt8](json)) } catch {
      return CatalogReading(catalog: nil, partial: nil, diagnostics: [error])
    }
    let reader = JSONReader(document)
    reader.synonyms = synonyms
    let draft = CatalogReader(reader: reader, source: source).read(document.root)
    // Reports unknown keys first, so that rules can distinguish a missing key from a misspelt one.
    _ = reader.finish { key, known in
      // A close key of this object is more likely: "feature" for "features".
      if CatalogReader.keys.contains(key), closestMatch(to: key, in: known) == nil {
        return "\"\(key)\" is a section of the catalog. Write it at the top level."
      }
      guard known.contains("grants"), draft?.declared[.feature]?.contains(key) == true else { return nil }
      return "\"\(key)\" is a feature. Write it inside \"grants\"."
    }
    draft?.check()
    let diagnostics = reader.diagnostics
    let partial = draft?.finish()
    let isBroken = diagnostics.contains { $0.severity == .error }
    return CatalogReading(catalog: isBroken ? nil : partial, partial: partial, diagnostics: diagnostics)
  }

  /// What other formats and libraries call a key of a catalog.
  private static let synonyms = [
    "cost": ["price"], "count": ["limit", "periods"], "cycles": ["periods"], "duration": ["period", "length"], "every": ["per", "period"],
    "gives": ["grants"], "identifier": ["id"], "includes": ["grants"], "interval": ["per", "period"], "label": ["name", "title"],
    "limits": ["grants"], "max": ["limit"], "maximum": ["limit"], "name": ["title"], "numberOfPeriods": ["periods"], "order": ["level"],
    "period": ["per"], "plans": ["products"], "quota": ["limit"], "rank": ["level"], "resets": ["per"], "sku": ["id"], "tier": ["level"],
    "title": ["name"], "trial": ["offers"], "type": ["kind", "allowance"], "unlocks": ["grants"], "value": ["amount"],
  ]
}

// SPDX-License-Identifier: Apache-2.0
public import Foundation

extension Catalog {
  /// Reads a catalog and says everything that is worth saying about it, also when it can be used. Never throws on content.
  public static func reading(_ json: Data, kinds: ProductKinds = .standard, shapes: AllowanceShapes = .standard) -> CatalogReading {
    let document: JSONDocument
    do throws(JSONSyntaxError) { document = try JSONDocument(parsing: [UInt8](json)) } catch {
      return CatalogReading(catalog: nil, diagnostics: [error.diagnostic])
    }
    let reader = JSONReader(document)
    let draft = CatalogReader(reader: reader, kinds: kinds, shapes: shapes).read(document.root)
    // Unknown keys first, so that a rule can tell what is missing from what is misspelt.
    _ = reader.finish()
    if let draft { for rule in rules { rule.check(draft, reader) } }
    let diagnostics = reader.finish()
    guard let draft, !diagnostics.contains(where: { $0.severity == .error }) else {
      return CatalogReading(catalog: nil, diagnostics: diagnostics)
    }
    return CatalogReading(
      catalog: Catalog(draft: draft, source: CatalogSource(text: String(decoding: json, as: UTF8.self), kinds: kinds, shapes: shapes)),
      diagnostics: diagnostics)
  }

  /// All rules, each in a file of its own.
  private static var rules: [any CatalogRule.Type] {
    [
      UniqueIdentifiers.self, KnownCollections.self, RetiredIdentifiers.self, GroupLevels.self, KeptClaims.self, PaywallReferences.self,
      ReachableFeatures.self, DeclaredModules.self, NamedIdentifiers.self, PricedItems.self, SupportedSystems.self,
      FamilyShareableKinds.self, PayablePrices.self,
    ]
  }
}

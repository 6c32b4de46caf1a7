// SPDX-License-Identifier: Apache-2.0
public import Foundation
import MonetizeJSON

extension Catalog {
  /// Reads a catalog and says everything that is worth saying about it, also when it can be used. Never throws on content.
  public static func reading(
    _ json: Data, kinds: ProductKinds = .standard, shapes: AllowanceShapes = .standard, conditions: Conditions = .standard
  ) -> CatalogReading {
    let document: JSONDocument
    do throws(JSONSyntaxError) { document = try JSONDocument(parsing: [UInt8](json)) } catch {
      return CatalogReading(catalog: nil, diagnostics: [error.diagnostic])
    }
    let reader = JSONReader(document)
    let draft = CatalogReader(reader: reader, kinds: kinds, shapes: shapes, conditions: conditions).read(document.root)
    // Unknown keys first, so that a rule can tell what is missing from what is misspelt.
    _ = reader.finish()
    let source = CatalogSource(text: String(decoding: json, as: UTF8.self), kinds: kinds, shapes: shapes, conditions: conditions)
    draft?.text = source
    if let draft { for rule in rules { rule.check(draft) } }
    let diagnostics = reader.diagnostics
    guard let draft, let app = draft.app, !diagnostics.contains(where: { $0.severity == .error }) else {
      return CatalogReading(catalog: nil, diagnostics: diagnostics)
    }
    return CatalogReading(catalog: Catalog(draft: draft, app: app, source: source), diagnostics: diagnostics)
  }

  /// All rules, each in a file of its own.
  private static var rules: [any CatalogRule.Type] {
    [
      UniqueIdentifiers.self, NamedIdentifiers.self, RetiredIdentifiers.self, DeclaredModules.self, DeclaredReleases.self,
      DeclaredParts.self, KnownCollections.self, KnownNames.self, UsedKeys.self, ReachableFeatures.self, PricedItems.self,
      GrantingProducts.self, GroupLevels.self, SoldSubscriptions.self, SoldOffers.self, FamilyShareableKinds.self, PayablePrices.self,
      KnownGracePeriods.self, KeptClaims.self, KeptNoPeriods.self, PaywallReferences.self, FillablePlaceholders.self,
      LegalAddresses.self, SupportedSystems.self, ToldEvents.self, KnownForecasts.self, PriceVariants.self, RunnableExperiments.self,
      SeparateArms.self,
      // Last, because an arm is only looked at in a file without mistakes.
      FittingArms.self,
    ]
  }
}

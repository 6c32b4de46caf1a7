// SPDX-License-Identifier: Apache-2.0
public import Foundation
import MonetizeJSON

extension Catalog {
  /// Reads a catalog and returns every diagnostic, including warnings about a usable catalog. Never throws on content.
  public static func reading(
    _ json: Data, kinds: ProductKinds = .standard, shapes: AllowanceShapes = .standard, conditions: Conditions = .standard
  ) -> CatalogReading {
    reading(json, source: CatalogSource(text: String(decoding: json, as: UTF8.self), kinds: kinds, shapes: shapes, conditions: conditions))
  }

  /// - Parameter source: The source of the catalog; `json` is its text, in its language.
  static func reading(_ json: Data, source: CatalogSource) -> CatalogReading {
    let document: JSONDocument
    do throws(Diagnostic) { document = try JSONDocument(parsing: [UInt8](json)) } catch {
      return CatalogReading(catalog: nil, partial: nil, diagnostics: [error])
    }
    let reader = JSONReader(document)
    let draft = CatalogReader(reader: reader, source: source).read(document.root)
    // Reports unknown keys first, so that rules can distinguish a missing key from a misspelt one.
    _ = reader.finish()
    if let draft { for rule in rules { rule.check(draft) } }
    draft?.dropRepaired()
    let diagnostics = reader.diagnostics
    // An unreadable `app` is a mistake. Lint still reads the rest of the file.
    let partial = draft.map(Catalog.init)
    let isBroken = diagnostics.contains { $0.severity == .error }
    return CatalogReading(catalog: isBroken ? nil : partial, partial: partial, diagnostics: diagnostics)
  }

  private static var rules: [any CatalogRule.Type] {
    [
      UniqueIdentifiers.self, NamedIdentifiers.self, RetiredIdentifiers.self, DeclaredModules.self, DeclaredReleases.self,
      DeclaredParts.self, KnownCollections.self, KnownNames.self, UsedKeys.self, ReachableFeatures.self, PricedItems.self,
      AnchoredFreeTier.self, GrantingProducts.self, GroupLevels.self, SoldSubscriptions.self, SoldOffers.self,
      FamilyShareableKinds.self, PayablePrices.self, KnownGracePeriods.self, KeptClaims.self, KeptNoPeriods.self,
      PaywallReferences.self, PossiblePrompts.self, FillablePlaceholders.self, LegalAddresses.self, SupportedSystems.self,
      KnownEvents.self, OnboardingReferences.self, KnownMilestones.self, PriceVariants.self, RunnableExperiments.self,
      SeparateArms.self,
      // Last, because arms are checked only in a file without mistakes.
      FittingArms.self,
    ]
  }
}

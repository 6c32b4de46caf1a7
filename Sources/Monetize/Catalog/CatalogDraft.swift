// SPDX-License-Identifier: Apache-2.0

/// A catalog while it is read: values with their places in the text, for the rules to point at.
struct CatalogDraft {
  /// A class, because a dozen rules walk over all products, and each would copy every one with all its texts.
  final class Placed<Value> {
    let value: Value
    let source: JSONValue

    init(value: Value, source: JSONValue) {
      self.value = value
      self.source = source
    }
  }

  var app: AppInfo
  var features: [Placed<Feature>] = []
  var collections: [Placed<CatalogCollection>] = []
  var freeTier: [FeatureID: Granted] = [:]
  var freeTierTitle = "Free"
  var freeTierKind: any ProductKind = FreeTier()
  var entitlements: [Placed<Entitlement>] = []
  var products: [Placed<CatalogProduct>] = []
  var paywalls: [PlacementID: PaywallDefinition] = [:]
  var parentalGate: ParentalGatePolicy?
  var legal: LegalInfo?
  var billing: BillingPolicy?
  var releases: [String] = []
  var modules: [CatalogModule] = []
  var isMonetized = true
  var claims: [String] = []
  var retired: [String] = []
  let root: JSONValue
}

/// One thing that has to be true of a catalog beyond its structure. One rule a file; all of them run, so that a person sees all mistakes at once.
protocol CatalogRule {
  static func check(_ draft: CatalogDraft, _ reader: JSONReader)
}

// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Monetize
public import MonetizeSimulator

extension StoreKitFile {
  /// What the file sells, as the simulated store would sell it, with who may redeem each code.
  public var simulatedProducts: [SimulatedProduct] {
    let nodes = Dictionary(StoreKitLists(tree).entries.map { ($0.node["productID"]?.string ?? "", $0.node) }) { first, _ in first }
    return products.map { product in
      var simulated = SimulatedProduct(
        id: product.id, type: product.type, price: Money(amount: product.price ?? 0, currency: currency), terms: product.terms,
        name: product.name, isFamilyShareable: product.isFamilyShareable)
      for code in nodes[product.id.rawValue]?["codeOffers"]?.elements ?? [] {
        guard let id = offerID(code, "referenceName") else { continue }
        let audiences = code["eligibility"]?.elements.compactMap { $0.string.flatMap(SimulatedProduct.OfferRule.Audience.init) }
        var rule = SimulatedProduct.OfferRule(audiences: Set(audiences ?? SimulatedProduct.OfferRule.Audience.allCases))
        rule.stacksWithIntroductory = code["isStackable"]?.bool ?? false
        simulated.offerRules[id] = rule
      }
      return simulated
    }
  }
}

extension SimulatedStore {
  /// A store that sells what a file says, in its storefront's currency, with a grace period where the file turns it on. How long that is, is
  /// not in the file: 16 days, as App Store Connect proposes.
  public convenience init(_ file: StoreKitFile, start: Date, seed: UInt64 = 0) {
    var settings = StoreSettings()
    if file.tree["settings"]?["_billingGracePeriodEnabled"]?.bool == true { settings.gracePeriod = .sixteen }
    self.init(products: file.simulatedProducts, start: start, seed: seed, settings: settings)
  }
}

// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Monetize
public import MonetizeSimulator

extension StoreKitFile {
  /// The file's products for the simulated store, with the eligibility of each code.
  public var simulatedProducts: [SimulatedProduct] {
    readProducts.map { product, node in
      var simulated = SimulatedProduct(
        id: product.id, type: product.type, price: Money(amount: product.price ?? 0, currency: currency), terms: product.terms,
        name: product.name, isFamilyShareable: product.isFamilyShareable)
      for code in node["codeOffers"]?.elements ?? [] {
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
  /// Makes a store that sells a file's products in its storefront's currency, with a grace period if the file turns it on. The file does
  /// not have its length: 16 days, the default of App Store Connect.
  public convenience init(_ file: StoreKitFile, start: Date, seed: UInt64 = 0) {
    var settings = StoreSettings()
    if file.tree["settings"]?["_billingGracePeriodEnabled"]?.bool == true { settings.gracePeriod = .sixteen }
    self.init(products: file.simulatedProducts, start: start, seed: seed, settings: settings)
  }
}

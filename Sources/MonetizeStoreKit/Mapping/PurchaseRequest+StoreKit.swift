// SPDX-License-Identifier: Apache-2.0
#if canImport(StoreKit)
  import Foundation
  import Monetize
  import StoreKit

  extension PurchaseRequest {
    /// The options for a purchase.
    /// - Throws: ``StoreError/Code/invalidOfferSignature`` for a promotional offer without a signature,
    ///   ``StoreError/Code/ineligibleForOffer`` for an offer that the product does not have, and ``StoreError/Code/unsupported`` for
    ///   monthly payments of a product without them.
    func options(of product: Product) throws(StoreError) -> Set<Product.PurchaseOption> {
      var options: Set<Product.PurchaseOption> = []
      if quantity > 1 { options.insert(.quantity(quantity)) }
      if let account { options.insert(.appAccountToken(AppAccountToken(account).uuid)) }
      if billing == .monthly { options.insert(try monthly(product)) }
      guard let offerID else { return options }
      switch signature {
      case .jws(let jws): options.formUnion(Product.PurchaseOption.promotionalOffer(offerID, compactJWS: jws))
      case .parts(let keyID, let nonce, let signature, let timestamp):
        options.insert(.promotionalOffer(offerID: offerID, keyID: keyID, nonce: nonce, signature: signature, timestamp: timestamp))
      case nil: options.insert(try unsigned(offerID, of: product))
      }
      return options
    }

    private func monthly(_ product: Product) throws(StoreError) -> Product.PurchaseOption {
      // Systems 26.4 and later have it, but only the SDK of Xcode 26.5 (Swift 6.3.2) declares it.
      #if compiler(>=6.3.2) || STAND_INS
        if #available(iOS 26.4, macOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *),
          product.subscription?.pricingTerms.contains(where: { $0.billingPlanType == .monthly }) == true
        {
          return .billingPlanType(.monthly)
        }
      #endif
      throw StoreError(.unsupported)
    }

    private func unsigned(_ offerID: String, of product: Product) throws(StoreError) -> Product.PurchaseOption {
      if #available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *),
        let offer = product.subscription?.winBackOffers.first(where: { $0.id == offerID })
      {
        return .winBackOffer(offer)
      }
      let isPromotional = product.subscription?.promotionalOffers.contains { $0.id == offerID } ?? false
      throw StoreError(isPromotional ? .invalidOfferSignature : .ineligibleForOffer)
    }
  }
#endif

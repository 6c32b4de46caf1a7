// SPDX-License-Identifier: Apache-2.0
#if canImport(StoreKit)
  import Foundation
  import Monetize
  import StoreKit

  extension PurchaseRequest {
    /// The options for a purchase.
    /// - Throws: ``StoreError/Code/invalidOfferSignature`` for a promotional offer without a signature, and
    ///   ``StoreError/Code/ineligibleForOffer`` for an offer that the product does not have.
    func options(of product: Product) throws(StoreError) -> Set<Product.PurchaseOption> {
      var options: Set<Product.PurchaseOption> = []
      if quantity > 1 { options.insert(.quantity(quantity)) }
      if let account { options.insert(.appAccountToken(AppAccountToken(account).uuid)) }
      guard let offerID else { return options }
      switch signature {
      case .jws(let jws): options.formUnion(Product.PurchaseOption.promotionalOffer(offerID, compactJWS: jws))
      case .parts(let keyID, let nonce, let signature, let timestamp):
        options.insert(.promotionalOffer(offerID: offerID, keyID: keyID, nonce: nonce, signature: signature, timestamp: timestamp))
      case nil: options.insert(try unsigned(offerID, of: product))
      }
      return options
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

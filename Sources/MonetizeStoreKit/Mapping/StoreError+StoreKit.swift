// SPDX-License-Identifier: Apache-2.0
#if canImport(StoreKit)
  import Foundation
  import Monetize
  import StoreKit

  extension StoreError {
    /// Converts an error of StoreKit. Takes no text from it, because it can contain account ids.
    init(storeKit error: any Error) {
      switch error {
      case let error as StoreError: self = error
      case let error as StoreKitError: self.init(Code(error))
      case let error as Product.PurchaseError: self.init(Code(error))
      case is URLError: self.init(.network)
      case is CancellationError: self.init(.cancelled)
      default: self.init(.unknown)
      }
    }
  }

  extension StoreError.Code {
    fileprivate init(_ error: StoreKitError) {
      if #available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *), case .unsupported = error {
        self = .unsupported
        return
      }
      if #available(iOS 15.4, macOS 12.3, tvOS 15.4, watchOS 8.5, visionOS 1.0, *), case .notEntitled = error {
        self = .notAllowed
        return
      }
      switch error {
      case .userCancelled: self = .userCancelled
      case .networkError: self = .network
      case .systemError: self = .system
      case .notAvailableInStorefront: self = .productUnavailable
      default: self = .unknown
      }
    }

    fileprivate init(_ error: Product.PurchaseError) {
      switch error {
      case .productUnavailable: self = .productUnavailable
      case .purchaseNotAllowed: self = .notAllowed
      case .ineligibleForOffer, .invalidOfferIdentifier: self = .ineligibleForOffer
      case .invalidOfferPrice, .invalidOfferSignature, .missingOfferParameters: self = .invalidOfferSignature
      case .invalidQuantity: self = .unknown
      @unknown default: self = .unknown
      }
    }
  }
#endif

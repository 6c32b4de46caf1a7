// SPDX-License-Identifier: Apache-2.0
#if canImport(StoreKit)
  import Foundation
  import Monetize
  import StoreKit

  extension TransactionID {
    init(_ id: UInt64) { self.init(rawValue: "\(id)") }
  }

  extension VerificationResult {
    /// The value, if its signature is the store's.
    var verified: SignedType? { if case .verified(let value) = self { value } else { nil } }
  }

  extension SignedTransaction {
    init(_ result: VerificationResult<StoreKit.Transaction>) {
      let transaction = result.unsafePayloadValue
      self.init(
        StoreTransaction(transaction), isVerified: result.verified != nil, jws: result.jwsRepresentation, object: StoreObject(transaction))
    }
  }

  extension StoreTransaction {
    init(_ transaction: StoreKit.Transaction) {
      self.init(
        id: TransactionID(transaction.id), originalID: TransactionID(transaction.originalID), productID: ProductID(transaction.productID),
        purchaseDate: transaction.purchaseDate, expirationDate: transaction.expirationDate,
        revocation: transaction.revocationDate.map { Revocation(date: $0, reason: .init(transaction)) }, isUpgraded: transaction.isUpgraded,
        ownership: transaction.ownershipType == .familyShared ? .familyShared : .purchased, quantity: transaction.purchasedQuantity,
        environment: transaction.storeEnvironment ?? .production, appID: transaction.appBundleID, offer: Offer(transaction),
        reason: Reason(transaction), price: transaction.price.flatMap { Money($0, in: transaction.paidCurrency) },
        signed: transaction.signedDate)
    }
  }

  extension StoreTransaction.Reason {
    /// `nil` on earlier systems, which do not provide it.
    init?(_ transaction: StoreKit.Transaction) {
      guard #available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *) else { return nil }
      switch transaction.reason {
      case .purchase: self = .purchase
      case .renewal: self = .renewal
      default: self.init(rawValue: transaction.reason.rawValue)
      }
    }
  }

  extension StoreTransaction.Revocation.Reason {
    init(_ transaction: StoreKit.Transaction) {
      self = transaction.revocationReason == .developerIssue ? .developerIssue : .other
      // Systems 26.4 and later have it, but only the SDK of Xcode 26.5 (Swift 6.3.2) declares it.
      #if compiler(>=6.3.2) || STAND_INS
        if #available(iOS 26.4, macOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *) {
          if transaction.revocationType == .familyRevocation { self = .familyLeft }
        } else if transaction.revocationTypeStringRepresentation == "FAMILY_REVOKE" {
          self = .familyLeft
        }
      #endif
    }
  }

  extension StoreTransaction.Offer {
    /// `nil` without an offer, and for one of an unknown type or payment mode.
    init?(_ transaction: StoreKit.Transaction) {
      let (kind, mode, id): (StoreKit.Transaction.OfferType?, SubscriptionOffer.Mode?, String?)
      if #available(iOS 17.2, macOS 14.2, tvOS 17.2, watchOS 10.2, visionOS 1.1, *) {
        let offer = transaction.offer
        (kind, mode, id) = (offer?.type, offer?.paymentMode.flatMap(SubscriptionOffer.Mode.init), offer?.id)
      } else {
        let text = transaction.offerPaymentModeStringRepresentation
        (kind, mode, id) = (transaction.offerType, text.flatMap(SubscriptionOffer.Mode.init(signed:)), transaction.offerID)
      }
      guard let mode, let type = kind.flatMap(SubscriptionOffer.OfferType.init) else { return nil }
      self.init(type: type, mode: mode, id: id)
    }
  }

  extension SubscriptionOffer.OfferType {
    init?(_ type: StoreKit.Transaction.OfferType) {
      switch type {
      case .introductory: self = .introductory
      case .promotional: self = .promotional
      case .code: self = .code
      case .winBack: self = .winBack
      default: return nil
      }
    }
  }

  extension SubscriptionOffer.Mode {
    @available(iOS 17.2, macOS 14.2, tvOS 17.2, watchOS 10.2, visionOS 1.1, *)
    fileprivate init?(_ mode: StoreKit.Transaction.Offer.PaymentMode) {
      switch mode {
      case .freeTrial: self = .freeTrial
      case .payAsYouGo: self = .payAsYouGo
      case .payUpFront: self = .payUpFront
      default: return nil
      }
    }

    /// Reads the text of signed data. Source: App Store Server API, `offerDiscountType`.
    init?(signed text: String) {
      switch text {
      case "FREE_TRIAL": self = .freeTrial
      case "PAY_AS_YOU_GO": self = .payAsYouGo
      case "PAY_UP_FRONT": self = .payUpFront
      default: return nil
      }
    }
  }

  extension StoreEnvironment {
    /// `nil` for an empty text, which older systems sometimes return.
    init?(storeKit text: String) {
      switch text {
      case "": return nil
      case "Production": self = .production
      case "Sandbox": self = .sandbox
      case "Xcode": self = .xcode
      default: self.init(rawValue: text)
      }
    }
  }

  extension Money {
    /// `nil` for an amount that could not be read back from disk: negative, or with a currency that is not three capitals.
    init?(_ amount: Decimal, in currency: String?) {
      guard let currency, currency.utf8.count == 3, currency.utf8.allSatisfy({ (65...90).contains($0) }), amount.isFinite, amount >= 0
      else { return nil }
      self.init(amount: amount, currency: currency)
    }
  }

  extension StoreKit.Transaction {
    var isIntroductory: Bool {
      if #available(iOS 17.2, macOS 14.2, tvOS 17.2, watchOS 10.2, visionOS 1.1, *) { return offer?.type == .introductory }
      return offerType == .introductory
    }

    fileprivate var storeEnvironment: StoreEnvironment? {
      if #available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, visionOS 1.0, *) {
        return StoreEnvironment(storeKit: environment.rawValue)
      }
      #if os(visionOS)
        return nil
      #else
        return StoreEnvironment(storeKit: environmentStringRepresentation)
      #endif
    }

    fileprivate var paidCurrency: String? {
      if #available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, visionOS 1.0, *) { return currency?.identifier }
      return currencyCode
    }
  }
#endif

// SPDX-License-Identifier: Apache-2.0
#if canImport(StoreKit)
  import Foundation
  import Monetize
  import StoreKit

  extension StoreAnswer {
    /// The customer's purchases, without a date, because StoreKit may answer from the device's cache.
    init(listed: [SignedTransaction], statuses: [Product.SubscriptionInfo.Status]) {
      let renewals = statuses.compactMap { status in RenewalInfo(status).map { ($0, status.renewalInfo.jwsRepresentation) } }
      self.init(
        transactions: listed, renewals: renewals.map(\.0), environment: listed.first(where: \.isVerified)?.transaction.environment,
        renewalJWS: Dictionary(renewals.map { ($0.0.originalID, $0.1) }) { $1 })
    }
  }

  extension RenewalInfo {
    /// `nil` when a signature is not the store's.
    init?(_ status: Product.SubscriptionInfo.Status) {
      guard let info = status.renewalInfo.verified, let transaction = status.transaction.verified else { return nil }
      self.init(
        originalID: TransactionID(info.originalTransactionID), productID: ProductID(info.currentProductID), state: State(status.state),
        willRenew: info.willAutoRenew, renewsInto: info.willAutoRenew ? info.autoRenewPreference.map(ProductID.init(_:)) : nil,
        expires: transaction.expirationDate, graceUntil: info.gracePeriodExpirationDate,
        expirationReason: info.expirationReason.map(ExpirationReason.init), priceIncreaseAgreed: info.priceIncreaseStatus.isAgreed,
        signed: info.signedDate)
      // Systems 26.4 and later have it, but only the SDK of Xcode 26.5 (Swift 6.3.2) declares it.
      #if compiler(>=6.3.2) || STAND_INS
        if #available(iOS 26.4, macOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *) { commitment = Commitment(info, transaction) }
      #endif
    }
  }

  #if compiler(>=6.3.2) || STAND_INS
    @available(iOS 26.4, macOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *)
    extension RenewalInfo.Commitment {
      init?(_ info: Product.SubscriptionInfo.RenewalInfo, _ transaction: StoreKit.Transaction) {
        guard let paid = transaction.commitmentInfo else { return nil }
        self.init(
          payment: Int(paid.billingPeriodNumber), payments: Int(paid.totalBillingPeriods), ends: paid.expirationDate,
          willRenew: info.commitmentInfo?.willAutoRenew ?? info.willAutoRenew)
      }
    }
  #endif

  extension RenewalInfo.State {
    init(_ state: Product.SubscriptionInfo.RenewalState) {
      switch state {
      case .subscribed: self = .subscribed
      case .expired: self = .expired
      case .inBillingRetryPeriod: self = .inBillingRetry
      case .inGracePeriod: self = .inGracePeriod
      case .revoked: self = .revoked
      // A state of a later system, because the set is open.
      default: self.init(rawValue: "\(state.rawValue)")
      }
    }
  }

  extension RenewalInfo.ExpirationReason {
    init(_ reason: Product.SubscriptionInfo.RenewalInfo.ExpirationReason) {
      switch reason {
      case .autoRenewDisabled: self = .autoRenewDisabled
      case .billingError: self = .billingError
      case .didNotConsentToPriceIncrease: self = .didNotConsentToPriceIncrease
      case .productUnavailable: self = .productUnavailable
      default: self = .unknown
      }
    }
  }

  extension Product.SubscriptionInfo.RenewalInfo.PriceIncreaseStatus {
    fileprivate var isAgreed: Bool? {
      switch self {
      case .noIncreasePending: nil
      case .pending: false
      case .agreed: true
      }
    }
  }
#endif

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import StoreKit

/// The simulated store's values in StoreKit's types: the other way round than the adapter.
extension StandInDevice {
  static func error(_ error: any Error) -> any Error {
    switch (error as? StoreError)?.code {
    case .network?: StoreKitError.networkError(URLError(.notConnectedToInternet))
    case .system?: StoreKitError.systemError(CocoaError(.featureUnsupported))
    case .userCancelled?: StoreKitError.userCancelled
    case .notAllowed?: Product.PurchaseError.purchaseNotAllowed
    case .productUnavailable?: Product.PurchaseError.productUnavailable
    case .ineligibleForOffer?: Product.PurchaseError.ineligibleForOffer
    case .invalidOfferSignature?: Product.PurchaseError.invalidOfferSignature
    default: StoreKitError.unknown
    }
  }

  static func product(_ product: StoreProduct, of device: SimulatedDevice) -> Product {
    let types: [StoreProductType: Product.ProductType] = [
      .consumable: .consumable, .nonConsumable: .nonConsumable, .nonRenewing: .nonRenewable, .autoRenewable: .autoRenewable,
    ]
    // The real one lists the introductory offer for every customer, and separately who may use it.
    let intro = Product.SubscriptionOffer(
      price: 1, displayPrice: "$1.00", period: .init(unit: .month, value: 1), paymentMode: .payAsYouGo)
    let subscription = product.period.map { period in
      Product.SubscriptionInfo(
        introductoryOffer: product.id == "plan" ? intro : nil, subscriptionGroupID: device.store.group(of: product.id) ?? "",
        subscriptionPeriod: .init(unit: .month, value: period.months))
    }
    return Product(
      id: product.id.rawValue, type: types[device.store.type(of: product.id) ?? .none] ?? .nonConsumable,
      displayName: product.displayName, price: product.price.amount, displayPrice: product.displayPrice, subscription: subscription,
      currency: product.price.currency)
  }

  static func request(_ product: Product, _ options: Set<Product.PurchaseOption>) -> PurchaseRequest {
    var request = PurchaseRequest(ProductID(product.id))
    for option in options {
      let words = option.text.split(separator: " ").map(String.init)
      switch words.first {
      case "appAccountToken"?: request.account = words[1]
      case "billingPlanType"?: request.billing = .monthly
      case "quantity"?: request.quantity = Int(words[1]) ?? 1
      case "promotionalOffer"?, "winBackOffer"?: request.offerID = words[1]
      default: break
      }
    }
    return request
  }

  static func result(_ result: Monetize.PurchaseResult, of device: SimulatedDevice) -> Product.PurchaseResult {
    switch result {
    case .success(let signed): .success(transaction(signed, of: device))
    case .pending: .pending
    case .userCancelled: .userCancelled
    }
  }

  static func number(_ id: TransactionID) -> UInt64 { UInt64(id.rawValue.dropFirst()) ?? 0 }

  static func transaction(_ signed: SignedTransaction, of device: SimulatedDevice) -> VerificationResult<StoreKit.Transaction> {
    let transaction = transaction(signed.transaction, of: device)
    return signed.isVerified ? .verified(transaction) : .unverified(transaction, .invalidSignature)
  }

  static func transaction(_ transaction: StoreTransaction, of device: SimulatedDevice) -> StoreKit.Transaction {
    StoreKit.Transaction(
      id: number(transaction.id), originalID: number(transaction.originalID), productID: transaction.productID.rawValue,
      subscriptionGroupID: device.store.group(of: transaction.productID), appBundleID: transaction.appID ?? "",
      purchaseDate: transaction.purchaseDate, expirationDate: transaction.expirationDate, purchasedQuantity: transaction.quantity,
      isUpgraded: transaction.isUpgraded, offer: transaction.offer.map(offer), revocationDate: transaction.revocation?.date,
      revocationReason: transaction.revocation.map { $0.reason == .developerIssue ? .developerIssue : .other },
      appAccountToken: transaction.account.flatMap { UUID(uuidString: $0) }, environment: environment(transaction.environment),
      price: transaction.price?.amount, currency: transaction.price?.currency,
      ownershipType: transaction.ownership == .familyShared ? .familyShared : .purchased, signedDate: signedDate(transaction.revision))
  }

  /// The simulated store numbers what it signs in one instant; StoreKit has milliseconds.
  private static func signedDate(_ revision: Revision) -> Date { revision.date.addingTimeInterval(Double(revision.sequence) / 1000) }

  private static func environment(_ environment: StoreEnvironment) -> AppStore.Environment {
    environment == .production ? .production : environment == .sandbox ? .sandbox : .xcode
  }

  private static func offer(_ offer: StoreTransaction.Offer) -> StoreKit.Transaction.Offer {
    let types: [SubscriptionOffer.OfferType: StoreKit.Transaction.OfferType] = [
      .introductory: .introductory, .promotional: .promotional, .code: .code, .winBack: .winBack,
    ]
    let modes: [SubscriptionOffer.Mode: StoreKit.Transaction.Offer.PaymentMode] = [
      .freeTrial: .freeTrial, .payAsYouGo: .payAsYouGo, .payUpFront: .payUpFront,
    ]
    return .init(id: offer.id, type: types[offer.type] ?? .promotional, paymentMode: modes[offer.mode])
  }

  static func status(_ info: RenewalInfo, of device: SimulatedDevice) -> Product.SubscriptionInfo.Status {
    let states: [RenewalInfo.State: Product.SubscriptionInfo.RenewalState] = [
      .subscribed: .subscribed, .expired: .expired, .inBillingRetry: .inBillingRetryPeriod, .inGracePeriod: .inGracePeriod,
      .revoked: .revoked,
    ]
    let latest = StoreKit.Transaction(
      id: number(info.originalID), productID: info.productID.rawValue, subscriptionGroupID: device.store.group(of: info.productID),
      purchaseDate: info.revision.date, expirationDate: info.expires)
    let renewal = Product.SubscriptionInfo.RenewalInfo(
      originalTransactionID: number(info.originalID), currentProductID: info.productID.rawValue, willAutoRenew: info.willRenew,
      autoRenewPreference: info.renewsInto?.rawValue, expirationReason: info.expirationReason == nil ? nil : .autoRenewDisabled,
      gracePeriodExpirationDate: info.graceUntil, signedDate: signedDate(info.revision))
    return .init(state: states[info.state] ?? .expired, transaction: .verified(latest), renewalInfo: .verified(renewal))
  }

  static func app(_ app: AppTransactionRecord) -> AppTransaction {
    AppTransaction(
      bundleID: app.appID, environment: environment(app.environment), originalAppVersion: app.originalAppVersion,
      originalPurchaseDate: app.originalPurchaseDate)
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator

/// The known part of a notification from Apple's server, decoded, with Apple's own keys, words and numbers. `signedTransactionInfo` and
/// `signedRenewalInfo` are shown decoded, and `customer` is the scenario's name.
///
/// Source: App Store Server API, `ResponseBodyV2DecodedPayload`, `JWSTransactionDecodedPayload`, `JWSRenewalInfoDecodedPayload`.
struct NotificationJSON: Encodable {
  struct Data: Encodable {
    let environment: String
    /// For subscriptions only.
    let status: Int?
    let transactionInfo: Transaction?
    let renewalInfo: Renewal?
  }
  struct Transaction: Encodable {
    let transactionId: String
    let originalTransactionId: String
    let productId: String
    let transactionReason: String?
    let offerType: Int?
    let offerDiscountType: String?
    let revocationReason: Int?
  }
  struct Renewal: Encodable {
    let originalTransactionId: String
    let productId: String
    let expirationIntent: Int?
  }

  let notificationType: String
  let subtype: String?
  /// Milliseconds since 1970.
  let signedDate: Int64
  let customer: String
  let data: Data

  init(_ notification: ServerNotification) {
    let (original, product) = (notification.originalTransactionID.rawValue, notification.productID.rawValue)
    notificationType = notification.type.rawValue
    subtype = notification.subtype?.rawValue
    signedDate = Int64((notification.date.timeIntervalSince1970 * 1000).rounded())
    customer = notification.customer.rawValue
    data = Data(
      environment: Self.environment(notification.environment), status: notification.status?.rawValue,
      transactionInfo: notification.transactionID.map { id in
        Transaction(
          transactionId: id.rawValue, originalTransactionId: original, productId: product,
          transactionReason: notification.transactionReason?.rawValue, offerType: notification.offerType,
          offerDiscountType: notification.offerDiscountType, revocationReason: notification.revocationReason)
      },
      renewalInfo: notification.status.map { _ in
        Renewal(originalTransactionId: original, productId: product, expirationIntent: notification.expirationIntent?.rawValue)
      })
  }

  /// Apple's server writes `Production` and `Sandbox`.
  private static func environment(_ environment: StoreEnvironment) -> String {
    environment.rawValue.prefix(1).uppercased() + environment.rawValue.dropFirst()
  }
}

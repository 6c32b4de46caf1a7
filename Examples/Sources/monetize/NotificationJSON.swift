// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import MonetizeTools

extension ServerNotification {
  /// The known part of the notification from Apple's server, decoded, with Apple's own keys, words and numbers. `signedTransactionInfo` and
  /// `signedRenewalInfo` are shown decoded, and `customer` is the scenario's name. The date is in milliseconds since 1970.
  ///
  /// Source: App Store Server API, `ResponseBodyV2DecodedPayload`, `JWSTransactionDecodedPayload`, `JWSRenewalInfoDecodedPayload`.
  var json: ToolObject {
    let transaction = transactionID.map { id -> ToolObject in
      [
        "transactionId": id, "originalTransactionId": originalTransactionID, "productId": productID,
        "transactionReason": transactionReason, "offerType": offerType, "offerDiscountType": offerDiscountType,
        "revocationReason": revocationReason,
      ]
    }
    // For subscriptions only.
    let renewal = status.map { _ -> ToolObject in
      ["originalTransactionId": originalTransactionID, "productId": productID, "expirationIntent": expirationIntent?.rawValue]
    }
    // Apple's server writes `Production` and `Sandbox`.
    let name = environment.rawValue.prefix(1).uppercased() + environment.rawValue.dropFirst()
    let data: ToolObject = ["environment": name, "status": status?.rawValue, "transactionInfo": transaction, "renewalInfo": renewal]
    return [
      "notificationType": type, "subtype": subtype, "signedDate": Int64((date.timeIntervalSince1970 * 1000).rounded()),
      "customer": customer, "data": data,
    ]
  }
}

// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A sheet of the store itself.
public enum StoreSheet: Sendable, Hashable {
  /// Subscriptions: change or cancel them. StoreKit: `showManageSubscriptions(in:)`.
  case subscriptions
  /// A refund of one purchase. StoreKit: `beginRefundRequest(for:in:)`.
  case refund(TransactionID)
  /// The entry of an offer code. The purchase arrives as an update. StoreKit: `presentOfferCodeRedeemSheet(in:)`.
  case code

  /// The action that a parental gate covers.
  var action: ParentalGatePolicy.Action { self == .code ? .purchase : .links }
}

/// A country of the store. For display and for laws that depend on it. Not a fact, and no decision depends on it.
public struct StoreCountry: Sendable, Hashable {
  /// The country, as three letters of ISO 3166-1, such as `DEU`.
  public var code: String
  /// The store's own id of the country.
  public var id: String

  /// Makes a country.
  public init(code: String, id: String) { (self.code, self.id) = (code, id) }
}

/// The developer's signature of a promotional offer. A server makes a new one for each purchase.
public enum OfferSignature: Sendable, Hashable {
  /// A compact JWS.
  case jws(String)
  /// The older form, of separate parts. `timestamp` is in milliseconds since 1970.
  case parts(keyID: String, nonce: UUID, signature: Data, timestamp: Int)
}

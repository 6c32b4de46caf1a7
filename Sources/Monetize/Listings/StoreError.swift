// SPDX-License-Identifier: Apache-2.0

/// The reason why the store failed. Contains no account, no token and no system text, so that it may be shown and logged.
public struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of failure. An open set.
  public struct Code: StringIdentifier {
    /// The text, such as `network`.
    public let rawValue: String
    /// Makes a code from its text.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The store could not be reached. Retrying may help.
    public static let network: Self = "network"
    /// The store failed internally. Retrying may help.
    public static let system: Self = "system"
    /// The customer may not buy: restrictions, no payment method, or a storefront without purchases.
    public static let notAllowed: Self = "notAllowed"
    /// The store does not sell this product.
    public static let productUnavailable: Self = "productUnavailable"
    /// The offer is invalid, or the customer is not eligible for it.
    public static let ineligibleForOffer: Self = "ineligibleForOffer"
    /// The store rejected the developer's signature of a promotional offer.
    public static let invalidOfferSignature: Self = "invalidOfferSignature"
    /// The store's signature was wrong. Nothing in the answer counts.
    public static let unverified: Self = "unverified"
    /// The purchase belongs to another account of the app, and gives this one nothing.
    public static let otherAccount: Self = "otherAccount"
    /// The customer has asked for this refund before.
    public static let alreadyRequested: Self = "alreadyRequested"
    /// The store does not support the operation.
    public static let unsupported: Self = "unsupported"
    /// The task was cancelled, so the result is unknown.
    public static let cancelled: Self = "cancelled"
    /// The person closed a prompt of the store.
    public static let userCancelled: Self = "userCancelled"
    /// The purchase could not be written to disk. It is granted for now and will be delivered again.
    public static let notDurable: Self = "notDurable"
    /// Anything else.
    public static let unknown: Self = "unknown"
  }

  /// The kind of failure.
  public let code: Code

  /// Makes an error.
  public init(_ code: Code) { self.code = code }

  /// Whether retrying may help.
  public var isTransient: Bool { code == .network || code == .system || code == .cancelled }

  /// A description of the failure and its remedy, for developers. Apps have their own texts for customers.
  public var description: String {
    switch code {
    case .network: "The store could not be reached. Try again when there is a connection."
    case .system: "The store failed internally. Try again later."
    case .notAllowed: "This customer cannot make purchases. Check the device's restrictions and the account's payment method."
    case .productUnavailable: "The store does not sell this product here. Check its id, its state in the store, and the storefront."
    case .ineligibleForOffer: "This customer is not eligible for this offer. Check eligibility before showing it."
    case .invalidOfferSignature:
      "The signature of the offer was not accepted. Check the key, the offer's and product's ids, and that the signature is new for each purchase."
    case .unverified: "The store's signature is not valid. Grant nothing for this answer, and ask again."
    case .otherAccount:
      "This Apple Account bought the product for another account of the app. Sign in to that one, or buy with another Apple Account."
    case .alreadyRequested: "This refund was asked for before. The store decides once."
    case .unsupported: "This store does not support this. Use another store, or decide without it."
    case .cancelled: "The task was cancelled before the store answered. The result is unknown; ask again."
    case .userCancelled: "The person closed the store's prompt."
    case .notDurable: "The purchase could not be written to disk. It is granted while the app runs and will be delivered again."
    default: "The store failed (\(code)). Try again later."
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

/// Why the store could not do something. It carries no account, no token and no text of the system's, only what may be shown and logged.
public struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What sort of failure. An open set.
  public struct Code: StringIdentifier {
    /// The text, such as `network`.
    public let rawValue: String
    /// Makes a code from its text.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The store could not be reached. Trying again may help.
    public static let network: Self = "network"
    /// The store is not well. Trying again may help.
    public static let system: Self = "system"
    /// This customer may not buy: restrictions, no payment, a storefront without purchases.
    public static let notAllowed: Self = "notAllowed"
    /// The store does not sell this.
    public static let productUnavailable: Self = "productUnavailable"
    /// The offer is not for this customer, or not valid.
    public static let ineligibleForOffer: Self = "ineligibleForOffer"
    /// The developer's signature of a promotional offer was not accepted.
    public static let invalidOfferSignature: Self = "invalidOfferSignature"
    /// The store's signature was wrong; nothing of the answer counts.
    public static let unverified: Self = "unverified"
    /// This store has no such thing to ask for.
    public static let unsupported: Self = "unsupported"
    /// The task was cancelled, so that nothing is known.
    public static let cancelled: Self = "cancelled"
    /// The person closed a prompt of the store.
    public static let userCancelled: Self = "userCancelled"
    /// The purchase could not be written to disk; it is granted for now and comes again.
    public static let notDurable: Self = "notDurable"
    /// Anything else.
    public static let unknown: Self = "unknown"
  }

  /// What sort of failure.
  public let code: Code

  /// Makes an error.
  public init(_ code: Code) { self.code = code }

  /// Whether trying again may help.
  public var isTransient: Bool { code == .network || code == .system || code == .cancelled }

  /// What happened and what to do, for developers; the app has its own words for customers.
  public var description: String {
    switch code {
    case .network: "The store could not be reached. Try again when there is a connection."
    case .system: "The store reported a failure of its own. Try again later."
    case .notAllowed: "This customer may not make purchases. Check the device's restrictions and the account's payment method."
    case .productUnavailable: "The store does not sell this product here. Check its id, its state in the store, and the storefront."
    case .ineligibleForOffer: "This customer may not use this offer. Ask for eligibility before showing it."
    case .invalidOfferSignature:
      "The signature of the offer was not accepted. Check the key, the offer's and product's ids, and that the signature is new for each purchase."
    case .unverified: "The store's answer was not signed by the store. Nothing of it counts; ask again, and give nothing for it."
    case .unsupported: "This store does not know that. Use a store that does, or decide without it."
    case .cancelled: "The task was cancelled before the store answered. Nothing is known; ask again."
    case .userCancelled: "The person closed the store's prompt."
    case .notDurable: "The purchase could not be written to disk. It is granted while the app runs and will be delivered again."
    default: "The store failed (\(code)). Try again later."
    }
  }
}

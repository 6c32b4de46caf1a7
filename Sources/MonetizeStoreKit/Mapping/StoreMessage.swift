// SPDX-License-Identifier: Apache-2.0
#if canImport(StoreKit)
  public import Monetize
  import StoreKit

  /// A message of the App Store for the customer. An open set. StoreKit: `Message.Reason`.
  public struct StoreMessage: StringIdentifier {
    /// The text.
    public let rawValue: String
    /// Makes a message from its text.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// A price increase that needs the customer's consent.
    public static let priceIncrease: Self = "priceIncrease"
    /// A payment failed.
    public static let billingIssue: Self = "billingIssue"
    /// An offer to come back.
    public static let winBackOffer: Self = "winBackOffer"
    /// Any other message.
    public static let other: Self = "other"
  }

  #if os(iOS) || os(visionOS) || STAND_INS
    @available(iOS 16.0, visionOS 1.0, *)
    extension StoreMessage {
      init(_ reason: Message.Reason) {
        if reason == .priceIncreaseConsent {
          self = .priceIncrease
        } else if #available(iOS 16.4, visionOS 1.0, *), reason == .billingIssue {
          self = .billingIssue
        } else if #available(iOS 18.0, visionOS 2.0, *), reason == .winBackOffer {
          self = .winBackOffer
        } else {
          self = .other
        }
      }
    }
  #endif
#endif

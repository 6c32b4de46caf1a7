// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The answer of `verifyPurchase`.
public struct PurchaseVerification: Sendable, Hashable, Codable {
  /// Whether the account has unlimited stories now.
  public var success: Bool
  /// `unlimited` after a success.
  public var status: AccountStatus.Name?
  /// The reason of a refusal, such as "Invalid receipt".
  public var error: String?
  /// When the store revoked the purchase; `nil` when it did not.
  public var revokedAt: Date?

  /// The purchase is genuine, and recorded for this account.
  public static let verified = PurchaseVerification(success: true, status: .unlimited)
  /// Not signed by the store, or of another product, app, environment or account.
  public static let invalid = PurchaseVerification(success: false, error: "Invalid receipt")
  /// Genuine, but revoked by the store.
  public static func revoked(at date: Date) -> Self { PurchaseVerification(success: false, error: "Revoked", revokedAt: date) }
}

/// The answer of `getSubscriptionStatus`. Reading fails for an unknown status, so that no odd answer brings free stories back.
public struct AccountStatus: Sendable, Hashable, Codable {
  /// The name of a status.
  public enum Name: String, Sendable, Hashable, Codable {
    /// A number of stories is left.
    case free
    /// The unlimited stories were bought.
    case unlimited
  }

  /// The status.
  public let status: Name
  /// The stories left; `nil` without a limit.
  public let storiesRemaining: Int?
  /// When the unlimited stories were bought, by the store's clock.
  public let purchaseDate: Date?

  /// Makes a status with a number of stories left.
  public static func free(storiesRemaining: Int) -> Self { Self(status: .free, storiesRemaining: storiesRemaining, purchaseDate: nil) }
  /// Makes a status of an owner.
  public static func unlimited(since date: Date) -> Self { Self(status: .unlimited, storiesRemaining: nil, purchaseDate: date) }

  private init(status: Name, storiesRemaining: Int?, purchaseDate: Date?) {
    (self.status, self.storiesRemaining, self.purchaseDate) = (status, storiesRemaining, purchaseDate)
  }

  /// Reads a status. One with a limit needs its number.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    status = try values.decode(Name.self, forKey: .status)
    storiesRemaining = status == .free ? try values.decode(Int.self, forKey: .storiesRemaining) : nil
    purchaseDate = try values.decodeIfPresent(Date.self, forKey: .purchaseDate)
  }
}

/// The answer of `trackStoryCreation`.
public struct StoryTracking: Sendable, Hashable, Codable {
  /// Whether the story counts.
  public var success: Bool
  /// Whether it may be created.
  public var canCreate: Bool
  /// The stories left afterwards; `nil` without a limit and after a refusal.
  public var storiesRemaining: Int?
  /// The reason of a refusal: "No stories remaining".
  public var error: String?

  /// It may be created, and this number is left; `nil` without a limit.
  public static func counted(remaining: Int?) -> Self { Self(success: true, canCreate: true, storiesRemaining: remaining) }
  /// No story is left.
  public static let refused = Self(success: false, canCreate: false, error: "No stories remaining")
}

// SPDX-License-Identifier: Apache-2.0
public import Dozzi
public import Foundation

/// A user's record, with the plan's fields. It is computed from the user's facts; a server with another database stores the facts.
public struct StoryRecord: Sendable, Hashable, Codable {
  /// The status.
  public let subscription: AccountStatus.Name
  /// The product of an owner.
  public let productId: String?
  /// When it was bought, by the store's clock.
  public let purchaseDate: Date?
  /// Where it was bought: `ios`.
  public let platform: String?
  /// The free stories left; an owner's are what a refund would leave.
  public let storiesRemaining: Int
  /// When the record was made.
  public let createdAt: Date
  /// The time of the last story.
  public let lastStoryCreated: Date?
}

// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The answer to an ``AccessRequest``: whether it is allowed, why, and what would change that.
public struct Decision: Sendable, Hashable {
  /// Whether the request is allowed now.
  public var isAllowed: Bool { content.value.verdict.isAllowed }
  /// The reason for the answer.
  public var reason: Reason { content.value.reason }
  /// Exactly the products on sale that would allow this request, in catalog order. Empty when it is allowed.
  public var unlockedBy: [ProductID] { content.value.unlockedBy }
  /// The placement of the paywall to show. `nil` when buying does not help, or while that is unknown.
  public var placement: PlacementID? { content.value.placement }
  /// The source of the access; `nil` when denied.
  public var grantedBy: GrantSource? { content.value.grantedBy }
  /// When this answer can change by itself; `nil` when no such time is known.
  public var validUntil: Date? { content.value.validUntil }
  /// The earliest visible date, for features with a limited window.
  public var cutoff: Date? { content.value.cutoff }
  var verdict: Verdict { content.value.verdict }
  /// The length of the window, in seconds.
  package var window: TimeInterval? { content.value.verdict.window }
  /// The length of a window whose cutoff moves all the time.
  var slidingWindow: TimeInterval? { verdict.cutoff == nil ? window : nil }

  struct Content: Sendable, Hashable {
    var reason: Reason
    var unlockedBy: [ProductID] = []
    var placement: PlacementID?
    var grantedBy: GrantSource?
    var validUntil: Date?
    var cutoff: Date?
    var verdict: Verdict

    init(_ verdict: Verdict) {
      reason = verdict.reason
      validUntil = verdict.changesAt
      self.verdict = verdict
    }
  }
  // Shared, because the content has nine references and 350 bytes and is read far more often than made.
  private let content: Shared<Content>

  /// The amount left, at least 0; `nil` when nothing is counted.
  public var remaining: Int? { content.value.verdict.remaining }
  /// The amount used; `nil` when nothing is counted.
  public var used: Int? { content.value.verdict.used }
  /// The limit; `nil` when there is none.
  public var limit: Int? { content.value.verdict.limit }
  /// The measure of the limit; `nil` when nothing is counted.
  public var measure: Measure? { content.value.verdict.measure }
  /// When the count starts again or, for a rolling limit, when it allows more; `nil` when it never does.
  public var resetsAt: Date? { content.value.verdict.resetsAt }
  /// The granted level, for features with levels.
  public var level: String? { content.value.verdict.level }
  /// The item that must be completed first.
  public var requires: ItemPath? { content.value.verdict.requires }
  /// The credits that are left, included in ``remaining``; `nil` when none were ever bought or given.
  public var credits: Int? { content.value.verdict.credits }
  /// The coin balance, for items that cost coins.
  public var balance: Int? { content.value.verdict.balance }
  /// The price in coins.
  public var price: Int? { content.value.verdict.price }
  /// Whether a purchase would allow it.
  public var buyingHelps: Bool { !unlockedBy.isEmpty }
  /// Whether the request named something that the catalog lacks. ``reason`` has the details.
  public var isError: Bool { reason.isError }

  init(_ content: Content) { self.content = Shared(content) }

  func changed(_ change: (inout Content) -> Void) -> Decision {
    var content = content.value
    change(&content)
    return Decision(content)
  }

  /// Equal when all of their contents are equal.
  public static func == (a: Self, b: Self) -> Bool { a.content === b.content || a.content.value == b.content.value }
  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(content.value) }

  package static func denied(_ reason: Reason) -> Decision { Decision(Content(.denied(reason))) }
}

extension Decision: CustomStringConvertible {
  /// The answer and its reason, then what is known, always in this order: `Decision(denied: requiresPurchase, unlockedBy: [premium])`.
  public var description: String {
    var text = "Decision(\(isAllowed ? "allowed" : "denied"): \(reason)"
    func add(_ name: String, _ value: (some Any)?) { if let value { text += ", \(name): \(value)" } }
    if buyingHelps { add("unlockedBy", unlockedBy) }
    add("placement", placement)
    add("grantedBy", grantedBy)
    add("remaining", remaining)
    add("used", used)
    add("limit", limit)
    add("resetsAt", resetsAt)
    add("level", level)
    add("requires", requires)
    add("balance", balance)
    add("price", price)
    add("cutoff", cutoff)
    add("validUntil", validUntil)
    return text + ")"
  }
}

/// The source of access.
public enum GrantSource: Sendable, Hashable {
  /// The free tier.
  case freeTier
  /// A product that the customer owns.
  case product(ProductID)
  /// A complimentary grant, with its id.
  case complimentary(String)
  /// Credits, bought or given.
  case credits
  /// Monetization is off.
  case monetizationOff
}

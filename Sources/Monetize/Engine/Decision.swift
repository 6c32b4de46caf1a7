// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The answer to an ``AccessRequest``: whether, why, and what would change it.
public struct Decision: Sendable, Hashable {
  /// Whether the customer may do it now.
  public var isAllowed: Bool { content.value.isAllowed }
  /// Why.
  public var reason: Reason { content.value.reason }
  /// The products on sale that would make this decision allowed, in catalog order: exactly those. Empty when allowed.
  public var unlockedBy: [ProductID] { content.value.unlockedBy }
  /// Where to lead a person who wants it: a placement with a paywall. `nil` when buying does not help, or when nobody knows yet.
  public var placement: PlacementID? { content.value.placement }
  /// What gives the access, when it is allowed.
  public var grantedBy: GrantSource? { content.value.grantedBy }
  /// Until when this answer holds by itself; `nil` when no time is known at which it changes.
  public var validUntil: Date? { content.value.validUntil }
  /// Dated things from this moment on are visible, for features with a window that is limited.
  public var cutoff: Date? { content.value.cutoff }
  var verdict: Verdict { content.value.verdict }
  var window: TimeInterval? { content.value.verdict.window }

  /// All that a decision says, while it is made.
  struct Content: Sendable, Hashable {
    var isAllowed: Bool
    var reason: Reason
    var unlockedBy: [ProductID] = []
    var placement: PlacementID?
    var grantedBy: GrantSource?
    var validUntil: Date?
    var cutoff: Date?
    var verdict: Verdict

    init(_ verdict: Verdict) {
      isAllowed = verdict.isAllowed
      reason = verdict.reason
      validUntil = verdict.changesAt
      self.verdict = verdict
    }
  }
  // Shared: it has nine references and 350 bytes, and is read far more often than it is made.
  private let content: Shared<Content>

  /// How much is left, at least 0; `nil` where nothing counts down.
  public var remaining: Int? { content.value.verdict.remaining }
  /// How much of the limit is used; `nil` where nothing counts.
  public var used: Int? { content.value.verdict.used }
  /// The limit; `nil` where there is none.
  public var limit: Int? { content.value.verdict.limit }
  /// What the limit is counted by; `nil` where nothing is counted.
  public var measure: Measure? { content.value.verdict.measure }
  /// When the count begins anew; `nil` when never.
  public var resetsAt: Date? { content.value.verdict.resetsAt }
  /// The level that is granted, for features with levels.
  public var level: String? { content.value.verdict.level }
  /// What has to be completed first.
  public var requires: ItemPath? { content.value.verdict.requires }
  /// How many bought credits are left, which ``remaining`` holds as well; `nil` where none were ever bought.
  public var credits: Int? { content.value.verdict.credits }
  /// The coins there are, for what costs coins.
  public var balance: Int? { content.value.verdict.balance }
  /// The coins it costs.
  public var price: Int? { content.value.verdict.price }
  /// Whether a purchase would open it.
  public var buyingHelps: Bool { !unlockedBy.isEmpty }
  /// Whether the question named something that the catalog does not have. Then `reason` says what.
  public var isError: Bool { reason.isError }

  init(_ content: Content) { self.content = Shared(content) }

  /// The same but for a change.
  func changed(_ change: (inout Content) -> Void) -> Decision {
    var content = content.value
    change(&content)
    return Decision(content)
  }

  /// Equal when all that they say is.
  public static func == (a: Self, b: Self) -> Bool { a.content === b.content || a.content.value == b.content.value }
  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(content.value) }

  static func denied(_ reason: Reason) -> Decision { Decision(Content(.denied(reason))) }
}

extension Decision: CustomStringConvertible {
  /// Whether and why, then what is known, always in this order: `Decision(denied: requiresPurchase, unlockedBy: [premium])`.
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

/// What gives access to something.
public enum GrantSource: Sendable, Hashable {
  /// Everyone has it.
  case freeTier
  /// A product that the customer has.
  case product(ProductID)
  /// Something given without a purchase.
  case complimentary(String)
  /// Credits that were bought cover it.
  case credits
  /// Money limits nothing at the moment.
  case monetizationOff
}

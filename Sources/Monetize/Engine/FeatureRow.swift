// SPDX-License-Identifier: Apache-2.0
import Foundation

/// All that decides about one feature for one member, joined once: most questions are answered by `decision` without a judgement.
final class FeatureRow: Sendable {
  /// A source that grants the feature now.
  struct Grantor: Sendable, Hashable {
    let source: GrantSource
    let reason: Reason
    let granted: Granted
  }
  /// Credits of the customer. Both are sums of facts.
  struct Credits: Sendable, Hashable {
    var bought: Int
    var used: Int
    /// Never below 0: what was refunded after it was used is owed, and the next purchase pays it first.
    var left: Int { max(0, bought - used) }

    /// After a purchase that adds some.
    func adding(_ more: Int) -> Credits { Credits(bought: bought + more, used: used) }
  }
  /// What a product would make of it.
  struct Offer: Sendable, Hashable {
    let product: ProductID
    /// What would be granted then; `nil` when still nothing.
    let granted: Granted?
    /// What it adds in credits.
    var credits = 0
  }
  /// What the row is made from.
  struct Sources: Sendable, Hashable {
    /// What is granted, joined; `nil` when nothing is.
    var granted: Granted?
    /// In catalog order, the free tier first.
    var grantors: [Grantor] = []
    /// What products on sale would make of it, in catalog order.
    var offers: [Offer] = []
    /// What subscriptions would make of it of which the store's last answer was too early to say whether they have gone on.
    var doubts: [Granted] = []
    /// What a parent has limited of the feature itself.
    var cap: Granted?
    /// What a parent has limited of the whole that the feature is a part of.
    var wholeCap: Granted?
    /// What was bought and used in credits, by any member; `nil` where none were ever bought.
    var credits: Credits?
    /// What was used in credits, also where none of their purchases counts any more.
    var creditsUsed = 0
    /// When a grantor, an offer or a pending purchase changes this by itself.
    var changesAt: Date?
  }

  let sources: Sources
  /// What judgements of this row look at besides the request.
  let background: AllowanceContext.Background
  /// The answer to the question without a parameter.
  let decision: Decision
  /// When `decision` can change by itself.
  let changesAt: Date

  init(_ sources: Sources, _ background: AllowanceContext.Background, _ decision: Decision, changesAt: Date?) {
    (self.sources, self.background, self.decision, self.changesAt) = (sources, background, decision, changesAt ?? .distantFuture)
  }

  /// Whether both answer every question alike.
  func answersLike(_ other: FeatureRow) -> Bool {
    if self === other { return true }
    var (own, others) = (sources, other.sources)
    (own.changesAt, others.changesAt) = (nil, nil)
    return decision == other.decision && own == others && background.usage == other.background.usage
  }
}

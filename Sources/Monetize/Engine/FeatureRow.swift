// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The joined sources of access to one feature for one member. `decision` answers most questions without another judgement.
final class FeatureRow: Sendable {
  /// A source that grants the feature now.
  struct Grantor: Sendable, Hashable {
    let source: GrantSource
    let reason: Reason
    let granted: Granted
  }
  /// The customer's credits. All numbers are sums of facts.
  struct Credits: Sendable, Hashable {
    var bought = 0
    /// Those that were given without a purchase.
    var given = 0
    var used = 0
    var all: Int { bought + given }
    /// At least 0. Credits refunded after their use are owed, and the next purchase pays for them first.
    var left: Int { max(0, all - used) }

    func adding(_ more: Int) -> Credits { Credits(bought: bought + more, given: given, used: used) }
  }
  struct Offer: Sendable, Hashable {
    let product: ProductID
    /// Whether the store sells it now.
    let isSold: Bool
    /// The grant after the purchase; `nil` when there is still none.
    let granted: Granted?
    var credits = 0
  }
  struct Sources: Sendable, Hashable {
    /// The joined grants; `nil` when there are none.
    var granted: Granted?
    /// The sources of the grants in catalog order, the free tier first.
    var grantors: [Grantor] = []
    /// The effects of products on sale, and of those whose purchase waits for approval, in catalog order.
    var offers: [Offer] = []
    /// The effects of products that the customer may have: subscriptions that may have renewed and requests that may have been approved since
    /// the store's last answer, and before the first answer all products whose state is unknown.
    var doubts: [Offer] = []
    /// The parent's limits: on the feature itself, and on the whole that it is a part of.
    var caps: [Granted] = []
    /// The credits bought, given and used by any member. Some may be used although none of their purchases counts any more.
    var credits = Credits()
    /// When a grantor, an offer or a pending purchase next changes the row.
    var changesAt: Date?
  }

  let sources: Sources
  /// The inputs of judgements besides the request.
  let background: AllowanceContext.Background
  let decision: Decision
  let changesAt: Date

  init(_ sources: Sources, _ background: AllowanceContext.Background, _ decision: Decision, changesAt: Date?) {
    (self.sources, self.background, self.decision, self.changesAt) = (sources, background, decision, changesAt ?? .distantFuture)
  }

  /// Whether both rows give the same answer to every question at the same time.
  func answersLike(_ other: FeatureRow) -> Bool {
    if self === other { return true }
    // The cutoff of a sliding window follows from its length and the time.
    func timeless(_ decision: Decision) -> Decision { decision.slidingWindow == nil ? decision : decision.changed { $0.cutoff = nil } }
    return timeless(decision) == timeless(other.decision) && sources == other.sources && background.usage == other.background.usage
      && background.progress.judgesLike(other.background.progress)
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation

/// All that decides about one feature for one subject, joined once: most questions are answered by `decision` without a judgement.
struct FeatureRow: Sendable {
  /// Somebody who grants the feature now.
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
  /// What a product on sale would make of it.
  struct Offer: Sendable, Hashable {
    let product: ProductID
    /// What would be granted then; `nil` when still nothing.
    let granted: Granted?
    /// What it adds in credits.
    var credits = 0
  }
  /// What a pattern of grants comes to for one customer: the same for all features that are granted alike.
  struct Grants: Sendable {
    /// What is granted, joined; `nil` when nothing is.
    var granted: Granted?
    /// In catalog order, the free tier first.
    var grantors: [Grantor] = []
    /// In catalog order, without those that only add credits.
    var offers: [Offer] = []
    /// How far back single uses matter.
    var lookBack: TimeInterval?
    /// When a grantor or an offer changes this by itself.
    var changesAt: Date?
  }

  /// Who grants it and who would.
  let grants: Shared<Grants>
  /// In catalog order.
  var offers: [Offer]
  /// What a parent has limited.
  var cap: Granted?
  /// What judgements of this row look at besides the request: made once, and shared by rows without uses.
  var background: Shared<AllowanceContext.Background>
  /// What was bought and used in credits, by anybody; `nil` where none were ever bought.
  var credits: Credits?
  /// What was used in credits, also where none of their purchases counts (any more).
  var creditsUsed = 0
  /// When a grantor, an offer or a pending purchase changes this row by itself.
  var sourcesChangeAt: Date?
  /// The answer to the question without a parameter.
  var decision = Decision.unjudged
  /// When `decision` can change by itself.
  var changesAt = Date.distantFuture

  /// What is granted, joined; `nil` when nothing is.
  var granted: Granted? { grants.value.granted }
  /// In catalog order, the free tier first.
  var grantors: [Grantor] { grants.value.grantors }
  var usage: UsageTotals { background.value.usage }

  init(grants: Shared<Grants>, background: Shared<AllowanceContext.Background>) {
    self.grants = grants
    self.background = background
    offers = grants.value.offers
    sourcesChangeAt = grants.value.changesAt
  }

  /// Whether both answer every question alike.
  func saysTheSame(as other: Self) -> Bool {
    decision == other.decision && granted == other.granted && grantors == other.grantors && offers == other.offers && cap == other.cap
      && usage == other.usage && credits == other.credits && creditsUsed == other.creditsUsed
  }
}

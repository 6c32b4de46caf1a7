// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// The exact value of one download, one payment and one use, without months or chance.
struct UnitEconomics: Sendable {
  /// The values after a commission.
  struct Net: Sendable {
    /// The commission.
    let commission: Decimal
    /// The revenue of a download at the lower and the upper bound of the conversion.
    let perDownload: (low: Decimal, high: Decimal)
    /// The number of payments among 100 downloads that cover the cost of their free uses; `nil` when a payment leaves nothing after its
    /// own uses, so that no number does.
    let breakEvenPer100: Decimal?
    /// Each product's proceeds from one payment.
    let proceeds: [Decimal]
    /// By feature and product: the number of uses that a payment covers; `nil` when a use costs nothing.
    let coveredUses: [[Int?]]
    /// By feature and product: the rest of a payment after the assumed uses; `nil` without an assumption.
    let margins: [[Decimal?]]
  }

  /// The cost of the free uses of a download: per month if limits reset, otherwise in all.
  let freeCost: Decimal
  /// The cost of the assumed uses of a payment; of uses without an assumption, 0.
  let paidCost: Decimal
  /// Whether the cost is per month.
  let isMonthly: Bool
  /// The average price of a payment, by the shares of products.
  let averagePrice: Decimal
  /// Without a commission, with the small one, with the large one, and with the assumed one if it differs.
  let nets: [Net]

  init(_ plan: ForecastPlan) {
    let freeCost = plan.features.reduce(Decimal()) { $0 + $1.freeCost }
    let paidCost = plan.features.reduce(Decimal()) { $0 + ($1.uses.paid ?? 0) * ($1.cost.paid ?? 0) }
    (self.freeCost, self.paidCost) = (freeCost, paidCost)
    isMonthly = plan.features.contains(where: \.isPeriodic)
    let average =
      plan.products.count == 1
      ? plan.products[0].price
      : plan.products.reduce(Decimal()) { $0 + $1.price * Decimal($1.share).rounded(9) }
    averagePrice = average
    var shares: [Decimal] = [0, Decimal(sign: .plus, exponent: -2, significand: 15), Decimal(sign: .plus, exponent: -1, significand: 3)]
    if case .share(let share) = plan.assumptions.commission, !shares.contains(share) { shares.append(share) }
    nets = shares.map { share in
      let kept = (1 - share) * (1 - (plan.assumptions.refunds ?? 0))
      let proceeds = plan.products.map { $0.price * kept }
      return Net(
        commission: share, perDownload: (average * kept * plan.conversion.low, average * kept * plan.conversion.high),
        breakEvenPer100: average * kept > paidCost ? 100 * freeCost / (average * kept - paidCost) : nil, proceeds: proceeds,
        coveredUses: plan.features.map { feature in
          proceeds.map { proceeds in feature.cost.paid.flatMap { $0 > 0 ? (proceeds / $0).whole : nil } }
        },
        margins: plan.features.map { feature in
          proceeds.map { proceeds in
            guard let uses = feature.uses.paid, let cost = feature.cost.paid else { return nil }
            return proceeds - uses * cost
          }
        })
    }
  }
}

/// The effect of a changed free limit or price.
struct WhatIf: Sendable {
  let change: String
  /// The changed cost of the free uses of a download.
  let freeCost: Decimal
  /// The share of downloads that have to pay for the same result per download as now, after the changed cost; `nil` when a payment leaves
  /// nothing after its own uses.
  let neededConversion: Decimal?

  /// One free use less and more, a price a fifth lower and a quarter higher.
  static func all(_ plan: ForecastPlan, _ now: UnitEconomics, commission: Decimal) -> [WhatIf] {
    let kept = (1 - commission) * (1 - (plan.assumptions.refunds ?? 0))
    let conversion = (plan.conversion.low + plan.conversion.high) / 2
    let profit = (now.averagePrice * kept - now.paidCost) * conversion - now.freeCost
    func needed(_ price: Decimal, _ cost: Decimal) -> Decimal? {
      price * kept > now.paidCost ? max(0, (profit + cost) / (price * kept - now.paidCost)) : nil
    }
    var found: [WhatIf] = []
    for feature in plan.features where (feature.cost.free ?? 0) > 0 && feature.uses.free == nil {
      let one = feature.freeCost / Decimal(max(1, feature.limit))
      for step in [-1, 1] where feature.limit > 0 && feature.limit + step >= 0 {
        let (limit, cost) = (feature.limit + step, now.freeCost + one * Decimal(step))
        found.append(
          WhatIf(
            change: "\(limit) free \(limit == 1 ? feature.unit.one : feature.unit.other)", freeCost: cost,
            neededConversion: needed(now.averagePrice, cost)))
      }
    }
    let changes = [
      (Decimal(sign: .plus, exponent: -1, significand: 8), "a fifth lower"),
      (Decimal(sign: .plus, exponent: -2, significand: 125), "a quarter higher"),
    ]
    for (factor, words) in changes {
      let price = now.averagePrice * factor
      // With several products, no product has the average price.
      let change = plan.products.count > 1 ? "prices \(words)" : "a price of \(Money(amount: price.rounded(2), currency: plan.currency))"
      found.append(WhatIf(change: change, freeCost: now.freeCost, neededConversion: needed(price, now.freeCost)))
    }
    return found
  }
}

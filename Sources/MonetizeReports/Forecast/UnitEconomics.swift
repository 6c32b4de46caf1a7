// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeTools

/// The exact value of one download, one payment and one use, without months or chance.
struct UnitEconomics: Sendable {
  /// The values after a commission.
  struct Net: Sendable {
    let commission: Decimal
    /// The revenue of a download at the lower and the upper bound of the conversion.
    let perDownload: (low: Decimal, high: Decimal)
    /// The number of payments among 100 downloads that cover the cost of their free uses in the first month; `nil` when a payment leaves nothing after its
    /// own uses, so that no number does.
    let breakEvenPer100: Decimal?
    /// Each product's proceeds from one payment.
    let proceeds: [Decimal]
    /// By feature and product: the number of uses that a payment covers; `nil` when a use costs nothing.
    let coveredUses: [[Int?]]
    /// By feature and product: the rest of a payment after the assumed uses; `nil` without an assumption.
    let margins: [[Decimal?]]
  }

  /// The cost of the free uses of a download that are free once.
  let freeCostOnce: Decimal
  /// The cost of the free uses of a download in each month, of limits that reset.
  let freeCostPerMonth: Decimal
  /// The cost of the free uses of a download in its first month.
  var freeCost: Decimal { freeCostOnce + freeCostPerMonth }
  /// Whether some uses are free once and others each month, so that only the first month has one cost.
  var isMixed: Bool { freeCostOnce > 0 && freeCostPerMonth > 0 }
  /// The average cost of the assumed uses of a payment, by the shares of products; of uses without an assumption, 0.
  let paidCost: Decimal
  /// The average price of a payment, by the shares of products.
  let averagePrice: Decimal
  /// Without a commission, with the small one, with the large one, and with the assumed one if it differs.
  let nets: [Net]

  init(_ plan: ForecastPlan) {
    func cost(_ isPeriodic: Bool) -> Decimal {
      plan.features.reduce(Decimal()) { $1.isPeriodic == isPeriodic ? $0 + $1.freeCost : $0 }
    }
    (freeCostOnce, freeCostPerMonth) = (cost(false), cost(true))
    let freeCost = freeCostOnce + freeCostPerMonth
    // Sums of whole weights, each divided once: an average of thirds is not exact.
    let weights = plan.products.reduce(Decimal()) { $0 + $1.weight }
    let paidCosts = plan.products.reduce(Decimal()) { sum, product in
      sum + product.weight * plan.features.reduce(Decimal()) { $0 + $1.paidCost(of: product) }
    }
    paidCost = paidCosts / weights
    let prices = plan.products.reduce(Decimal()) { $0 + $1.price * $1.weight }
    averagePrice = prices / weights
    var shares: [Decimal] = [0, Decimal(sign: .plus, exponent: -2, significand: 15), Decimal(sign: .plus, exponent: -1, significand: 3)]
    if case .share(let share) = plan.assumptions.commission, !shares.contains(share) { shares.append(share) }
    nets = shares.map { share in
      let kept = (1 - share) * (1 - (plan.assumptions.refunds ?? 0))
      let proceeds = plan.products.map { $0.price * kept }
      let left = prices * kept - paidCosts
      return Net(
        commission: share,
        perDownload: (prices * kept * plan.conversion.low / weights, prices * kept * plan.conversion.high / weights),
        breakEvenPer100: left > 0 ? 100 * freeCost * weights / left : nil, proceeds: proceeds,
        coveredUses: plan.features.map { feature in
          proceeds.map { proceeds in feature.cost.paid.flatMap { $0 > 0 ? (proceeds / $0).whole : nil } }
        },
        margins: plan.features.map { feature in
          zip(proceeds, plan.products).map { proceeds, product in
            feature.paidUses(of: product) == nil || feature.cost.paid == nil ? nil : proceeds - feature.paidCost(of: product)
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
    for feature in plan.features where (feature.cost.free ?? 0) > 0 && feature.uses.free == nil && !feature.isTime {
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

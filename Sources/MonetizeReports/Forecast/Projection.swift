// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeTools

/// The months of a plan: the expected values, and the bands from chance and unknown retention.
struct Projection: Sendable {
  /// The money of one month.
  struct Month: Sendable {
    /// Downloads of the month.
    var downloads = 0
    /// Payments made, first ones and renewals.
    var payments = 0.0
    /// Customers with a subscription that was paid in its last period and not refunded.
    var subscribers = 0.0
    /// Customers with access from a trial or from a payment that was not refunded. Access for a part of the month counts as that part.
    var payers = 0.0
    /// The payments of customers.
    var gross = Decimal()
    /// The refunded part.
    var refunds = Decimal()
    /// The store's commission.
    var commission = Decimal()
    /// The cost of uses.
    var costs = Decimal()
    /// The remaining amount.
    var net: Decimal { gross - refunds - commission - costs }

    static func + (a: Self, b: Self) -> Self {
      Self(
        downloads: a.downloads + b.downloads, payments: a.payments + b.payments, subscribers: a.subscribers + b.subscribers,
        payers: a.payers + b.payers, gross: a.gross + b.gross, refunds: a.refunds + b.refunds, commission: a.commission + b.commission,
        costs: a.costs + b.costs)
    }
  }

  /// A range that contains nine of ten runs.
  struct Band: Sendable {
    let low: Double
    let middle: Double
    let high: Double

    init(_ values: [Double]) {
      let sorted = values.sorted()
      func at(_ share: Double) -> Double { sorted.isEmpty ? 0 : sorted[Int((Double(sorted.count - 1) * share).rounded())] }
      (low, middle, high) = (at(0.05), at(0.5), at(0.95))
    }
  }

  let expected: [Month]
  let net: [Band]
  let payments: [Band]
  let total: Band

  /// - Parameters:
  ///   - plans: The products and assumptions: one plan, or one for each part of the customers. The months are the sums of the parts.
  ///   - months: The number of months.
  ///   - start: The date of all downloads, for months of the calendar; `nil` for months of equal length.
  ///   - runs: The number of times that the months are drawn.
  ///   - seed: The seed of the draws.
  init(_ plans: [ForecastPlan], months: Int, from start: Date? = nil, runs: Int = 200, seed: UInt64) {
    let parts = plans.map { plan in Part(plan: plan, offsets: plan.products.map { $0.months(of: months, from: start) }) }
    expected = Self.sum(parts.map { Self.expected($0, months) })
    var draws = Draws(seed: seed)
    let drawn = (0..<runs).map { _ in Self.drawn(parts, months, &draws) }
    net = (0..<months).map { month in Band(drawn.map { $0[month].net.double }) }
    payments = (0..<months).map { month in Band(drawn.map { $0[month].payments }) }
    total = Band(drawn.map { $0.reduce(0) { $0 + $1.net.double } })
  }

  /// A plan, with the month of each payment for each of its products, counted from the month of the download.
  private struct Part {
    let plan: ForecastPlan
    let offsets: [[Int]]
  }

  private static func sum(_ parts: [[Month]]) -> [Month] {
    guard let first = parts.first else { return [] }
    return parts.dropFirst().reduce(first) { sum, part in zip(sum, part).map { $0 + $1 } }
  }

  private static func expected(_ part: Part, _ months: Int) -> [Month] {
    let (plan, offsets) = (part.plan, part.offsets)
    let middle = ((plan.conversion.low + plan.conversion.high) / 2).double
    return Self.months(plan, months, offsets) { index, downloads in
      let product = plan.products[index]
      let buyers = Double(downloads) * middle * product.share
      return product.curve.survival(through: max(0, offsets[index].count - 1)).map { $0 * buyers }
    }
  }

  private static func drawn(_ parts: [Part], _ months: Int, _ draws: inout Draws) -> [Month] {
    let common = draws
    var drawn: [[Month]] = []
    for (number, part) in parts.enumerated() {
      // Conversion and retention are unknown, but the same in each part.
      var shared = common
      let (plan, offsets) = (part.plan, part.offsets)
      let (low, high) = (plan.conversion.low.double, plan.conversion.high.double)
      let conversion = low == high ? low : Double.random(in: low...high, using: &shared)
      let curves = plan.products.map { $0.isGuess && $0.period != nil ? $0.curve.varied(&shared) : $0.curve }
      var run = number == 0 ? shared : draws
      drawn.append(
        Self.months(plan, months, offsets) { index, downloads in
          let (product, curve) = (plan.products[index], curves[index])
          let buyers = run.count(of: downloads, chance: conversion * product.share)
          return curve.drawn(buyers, through: max(0, offsets[index].count - 1), &run).map(Double.init)
        })
      draws = run
    }
    return sum(drawn)
  }

  /// - Parameters:
  ///   - plan: The products and assumptions.
  ///   - count: The number of months.
  ///   - offsets: By product: the month of each payment, counted from the month of the download.
  ///   - payers: Returns how many of a number of downloads make each payment for the product at an index, the first one first.
  private static func months(
    _ plan: ForecastPlan, _ count: Int, _ offsets: [[Int]], payers: (_ product: Int, _ downloads: Int) -> [Double]
  ) -> [Month] {
    var months = Array(repeating: Month(), count: count)
    // By product and month: the customers with access, and the first payments without those for credits.
    var owners = Array(repeating: Array(repeating: 0.0, count: count), count: plan.products.count)
    var bought = owners
    for start in 0..<count {
      let downloads = start < plan.downloads.count ? plan.downloads[start] : 0
      months[start].downloads = downloads
      for (index, product) in plan.products.enumerated() {
        let paying = payers(index, downloads)
        let due = offsets[index].prefix { $0 < count - start }
        if let first = due.first, product.credits == nil { bought[index][start + first] += paying[0] }
        for month in 0..<(due.first ?? count - start) { owners[index][start + month] += paying[0] }
        for (payment, offset) in due.enumerated() {
          pay(product, paying[payment], payment, of: plan, in: &months[start + offset])
          let next = payment + 1 < due.count ? due[payment + 1] : count - start
          let kept = paying[payment] * (1 - (plan.assumptions.refunds ?? 0).double)
          if product.isSubscription {
            // A subscriber counts in each month that begins in a paid period; for weekly plans, the last payment of a month counts.
            for month in (start + offset)..<(start + max(offset, next)) {
              owners[index][month] += kept
              months[month].subscribers += kept
            }
          } else {
            giveAccess(product, payment, to: kept, from: start, in: &owners[index])
          }
        }
      }
    }
    for month in months.indices { months[month].payers = owners.reduce(0) { $0 + $1[month] } }
    addCosts(plan, &months, owners, bought)
    return months
  }

  private static func pay(_ product: ForecastPlan.Product, _ payers: Double, _ payment: Int, of plan: ForecastPlan, in month: inout Month) {
    let gross = product.price(of: payment) * Decimal(payers).rounded(6)
    let refunds = gross * (plan.assumptions.refunds ?? 0)
    month.payments += payers
    month.gross += gross
    month.refunds += refunds
    // The store refunds its commission as well.
    month.commission += (gross - refunds) * share(product, payment, plan.assumptions.commission ?? .standard)
    if product.credits != nil { month.costs += plan.features.reduce(0) { $0 + $1.paidCost(of: product) } * Decimal(payers).rounded(6) }
  }

  /// The store's share of a payment: the smaller one after a year of paid service.
  private static func share(_ product: ForecastPlan.Product, _ payment: Int, _ commission: ForecastAssumptions.Commission) -> Decimal {
    switch commission {
    case .share(let share): return share
    case .standard:
      let isLong = product.isSubscription && product.months(before: payment) >= 11.99
      return isLong ? Decimal(sign: .plus, exponent: -2, significand: 15) : Decimal(sign: .plus, exponent: -1, significand: 3)
    }
  }

  /// Adds the buyers of one payment to the months, or parts of them, in which it gives access. Credits give none.
  /// - Parameter start: The month of the download.
  private static func giveAccess(
    _ product: ForecastPlan.Product, _ payment: Int, to payers: Double, from start: Int, in months: inout [Double]
  ) {
    if product.credits != nil { return }
    let begin = Double(start) + product.months(before: payment)
    let end = begin + (product.length?.months(times: 1) ?? .infinity)
    for month in months.indices.dropFirst(Int(begin)) {
      let part = min(end, Double(month + 1)) - max(begin, Double(month))
      if part <= 0 { return }
      months[month] += payers * part
    }
  }

  /// - Parameters:
  ///   - owners: By product: the customers with access in each month.
  ///   - bought: By product: the first payments of each month, without those for credits.
  private static func addCosts(_ plan: ForecastPlan, _ months: inout [Month], _ owners: [[Double]], _ bought: [[Double]]) {
    let uses = plan.features.map { feature in plan.products.map { (feature.ownedUses(of: $0) ?? 0).double } }
    var users = 0
    for month in months.indices {
      users += months[month].downloads
      for (feature, uses) in zip(plan.features, uses) {
        let paid = zip(uses, feature.isPeriodic ? owners : bought).reduce(0) { $0 + $1.0 * $1.1[month] }
        let free =
          feature.isPeriodic ? Decimal(max(0, Double(users) - months[month].payers)).rounded(6) : Decimal(months[month].downloads)
        months[month].costs += feature.freeCost * free + (feature.cost.paid ?? 0) * Decimal(paid).rounded(6)
      }
    }
  }
}

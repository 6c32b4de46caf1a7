// SPDX-License-Identifier: Apache-2.0
import Foundation
public import Monetize
public import MonetizeTools

/// The expected revenue and cost of a catalog: exact figures for one download, and months with bands for many.
///
/// Each scenario of the catalog's `forecast` is one part. Without one, published medians are used, and the report notes that.
public struct Forecast: ToolReport {
  /// The options of a forecast.
  public struct Options: Sendable {
    /// The only scenario to report; `nil` for all.
    public var scenario: String?
    /// Changes of assumptions, such as `costPerUse=0.05` or `limit.story=3`, applied to each scenario.
    public var set: [String] = []
    /// The variant of the catalog for the headings, such as `price=high`; `nil` for the catalog without arms.
    public var variant: String?
    /// The number of projected months, 1 to 120.
    public var months = 24
    /// The seed of the random draws.
    public var seed: UInt64 = 1

    /// All scenarios, 24 months.
    public init() {}
  }

  /// One scenario.
  struct Part: Sendable {
    let plan: ForecastPlan
    let units: UnitEconomics
    let whatIf: [WhatIf]
    let projection: Projection
    /// The assumptions that were not declared.
    let notes: [String]
  }

  /// The app and its variant, for headings.
  let title: String
  let parts: [Part]
  let months: Int
  /// Always fine: a forecast passes or fails nothing.
  public var status: ToolStatus { .fine }

  /// Makes a forecast.
  /// - Throws: `ToolProblem` when the catalog sells nothing, has no such scenario, or a change is invalid.
  /// - Complexity: One draw per customer, month and run, with 200 runs. 64 draws take about as long as eight random numbers.
  public init(_ catalog: Catalog, _ options: Options = Options()) throws(ToolProblem) {
    guard (1...120).contains(options.months) else { throw ToolProblem("A forecast covers 1 to 120 months, not \(options.months).") }
    try ForecastPlan.check(catalog)
    let own = catalog.forecasts
    var scenarios = own
    if let wanted = options.scenario {
      scenarios = scenarios.filter { $0.name == wanted }
      if scenarios.isEmpty {
        let known = own.map(\.name).joined(separator: ", ")
        throw ToolProblem(
          "There is no scenario \"\(wanted)\". " + (known.isEmpty ? "The catalog has no \"forecast\"." : "Known names: \(known)."))
      }
    }
    if scenarios.isEmpty { scenarios = [("published medians", ForecastAssumptions())] }
    title = catalog.app.name + (options.variant.map { " with \($0)" } ?? "")
    months = options.months
    var made: [Part] = []
    for scenario in scenarios {
      var assumptions = scenario.assumptions
      for change in options.set { try assumptions.set(change, in: catalog) }
      let plan = try ForecastPlan(catalog, scenario.name, assumptions)
      let units = UnitEconomics(plan)
      let commission: Decimal =
        if case .share(let share) = assumptions.commission { share } else { Decimal(sign: .plus, exponent: -1, significand: 3) }
      made.append(
        Part(
          plan: plan, units: units, whatIf: WhatIf.all(plan, units, commission: commission),
          projection: Projection([plan], months: options.months, seed: options.seed), notes: Self.notes(plan)))
    }
    parts = made
  }

  private static func notes(_ plan: ForecastPlan) -> [String] {
    var notes: [String] = []
    if plan.assumptions.conversion == nil {
      notes.append("conversion is not declared: \(Words.percent(plan.conversion.low)), a published median of freemium apps")
    }
    if plan.assumptions.downloads == nil { notes.append("downloads are not declared: 1,000 in the first month") }
    if plan.assumptions.commission == nil {
      notes.append("commission is not declared: 30 %, and 15 % of a subscription after a year of paid service")
    }
    for product in plan.products {
      guard let offer = product.offer else { continue }
      let payments = "\(offer.payments == 1 ? "payment" : "\(offer.payments) payments") for \(product.name)"
      notes.append("the first \(payments): \(Money(amount: offer.price, currency: plan.currency)), the introductory offer")
    }
    for product in plan.products where product.isSubscription && product.isGuess && product.weight > 0 {
      notes.append("retention of \(product.name) is not declared: a curve through published medians, varied by their quartiles")
    }
    for product in plan.products where product.period == nil && (product.credits != nil || product.length != nil) && product.weight > 0 {
      notes.append("\(product.name): each buyer buys it once, because its retention is not declared")
    }
    for feature in plan.features where feature.uses.paid == nil && (feature.cost.paid ?? 0) > 0 && feature.isSold(by: plan.products) {
      notes.append("uses of \(feature.title) by payers are not declared: they cost nothing")
    }
    if plan.assumptions.mix.isEmpty, plan.products.count > 1 { notes.append("mix is not declared: payers are spread evenly over products") }
    return notes
  }
}

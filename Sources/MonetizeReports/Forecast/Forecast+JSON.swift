// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeTools

extension Forecast {
  private struct Report: Encodable {
    struct Net: Encodable {
      let commission: String
      let perDownload: [String]
      let breakEvenPer100: String?
      let breakEvenWhole: Int?
      let products: [Product]
    }
    struct Product: Encodable {
      let id: String
      let proceeds: String
      let coveredUses: [String: Int]
      let margins: [String: String]
    }
    struct Month: Encodable {
      let month: Int
      let payments, subscribers: Double
      let gross, refunds, commission, costs, net: String
      let netBand, paymentsBand: [Double]
    }
    struct Otherwise: Encodable {
      let change, freeCost: String
      let neededConversion: String?
    }
    let scenario, currency: String
    let conversion: [String]
    let freeCostPerDownload, freeCostOnce, freeCostPerMonth: String
    let nets: [Net]
    let whatIf: [Otherwise]
    let months: [Month]
    let net: String
    let netBand: [Double]
    let notes: [String]
  }

  /// The report as JSON: a list of scenarios. Amounts are decimal strings. A band contains nine of ten runs.
  public var json: String { ToolJSON.text(parts.map(Self.report)) }

  private static func report(_ part: Part) -> Report {
    let (plan, units) = (part.plan, part.units)
    let nets = units.nets.map { net in
      Report.Net(
        commission: text(net.commission), perDownload: [text(net.perDownload.low), text(net.perDownload.high)],
        breakEvenPer100: net.breakEvenPer100.map { text($0.rounded(6)) }, breakEvenWhole: net.breakEvenPer100?.ceiling,
        products: plan.products.enumerated().map { index, product in
          Report.Product(
            id: product.id.rawValue, proceeds: text(net.proceeds[index]), coveredUses: byFeature(plan) { net.coveredUses[$0][index] },
            margins: byFeature(plan) { net.margins[$0][index].map(text) })
        })
    }
    func money(_ amount: Decimal) -> String { Forecast.money(amount, plan.decimals) }
    let months = part.projection.expected.enumerated().map { index, month in
      Report.Month(
        month: index + 1, payments: rounded(month.payments), subscribers: rounded(month.subscribers), gross: money(month.gross),
        refunds: money(month.refunds), commission: money(month.commission), costs: money(month.costs), net: money(month.net),
        netBand: ends(part.projection.net[index]), paymentsBand: ends(part.projection.payments[index]))
    }
    return Report(
      scenario: plan.name, currency: plan.currency, conversion: [text(plan.conversion.low), text(plan.conversion.high)],
      freeCostPerDownload: text(units.freeCost), freeCostOnce: text(units.freeCostOnce), freeCostPerMonth: text(units.freeCostPerMonth),
      nets: nets,
      whatIf: part.whatIf.map {
        .init(change: $0.change, freeCost: text($0.freeCost), neededConversion: $0.neededConversion.map { text($0.rounded(6)) })
      },
      months: months, net: money(part.projection.expected.reduce(Decimal()) { $0 + $1.net }), netBand: ends(part.projection.total),
      notes: part.notes)
  }

  private static func byFeature<Value>(_ plan: ForecastPlan, _ value: (Int) -> Value?) -> [String: Value] {
    Dictionary(plan.features.enumerated().compactMap { row, feature in value(row).map { (feature.id.rawValue, $0) } }) { first, _ in first }
  }

  private static func ends(_ band: Projection.Band) -> [Double] { [rounded(band.low), rounded(band.high)] }
  private static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
  private static func text(_ value: Decimal) -> String { Money.text(value, decimals: 0) }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeTools

extension Forecast {
  /// The report as JSON: a list of scenarios. Amounts are decimal strings. A band contains nine of ten runs.
  public var json: String { ToolJSON.text(parts.map(Self.report)) }

  private static func report(_ part: Part) -> ToolObject {
    let (plan, units) = (part.plan, part.units)
    func money(_ amount: Decimal) -> String { Forecast.money(amount, plan.decimals) }
    let months = part.projection.expected.enumerated().map { index, month -> ToolObject in
      [
        "month": index + 1, "payments": rounded(month.payments), "subscribers": rounded(month.subscribers), "gross": money(month.gross),
        "refunds": money(month.refunds), "commission": money(month.commission), "costs": money(month.costs), "net": money(month.net),
        "netBand": ends(part.projection.net[index]), "paymentsBand": ends(part.projection.payments[index]),
      ]
    }
    let whatIf = part.whatIf.map { other -> ToolObject in
      [
        "change": other.change, "freeCost": text(other.freeCost), "neededConversion": other.neededConversion.map { text($0.rounded(6)) },
      ]
    }
    return [
      "scenario": plan.name, "currency": plan.currency, "conversion": [text(plan.conversion.low), text(plan.conversion.high)],
      "freeCostPerDownload": text(units.freeCost), "freeCostOnce": text(units.freeCostOnce),
      "freeCostPerMonth": text(units.freeCostPerMonth), "nets": units.nets.map { self.net($0, plan) }, "whatIf": whatIf, "months": months,
      "net": money(part.projection.expected.reduce(Decimal()) { $0 + $1.net }), "netBand": ends(part.projection.total),
      "notes": part.notes,
    ]
  }

  private static func net(_ net: UnitEconomics.Net, _ plan: ForecastPlan) -> ToolObject {
    let products = plan.products.enumerated().map { index, product -> ToolObject in
      [
        "id": product.id, "proceeds": text(net.proceeds[index]),
        "coveredUses": ToolObject(zip(plan.features, net.coveredUses).map { ($0.id.rawValue, $1[index]) }),
        "margins": ToolObject(zip(plan.features, net.margins).map { ($0.id.rawValue, $1[index].map(text)) }),
      ]
    }
    return [
      "commission": text(net.commission), "perDownload": [text(net.perDownload.low), text(net.perDownload.high)],
      "breakEvenPer100": net.breakEvenPer100.map { text($0.rounded(6)) }, "breakEvenWhole": net.breakEvenPer100?.ceiling,
      "products": products,
    ]
  }

  private static func ends(_ band: Projection.Band) -> [Double] { [rounded(band.low), rounded(band.high)] }
  private static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
  private static func text(_ value: Decimal) -> String { Money.text(value, decimals: 0) }
}

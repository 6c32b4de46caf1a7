// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeTools

/// The tables of a forecast, shared by its text and its page.
extension Forecast {
  static func money(_ amount: Decimal, _ decimals: Int = 2) -> String { Money.text(amount.rounded(decimals), decimals: decimals) }

  static func range(_ low: Decimal, _ high: Decimal) -> String {
    low == high ? money(low, 4) : "\(money(low, 4))–\(money(high, 4))"
  }

  static func tables(_ part: Part) -> [ReportTable] {
    let currency = part.plan.currency
    return [
      ReportTable(title: "One download (amounts in \(currency))", rows: perDownload(part)),
      ReportTable(title: "One payment (amounts in \(currency))", rows: perPayment(part)),
      ReportTable(title: "What if (at the assumed commission, amounts in \(currency))", rows: otherwise(part)),
      ReportTable(title: "Months (amounts in \(currency))", rows: months(part)),
    ].filter { $0.rows.count > 1 }
  }

  private static func perDownload(_ part: Part) -> [[String]] {
    let (units, plan) = (part.units, part.plan)
    let conversion =
      plan.conversion.low == plan.conversion.high
      ? Words.percent(plan.conversion.low) : "\(Words.percent(plan.conversion.low)) to \(Words.percent(plan.conversion.high))"
    var rows = [["commission"] + units.nets.map { $0.commission == 0 ? "none (gross)" : Words.percent($0.commission) }]
    rows.append(["revenue at a conversion of \(conversion)"] + units.nets.map { range($0.perDownload.low, $0.perDownload.high) })
    if units.freeCost > 0 {
      let isMixed = units.isMixed
      func add(_ title: String, _ cost: Decimal) { if cost > 0 { rows.append([title] + units.nets.map { _ in money(cost, 4) }) } }
      add("cost of free uses" + (isMixed ? " once" : ""), units.freeCostOnce)
      add("cost of free uses a month", units.freeCostPerMonth)
      let covered = "the free uses" + (isMixed ? " of the first month" : units.freeCostPerMonth > 0 ? " of a month" : "")
      rows.append(
        ["payments per 100 downloads that cover \(covered)"]
          + units.nets.map {
            $0.breakEvenPer100.map { "\(money($0, 3)) (at least \($0.ceiling)\($0 > 100 ? ", which is not possible" : ""))" } ?? "never"
          })
    }
    return rows
  }

  private static func perPayment(_ part: Part) -> [[String]] {
    let (units, plan) = (part.units, part.plan)
    var rows = [["commission"] + units.nets.map { $0.commission == 0 ? "none (gross)" : Words.percent($0.commission) }]
    for (index, product) in plan.products.enumerated() {
      rows.append(["proceeds of \(product.name)"] + units.nets.map { money($0.proceeds[index], 4) })
      for (row, feature) in plan.features.enumerated() {
        if units.nets[0].coveredUses[row][index] != nil {
          rows.append(
            ["  \(feature.unit.other) that it covers"] + units.nets.map { $0.coveredUses[row][index].map { Words.grouped($0) } ?? "–" })
        }
        if let uses = feature.paidUses(of: product), units.nets[0].margins[row][index] != nil {
          rows.append(
            ["  left after \(Words.grouped(uses)) \(feature.unit.other)"]
              + units.nets.map { $0.margins[row][index].map { money($0, 4) } ?? "–" })
        }
      }
    }
    return rows
  }

  private static func otherwise(_ part: Part) -> [[String]] {
    [["change", "cost of free uses" + (part.units.isMixed ? " in the first month" : ""), "needed conversion"]]
      + part.whatIf.map { [$0.change, money($0.freeCost, 4), neededText($0.neededConversion)] }
  }

  /// A share of downloads that have to pay: more than all of them cannot.
  private static func neededText(_ share: Decimal?) -> String {
    guard let share else { return "never" }
    return share > 1 ? "\(Words.percent(share)), which is not possible" : Words.percent(share)
  }

  private static func months(_ part: Part) -> [[String]] {
    let hasSubscriptions = part.plan.products.contains(where: \.isSubscription)
    var rows = [["month", "payments", "gross", "refunds", "commission", "cost of uses", "net", "nine of ten runs"]]
    if hasSubscriptions { rows[0].insert("subscribers", at: 2) }
    let (months, decimals) = (part.projection.expected, part.plan.decimals)
    // Months at the end in which nothing happens are one row.
    let last = months.lastIndex { $0.payments > 0 || $0.costs > 0 } ?? 0
    for (month, expected) in months.prefix(last + 2).enumerated() {
      let band = part.projection.net[month]
      var row = [
        month > last && month + 1 < months.count ? "\(month + 1) to \(months.count)" : "\(month + 1)",
        money(Decimal(expected.payments), 1), money(expected.gross, decimals), money(expected.refunds, decimals),
        money(expected.commission, decimals), money(expected.costs, decimals), money(expected.net, decimals),
        "\(money(Decimal(band.low), decimals)) to \(money(Decimal(band.high), decimals))",
      ]
      if hasSubscriptions { row.insert(money(Decimal(expected.subscribers), 1), at: 2) }
      rows.append(row)
    }
    return rows
  }

  /// The total of the months, in a sentence.
  static func summary(_ part: Part) -> String {
    let (total, band) = (part.projection.expected.reduce(Decimal()) { $0 + $1.net }, part.projection.total)
    let decimals = part.plan.decimals
    let downloads = part.plan.downloads.reduce(0, +)
    return "\(Words.counted(downloads, "download")) \(downloads == 1 ? "earns" : "earn") "
      + "\(money(total, decimals)) \(part.plan.currency) net in \(Words.counted(part.projection.expected.count, "month")); "
      + "nine of ten runs are between \(money(Decimal(band.low), decimals)) and \(money(Decimal(band.high), decimals))."
  }

  /// The cost of customers who have not paid, in a sentence per feature.
  static func freeTier(_ part: Part) -> [String] {
    part.plan.features.filter { ($0.cost.free ?? 0) > 0 && $0.freeUses > 0 }.map { feature in
      let users = part.plan.downloads.reduce(0, +)
      let cost = money(Decimal(users) * feature.freeCost, part.plan.decimals)
      let uses = Words.grouped(feature.freeUses)
      return "Free tier: \(Words.counted(users, "user")) × \(feature.uses.free == nil ? "at most " : "")\(uses) "
        + "\(feature.freeUses == 1 ? feature.unit.one : feature.unit.other)\(feature.isPeriodic ? " a month" : "") × "
        + "\(NSDecimalNumber(decimal: feature.cost.free ?? 0).stringValue) \(part.plan.currency) = \(cost) \(part.plan.currency)\(feature.isPeriodic ? " a month" : "")."
    }
  }

  /// The report as text.
  public var text: String {
    parts.map { part in
      let paragraphs =
        ["\(title): \(part.plan.name)\n", part.notes.map { "  \($0)\n" }.joined(), Self.freeTier(part).map { $0 + "\n" }.joined()]
        + Self.tables(part).map(\.text) + [Self.summary(part) + "\n"]
      return paragraphs.filter { !$0.isEmpty }.joined(separator: "\n")
    }.joined(separator: "\n")
  }
}

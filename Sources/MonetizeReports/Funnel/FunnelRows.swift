// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeTools

/// A table of a funnel: its groups, and typed figures for each.
struct FunnelRows: Sendable {
  /// A figure of a group.
  enum Cell: Sendable {
    case count(Int)
    case share(Decimal)
    case number(Decimal)
    /// An amount, and its currency if all amounts have the same.
    case money(Decimal, String?)
    /// What chance leaves open about a share.
    case shares(ChanceInterval)
    /// What chance leaves open about an amount, and its currency.
    case amounts(ChanceInterval, String?)
    case date(Date)
    case none

    /// The figure for a person.
    var text: String {
      switch self {
      case .count(let count): Words.grouped(count)
      case .share(let share): Words.percent(share)
      case .number(let number): Money.text(number.rounded(1), decimals: 1)
      case .money(let amount, let currency): Figure.amount(amount, currency) + (currency.map { " \($0)" } ?? "")
      case .shares(let interval): "\(Words.percent(interval.low)) to \(Words.percent(interval.high))"
      case .amounts(let interval, let currency):
        "\(Figure.amount(interval.low, currency, beside: interval.high)) to \(FunnelRows.Cell.money(interval.high, currency).text)"
      case .date(let date): ISODate.text(date)
      case .none: "–"
      }
    }
  }

  struct Row: Sendable {
    /// The name of the group for a person.
    let group: String
    /// The names of the group in JSON, by key.
    let names: [String: String]
    let cells: [Cell]
  }

  /// The title above the groups.
  let head: String
  /// The columns: the key in JSON, and the title.
  let columns: [(key: String, title: String)]
  let rows: [Row]

  var titles: [String] { [head] + columns.map(\.title) }
  var texts: [[String]] { rows.map { [$0.group] + $0.cells.map(\.text) } }
}

extension FunnelRows: Encodable {
  /// A list of objects: counts are numbers, shares and amounts decimal strings.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rows.map { row in ToolObject(row.names.map { ($0, $1) } + zip(columns, row.cells).map { ($0.key, $1) }) })
  }
}

extension FunnelRows.Cell: Encodable {
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .count(let count): try container.encode(count)
    case .share(let share), .number(let share): try container.encode(Money.text(share.rounded(6), decimals: 0))
    case .money(let amount, let currency):
      try container.encode(["amount": Money.text(amount.rounded(6), decimals: 0), "currency": currency] as ToolObject)
    case .shares(let interval), .amounts(let interval, _):
      try container.encode([interval.low, interval.high].map { Money.text($0, decimals: 0) })
    case .date(let date): try container.encode(ISODate.text(date))
    case .none: try container.encodeNil()
    }
  }
}

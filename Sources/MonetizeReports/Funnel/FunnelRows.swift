// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// A table of a funnel: its groups, and typed figures for each.
struct FunnelRows: Sendable {
  /// A figure of a group.
  enum Cell: Sendable {
    case count(Int)
    case share(Decimal)
    case number(Decimal)
    /// An amount, and its currency if all amounts have the same.
    case money(Decimal, String?)
    case date(Date)
    case none

    /// The figure for a person.
    var text: String {
      switch self {
      case .count(let count): Words.grouped(count)
      case .share(let share): Words.percent(share)
      case .number(let number): Money.text(number.rounded(1), decimals: 1)
      case .money(let amount, let currency): Figure.amount(amount, currency) + (currency.map { " \($0)" } ?? "")
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
  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(_ text: String) { stringValue = text }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
  }

  private struct Object: Encodable {
    let columns: [String]
    let row: Row

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      for (key, name) in row.names { try container.encode(name, forKey: Key(key)) }
      for (key, cell) in zip(columns, row.cells) { try container.encode(cell, forKey: Key(key)) }
    }
  }

  /// A list of objects: counts are numbers, shares and amounts decimal strings.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rows.map { Object(columns: columns.map(\.key), row: $0) })
  }
}

extension FunnelRows.Cell: Encodable {
  private struct Amount: Encodable {
    let amount: String
    let currency: String?
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .count(let count): try container.encode(count)
    case .share(let share), .number(let share): try container.encode(Money.text(share.rounded(6), decimals: 0))
    case .money(let amount, let currency):
      try container.encode(Amount(amount: Money.text(amount.rounded(6), decimals: 0), currency: currency))
    case .date(let date): try container.encode(ISODate.text(date))
    case .none: try container.encodeNil()
    }
  }
}

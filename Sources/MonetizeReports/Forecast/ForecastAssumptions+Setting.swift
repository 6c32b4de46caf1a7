// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeTools

extension ForecastAssumptions {
  /// Changes one assumption: `key=value`, `key.id=value`, or `costPerUse.id.free=value`.
  mutating func set(_ text: String, in catalog: Catalog) throws(ToolProblem) {
    guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
      throw ToolProblem("\"\(text)\" is not a change. Write key=value, such as costPerUse=0.05.")
    }
    let (path, value) = (String(text[..<equals]), String(text[text.index(after: equals)...]))
    let key = path.split(separator: ".").first.map(String.init) ?? path
    let rest = String(path.dropFirst(key.count + 1))
    if rest.isEmpty { try Self.checkNeedsNoName(key, value, catalog) }
    switch key {
    case "conversion": conversion = try Self.range(value, path)
    case "refunds": refunds = try Self.share(value, path, "one from 0 to 1, such as 0.04")
    case "commission":
      commission =
        value == "standard" ? .standard : .share(try Self.share(value, path, "\"standard\", or one from 0 to 1, such as 0.15"))
    case "downloads": downloads = try Self.downloads(value)
    case "costPerUse" where rest.isEmpty || rest == "free" || rest == "paid":
      let cost = try Self.number(value, path)
      // A cost that is set for all features replaces the others.
      costPerUse = [:]
      costOfOtherUses = Self.changed(costOfOtherUses, rest, cost)
    case "costPerUse", "uses":
      let (name, side) = Self.split(rest)
      let feature = try Self.feature(name, catalog)
      let number = try Self.number(value, path)
      if key == "uses" {
        uses[feature] = Self.changed(uses[feature], side, number)
      } else {
        costPerUse[feature] = Self.changed(cost(of: feature), side, number)
      }
    case "limit": limit[try Self.feature(rest, catalog)] = try Self.limit(value)
    case "price": price[try Self.product(rest, catalog)] = try Self.number(value, path)
    case "mix": mix[try Self.product(rest, catalog)] = try Self.number(value, path)
    default:
      throw ToolProblem(
        "There is no assumption \"\(key)\". Use commission, conversion, costPerUse, downloads, limit, mix, price, refunds or uses.")
    }
  }

  /// Refuses a key that is about one feature or product, without its id.
  private static func checkNeedsNoName(_ key: String, _ value: String, _ catalog: Catalog) throws(ToolProblem) {
    let (what, id) =
      switch key {
      case "limit", "uses": ("feature", catalog.features.first?.id.rawValue)
      case "price", "mix": ("product", catalog.products.first?.id.rawValue)
      default: ("", nil)
      }
    if let id { throw ToolProblem("\"\(key)\" needs the id of a \(what). Write \(key).\(id)=\(value), for example.") }
  }

  private static func limit(_ value: String) throws(ToolProblem) -> Int {
    guard let number = Int(value), number >= 0 else {
      throw ToolProblem("\"\(value)\" is not a limit. Write a whole number of 0 or more.")
    }
    return number
  }

  private static func downloads(_ value: String) throws(ToolProblem) -> [Int] {
    let months = value.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
    guard months.count <= 120, months.allSatisfy({ (0...100_000_000).contains($0 ?? -1) }) else {
      throw ToolProblem("\"\(value)\" is not a number of downloads. Write one for each month, or several with commas.")
    }
    return months.compactMap { $0 }
  }

  private static func changed(_ known: ByCustomer?, _ side: String, _ value: Decimal) -> ByCustomer {
    var changed = known ?? ByCustomer()
    if side != "paid" { changed.free = value }
    if side != "free" { changed.paid = value }
    return changed
  }

  private static func split(_ path: String) -> (name: String, side: String) {
    for side in ["free", "paid"] where path.hasSuffix("." + side) { return (String(path.dropLast(side.count + 1)), side) }
    return (path, "")
  }

  private static func number(_ value: String, _ path: String) throws(ToolProblem) -> Decimal {
    guard let number = Money.amount(value), number >= 0 else {
      throw ToolProblem("\"\(value)\" is not a number for \(path). Write a decimal number such as 0.05.")
    }
    return number
  }

  private static func range(_ value: String, _ path: String) throws(ToolProblem) -> Share {
    var ends: [Decimal] = []
    for end in value.split(separator: ",", omittingEmptySubsequences: false) {
      ends.append(try share(String(end), path, "one from 0 to 1, such as 0.04, or a range such as 0.03,0.05"))
    }
    guard (1...2).contains(ends.count), ends[0] <= ends[ends.count - 1] else {
      throw ToolProblem("\"\(value)\" is not a range for \(path). Write two shares, the smaller one first, such as 0.03,0.05.")
    }
    return Share(ends[0], ends[ends.count - 1])
  }

  private static func share(_ value: String, _ path: String, _ forms: String) throws(ToolProblem) -> Decimal {
    guard let share = Money.amount(value), (0...1).contains(share) else {
      throw ToolProblem("\"\(value)\" is not a share for \(path). Write \(forms).")
    }
    return share
  }

  private static func feature(_ name: String, _ catalog: Catalog) throws(ToolProblem) -> FeatureID {
    FeatureID(try NameChoice.features(of: catalog).one(name))
  }

  private static func product(_ name: String, _ catalog: Catalog) throws(ToolProblem) -> ProductID {
    ProductID(try NameChoice.products(of: catalog).one(name))
  }
}

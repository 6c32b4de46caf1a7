// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Uses that differ in their keys, moments and days only, in columns: what they share is written once, and thousands are read in milliseconds.
struct PackedUses: Codable {
  /// One of them, without what the columns say.
  private let like: Use
  private var keys: [String] = []
  private var dates: [Double] = []
  private var days: [Int] = []

  private init(like: Use) { self.like = like }

  /// Puts like with like, in the order of the first of each.
  static func packing(_ uses: [Use]) -> [PackedUses] {
    var (columns, places): ([PackedUses], [Use: Int]) = ([], [:])
    for use in uses {
      var like = use
      (like.key, like.date, like.day) = ("", Date(timeIntervalSinceReferenceDate: 0), 0)
      let place = places[like] ?? columns.count
      if places.updateValue(place, forKey: like) == nil { columns.append(PackedUses(like: like)) }
      columns[place].keys.append(use.key)
      columns[place].dates.append(use.date.timeIntervalSinceReferenceDate)
      columns[place].days.append(use.day)
    }
    return columns
  }

  /// The uses. Columns of different lengths are no uses.
  var uses: [Use] {
    guard dates.count == keys.count, days.count == keys.count else { return [] }
    return keys.indices.map { place in
      var use = like
      (use.key, use.date, use.day) = (keys[place], Date(timeIntervalSinceReferenceDate: dates[place]), days[place])
      return use
    }
  }
}

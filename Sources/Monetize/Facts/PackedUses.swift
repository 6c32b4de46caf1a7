// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Uses that differ only in their keys, moments and days, in columns. Shared fields are written once, so thousands of uses are read in
/// milliseconds.
struct PackedUses: Codable {
  let like: Use
  private(set) var keys: [String] = []
  private(set) var dates: [Double] = []
  private(set) var days: [Int] = []

  private init(like: Use) { self.like = like }

  /// Groups uses with equal shared fields, in the order of the first use of each group.
  static func packing(_ uses: [Shared<Use>]) -> [PackedUses] {
    var (columns, indices, index): ([PackedUses], [Use: Int], Int) = ([], [:], 0)
    for use in uses.lazy.map(\.value) {
      var like = use
      (like.key, like.date, like.day) = ("", Date(timeIntervalSinceReferenceDate: 0), 0)
      // Most uses are like the one before. Comparing is faster than hashing.
      if columns.isEmpty || columns[index].like != like {
        index = indices[like] ?? columns.count
        if indices.updateValue(index, forKey: like) == nil { columns.append(PackedUses(like: like)) }
      }
      columns[index].keys.append(use.key)
      columns[index].dates.append(use.date.timeIntervalSinceReferenceDate)
      columns[index].days.append(use.day)
    }
    return columns
  }

  /// The uses.
  /// - Throws: `DecodingError` when the columns have different lengths.
  func uses() throws -> [Use] {
    guard dates.count == keys.count, days.count == keys.count else {
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "The columns have different lengths."))
    }
    return keys.indices.map { index in
      var use = like
      (use.key, use.date, use.day) = (keys[index], Date(timeIntervalSinceReferenceDate: dates[index]), days[index])
      return use
    }
  }
}

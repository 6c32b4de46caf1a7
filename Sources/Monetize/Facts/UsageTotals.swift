// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The uses of one feature by one subject, added up.
public struct UsageTotals: Sendable, Hashable {
  struct Day: Sendable, Hashable {
    var day: Int
    var counted = 0
    var all = 0
    var zone = ""
  }
  struct Moment: Sendable, Hashable, Comparable {
    let day: Int
    /// The moment of the use; the latest possible one when only a sum is known.
    let date: Date
    let counted: Int
    let all: Int
    let credits: Int

    @inline(__always)
    init(_ use: Use) {
      // No limit is higher, and sums of this amount do not overflow.
      let amount = min(max(0, use.amount), Use.unknownAmount)
      (day, date, all) = (LocalDay.bounded(use.day), use.date, amount)
      credits = use.counted ? min(max(0, use.credits), amount) : 0
      counted = use.counted ? amount - credits : 0
    }

    init(day: Int, date: Date, amount: Int) {
      (self.day, self.date, counted, all, credits) = (day, date, amount, amount, 0)
    }

    init(_ stretch: UsageHistory.Stretch) {
      (day, date) = (stretch.day, stretch.last)
      (counted, all, credits) = (stretch.counted, stretch.all, stretch.credits)
    }

    static func < (a: Self, b: Self) -> Bool {
      (a.day, a.date, a.counted, a.all, a.credits) < (b.day, b.date, b.counted, b.all, b.credits)
    }
  }

  /// The amount of all uses that count against a grant.
  public internal(set) var counted = 0
  /// The amount of all uses, including those under an unlimited grant.
  public internal(set) var all = 0
  /// Uses by local day, earliest first, for the last 400 days.
  var days: [Day] = []
  /// Individual uses, earliest first, as far back as the longest rolling limit.
  var moments: [Moment] = []

  /// No uses.
  public init() {}

  /// Adds up uses of one feature and subject, to test an allowance. Each use needs a key of its own.
  public init(of uses: [Use]) {
    var usage = FeatureUsage()
    for use in uses { _ = usage.insert(Shared(use)) }
    self = usage.totals(since: .distantPast, at: uses.map(\.date).max() ?? .distantPast)
  }

  mutating func add(_ other: UsageTotals) {
    guard other.all != 0 else { return }
    // Nearly always there is one source of uses.
    if all == 0, days.isEmpty, moments.isEmpty {
      self = other
      return
    }
    counted += other.counted
    all += other.all
    other.days.forEach { add($0) }
    moments = (moments + other.moments).sorted()
  }

  /// Adds the uses of a day. A day without a zone takes that of the next day with uses, or else the device's.
  mutating func add(_ day: Day) {
    let index = days.indexPast { $0.day < day.day }
    if index == days.count || days[index].day != day.day {
      days.insert(Day(day: day.day, zone: day.zone.isEmpty && index < days.count ? days[index].zone : day.zone), at: index)
    }
    days[index].counted += day.counted
    days[index].all += day.all
  }
}

extension Array {
  /// The index after all elements that satisfy `before`, in an array sorted that way. O(log n).
  func indexPast(_ before: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if before(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

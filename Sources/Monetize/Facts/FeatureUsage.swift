// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The uses of one feature by one subject. Derived values (days, sums) depend only on the set of uses, never on their order.
struct FeatureUsage: Sendable {
  /// A local day with the uses that count in it, in the order of arrival.
  private struct Day: Sendable {
    var sums: UsageTotals.Day
    var moments: [UsageTotals.Moment] = []
    /// The first use, whose time zone is the day's.
    var first: UsageTotals.Moment

    init(_ moment: UsageTotals.Moment) { (sums, first) = (.init(day: moment.day, zone: moment.zone), moment) }

    /// Adds a use, or subtracts it.
    mutating func add(_ moment: UsageTotals.Moment, _ sign: Int) {
      sums.counted += moment.counted * sign
      sums.all += moment.all * sign
      if sign > 0 {
        moments.append(moment)
        if moment < first { first = moment } else { return }
      } else {
        moments.firstIndex(of: moment).map { _ = moments.remove(at: $0) }
        first = moments.min() ?? first
      }
      sums.zone = first.zone
    }
  }
  /// Each use once, in the order of arrival. An array next to an index, because a growing dictionary of uses would move all of them.
  private(set) var uses: [Use] = []
  private var indexByKey: [String: Int] = [:]
  private(set) var sourceTotals = FactSet<ReportedTotal>()
  private(set) var histories = FactSet<UsageHistory>()
  /// The last moment of all histories. Later uses are in none of them.
  private var foldedUntil = Date.distantPast
  /// Sorted, earliest first.
  private var days: [Day] = []
  private var counted = 0
  private var all = 0
  private(set) var credits = 0

  func use(_ key: String) -> Use? { indexByKey[key].map { uses[$0] } }

  /// The uses by key. Sorts their indices, because a use is large. O(n log n).
  var sortedUses: [Use] { uses.indices.sorted { uses[$0].key < uses[$1].key }.map { uses[$0] } }

  /// Adds a use. O(log days), plus the length of its day when a known use has changed.
  mutating func insert(_ use: Use) -> Bool {
    if stretch(holding: use) != nil { return false }
    // One look-up of the key, because most uses are new.
    let index = Self.index(&indexByKey[use.key], orNext: uses.count)
    guard index < uses.count else {
      uses.append(use)
      if let moment = use.moment { add(moment, 1) }
      return true
    }
    let (known, merged) = (uses[index], uses[index].merged(with: use))
    if merged == known { return false }
    uses[index] = merged
    if known.moment != merged.moment {
      if let moment = known.moment { add(moment, -1) }
      if let moment = merged.moment { add(moment, 1) }
    }
    return true
  }

  private static func index(_ known: inout Int?, orNext next: Int) -> Int {
    if let known { return known }
    known = next
    return next
  }

  mutating func insert(_ total: ReportedTotal) -> Bool { sourceTotals.insert(total) }

  /// Adds the sums of sources' uses. Removes the single uses that they include. O(uses) when anything changes.
  mutating func insert(contentsOf news: [UsageHistory]) -> Bool {
    var histories = histories
    guard UsageHistory.joined(news).reduce(false, { histories.insert($1) || $0 }) else { return false }
    var usage = FeatureUsage()
    (usage.histories, usage.sourceTotals) = (histories, sourceTotals)
    usage.foldedUntil = histories.values.compactMap(\.stretches.last?.last).max() ?? .distantPast
    for stretch in histories.values.flatMap(\.stretches) where stretch.all > 0 { usage.add(UsageTotals.Moment(stretch), 1) }
    for use in uses { _ = usage.insert(use) }
    self = usage
    return true
  }

  func stretch(holding use: Use) -> UsageHistory.Stretch? {
    use.date > foldedUntil ? nil : histories[UsageHistory(like: use, []).key]?.stretch(at: use.date)
  }

  /// Adds a use to the derived values, or subtracts it.
  private mutating func add(_ moment: UsageTotals.Moment, _ sign: Int) {
    counted += moment.counted * sign
    all += moment.all * sign
    credits += moment.credits * sign
    let index = days.indexPast { $0.sums.day < moment.day }
    if index == days.count || days[index].sums.day != moment.day { days.insert(Day(moment), at: index) }
    days[index].add(moment, sign)
    if days[index].moments.isEmpty { days.remove(at: index) }
  }

  /// The amount by which each total exceeds the uses of its source that are known one by one, with its day and the latest possible moment;
  /// both `nil` for all time. Shorter periods come first, so that the total of a year includes those of its months. O(uses and totals).
  private var unnamed: [(day: Int?, end: Date?, amount: Int)] {
    var found: [(day: Int?, end: Date?, amount: Int)] = []
    for (source, totals) in Dictionary(grouping: sourceTotals.values, by: \.source) {
      var known: [Int: Int] = [:]
      // A source's total includes uses that credits covered.
      let single = uses.filter { $0.source == source }.compactMap(\.moment)
      let sums = histories.values.filter { $0.source == source }.flatMap(\.stretches).map(UsageTotals.Moment.init)
      for moment in single + sums {
        known[moment.day, default: 0] += moment.counted + moment.credits
      }
      let byUnit = Dictionary(grouping: totals, by: \.unit)
      for unit in CalendarUnit.allCases.map(Optional.some) + [nil] {
        guard let totals = byUnit[unit] else { continue }
        // The periods of one unit do not overlap, so none of them changes another.
        var used: [Int: Int] = [:]
        for (day, amount) in known { used[unit.map { LocalDay.range(of: $0, holding: day).lowerBound } ?? 0, default: 0] += amount }
        for total in totals {
          let day = total.days?.lowerBound
          let more = min(total.amount, Use.unknownAmount) - used[day ?? 0, default: 0]
          guard more > 0 else { continue }
          known[day ?? 0, default: 0] += more
          found.append((day, total.latestEnd, more))
        }
      }
    }
    return found
  }

  /// The first local day that a calendar limit can include; `nil` when there are no uses.
  func oldestDay(at now: Date, besides others: [Int] = []) -> Int? {
    // A year is the longest calendar unit. Older days matter only for the sums. A wrong clock may have dated some uses years ahead.
    (others + [days.last?.sums.day].compactMap { $0 }).max().map { min($0, LocalDay.of(now, in: Calendar.storeCalendar.timeZone)) - 400 }
  }

  func totals(since: Date?, at now: Date) -> UsageTotals {
    let unnamed = sourceTotals.isEmpty ? [] : unnamed
    var totals = UsageTotals()
    totals.counted = counted
    totals.all = all
    for more in unnamed {
      totals.counted += more.amount
      totals.all += more.amount
    }
    guard let oldest = oldestDay(at: now, besides: unnamed.compactMap(\.day)) else { return totals }
    totals.days = days[days.indexPast { $0.sums.day < oldest }...].map(\.sums)
    for case (let day?, _, let amount) in unnamed where day >= oldest { totals.add(.init(day: day, counted: amount, all: amount)) }
    if let since {
      // A local day differs from the day in UTC by at most two.
      let earliest = LocalDay.of(since, in: Calendar.storeCalendar.timeZone) - 2
      totals.moments = days[days.indexPast { $0.sums.day < earliest }...].flatMap(\.moments).filter { $0.date >= since }
      for case (let day?, let end?, let amount) in unnamed where end >= since {
        totals.moments.append(.init(day: day, date: end, amount: amount))
      }
      totals.moments.sort()
    }
    return totals
  }
}

extension FeatureUsage: Hashable {
  /// Compares uses and sums, in any order. All other values are derived from them.
  static func == (a: Self, b: Self) -> Bool {
    a.uses.count == b.uses.count && a.sourceTotals == b.sourceTotals && a.histories == b.histories
      && a.uses.allSatisfy { b.use($0.key) == $0 }
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(sourceTotals)
    hasher.combine(histories)
    hasher.combine(uses.reduce(0) { $0 ^ $1.hashValue })
  }
}

extension Use {
  /// Its part in the sums; `nil` when it does not count.
  fileprivate var moment: UsageTotals.Moment? { status != .released && amount > 0 ? UsageTotals.Moment(self) : nil }
}

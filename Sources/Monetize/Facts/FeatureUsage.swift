// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The uses of one feature by one subject. Derived values (days, sums) depend only on the set of uses, never on their order.
struct FeatureUsage: Sendable {
  /// A local day with the uses that count in it.
  private struct Day: Sendable {
    var sums: UsageTotals.Day
    /// When its first use was made, whose time zone is the day's.
    var begins: Date
    var uses: [Shared<Use>] = []
  }
  /// Each use once. Facts and days share the objects, because the memory for copies took most of the time.
  private var byKey: [String: Shared<Use>] = [:]
  private(set) var sourceTotals = FactSet<ReportedTotal>()
  private(set) var histories = FactSet<UsageHistory>()
  /// The last moment of all histories. Later uses are in none of them.
  private(set) var foldedUntil = Date.distantPast
  /// Sorted, earliest first.
  private var days: [Day] = []
  private var counted = 0
  private var all = 0
  private(set) var credits = 0

  /// The uses, in no order.
  var uses: some Collection<Shared<Use>> { byKey.values }

  func use(_ key: String) -> Use? { byKey[key]?.value }

  /// Adds a use. O(log days), plus the length of its day when the sums of a known use have changed.
  mutating func insert(_ use: Shared<Use>) -> Bool {
    if use.value.date <= foldedUntil, stretch(holding: use.value) != nil { return false }
    // One look-up of the key, because most uses are new. Of two copies one wins as it is.
    if let known = byKey.updateValue(use, forKey: use.value.key) {
      if known.value.merged(with: use.value) == known.value {
        byKey[use.value.key] = known
        return false
      }
      // The usual change: a reserved use is committed.
      if let moment = use.value.moment, moment == known.value.moment, use.value.zone == known.value.zone {
        let index = days.indexPast { $0.sums.day < moment.day }
        days[index].uses.lastIndex { $0 === known }.map { days[index].uses[$0] = use }
        return true
      }
      remove(known)
    }
    add(use)
    return true
  }

  mutating func insert(_ total: ReportedTotal) -> Bool { sourceTotals.insert(total) }

  /// Adds the sums of sources' uses. Removes the single uses that they include. O(uses) when anything changes.
  mutating func insert(contentsOf news: [UsageHistory]) -> Bool {
    var histories = histories
    guard UsageHistory.joined(news).reduce(false, { histories.insert($1) || $0 }) else { return false }
    var usage = FeatureUsage()
    (usage.histories, usage.sourceTotals) = (histories, sourceTotals)
    usage.foldedUntil = histories.values.compactMap(\.stretches.last?.last).max() ?? .distantPast
    for stretch in histories.values.flatMap(\.stretches) where stretch.all > 0 {
      _ = usage.add(UsageTotals.Moment(stretch), first: stretch.begins, stretch.zone)
    }
    for use in uses { _ = usage.insert(use) }
    self = usage
    return true
  }

  func stretch(holding use: Use) -> UsageHistory.Stretch? {
    histories[UsageHistory(like: use, []).key]?.stretch(at: use.date)
  }

  private mutating func add(_ use: Shared<Use>) {
    guard let moment = use.value.moment else { return }
    days[add(moment, first: use.value.date, use.value.zone)].uses.append(use)
  }

  /// Adds to the sums, and returns the index of the day.
  private mutating func add(_ moment: UsageTotals.Moment, first: Date, _ zone: String) -> Int {
    let index = days.indexPast { $0.sums.day < moment.day }
    if index == days.count || days[index].sums.day != moment.day {
      days.insert(Day(sums: .init(day: moment.day, zone: zone), begins: first), at: index)
    } else if first < days[index].begins || (first == days[index].begins && zone < days[index].sums.zone) {
      (days[index].begins, days[index].sums.zone) = (first, zone)
    }
    count(moment, 1, in: index)
    return index
  }

  /// Removes from the sums and from the day, whose zone becomes that of its first remaining use.
  private mutating func remove(_ use: Shared<Use>) {
    guard let moment = use.value.moment else { return }
    let index = days.indexPast { $0.sums.day < moment.day }
    count(moment, -1, in: index)
    days[index].uses.lastIndex { $0 === use }.map { _ = days[index].uses.remove(at: $0) }
    if days[index].sums.all == 0 {
      days.remove(at: index)
    } else if days[index].begins == use.value.date {
      let stretches = histories.values.flatMap(\.stretches).filter { $0.day == moment.day && $0.all > 0 }
      let firsts = days[index].uses.map { ($0.value.date, $0.value.zone) } + stretches.map { ($0.begins, $0.zone) }
      firsts.min(by: <).map { (days[index].begins, days[index].sums.zone) = $0 }
    }
  }

  private mutating func count(_ moment: UsageTotals.Moment, _ sign: Int, in index: Int) {
    counted += moment.counted * sign
    all += moment.all * sign
    credits += moment.credits * sign
    days[index].sums.counted += moment.counted * sign
    days[index].sums.all += moment.all * sign
  }

  /// The amount by which each total exceeds the uses of its source that are known one by one, with its day and the latest possible moment;
  /// both `nil` for all time. Shorter periods come first, so that the total of a year includes those of its months. O(uses and totals).
  private var unnamed: [(day: Int?, end: Date?, amount: Int)] {
    var found: [(day: Int?, end: Date?, amount: Int)] = []
    for (source, totals) in Dictionary(grouping: sourceTotals.values, by: \.source) {
      var known: [Int: Int] = [:]
      // A source's total includes uses that credits covered.
      let single = uses.filter { $0.value.source == source }.compactMap(\.value.moment)
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
      totals.moments = days[days.indexPast { $0.sums.day < earliest }...].flatMap(\.uses).compactMap(\.value.moment)
        .filter { $0.date >= since }
      let sums = histories.values.flatMap { $0.stretches[$0.stretches.indexPast { $0.last < since }...] }
      totals.moments += sums.filter { $0.all > 0 }.map(UsageTotals.Moment.init)
      for case (let day?, let end?, let amount) in unnamed where end >= since {
        totals.moments.append(.init(day: day, date: end, amount: amount))
      }
      totals.moments.sort()
    }
    return totals
  }
}

extension FeatureUsage: Hashable {
  /// Compares uses and sums. All other values are derived from them.
  static func == (a: Self, b: Self) -> Bool {
    a.byKey == b.byKey && a.sourceTotals == b.sourceTotals && a.histories == b.histories
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(sourceTotals)
    hasher.combine(histories)
    hasher.combine(byKey)
  }
}

extension Use {
  /// Its part in the sums; `nil` when it does not count. Inlined, because a call would copy the use with all its texts.
  @inline(__always)
  fileprivate var moment: UsageTotals.Moment? { status != .released && amount > 0 ? UsageTotals.Moment(self) : nil }
}

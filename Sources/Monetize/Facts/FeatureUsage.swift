// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The uses of one feature by one subject. What is derived (days, moments, sums) depends only on the set of uses, never on its order.
struct FeatureUsage: Sendable {
  /// Each use once, in the order of arrival. In a row beside its table: a dictionary of uses would move all of them whenever it grows.
  private(set) var uses: [Use] = []
  private var places: [String: Int] = [:]
  /// What ``finishTaking()`` has to do.
  private enum Taking: Sendable {
    case nothing
    /// There are new uses.
    case new
    /// A use says something else than before.
    case changed
  }
  private var taking = Taking.nothing
  private(set) var sourceTotals = FactSet<UsageTotal>()
  /// What each source counted by day; kept up only where a source also says sums.
  private var bySource: [SourceID: [Int: Int]] = [:]
  private var days: [UsageTotals.Day] = []
  private var moments: [UsageTotals.Moment] = []
  private var counted = 0
  private var all = 0
  private(set) var credits = 0

  func use(_ key: String) -> Use? { places[key].map { uses[$0] } }

  @discardableResult
  mutating func insert(_ use: Use) -> Bool {
    guard let place = places[use.key] else {
      places[use.key] = uses.count
      uses.append(use)
      add(use, 1)
      return true
    }
    let known = uses[place]
    let merged = known.merged(with: use)
    if merged == known { return false }
    add(known, -1)
    uses[place] = merged
    add(merged, 1)
    return true
  }

  @discardableResult
  mutating func insert(_ total: UsageTotal) -> Bool {
    let isFirst = sourceTotals.isEmpty
    guard sourceTotals.insert(total) else { return false }
    if isFirst { deriveSources() }
    return true
  }

  private mutating func deriveSources() {
    bySource = [:]
    for use in uses where use.counts { addToSource(UsageTotals.Moment(use), use.source, 1) }
  }

  private mutating func addToSource(_ moment: UsageTotals.Moment, _ source: SourceID, _ sign: Int) {
    // A source counts what was used, whoever paid for it.
    let amount = moment.counted + moment.credits
    guard amount > 0 else { return }
    let sum = (bySource[source]?[moment.day] ?? 0) + amount * sign
    bySource[source, default: [:]][moment.day] = sum == 0 ? nil : sum
    if bySource[source]?.isEmpty == true { bySource[source] = nil }
  }

  /// What sources have counted beyond the uses that are known of them one by one, with the day that it counts in and the latest moment that it
  /// can have been; neither for all time. Shorter periods first, so that the sum of a year holds those of its months. O(days and totals).
  private var unnamed: [(day: Int?, end: Date?, amount: Int)] {
    var found: [(day: Int?, end: Date?, amount: Int)] = []
    for (source, totals) in Dictionary(grouping: sourceTotals.values, by: \.source) {
      var known = bySource[source] ?? [:]
      let byUnit = Dictionary(grouping: totals, by: \.unit)
      for unit in CalendarUnit.allCases.map(Optional.some) + [nil] {
        guard let totals = byUnit[unit] else { continue }
        // The periods of one unit do not overlap, so that what one of them adds changes no other.
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

  /// Makes room for uses that ``take(_:)`` will be given.
  mutating func prepare(for count: Int) {
    uses.reserveCapacity(uses.count + count)
    moments.reserveCapacity(moments.count + count)
    places.reserveCapacity(places.count + count)
  }

  /// Adds a use of which ``insert(_:)`` would say what it changes later: what is derived waits for ``finishTaking()``. Each put in its place
  /// among the others would be quadratic where many come in no order.
  mutating func take(_ use: Use) {
    if taking == .nothing { taking = .new }
    // Nearly all are new: their keys are looked up once, and they are looked at only while they are at hand.
    if let place = places.updateValue(uses.count, forKey: use.key) {
      places[use.key] = place
      let merged = uses[place].merged(with: use)
      guard merged != uses[place] else { return }
      uses[place] = merged
      taking = .changed
    } else {
      uses.append(use)
      if use.counts { moments.append(UsageTotals.Moment(use)) }
    }
  }

  /// Sorts and adds up what was taken. O(n log n), O(n) when it came in its order.
  mutating func finishTaking() {
    if taking == .nothing { return }
    if taking == .changed { moments = uses.filter(\.counts).map(UsageTotals.Moment.init) }
    taking = .nothing
    moments.sort()
    (days, counted, all, credits) = ([], 0, 0, 0)
    for moment in moments {
      if days.last?.day != moment.day { days.append(.init(day: moment.day, zone: moment.zone)) }
      days[days.count - 1].counted += moment.counted
      days[days.count - 1].all += moment.all
      counted += moment.counted
      all += moment.all
      credits += moment.credits
    }
    if !sourceTotals.isEmpty { deriveSources() }
  }

  private mutating func add(_ use: Use, _ sign: Int) {
    guard use.counts else { return }
    let moment = UsageTotals.Moment(use)
    if !sourceTotals.isEmpty { addToSource(moment, use.source, sign) }
    let at = moments.indexPast { $0 < moment }
    if sign > 0 { moments.insert(moment, at: at) } else { moments.remove(at: at) }
    all += moment.all * sign
    counted += moment.counted * sign
    credits += moment.credits * sign

    let place = days.indexPast { $0.day < moment.day }
    if place == days.count || days[place].day != moment.day { days.insert(.init(day: moment.day), at: place) }
    days[place].counted += moment.counted * sign
    days[place].all += moment.all * sign
    let first = moments.indexPast { $0.day < moment.day }
    if first < moments.count, moments[first].day == moment.day { days[place].zone = moments[first].zone } else { days.remove(at: place) }
  }

  func totals(since: Date?, at now: Date) -> UsageTotals {
    var totals = UsageTotals()
    totals.counted = counted
    totals.all = all
    var days = days
    let unnamed = sourceTotals.isEmpty ? [] : unnamed
    for (day, _, amount) in unnamed {
      totals.counted += amount
      totals.all += amount
      guard let day else { continue }
      let place = days.indexPast { $0.day < day }
      // In the zone of the period's first known use; without one, in the device's.
      if place == days.count || days[place].day != day {
        days.insert(.init(day: day, zone: place < days.count ? days[place].zone : ""), at: place)
      }
      days[place].counted += amount
      days[place].all += amount
    }
    // A year is the longest calendar unit; older days only matter to the sums. A wrong clock may have dated some years ahead.
    if let last = days.last {
      let earliest = min(last.day, LocalDay.of(now, in: Instant.utc.timeZone)) - 400
      totals.days = Array(days[days.indexPast { $0.day < earliest }...])
    }
    if let since {
      // Moments are sorted by local day; a local day is at most two away from the one in UTC.
      let earliest = LocalDay.of(since, in: Instant.utc.timeZone) - 2
      totals.moments = moments[moments.indexPast { $0.day < earliest }...].filter { $0.date >= since }
      for case (let day?, let end?, let amount) in unnamed where end >= since {
        totals.moments.append(.init(day: day, date: end, amount: amount))
      }
      if !unnamed.isEmpty { totals.moments.sort() }
    }
    return totals
  }
}

extension FeatureUsage: Hashable {
  /// Equal when they hold the same uses and sums, in whatever order they came: all else is derived from these.
  static func == (a: Self, b: Self) -> Bool {
    a.uses.count == b.uses.count && a.sourceTotals == b.sourceTotals && a.uses.allSatisfy { b.use($0.key) == $0 }
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(sourceTotals)
    hasher.combine(uses.reduce(0) { $0 ^ $1.hashValue })
  }
}

extension Use {
  /// Whether it adds anything to a total.
  fileprivate var counts: Bool { status != .released && amount > 0 }
}

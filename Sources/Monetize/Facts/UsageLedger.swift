// SPDX-License-Identifier: Apache-2.0
import Foundation

/// All uses, by feature and subject, with running totals: a spend costs the same after ten uses and after a million.
public struct UsageLedger: Sendable, Hashable {
  struct Key: Sendable, Hashable {
    let feature: FeatureID
    let subject: SubjectID
  }

  private var features: [Key: FeatureUsage] = [:]

  /// An empty ledger.
  public init() {}

  /// All uses, in no order.
  public var uses: [Use] { features.values.flatMap { $0.byKey.values } }

  /// What sources counted in sum, in no order.
  public var allTotals: [UsageTotal] { features.values.flatMap { $0.sourceTotals.values } }

  /// Adds a use, or what it says beyond the one that is there. Tells whether that changed anything.
  @discardableResult
  public mutating func insert(_ use: Use) -> Bool {
    features[Key(feature: use.feature, subject: use.subject), default: FeatureUsage()].insert(use)
  }

  /// Adds what a source counted in sum, or raises what it said before. Tells whether that changed anything.
  @discardableResult
  public mutating func insert(_ total: UsageTotal) -> Bool {
    features[Key(feature: total.feature, subject: total.subject), default: FeatureUsage()].insert(total)
  }

  func isNews(_ total: UsageTotal) -> Bool {
    features[Key(feature: total.feature, subject: total.subject)]?.sourceTotals.isNews(total) ?? true
  }

  /// Adds uses in any order. O(n log n).
  mutating func insert(contentsOf uses: [Use]) {
    // Numbered, because a dictionary of arrays is slow to append to.
    var places: [Key: Int] = [:]
    var groups: [[Use]] = []
    for use in uses {
      let key = Key(feature: use.feature, subject: use.subject)
      if let place = places[key] {
        groups[place].append(use)
      } else {
        places[key] = groups.count
        groups.append([use])
      }
    }
    for (key, place) in places { features[key, default: FeatureUsage()].insert(contentsOf: groups[place]) }
  }

  /// Adds all uses of another ledger. O(n log n).
  public mutating func merge(_ other: Self) {
    if features.isEmpty {
      features = other.features
      return
    }
    for (key, usage) in other.features {
      features[key, default: FeatureUsage()].insert(contentsOf: usage.byKey.values)
      for total in usage.sourceTotals.values { features[key, default: FeatureUsage()].insert(total) }
    }
  }

  /// The use of that key.
  public func use(_ key: String, of feature: FeatureID, by subject: SubjectID) -> Use? {
    features[Key(feature: feature, subject: subject)]?.byKey[key]
  }

  /// What a judgement needs to know, with single uses only from `since` on (for rolling limits).
  /// O(days and uses shown).
  func totals(of feature: FeatureID, by subject: SubjectID, since: Date?, at now: Date) -> UsageTotals {
    features[Key(feature: feature, subject: subject)]?.totals(since: since, at: now) ?? UsageTotals()
  }

  /// How many credits of a feature were used, by anybody: credits are the customer's and not a member's. O(features and subjects used).
  func creditsUsed(of feature: FeatureID) -> Int {
    features.reduce(0) { $1.key.feature == feature ? $0 + $1.value.credits : $0 }
  }

  /// Reservations that were made by other runs than `run`.
  func lapsed(besides run: String) -> [Use] {
    features.values.flatMap { usage in usage.byKey.values.filter { $0.status == .reserved && $0.run != run } }
  }
}

/// The uses of one feature by one subject. What is derived (days, moments, sums) depends only on the set of uses, never on its order.
private struct FeatureUsage: Sendable, Hashable {
  fileprivate private(set) var byKey: [String: Use] = [:]
  fileprivate private(set) var sourceTotals = FactSet<UsageTotal>()
  /// What each source counted by day; kept up only where a source also says sums.
  private var bySource: [SourceID: [Int: Int]] = [:]
  private var days: [UsageTotals.Day] = []
  private var moments: [UsageTotals.Moment] = []
  private var counted = 0
  private var all = 0
  fileprivate private(set) var credits = 0

  @discardableResult
  mutating func insert(_ use: Use) -> Bool {
    guard let known = byKey[use.key] else {
      byKey[use.key] = use
      add(use, 1)
      return true
    }
    let merged = known.merged(with: use)
    if merged == known { return false }
    add(known, -1)
    byKey[use.key] = merged
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
    for use in byKey.values where use.counts { addToSource(UsageTotals.Moment(use), use.source, 1) }
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
  /// can have been; neither for all time. Shorter periods first, so that the sum of a year holds those of its months.
  private var unnamed: [(day: Int?, end: Date?, amount: Int)] {
    var found: [(day: Int?, end: Date?, amount: Int)] = []
    for (source, totals) in Dictionary(grouping: sourceTotals.sorted, by: \.source).sorted(by: { $0.key < $1.key }) {
      var known = bySource[source] ?? [:]
      for total in totals.sorted(by: { ($0.days?.count ?? .max, $0.day) < ($1.days?.count ?? .max, $1.day) }) {
        let days = total.days
        let used = known.reduce(0) { days?.contains($1.key) ?? true ? $0 + $1.value : $0 }
        let more = min(total.amount, Use.unknownAmount) - used
        guard more > 0 else { continue }
        known[days?.lowerBound ?? .min, default: 0] += more
        found.append((days?.lowerBound, total.latestEnd, more))
      }
    }
    return found
  }

  /// Each use put in its place among the others would be quadratic where they come in no order: above a handful, all are sorted once.
  mutating func insert(contentsOf uses: some Collection<Use>) {
    guard uses.count > 32 else {
      for use in uses { insert(use) }
      return
    }
    byKey.reserveCapacity(byKey.count + uses.count)
    for use in uses {
      if let known = byKey.updateValue(use, forKey: use.key) { byKey[use.key] = known.merged(with: use) }
    }
    derive()
  }

  private mutating func derive() {
    moments = byKey.values.lazy.filter(\.counts).map(UsageTotals.Moment.init).sorted()
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
    let at = moments.place { $0 < moment }
    if sign > 0 { moments.insert(moment, at: at) } else { moments.remove(at: at) }
    all += moment.all * sign
    counted += moment.counted * sign
    credits += moment.credits * sign

    let place = days.place { $0.day < use.day }
    if place == days.count || days[place].day != use.day { days.insert(.init(day: use.day), at: place) }
    days[place].counted += moment.counted * sign
    days[place].all += moment.all * sign
    let first = moments.place { $0.day < use.day }
    if first < moments.count, moments[first].day == use.day { days[place].zone = moments[first].zone } else { days.remove(at: place) }
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
      let place = days.place { $0.day < day }
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
      totals.days = Array(days[days.place { $0.day < earliest }...])
    }
    if let since {
      // Moments are sorted by local day; a local day is at most two away from the one in UTC.
      let earliest = LocalDay.of(since, in: Instant.utc.timeZone) - 2
      totals.moments = moments[moments.place { $0.day < earliest }...].filter { $0.date >= since }
      for case (let day?, let end?, let amount) in unnamed where end >= since {
        totals.moments.append(.init(day: day, date: end, amount: amount))
      }
      if !unnamed.isEmpty { totals.moments.sort() }
    }
    return totals
  }
}

extension Use {
  /// Whether it adds anything to a total.
  fileprivate var counts: Bool { status != .released && amount > 0 }
}

/// What is known of the uses of one feature by one subject, added up.
public struct UsageTotals: Sendable, Hashable {
  struct Day: Sendable, Hashable {
    var day: Int
    var counted = 0
    var all = 0
    /// The zone of the day's first use.
    var zone = ""
  }
  struct Moment: Sendable, Hashable, Comparable {
    let day: Int
    let date: Date
    let zone: String
    let counted: Int
    let all: Int
    let credits: Int

    init(_ use: Use) {
      // No limit is higher, and sums of it do not overflow.
      let amount = min(max(0, use.amount), Use.unknownAmount)
      (day, date, zone, all) = (use.day, use.date, use.zone, amount)
      credits = use.counted ? min(max(0, use.credits), amount) : 0
      counted = use.counted ? amount - credits : 0
    }

    /// What a source counted in sum.
    init(day: Int, date: Date, amount: Int) {
      (self.day, self.date, zone, counted, all, credits) = (day, date, "", amount, amount, 0)
    }

    static func < (a: Self, b: Self) -> Bool {
      // The rest only where it decides: a tuple of all would copy both texts.
      if a.day != b.day { return a.day < b.day }
      if a.date != b.date { return a.date < b.date }
      return (a.zone, a.counted, a.all, a.credits) < (b.zone, b.counted, b.all, b.credits)
    }
  }

  /// All uses ever that count against a grant.
  public internal(set) var counted = 0
  /// All uses ever, also those made while the grant was unlimited.
  public internal(set) var all = 0
  /// By local day, earliest first; from 400 days ago on.
  var days: [Day] = []
  /// Single uses, earliest first, as far back as the longest rolling limit.
  var moments: [Moment] = []

  /// No uses.
  public init() {}

  /// Uses that count together with these.
  mutating func add(_ other: UsageTotals) {
    guard other.all != 0 else { return }
    counted += other.counted
    all += other.all
    for day in other.days {
      let place = days.place { $0.day < day.day }
      if place < days.count, days[place].day == day.day {
        days[place].counted += day.counted
        days[place].all += day.all
      } else {
        days.insert(day, at: place)
      }
    }
    moments = (moments + other.moments).sorted()
  }
}

extension Array {
  /// The first place whose element does not come before. O(log n) on a sorted array.
  func place(_ before: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if before(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

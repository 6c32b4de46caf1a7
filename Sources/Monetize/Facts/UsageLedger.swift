// SPDX-License-Identifier: Apache-2.0
import Foundation

/// All uses, by feature and subject, with running totals: a spend costs the same after ten uses and after a million. Those of a store's test
/// worlds are kept apart.
public struct UsageLedger: Sendable, Hashable {
  struct Key: Sendable, Hashable {
    let feature: FeatureID
    let subject: SubjectID
    /// `nil` for production, and for what was used when nobody had said which world it is.
    var environment: StoreEnvironment?

    init(feature: FeatureID, subject: SubjectID, environment: StoreEnvironment? = nil) {
      (self.feature, self.subject) = (feature, subject)
      self.environment = environment == .production ? nil : environment
    }

    init(_ use: Use) { self.init(feature: use.feature, subject: use.subject, environment: use.environment) }
  }

  private var features: [Key: FeatureUsage] = [:]
  /// The worlds besides production that uses were made in, sorted.
  private var testWorlds: [StoreEnvironment] = []

  /// An empty ledger.
  public init() {}

  /// All uses, in no order.
  public var uses: [Use] { features.values.flatMap { $0.byKey.values } }

  /// What sources counted in sum, in no order.
  public var allTotals: [UsageTotal] { features.values.flatMap { $0.sourceTotals.values } }

  /// Adds a use, or what it says beyond the one that is there. Tells whether that changed anything.
  @discardableResult
  public mutating func insert(_ use: Use) -> Bool {
    let key = Key(use)
    note(key.environment)
    return features[key, default: FeatureUsage()].insert(use)
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
      let key = Key(use)
      if let place = places[key] {
        groups[place].append(use)
      } else {
        places[key] = groups.count
        groups.append([use])
      }
    }
    for (key, place) in places {
      note(key.environment)
      features[key, default: FeatureUsage()].insert(contentsOf: groups[place])
    }
  }

  /// Adds all uses of another ledger. O(n log n).
  public mutating func merge(_ other: Self) {
    if features.isEmpty {
      (features, testWorlds) = (other.features, other.testWorlds)
      return
    }
    for (key, usage) in other.features {
      note(key.environment)
      features[key, default: FeatureUsage()].insert(contentsOf: usage.byKey.values)
      for total in usage.sourceTotals.values { features[key, default: FeatureUsage()].insert(total) }
    }
  }

  private mutating func note(_ environment: StoreEnvironment?) {
    guard let environment, !testWorlds.contains(environment) else { return }
    testWorlds.insert(environment, at: testWorlds.place { $0 < environment })
  }

  /// The use of that key, among those that were made in a world; see ``Use/environment``.
  public func use(_ key: String, of feature: FeatureID, by subject: SubjectID, in environment: StoreEnvironment? = nil) -> Use? {
    features[Key(feature: feature, subject: subject, environment: environment)]?.byKey[key]
  }

  /// The use of that key, among those that count in a world.
  func use(_ key: String, of feature: FeatureID, by subject: SubjectID, countedIn world: StoreEnvironment?) -> Use? {
    use(key, of: feature, by: subject)
      ?? worlds(countedIn: world).lazy.compactMap { use(key, of: feature, by: subject, in: $0) }.first
  }

  /// What a judgement needs to know, with single uses only from `since` on (for rolling limits). In a test world what was used before it was
  /// known counts as well; where no world is known, everything does.
  /// O(days and uses shown).
  func totals(of feature: FeatureID, by subject: SubjectID, since: Date?, at now: Date, in world: StoreEnvironment?) -> UsageTotals {
    var totals = features[Key(feature: feature, subject: subject)]?.totals(since: since, at: now) ?? UsageTotals()
    for environment in worlds(countedIn: world) {
      let key = Key(feature: feature, subject: subject, environment: environment)
      if let usage = features[key] { totals.add(usage.totals(since: since, at: now)) }
    }
    return totals
  }

  /// How many credits of a feature were used, by anybody: credits are the customer's and not a member's. O(features and subjects used).
  func creditsUsed(of feature: FeatureID, in world: StoreEnvironment?) -> Int {
    let worlds = worlds(countedIn: world)
    return features.reduce(0) { sum, entry in
      guard entry.key.feature == feature, entry.key.environment.map(worlds.contains) ?? true else { return sum }
      return sum + entry.value.credits
    }
  }

  /// The test worlds whose uses count.
  private func worlds(countedIn world: StoreEnvironment?) -> [StoreEnvironment] {
    guard let world else { return testWorlds }
    return world == .production ? [] : [world]
  }

  /// Whether a run has a reservation that is not settled. O(uses).
  func isReserved(by run: String) -> Bool {
    features.values.contains { usage in usage.byKey.values.contains { $0.status == .reserved && $0.run == run } }
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

  /// What sources have counted beyond the uses that are known of them one by one, with the day that it counts in; `nil` for all time only.
  /// Shorter periods first, so that the sum of a year holds those of its months.
  private var unnamed: [(day: Int?, amount: Int)] {
    var found: [(day: Int?, amount: Int)] = []
    for (source, totals) in Dictionary(grouping: sourceTotals.sorted, by: \.source).sorted(by: { $0.key < $1.key }) {
      var known = bySource[source] ?? [:]
      for total in totals.sorted(by: { ($0.days?.count ?? .max, $0.day) < ($1.days?.count ?? .max, $1.day) }) {
        let days = total.days
        let used = known.reduce(0) { days?.contains($1.key) ?? true ? $0 + $1.value : $0 }
        let more = min(total.amount, Use.unknownAmount) - used
        guard more > 0 else { continue }
        known[days?.lowerBound ?? .min, default: 0] += more
        found.append((days?.lowerBound, more))
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
    for (day, amount) in sourceTotals.isEmpty ? [] : unnamed {
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
    }
    return totals
  }
}

extension Use {
  /// Whether it adds anything to a total.
  fileprivate var counts: Bool { status != .released && amount > 0 }
}

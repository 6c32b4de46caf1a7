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

  /// Adds a use, or what it says beyond the one that is there. Tells whether that changed anything.
  @discardableResult
  public mutating func insert(_ use: Use) -> Bool {
    features[Key(feature: use.feature, subject: use.subject), default: FeatureUsage()].insert(use)
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
    for (key, usage) in other.features { features[key, default: FeatureUsage()].insert(contentsOf: usage.byKey.values) }
  }

  /// The use of that key.
  public func use(_ key: String, of feature: FeatureID, by subject: SubjectID) -> Use? {
    features[Key(feature: feature, subject: subject)]?.byKey[key]
  }

  /// What a judgement needs to know, with single uses only from `since` on (for rolling limits).
  /// O(days and uses shown).
  func totals(of feature: FeatureID, by subject: SubjectID, since: Date?) -> UsageTotals {
    features[Key(feature: feature, subject: subject)]?.totals(since: since) ?? UsageTotals()
  }

  /// Reservations that were made by other runs than `run`.
  func lapsed(besides run: String) -> [Use] {
    features.values.flatMap { usage in usage.byKey.values.filter { $0.status == .reserved && $0.run != run } }
  }
}

/// The uses of one feature by one subject. What is derived (days, moments, sums) depends only on the set of uses, never on its order.
private struct FeatureUsage: Sendable, Hashable {
  fileprivate private(set) var byKey: [String: Use] = [:]
  private var days: [UsageTotals.Day] = []
  private var moments: [UsageTotals.Moment] = []
  private var counted = 0
  private var all = 0

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
    (days, counted, all) = ([], 0, 0)
    for moment in moments {
      if days.last?.day != moment.day { days.append(.init(day: moment.day, zone: moment.zone)) }
      days[days.count - 1].counted += moment.counted
      days[days.count - 1].all += moment.all
      counted += moment.counted
      all += moment.all
    }
  }

  private mutating func add(_ use: Use, _ sign: Int) {
    guard use.counts else { return }
    let moment = UsageTotals.Moment(use)
    let at = moments.place { $0 < moment }
    if sign > 0 { moments.insert(moment, at: at) } else { moments.remove(at: at) }
    all += moment.all * sign
    counted += moment.counted * sign

    let place = days.place { $0.day < use.day }
    if place == days.count || days[place].day != use.day { days.insert(.init(day: use.day), at: place) }
    days[place].counted += moment.counted * sign
    days[place].all += moment.all * sign
    let first = moments.place { $0.day < use.day }
    if first < moments.count, moments[first].day == use.day { days[place].zone = moments[first].zone } else { days.remove(at: place) }
  }

  func totals(since: Date?) -> UsageTotals {
    var totals = UsageTotals()
    totals.counted = counted
    totals.all = all
    // A year is the longest calendar unit; older days only matter to the sums.
    if let last = days.last { totals.days = Array(days[days.place { $0.day < last.day - 400 }...]) }
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

    init(_ use: Use) {
      // No limit is higher, and sums of it do not overflow.
      let amount = min(max(0, use.amount), Use.unknownAmount)
      (day, date, zone, all) = (use.day, use.date, use.zone, amount)
      counted = use.counted ? amount : 0
    }

    static func < (a: Self, b: Self) -> Bool {
      // The rest only where it decides: a tuple of all would copy both texts.
      if a.day != b.day { return a.day < b.day }
      if a.date != b.date { return a.date < b.date }
      return (a.zone, a.counted, a.all) < (b.zone, b.counted, b.all)
    }
  }

  /// All uses ever that count against a grant.
  public internal(set) var counted = 0
  /// All uses ever, also those made while the grant was unlimited.
  public internal(set) var all = 0
  /// By local day, earliest first; the last 400 days with uses.
  var days: [Day] = []
  /// Single uses, earliest first, as far back as the longest rolling limit.
  var moments: [Moment] = []

  /// No uses.
  public init() {}
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

// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// An item that the catalog knows, found for a request.
public struct CatalogItem: Sendable, Hashable {
  /// Its path, without a part.
  public let path: ItemPath
  /// Its position in the collection, from 1.
  public let ordinal: Int
  /// The item before it; `nil` for the first.
  public let previous: ItemPath?
  /// What it costs in coins, if it has such a price.
  public let coins: Int?

  /// Makes an item, for tests of an allowance.
  public init(path: ItemPath, ordinal: Int, previous: ItemPath? = nil, coins: Int? = nil) {
    self.path = path
    self.ordinal = ordinal
    self.previous = previous
    self.coins = coins
  }
}

/// A calendar period in one zone.
public struct CalendarPeriod: Sendable, Hashable {
  /// Its local days, counted from 1970-01-01.
  public let days: Range<Int>
  /// The zone of its days.
  public let zone: TimeZone
  /// When the next one begins.
  public var end: Date { LocalDay.start(of: days.upperBound, in: zone) }
}

/// All that a judgement may look at besides the request: values only, no clock and no store.
public struct AllowanceContext: Sendable {
  /// The time of the question.
  public let now: Date
  /// Whether all uses count, as for a parent's cap, or only those made under a limited grant.
  public let countsEveryUse: Bool
  /// The item that the request names, found in the catalog.
  public var item: CatalogItem? { foundItem?.value }
  /// The device's time zone.
  public var zone: TimeZone { background.progress.zone }
  /// The uses of this feature by this subject.
  public var usage: UsageTotals { background.usage }
  /// The item without a copy of its texts.
  let foundItem: Shared<CatalogItem>?
  private let background: Background

  /// What is the same for all questions about one feature, in one reference.
  final class Background: Sendable {
    let usage: UsageTotals
    let progress: Progress

    init(usage: UsageTotals, progress: Progress) { (self.usage, self.progress) = (usage, progress) }
  }

  /// What is the same for all questions of one subject, whatever the feature.
  final class Progress: Sendable {
    let zone: TimeZone
    let completed: @Sendable (ItemPath) -> Bool
    let bought: Set<String>
    let balance: Int
    /// When a clock that was days ahead was found out.
    let corrected: Date?
    let custom: FactSet<AnyCustomFact>

    init(
      zone: TimeZone, completed: @escaping @Sendable (ItemPath) -> Bool = { _ in false }, bought: Set<String> = [], balance: Int = 0,
      corrected: Date? = nil, custom: FactSet<AnyCustomFact> = FactSet()
    ) {
      (self.zone, self.completed, self.bought, self.balance, self.corrected, self.custom) = (
        zone, completed, bought, balance, corrected, custom
      )
    }
  }

  /// Makes a context, for tests of an allowance.
  /// - Parameters:
  ///   - now: The time of the question.
  ///   - zone: The device's time zone.
  ///   - usage: What was used before.
  ///   - item: The item that the request names.
  ///   - completed: The items that were completed.
  ///   - bought: The items that were bought with coins.
  ///   - balance: The coins there are.
  ///   - countsEveryUse: Whether uses under an unlimited grant count as well, as for a parent's cap.
  public init(
    now: Date, zone: TimeZone = Instant.utc.timeZone, usage: UsageTotals = UsageTotals(), item: CatalogItem? = nil,
    completed: Set<ItemPath> = [], bought: Set<ItemPath> = [], balance: Int = 0, countsEveryUse: Bool = false
  ) {
    let progress = Progress(
      zone: zone, completed: { completed.contains($0) }, bought: Set(bought.map(\.description)), balance: balance)
    self.init(
      now: now, item: item.map(Shared.init), countsEveryUse: countsEveryUse, background: Background(usage: usage, progress: progress))
  }

  init(now: Date, item: Shared<CatalogItem>? = nil, countsEveryUse: Bool = false, background: Background) {
    self.now = now
    foundItem = item
    self.countsEveryUse = countsEveryUse
    self.background = background
  }

  // MARK: Progress

  /// Whether the subject completed an item.
  public func isCompleted(_ item: ItemPath) -> Bool { background.progress.completed(item) }
  /// Whether the subject bought an item with coins.
  public func isBought(_ item: ItemPath) -> Bool { background.progress.bought.contains(item.description) }
  /// The subject's coins: earned minus spent, never shown below 0.
  public var balance: Int { max(0, background.progress.balance) }
  /// The facts of an app's own sort, sorted by key.
  public func facts<F: CustomFact>(of sort: F.Type) -> [F] { background.progress.custom.sorted.compactMap { $0.record as? F } }

  // MARK: Uses

  /// Uses ever.
  public var used: Int { countsEveryUse ? usage.all : usage.counted }

  /// Uses on local days of a range. O(days with uses).
  public func used(in range: Range<Int>) -> Int {
    // What a wrong clock dated days ahead counts where that was found out, and again where it is dated.
    let isFoundOut = background.progress.corrected.map { range.contains(LocalDay.of($0, in: zone)) } ?? false
    let future = LocalDay.of(now, in: zone) + Self.daysOfTravel
    var sum = 0
    for day in usage.days.reversed() where range.contains(day.day) || (isFoundOut && day.day > future) {
      sum += countsEveryUse ? day.all : day.counted
    }
    return sum
  }

  /// Single uses from a moment on, earliest first, with their amounts; at most as far back as ``Allowance/lookBack`` asks for.
  public func uses(since moment: Date) -> [(date: Date, amount: Int)] {
    usage.moments.filter { $0.date >= moment }.map { ($0.date, countsEveryUse ? $0.all : $0.counted) }.sorted { $0.date < $1.date }
  }

  /// The local days by which a traveller can be behind a use: from UTC+14 to UTC-12. More than that was a wrong clock, which the store's signed
  /// time has corrected since.
  private static let daysOfTravel = 2

  private var wrongFuture: ArraySlice<UsageTotals.Day> {
    let future = LocalDay.of(now, in: zone) + Self.daysOfTravel
    return usage.days[usage.days.indexPast { $0.day <= future }...]
  }

  private var lastBelievableDay: UsageTotals.Day? { usage.days[..<wrongFuture.startIndex].last }

  /// When the first day that lies in a wrong future comes so near that it is believed; `nil` when there is none. A verdict about a calendar
  /// period can change then.
  public var nextBelief: Date? { wrongFuture.first.map { LocalDay.start(of: $0.day - Self.daysOfTravel, in: zone) } }

  /// The calendar period that this moment counts in: it keeps the zone of its first use, and never moves back, neither for a clock that is
  /// set back nor for a traveller who meets the same month twice.
  public func period(_ unit: CalendarUnit) -> CalendarPeriod {
    let today = LocalDay.of(now, in: zone)
    guard let last = lastBelievableDay else { return CalendarPeriod(days: LocalDay.range(of: unit, holding: today), zone: zone) }
    let latest = LocalDay.range(of: unit, holding: last.day)
    let first = usage.days[usage.days.indexPast { $0.day < latest.lowerBound }]
    let itsZone = first.zone.isEmpty ? zone : TimeZone(identifier: first.zone) ?? zone
    if LocalDay.of(now, in: itsZone) < latest.upperBound { return CalendarPeriod(days: latest, zone: itsZone) }
    return CalendarPeriod(days: LocalDay.range(of: unit, holding: max(today, latest.upperBound)), zone: zone)
  }

  /// The local day and zone that a use at this moment counts in, given the calendar unit that its limit is counted by.
  public func today(within unit: CalendarUnit?) -> (day: Int, zone: TimeZone) {
    guard let unit else { return (max(LocalDay.of(now, in: zone), usage.days.last?.day ?? .min), zone) }
    let period = period(unit)
    let latest = lastBelievableDay.map { period.days.contains($0.day) ? $0.day : period.days.lowerBound } ?? period.days.lowerBound
    return (min(max(LocalDay.of(now, in: period.zone), latest), period.days.upperBound - 1), period.zone)
  }
}

// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A catalog item that a request names.
public struct CatalogItem: Sendable, Hashable {
  /// The path of the whole item, without a part.
  public let path: ItemPath
  /// Its position in the collection, from 1.
  public let ordinal: Int
  /// The item before it; `nil` for the first.
  public let previous: ItemPath?
  /// The price in coins; `nil` when the item has none.
  public let coins: Int?

  /// Makes an item, to test an allowance.
  public init(path: ItemPath, ordinal: Int, previous: ItemPath? = nil, coins: Int? = nil) {
    (self.path, self.ordinal, self.previous, self.coins) = (path, ordinal, previous, coins)
  }
}

/// A calendar period in one zone.
public struct CalendarPeriod: Sendable, Hashable {
  /// Its local days, counted from 1970-01-01.
  public let days: Range<Int>
  /// The time zone of its days.
  public let zone: TimeZone
  /// When the next period begins.
  public var end: Date { LocalDay.start(of: days.upperBound, in: zone) }
  /// The first moment of the period.
  public var start: Date { LocalDay.start(of: days.lowerBound, in: zone) }
}

/// Everything a judgement may use besides the request. Contains values only: no clock and no store.
public struct AllowanceContext: Sendable {
  /// The time of the question.
  public let now: Date
  /// Whether every use counts, as for a parent's cap, or only uses made under a limited grant.
  public let countsEveryUse: Bool
  /// The catalog item that the request names.
  public var item: CatalogItem? { foundItem?.value }
  /// The device's time zone.
  public var zone: TimeZone { background.progress.zone }
  /// The uses of this feature by this subject.
  public var usage: UsageTotals { background.usage }
  let foundItem: Shared<CatalogItem>?
  private let background: Background

  /// Values shared by all questions about one feature, behind one reference.
  final class Background: Sendable {
    let usage: UsageTotals
    let progress: Progress

    init(usage: UsageTotals, progress: Progress) { (self.usage, self.progress) = (usage, progress) }
  }

  /// Values shared by all questions of one subject, for any feature.
  final class Progress: Sendable {
    let zone: TimeZone
    /// The moment at which most questions are asked, and its local day. The day is computed once, because it needs the zone's offset.
    private let moment: Date
    private let day: Int
    let subject: SubjectID
    let completions: FactSet<Completion>
    /// The prices paid in coins, by item.
    let paid: [String: Int]
    let balance: Int
    /// When a clock that ran days ahead was detected.
    let corrected: Date?
    let custom: FactSet<AnyCustomFact>

    init(zone: TimeZone, at moment: Date, of subject: SubjectID, in state: CustomerState) {
      (self.zone, self.subject, completions, custom) = (zone, subject, state.completions, state.custom)
      (paid, balance, corrected) = (state.paid[subject] ?? [:], state.coins[subject] ?? 0, state.time[0]?.corrected)
      (self.moment, day) = (moment, LocalDay.of(moment, in: zone))
    }

    func isCompleted(_ item: ItemPath) -> Bool { completions[Completion.Key(item: item, subject: subject)] != nil }

    /// Whether judgements with both are equal, apart from zone and time.
    func judgesLike(_ other: Progress) -> Bool {
      func completed(_ progress: Progress) -> Set<ItemPath> {
        Set(progress.completions.values.lazy.filter { $0.subject == progress.subject }.map(\.item))
      }
      return (balance, corrected) == (other.balance, other.corrected) && paid == other.paid && custom == other.custom
        && (completions == other.completions || completed(self) == completed(other))
    }

    func day(of date: Date) -> Int { date == moment ? day : LocalDay.of(date, in: zone) }
  }

  /// Makes a context, to test an allowance.
  /// - Parameters:
  ///   - now: The time of the question.
  ///   - zone: The device's time zone.
  ///   - usage: The uses so far.
  ///   - item: The item that the request names.
  ///   - completed: The items that are completed.
  ///   - bought: The items that were bought with coins.
  ///   - balance: The coin balance.
  ///   - countsEveryUse: Whether uses under an unlimited grant count as well, as for a parent's cap.
  public init(
    now: Date, zone: TimeZone = Calendar.storeCalendar.timeZone, usage: UsageTotals = UsageTotals(), item: CatalogItem? = nil,
    completed: Set<ItemPath> = [], bought: Set<ItemPath> = [], balance: Int = 0, countsEveryUse: Bool = false
  ) {
    let paid = bought.map { WalletEntry(id: WalletEntry.id(paying: $0), spent: 1) }
    let earned = WalletEntry(id: "", earned: balance.clamped(to: 0...Use.unknownAmount) + paid.count)
    let facts = completed.map { Fact.completion(Completion(item: $0)) } + (paid + [earned]).map(Fact.wallet)
    let progress = Progress(zone: zone, at: now, of: .customer, in: CustomerState(facts))
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
  public func isCompleted(_ item: ItemPath) -> Bool { background.progress.isCompleted(item) }
  /// Whether the subject bought an item with coins.
  public func isBought(_ item: ItemPath) -> Bool { background.progress.paid[item.description] != nil }
  /// The subject's coin balance: earned minus spent, at least 0.
  public var balance: Int { max(0, background.progress.balance) }
  /// The facts of a sort that the app defines, sorted by key. O(n log n) in the app's facts.
  public func facts<F: CustomFact>(of sort: F.Type) -> [F] { background.progress.custom.facts(of: sort) }

  // MARK: Uses

  /// The number of uses since the first.
  public var used: Int { countsEveryUse ? usage.all : usage.counted }

  /// The number of uses on the local days of a range. O(days with uses).
  public func used(in range: Range<Int>) -> Int {
    // Uses that a wrong clock dated days ahead count on the day of the detection, and again on the day they are dated.
    let isFoundOut = background.progress.corrected.map { range.contains(LocalDay.of($0, in: zone)) } ?? false
    let future = today + Self.daysOfTravel
    var sum = 0
    for day in usage.days.reversed() where range.contains(day.day) || (isFoundOut && day.day > future) {
      sum += countsEveryUse ? day.all : day.counted
    }
    return sum
  }

  /// Individual uses since a moment with their amounts, earliest first. Reaches back at most ``Allowance/lookBack``. Uses that a wrong clock
  /// dated days ahead have the date of the detection until ``nextBelief``, and their own from then on.
  public func uses(since moment: Date) -> [(date: Date, amount: Int)] {
    let future = today + Self.daysOfTravel
    return usage.moments.compactMap { use in
      guard let date = use.day > future ? background.progress.corrected : use.date, date >= moment else { return nil }
      return (date, countsEveryUse ? use.all : use.counted)
    }.sorted { $0.date < $1.date }
  }

  /// The most local days that a traveller can be behind a recorded use: from UTC+14 to UTC-12. A larger gap means a wrong clock, which the
  /// store's signed time has since corrected.
  private static let daysOfTravel = 2

  private var today: Int { background.progress.day(of: now) }

  private var wrongFuture: ArraySlice<UsageTotals.Day> {
    let future = today + Self.daysOfTravel
    return usage.days[usage.days.indexPast { $0.day <= future }...]
  }

  private var lastTrustedDay: UsageTotals.Day? { usage.days[..<wrongFuture.startIndex].last }

  /// When the first day of a wrong future is near enough to be trusted; `nil` when there is none. Verdicts about periods and spans can
  /// change then.
  public var nextBelief: Date? { wrongFuture.first.map { LocalDay.start(of: $0.day - Self.daysOfTravel, in: zone) } }

  /// The calendar period that this moment counts in. It keeps the zone of its first use. It never moves back, even if a clock is set back
  /// or a traveller enters the same month twice.
  public func period(_ unit: CalendarUnit) -> CalendarPeriod {
    guard let last = lastTrustedDay else { return CalendarPeriod(days: LocalDay.range(of: unit, holding: today), zone: zone) }
    let latest = LocalDay.range(of: unit, holding: last.day)
    let first = usage.days[usage.days.indexPast { $0.day < latest.lowerBound }]
    let isHere = first.zone.isEmpty || first.zone == zone.identifier
    let itsZone = isHere ? zone : TimeZone(identifier: first.zone) ?? zone
    if (isHere ? today : LocalDay.of(now, in: itsZone)) < latest.upperBound { return CalendarPeriod(days: latest, zone: itsZone) }
    return CalendarPeriod(days: LocalDay.range(of: unit, holding: max(today, latest.upperBound)), zone: zone)
  }

  /// The local day and zone in which a use at this moment is counted, for a limit counted by `unit`.
  public func today(within unit: CalendarUnit?) -> (day: Int, zone: TimeZone) {
    guard let unit else { return (max(today, lastTrustedDay?.day ?? .min), zone) }
    let period = period(unit)
    let latest = lastTrustedDay.map { period.days.contains($0.day) ? $0.day : period.days.lowerBound } ?? period.days.lowerBound
    return (min(max(LocalDay.of(now, in: period.zone), latest), period.days.upperBound - 1), period.zone)
  }
}

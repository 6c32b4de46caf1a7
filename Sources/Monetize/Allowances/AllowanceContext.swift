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
}

/// All that a judgement may look at besides the request: values only, no clock and no store.
public struct AllowanceContext: Sendable {
  /// The time of the question.
  public let now: Date
  /// The device's time zone.
  public var zone: TimeZone { background.value.zone }
  /// The uses of this feature by this subject.
  public var usage: UsageTotals { background.value.usage }
  /// The item that the request names, found in the catalog.
  public var item: CatalogItem? { found?.value }
  /// Whether all uses count, as for a parent's cap, or only those made under a limited grant.
  public let countsEveryUse: Bool
  var progress: Progress { background.value.progress }
  /// The item without a copy of its texts.
  let found: Shared<CatalogItem>?
  private let background: Shared<Background>

  /// What is the same for all questions about one feature, in one reference.
  struct Background: Sendable {
    let zone: TimeZone
    let usage: UsageTotals
    let progress: Progress
  }

  /// Completions and coins of one subject.
  struct Progress: Sendable, Hashable {
    var completions = FactSet<Completion>()
    var subject = SubjectID.customer
    var balance = 0
    /// When a clock that was days ahead was found out.
    var corrected: Date?
  }

  package init(now: Date, zone: TimeZone, usage: UsageTotals) {
    self.init(now: now, background: Shared(Background(zone: zone, usage: usage, progress: Progress())))
  }

  init(now: Date, item: Shared<CatalogItem>? = nil, countsEveryUse: Bool = false, background: Shared<Background>) {
    self.now = now
    self.found = item
    self.countsEveryUse = countsEveryUse
    self.background = background
  }

  /// Whether the subject completed an item.
  public func isCompleted(_ item: ItemPath) -> Bool {
    progress.completions[Completion.Key(item: item, subject: progress.subject)] != nil
  }

  /// The subject's coins: earned minus spent, never shown below 0.
  public var balance: Int { max(0, progress.balance) }

  /// Uses ever.
  public var used: Int { countsEveryUse ? usage.all : usage.counted }

  /// Uses on local days of a range. O(days with uses).
  func used(in range: Range<Int>) -> Int {
    // What a wrong clock dated days ahead counts where that was found out, and again where it is dated.
    let isFoundOut = progress.corrected.map { range.contains(LocalDay.of($0, in: zone)) } ?? false
    let future = LocalDay.of(now, in: zone) + Self.daysOfTravel
    var sum = 0
    for day in usage.days.reversed() where range.contains(day.day) || (isFoundOut && day.day > future) {
      sum += countsEveryUse ? day.all : day.counted
    }
    return sum
  }

  /// How many local days a traveller can be behind a use: from UTC+14 to UTC-12. More than that was a wrong clock, which the store's signed
  /// time has corrected since.
  private static let daysOfTravel = 2

  private var wrongFuture: ArraySlice<UsageTotals.Day> {
    let future = LocalDay.of(now, in: zone) + Self.daysOfTravel
    return usage.days[usage.days.place { $0.day <= future }...]
  }

  private var lastBelievableDay: UsageTotals.Day? { usage.days[..<wrongFuture.startIndex].last }

  /// When the first day that lies in a wrong future comes so near that it is believed; `nil` when there is none.
  var nextBelief: Date? { wrongFuture.first.map { LocalDay.start(of: $0.day - Self.daysOfTravel, in: zone) } }

  /// The calendar period that this moment counts in: it keeps the zone of its first use, and never moves back, neither for a clock that is
  /// set back nor for a traveller who meets the same month twice.
  func period(_ unit: CalendarUnit) -> (days: Range<Int>, zone: TimeZone) {
    let today = LocalDay.of(now, in: zone)
    guard let last = lastBelievableDay else { return (LocalDay.range(of: unit, holding: today), zone) }
    let latest = LocalDay.range(of: unit, holding: last.day)
    let first = usage.days[usage.days.place { $0.day < latest.lowerBound }]
    let itsZone = first.zone.isEmpty ? zone : TimeZone(identifier: first.zone) ?? zone
    if LocalDay.of(now, in: itsZone) < latest.upperBound { return (latest, itsZone) }
    return (LocalDay.range(of: unit, holding: max(today, latest.upperBound)), zone)
  }

  /// The local day and zone that a use at this moment counts in, given the calendar unit that its limit is counted by.
  func today(within unit: CalendarUnit?) -> (day: Int, zone: TimeZone) {
    guard let unit else { return (max(LocalDay.of(now, in: zone), usage.days.last?.day ?? .min), zone) }
    let (days, zone) = period(unit)
    let latest = lastBelievableDay.map { days.contains($0.day) ? $0.day : days.lowerBound } ?? days.lowerBound
    return (min(max(LocalDay.of(now, in: zone), latest), days.upperBound - 1), zone)
  }
}

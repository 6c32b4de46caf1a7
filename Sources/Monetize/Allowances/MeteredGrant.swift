// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A number of uses, or of seconds, by one or several measures. Allowed when any measure has enough left.
public struct MeteredGrant: Allowance {
  struct Limit: Sendable, Hashable {
    let measure: Measure
    var amount: Int
  }

  private enum CodingKeys: String, CodingKey { case limit, per }

  // One limit per measure, sorted by measure.
  private let limits: [Limit]

  /// Decodes an amount, which is counted by the feature's period, or `{ "limit": …, "per": … }`.
  init(from decoder: any Decoder, per: Measure?, expected: String, amount: (any Decoder) throws -> Int) throws {
    do {
      limits = [Limit(measure: per ?? .lifetime, amount: try amount(decoder))]
    } catch DecodingError.typeMismatch, DecodingError.valueNotFound {
      guard let own = try? decoder.container(keyedBy: CodingKeys.self) else { throw decoder.mistake(expected) }
      let limit = try amount(own.superDecoder(forKey: .limit))
      limits = [Limit(measure: try own.decodeIfPresent(Measure.self, forKey: .per) ?? per ?? .lifetime, amount: limit)]
    }
  }
  private init(_ limits: [Limit]) { self.limits = limits }

  /// The higher limit for each measure.
  public func joined(with other: Self) -> Self {
    if self == other { return self }
    var amounts: [Measure: Int] = [:]
    for limit in limits + other.limits { amounts[limit.measure] = max(amounts[limit.measure] ?? 0, limit.amount) }
    return MeteredGrant(amounts.map { Limit(measure: $0.key, amount: $0.value) }.sorted { $0.measure < $1.measure })
  }

  /// Sets the purchase date from which anchored measures count; `.distantFuture` for a purchase that could be made at any moment.
  public func anchored(at purchase: Date) -> Self {
    guard limits.contains(where: \.measure.waitsForAnchor) else { return self }
    return MeteredGrant(
      limits.map { limit in
        guard case .anchored(let period, nil) = limit.measure else { return limit }
        return Limit(measure: .anchored(period, from: purchase), amount: limit.amount)
      }
    )
  }

  /// Whether each limit of `other` has one here with at least its amount and no longer period: two a week are at least two a month, and
  /// two a year are not.
  public func gives(atLeast other: Self) -> Bool {
    other.limits.allSatisfy { wanted in limits.contains { $0.measure.length <= wanted.measure.length && $0.amount >= wanted.amount } }
  }

  /// The longest span in which individual uses matter, in seconds.
  public var lookBack: TimeInterval? {
    limits.compactMap { limit -> TimeInterval? in
      switch limit.measure {
      case .lifetime, .calendar: nil
      case .rolling(let seconds): TimeInterval(seconds)
      // No earlier use counts against a purchase that is only offered.
      case .anchored(let period, let anchor): anchor == .distantFuture ? 0 : period.longest
      }
    }.max()
  }

  /// `false` when every limit is for a lifetime, which never resets.
  public var changesWithTime: Bool { limits.contains { $0.measure != .lifetime } }

  /// Allowed when any measure has at least the requested count left.
  public func judge(_ request: AccessRequest, in context: AllowanceContext) -> Verdict {
    var best: Verdict?
    var changesAt: Date?
    for limit in limits {
      let verdict = judge(limit, request, context)
      changesAt = earlier(changesAt, verdict.changesAt)
      // Among equals, the one that resets first wins, then the smaller measure: law 1 needs a defined winner.
      guard let known = best else {
        best = verdict
        continue
      }
      let sooner = (verdict.resetsAt ?? .distantFuture) < (known.resetsAt ?? .distantFuture)
      if verdict.leavesMore(than: known) || (!known.leavesMore(than: verdict) && sooner) { best = verdict }
    }
    var verdict = best ?? .denied(.limitReached)
    verdict.changesAt = changesAt
    return verdict
  }

  private func judge(_ limit: Limit, _ request: AccessRequest, _ context: AllowanceContext) -> Verdict {
    let count =
      switch limit.measure {
      case .calendar(let unit): Count(of: unit, context)
      case .rolling(let seconds): Count(rolling: TimeInterval(seconds), limit.amount - request.count, context)
      case .anchored(let period, let anchor?): Count(of: period, from: anchor, context)
      // A parent's limit has no purchase to count from. It holds for every span of that length, so that no purchase begins it anew.
      case .anchored(let period, nil) where context.countsEveryUse: Count(rolling: period.longest, limit.amount - request.count, context)
      case .lifetime, .anchored(_, nil): Count(used: context.used)
      }
    var verdict = Verdict(isAllowed: request.count <= limit.amount - count.used, reason: .limitReached)
    verdict.used = count.used
    verdict.limit = limit.amount
    verdict.measure = limit.measure
    verdict.remaining = max(0, limit.amount - count.used)
    verdict.asked = request.count
    verdict.resetsAt = count.resetsAt
    verdict.changesAt = count.changesAt
    return verdict
  }
}

/// The uses that one measure counts at one moment.
private struct Count {
  var used: Int
  var resetsAt: Date?
  var changesAt: Date?

  init(used: Int) { self.used = used }

  init(of unit: CalendarUnit, _ context: AllowanceContext) {
    let period = context.period(unit)
    used = context.used(in: period.days)
    resetsAt = period.end
    changesAt = earlier(resetsAt, context.nextBelief)
  }

  /// - Parameter room: The most uses that still allow the request.
  init(rolling length: TimeInterval, _ room: Int, _ context: AllowanceContext) {
    let recent = context.uses(since: context.now - length).filter { $0.date > context.now - length && $0.amount > 0 }
    used = recent.reduce(0) { $0 + $1.amount }
    // Finds the first moment at which enough uses have left the span.
    var left = used
    for use in recent where left > room {
      left -= use.amount
      resetsAt = use.date + length
    }
    changesAt = earlier(recent.first.map { $0.date + length }, context.nextBelief)
  }

  init(of period: Period, from anchor: Date, _ context: AllowanceContext) {
    let (start, end) = anchor == .distantFuture ? (context.now, nil) : Self.period(period, from: anchor, at: context.now)
    let uses = context.uses(since: start)
    used = uses.reduce(0) { $0 + $1.amount }
    resetsAt = end
    // An anchored period counts uses from its purchase on. Uses dated after now would stop counting if a purchase were made after them.
    let later = uses.first { $0.date >= context.now }?.date
    changesAt = earlier(earlier(resetsAt, later?.next), context.nextBelief)
  }

  /// The beginning and the end of the period from an anchor on that contains a moment. For a moment before the anchor, the first period.
  private static func period(_ period: Period, from anchor: Date, at now: Date) -> (start: Date, end: Date?) {
    // A year has half a million minutes, so this strides over the periods that have certainly passed.
    var step = 0
    while true {
      let end = period.added(to: anchor, times: step + 1, in: .storeCalendar)
      if end > now || step > 2_000_000_000 { return (period.added(to: anchor, times: step, in: .storeCalendar), end) }
      step += 1 + Int((now.timeIntervalSince(end) / max(1, period.longest)).clamped(to: 0...1e9))
    }
  }
}

extension AllowanceShape {
  /// The time span in which a limit without one of its own counts. `nil` for other shapes than counts and durations.
  package var ownMeasure: Measure? {
    if let shape = self as? CountShape { return shape.per ?? .lifetime }
    return (self as? DurationShape).map { $0.per ?? .lifetime }
  }
}

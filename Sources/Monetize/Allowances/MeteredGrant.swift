// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A number of uses, or of seconds, for one or several measures. Allowed when any of them has enough left.
public struct MeteredGrant: Allowance {
  struct Limit: Sendable, Hashable {
    let measure: Measure
    var amount: Int
  }

  /// The keys of a grant that is counted by another period than its feature's.
  enum OwnPeriodKeys: String, CodingKey {
    case limit, per

    static func container(_ decoder: any Decoder, _ expectation: String) throws -> KeyedDecodingContainer<Self> {
      if let container = try? decoder.container(keyedBy: Self.self) { return container }
      throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: expectation))
    }
  }

  // One limit a measure, sorted by measure.
  private let limits: [Limit]

  init(limit: Int, per measure: Measure) { limits = [Limit(measure: measure, amount: limit)] }
  private init(_ limits: [Limit]) { self.limits = limits }

  /// The higher limit of each measure.
  public func joined(with other: Self) -> Self {
    if self == other { return self }
    var amounts: [Measure: Int] = [:]
    for limit in limits + other.limits { amounts[limit.measure] = max(amounts[limit.measure] ?? 0, limit.amount) }
    return MeteredGrant(amounts.map { Limit(measure: $0.key, amount: $0.value) }.sorted { $0.measure < $1.measure })
  }

  /// The purchase that anchored measures count from.
  public func anchored(at purchase: Date) -> Self {
    guard limits.contains(where: \.measure.waitsForAnchor) else { return self }
    return MeteredGrant(
      limits.map { limit in
        guard case .anchored(let period, nil) = limit.measure else { return limit }
        return Limit(measure: .anchored(period, from: purchase), amount: limit.amount)
      }
    )
  }

  /// The longest stretch in which single uses matter.
  public var lookBack: TimeInterval? {
    limits.compactMap { limit -> TimeInterval? in
      switch limit.measure {
      case .lifetime, .calendar: nil
      case .rolling(let seconds): TimeInterval(seconds)
      case .anchored(let period, _):
        TimeInterval(period.years * 366 + period.months * 31 + period.days) * 86400 + TimeInterval(period.seconds)
      }
    }.max()
  }

  /// What is counted for ever never begins anew.
  public var changesWithTime: Bool { limits.contains { $0.measure != .lifetime } }

  /// Allowed when a measure has at least the requested count left.
  public func judge(_ request: AccessRequest, in context: AllowanceContext) -> Verdict {
    var best: Verdict?
    var changesAt: Date?
    for limit in limits {
      let verdict = judge(limit, request, context)
      changesAt = earlier(changesAt, verdict.changesAt)
      // Of two that leave the same, the one that begins anew first, then the smaller measure: a stated winner (law 1).
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
    let used: Int
    var resetsAt: Date?
    var changesAt: Date?
    switch limit.measure {
    case .lifetime:
      used = context.used
    case .calendar(let unit):
      let (days, zone) = context.period(unit)
      used = context.used(in: days)
      resetsAt = LocalDay.start(of: days.upperBound, in: zone)
      changesAt = earlier(resetsAt, context.nextBelief)
    case .rolling(let seconds):
      let length = TimeInterval(seconds)
      let recent = context.usage.moments.filter { $0.date > context.now - length }.sorted { $0.date < $1.date }
      used = recent.reduce(0) { $0 + (context.countsEveryUse ? $1.all : $1.counted) }
      // The first moment at which enough uses have left the stretch for one more.
      var left = used
      for moment in recent where left + request.count > limit.amount {
        left -= context.countsEveryUse ? moment.all : moment.counted
        resetsAt = moment.date + length
      }
      changesAt = recent.first.map { $0.date + length }
    case .anchored(let period, let anchor):
      guard let anchor else {
        used = context.used
        break
      }
      // In strides that never go too far (periods of one length differ by less than a fifth): a year of minutes is half a million of them.
      let stride = max(1, period.added(to: anchor, in: Instant.utc).timeIntervalSince(anchor) * 1.2)
      var step = 0
      while true {
        let end = period.added(to: anchor, times: step + 1, in: Instant.utc)
        if end > context.now || step > 2_000_000_000 { break }
        step += 1 + Int((context.now.timeIntervalSince(end) / stride).clamped(to: 0...1e9))
      }
      let start = period.added(to: anchor, times: step, in: Instant.utc)
      used = context.usage.moments.reduce(0) { $0 + ($1.date < start ? 0 : context.countsEveryUse ? $1.all : $1.counted) }
      resetsAt = period.added(to: anchor, times: step + 1, in: Instant.utc)
      // A purchase counts from its own moment: what counts as used later than now would not count any more if it were made after that.
      let later = context.usage.moments.lazy.map(\.date).filter { $0 >= context.now }.min()
      changesAt = earlier(resetsAt, later.map { Date(timeIntervalSinceReferenceDate: $0.timeIntervalSinceReferenceDate.nextUp) })
    }
    var verdict = Verdict(isAllowed: request.count <= limit.amount - used, reason: .limitReached)
    verdict.used = used
    verdict.limit = limit.amount
    verdict.remaining = max(0, limit.amount - used)
    verdict.resetsAt = resetsAt
    verdict.changesAt = changesAt
    return verdict
  }
}

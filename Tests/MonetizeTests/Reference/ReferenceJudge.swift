// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// What one limit counts: the uses, the limit, and when the count starts again.
struct ReferenceCount: Equatable {
  var used: Int
  var limit: Int
  var resetsAt: Date?

  var left: Int { max(0, limit - used) }
}

/// Judges the amounts of one feature for one request, each by itself.
struct ReferenceJudge {
  struct Verdict {
    var isAllowed: Bool
    var remaining: Int?
    var reason: Reason
    /// The length of a window in seconds, or the position of a level: of two amounts the longer or higher one explains the answer.
    var size: Double?
    /// The count behind the answer, where it is one count of one amount.
    var count: ReferenceCount?

    init(_ isAllowed: Bool, _ remaining: Int?, _ reason: Reason, size: Double? = nil) {
      (self.isAllowed, self.remaining, self.reason, self.size) = (isAllowed, remaining, reason, size)
    }

    func leavesMore(than other: Verdict) -> Bool {
      if isAllowed != other.isAllowed { return isAllowed }
      if !isAllowed, other.reason == .requiresPurchase { return reason != .requiresPurchase || (remaining ?? -1) > (other.remaining ?? -1) }
      let (mine, others) = (remaining ?? (isAllowed ? .max : -1), other.remaining ?? (isAllowed ? .max : -1))
      return mine != others ? mine > others : (size ?? .infinity) > (other.size ?? .infinity)
    }
  }

  let rules: ReferenceRules
  let feature: ReferenceCatalog.Feature
  let whole: ReferenceCatalog.Feature
  let request: AccessRequest
  /// The amounts that parents set, as JSON.
  let caps: [Any]

  private var isMetered: Bool { whole.shape == "count" || whole.shape == "duration" }

  /// The verdict of several amounts and credits: the first that leaves the most, never more than a cap leaves.
  func verdict(_ amounts: [ReferenceRules.Amount], credits: (bought: Int, left: Int)) -> Verdict {
    if let part = feature.part { return verdict(of: part.atLeast, amounts) }
    var best = Verdict(false, nil, .requiresPurchase)
    for amount in amounts {
      var verdict = judge(amount.json, anchors: amount.anchors, isCap: false)
      if verdict.isAllowed { verdict.reason = amount.reason }
      if verdict.leavesMore(than: best) { best = verdict }
    }
    if isMetered, credits.bought > 0, !(best.isAllowed && best.remaining == nil) {
      let left = (best.remaining ?? 0) + credits.left
      best = Verdict(left >= request.count, left, best.isAllowed ? best.reason : left >= request.count ? .credits : .limitReached)
    }
    if amounts.count != 1 { best.count = nil }
    for cap in caps { best = meet(best, judge(cap, anchors: [], isCap: true)) }
    return best
  }

  /// The verdict of a part: open when the amounts reach its own, with the numbers of its whole.
  private func verdict(of part: Any, _ amounts: [ReferenceRules.Amount]) -> Verdict {
    let plain = ReferenceJudge(rules: rules, feature: whole, whole: whole, request: AccessRequest(FeatureID(whole.id)), caps: [])
    var verdict = plain.verdict(amounts, credits: (0, 0))
    verdict.isAllowed = reaches(amounts.map(\.json), part)
    func ofSource(_ amount: ReferenceRules.Amount) -> [Any] {
      amounts.filter { ($0.reason, $0.source) == (amount.reason, amount.source) }.map(\.json)
    }
    let source = amounts.first { reaches(ofSource($0), part) } ?? amounts.first
    verdict.reason = verdict.isAllowed ? source?.reason ?? .free : .requiresPurchase
    for cap in caps {
      var limit = plain.judge(cap, anchors: [], isCap: true)
      (limit.isAllowed, limit.reason) = (isAmount(cap) && reaches([cap], part), .requiresPurchase)
      verdict = meet(verdict, limit)
    }
    return verdict
  }

  /// Both must allow; the smaller amount is left. A parent's limit that denies gives the reason, except for the feature's own rule.
  private func meet(_ own: Verdict, _ cap: Verdict) -> Verdict {
    let least = [own.remaining, cap.remaining].compactMap { $0 }.min()
    let isKnown = own.remaining != nil && cap.remaining != nil
    if cap.isAllowed { return Verdict(own.isAllowed, own.isAllowed || isKnown ? least : own.remaining, own.reason) }
    let isRule = own.reason == cap.reason && [.requiresCompletion, .insufficientCoins].contains(cap.reason)
    return Verdict(false, isKnown ? least : cap.remaining, cap.reason.isError || isRule ? cap.reason : .parentalLimit)
  }

  /// The verdict if a product were bought now; `nil` for one that gives nothing of the feature.
  func verdict(buying product: ReferenceCatalog.Product) -> Verdict? {
    let added = rules.catalog.amounts(of: whole.id, by: product).map {
      ReferenceRules.Amount(json: $0, reason: .owned, anchors: [rules.now])
    }
    let more = ReferenceRules.whole(product.credits[whole.id])
    guard !added.isEmpty || more > 0 else { return nil }
    return verdict(rules.amounts(of: whole.id) + added, credits: rules.credits(of: whole.id, adding: more))
  }

  fileprivate func judge(_ json: Any, anchors: [Date], isCap: Bool) -> Verdict {
    if isCap, !isAmount(json) { return Verdict(false, nil, .parentalLimit) }
    if json as? String == "unlimited" {
      let isUnknown = whole.shape == "level" && request.level.map { ordinal($0) < 0 } ?? false
      // The highest level is as much as no limit.
      let size = whole.shape == "level" ? Double(whole.levels.count - 1) : nil
      return isUnknown ? Verdict(false, nil, .unknownLevel) : Verdict(true, nil, .free, size: size)
    }
    switch whole.shape {
    case "access": return Verdict(true, nil, .free)
    case "items": return Verdict(opensItem(json), nil, .requiresPurchase)
    case "level":
      let granted = ordinal(json as? String ?? "")
      guard let level = request.level else { return Verdict(true, nil, .free, size: Double(granted)) }
      guard ordinal(level) >= 0 else { return Verdict(false, nil, .unknownLevel) }
      return Verdict(ordinal(level) <= granted, nil, .requiresPurchase, size: Double(granted))
    case "capacity":
      let limit = json as? Int ?? 0
      guard let held = request.held else { return Verdict(false, nil, limit > 0 ? .heldMissing : .capacity) }
      return Verdict(held + request.count <= limit, max(0, limit - held), .capacity)
    case "window":
      return Verdict(isInWindow(json as? String ?? ""), nil, .outsideWindow, size: ReferenceTime.seconds(json as? String ?? ""))
    case "prerequisite": return Verdict(isUnlockedByProgress, nil, .requiresCompletion)
    case "coins": return Verdict(isPaidOrAffordable, nil, .insufficientCoins)
    default:
      let count = count(json, anchors: anchors, isCap: isCap)
      var verdict = Verdict(count.left >= request.count, count.left, .limitReached)
      verdict.count = anchors.count < 2 ? count : nil
      return verdict
    }
  }

  /// Whether a parent's limit is an amount of the feature's shape. Any other limit closes the feature.
  private func isAmount(_ json: Any) -> Bool {
    if json as? String == "unlimited" { return true }
    let isBool = (json as? NSNumber).map { "\($0.objCType.pointee)" == "99" } ?? false
    switch whole.shape {
    case "access", "prerequisite", "coins": return isBool && json as? Bool == true
    case "items", "count", "capacity": return !isBool && json is Int
    case "level": return whole.levels.contains(json as? String ?? "")
    case "window" where whole.json["wholeDays"] as? Bool == true: return (json as? String)?.hasSuffix("D") == true
    default: return (json as? String)?.hasPrefix("P") == true
    }
  }

  // MARK: Parts

  /// Whether the amounts together are at least that of the part: of numbers one alone, of items for each collection.
  private func reaches(_ amounts: [Any], _ atLeast: Any) -> Bool {
    if amounts.contains(where: { $0 as? String == "unlimited" }) { return true }
    if atLeast as? String == "unlimited" { return false }
    if whole.shape == "items" {
      // A number is one of every collection, also of those that are added later.
      let base = amounts.compactMap { $0 as? Int }.max() ?? 0
      guard let needed = atLeast as? [String: Any] else { return base >= atLeast as? Int ?? 0 }
      return needed.keys.allSatisfy { key in (amounts.map { opened($0, in: key) }.max() ?? 0) >= opened(atLeast, in: key) }
    }
    return amounts.contains { json in
      switch whole.shape {
      case "capacity": return (json as? Int ?? 0) >= (atLeast as? Int ?? 0)
      case "count", "duration":
        let (given, needed) = (limit(json), limit(atLeast))
        return given.amount >= needed.amount && isNoLonger(given.per, than: needed.per)
      case "level": return ordinal(json as? String ?? "") >= ordinal(atLeast as? String ?? "")
      case "window": return ReferenceTime.seconds(json as? String ?? "") >= ReferenceTime.seconds(atLeast as? String ?? "")
      default: return true
      }
    }
  }

  private func isNoLonger(_ a: ReferencePeriod, than b: ReferencePeriod) -> Bool { length(a) <= length(b) }

  private func length(_ period: ReferencePeriod) -> TimeInterval {
    switch period {
    case .lifetime: .infinity
    case .unit(let unit): ["day": 1, "week": 7, "month": 30, "year": 365][unit, default: 0] * 86400
    case .length(let length), .anchored(let length): ReferenceTime.seconds(length)
    }
  }

  // MARK: Items

  private func opened(_ json: Any, in collection: String) -> Int {
    let amount = (json as? [String: Any]).map { $0[collection] ?? 0 } ?? json
    return amount as? String == "unlimited" ? .max : amount as? Int ?? 0
  }

  /// The collection and the index of the requested item.
  private var position: (collection: String, index: Int)? {
    guard let parts = request.item?.description.split(separator: "/").map(String.init), let collection = rules.catalog.collections[parts[0]]
    else { return nil }
    return collection.items.firstIndex { $0.id == parts[1] }.map { (parts[0], $0) }
  }

  private func opensItem(_ json: Any) -> Bool {
    guard let position else { return true }
    return position.index < opened(json, in: position.collection)
  }

  private var isUnlockedByProgress: Bool {
    guard let position, position.index > 0, let items = rules.catalog.collections[position.collection]?.items else { return true }
    let previous = "\(position.collection)/\(items[position.index - 1].id)"
    return rules.facts.completions.contains { $0.item.description == previous && $0.subject == rules.situation.member.subject }
  }

  private var isPaidOrAffordable: Bool {
    guard let position, let item = rules.catalog.collections[position.collection]?.items[position.index], let price = item.coins else {
      return true
    }
    let entries = rules.facts.wallet.filter { $0.subject == rules.situation.member.subject }
    let path = "item:\(position.collection)/\(item.id)"
    if entries.contains(where: { $0.id == path && $0.spent > 0 }) { return true }
    return entries.reduce(0) { $0 + $1.earned - $1.spent } >= price
  }

  private func ordinal(_ level: String) -> Int { whole.levels.firstIndex(of: level) ?? -1 }

  private func isInWindow(_ length: String) -> Bool {
    guard let date = request.date else { return true }
    let (span, zone) = (ReferenceTime.seconds(length), rules.situation.zone)
    guard whole.json["wholeDays"] as? Bool == true else { return date >= rules.now - span }
    return ReferenceTime.day(of: date, in: zone) > ReferenceTime.day(of: rules.now, in: zone) - Int(span / 86400)
  }

  // MARK: Uses

  private func limit(_ json: Any) -> (amount: Int, per: ReferencePeriod) {
    guard let json = json as? [String: Any] else { return (ReferenceRules.whole(json), whole.per) }
    return (ReferenceRules.whole(json["limit"]), json["per"].map { ReferencePeriod($0) } ?? whole.per)
  }

  /// What a limit counts now; of several anchors, that of the purchase that leaves the most.
  private func count(_ json: Any, anchors: [Date], isCap: Bool) -> ReferenceCount {
    let (amount, per) = limit(json)
    func count(resetsAt: Date? = nil, _ isIn: (Moment) -> Bool) -> ReferenceCount {
      ReferenceCount(used: moments.filter(isIn).reduce(0) { $0 + (isCap ? $1.all : $1.counted) }, limit: amount, resetsAt: resetsAt)
    }
    func isSince(_ start: Date, _ moment: Moment) -> Bool { (date(of: moment) ?? .distantPast) >= start }
    func sliding(_ span: TimeInterval) -> ReferenceCount {
      let start = rules.now - span
      func isIn(_ moment: Moment) -> Bool { isSince(start, moment) && date(of: moment) != start }
      let all = count { isIn($0) }
      // The first moment at which enough uses have left the span.
      let leaving = moments.filter { isIn($0) && (isCap ? $0.all : $0.counted) > 0 }.compactMap { date(of: $0) }.sorted()
      let isEnough = { (start: Date) in count { isIn($0) && (date(of: $0) ?? start) > start }.used + request.count <= amount }
      let resetsAt = all.used + request.count <= amount ? nil : (leaving.first(where: isEnough) ?? leaving.last).map { $0 + span }
      return ReferenceCount(used: all.used, limit: amount, resetsAt: resetsAt)
    }
    switch per {
    case .lifetime: return count { _ in true }
    case .unit(let unit):
      let (days, zone) = currentPeriod(of: unit)
      let isFoundOut = rules.facts.corrected.map { days.contains(ReferenceTime.day(of: $0, in: rules.situation.zone)) } ?? false
      return count(resetsAt: ReferenceTime.start(of: days.upperBound, in: zone)) {
        days.contains($0.day) || isFoundOut && !isTrusted($0.day)
      }
    case .length(let length): return sliding(ReferenceTime.seconds(length))
    // A parent's limit counts the uses of the last span of that length, and of a month the longest.
    case .anchored(let length) where isCap: return sliding(length.hasSuffix("M") ? 31 * 86400 : ReferenceTime.seconds(length))
    case .anchored(let length):
      let counts = anchors.map { anchor in
        var times = 0
        while ReferenceTime.adding(length, times: times + 1, to: anchor) <= rules.now { times += 1 }
        let start = ReferenceTime.adding(length, times: times, to: anchor)
        return count(resetsAt: ReferenceTime.adding(length, times: times + 1, to: anchor)) { isSince(start, $0) }
      }
      // A period that was paid ahead counts every use until it begins.
      return counts.max { $0.left < $1.left } ?? count { _ in true }
    }
  }

  /// When a use counts in a span: a wrong future when it was found out, if it was.
  private func date(of moment: Moment) -> Date? { isTrusted(moment.day) ? moment.date : rules.facts.corrected }

  /// Some uses, with the local day and the moment in which they count.
  private struct Moment {
    var day: Int
    var date: Date
    var zone = ""
    var counted: Int
    var all: Int
  }

  /// The uses of this member, and what the totals of each source report beyond its uses: on the first day of the total's period, at the
  /// latest possible moment. A longer period includes what a shorter one reports.
  private var moments: [Moment] {
    // A use by an unknown author, from a damaged state, counts against each member.
    let uses = rules.facts.uses.filter {
      $0.feature.rawValue == whole.id && [rules.situation.member.subject, .everyone].contains($0.subject) && $0.status != .released
        && $0.amount > 0 && rules.isHere($0)
    }
    let totals = rules.facts.totals.filter { $0.feature.rawValue == whole.id && $0.subject == rules.situation.member.subject }
    var found = uses.map { use in
      Moment(day: use.day, date: use.date, zone: use.zone, counted: use.counted ? use.amount - use.credits : 0, all: use.amount)
    }
    for source in Set(totals.map(\.source)) {
      var known = uses.filter { $0.source == source && $0.environment == nil && $0.counted }.map { (day: $0.day, amount: $0.amount) }
      for unit in ["day", "week", "month", "year", nil] {
        for total in totals where total.source == source && total.unit?.rawValue == unit {
          let days = unit.map { ReferenceTime.days(of: $0, containing: total.day) }
          let more = total.amount - known.reduce(0) { $0 + (days?.contains($1.day) ?? true ? $1.amount : 0) }
          guard more > 0 else { continue }
          let (day, end) = (days?.lowerBound ?? .min, days?.upperBound)
          known.append((day, more))
          let date = end.map { Date(timeIntervalSince1970: TimeInterval($0) * 86400 + 12 * 3600) } ?? .distantPast
          found.append(Moment(day: day, date: date, counted: more, all: more))
        }
      }
    }
    return found
  }

  private var today: Int { ReferenceTime.day(of: rules.now, in: rules.situation.zone) }

  /// A use more than two days ahead is dated by a wrong clock.
  private func isTrusted(_ day: Int) -> Bool { day <= today + 2 }

  /// The days and the zone of the current period: that of the latest use until it is over in the zone of its first use, then the later of the
  /// device's own period and the next.
  private func currentPeriod(of unit: String) -> (days: Range<Int>, zone: TimeZone) {
    let (days, here) = (moments.filter { $0.day > .min }.sorted { ($0.day, $0.date) < ($1.day, $1.date) }, rules.situation.zone)
    guard let last = days.last(where: { isTrusted($0.day) })?.day else { return (ReferenceTime.days(of: unit, containing: today), here) }
    let period = ReferenceTime.days(of: unit, containing: last)
    // A total has no zone, and takes that of the next use.
    let zone = days.first { $0.day >= period.lowerBound && !$0.zone.isEmpty }.flatMap { TimeZone(identifier: $0.zone) } ?? here
    if rules.now < ReferenceTime.start(of: period.upperBound, in: zone) { return (period, zone) }
    return (ReferenceTime.days(of: unit, containing: max(today, period.upperBound)), here)
  }
}

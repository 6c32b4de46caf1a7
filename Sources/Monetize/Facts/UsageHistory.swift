// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeJSON

/// What one source has used of a feature, added up: what a state keeps of single uses that are long past.
///
/// **Law.** A stretch holds all that its source has used from its first moment to its last. A single use, or a shorter stretch, that lies in it
/// is counted in it and is not kept beside it: a folded and an unfolded copy of one state never count twice. Only the source itself adds up its
/// uses, because no other state knows that it has all of them.
package struct UsageHistory: MergingFact {
  /// What names a history: one a feature, subject, source and world; what credits covered is apart, because it stays with who bought them.
  package struct Key: Sendable, Hashable, Comparable {
    let feature: FeatureID
    let subject: SubjectID
    let source: SourceID
    let environment: String
    let isCredit: Bool
    package static func < (a: Self, b: Self) -> Bool {
      let (first, second) = ((a.feature, a.subject, a.source, a.environment), (b.feature, b.subject, b.source, b.environment))
      return first == second ? !a.isCredit && b.isCredit : first < second
    }
  }

  /// All that was used from one moment to another, both included, and the local day that it counts in.
  struct Stretch: Sendable, Hashable {
    var first: Date
    var last: Date
    /// The first use that counts, whose zone is the day's.
    var begins: Date
    var zone: String
    var day: Int
    var counted: Int
    var all: Int
    var credits: Int

    init(_ use: Use) {
      let moment = use.status == .released ? nil : UsageTotals.Moment(use)
      (first, last, begins, zone, day) = (use.date, use.date, use.date, use.zone, LocalDay.bounded(use.day))
      (counted, all, credits) = (moment?.counted ?? 0, moment?.all ?? 0, moment?.credits ?? 0)
    }

    func holds(_ other: Self) -> Bool { first <= other.first && other.last <= last }

    /// Together with a later one, of the same day or of a later one.
    mutating func extend(with other: Self) {
      let isBegin = other.all > 0 && (all == 0 || (other.begins, other.zone) < (begins, zone))
      if isBegin { (begins, zone) = (other.begins, other.zone) }
      (last, day) = (max(last, other.last), max(day, other.day))
      counted += other.counted
      all += other.all
      credits += other.credits
    }
  }

  package let feature: FeatureID
  package let subject: SubjectID
  let source: SourceID
  let environment: StoreEnvironment?
  let isCredit: Bool
  /// All that was used.
  package var used: Int { stretches.reduce(0) { $0 + $1.all } }
  /// Earliest first; none lies in another.
  private(set) var stretches: [Stretch]

  init(like use: Use, _ stretches: [Stretch]) {
    (feature, subject, source, environment) = (use.feature, use.subject, use.source, use.environment)
    isCredit = use.credits > 0
    self.stretches = Self.outermost(stretches)
  }

  package var key: Key {
    Key(feature: feature, subject: subject, source: source, environment: environment?.rawValue ?? "", isCredit: isCredit)
  }

  /// The same of another subject.
  func belonging(to subject: SubjectID) -> Self {
    var use = Use(
      key: "", feature: feature, subject: subject, source: source, date: .distantPast, day: 0, zone: "", environment: environment)
    use.credits = isCredit ? 1 : 0
    return UsageHistory(like: use, stretches)
  }

  /// The stretches of both; one that lies in another is counted there.
  package func merged(with other: Self) -> Self {
    var result = self
    result.stretches = Self.outermost(stretches + other.stretches)
    return result
  }

  /// Of two that say different things of the same moments, the one that says more.
  private static func outermost(_ stretches: [Stretch]) -> [Stretch] {
    func sums(_ a: Stretch) -> (Int, Int, Int, Int, String) { (-a.all, -a.counted, -a.credits, a.day, a.zone) }
    var found: [Stretch] = []
    let sorted = stretches.sorted { a, b in
      if a.first != b.first { return a.first < b.first }
      if a.last != b.last { return a.last > b.last }
      return sums(a) == sums(b) ? a.begins < b.begins : sums(a) < sums(b)
    }
    for stretch in sorted where found.last.map({ !$0.holds(stretch) }) ?? true { found.append(stretch) }
    return found
  }

  /// The stretch that a moment lies in. O(log stretches).
  func stretch(at date: Date) -> Stretch? {
    let place = stretches.indexPast { $0.first <= date } - 1
    return place >= 0 && date <= stretches[place].last ? stretches[place] : nil
  }
}

extension UsageHistory {
  private enum CodingKeys: String, CodingKey { case feature, subject, source, environment, isCredit = "credits", zones, stretches }
  private static let width = 8

  /// Reads the stretches from one row of numbers, ``width`` for each.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    feature = try container.decode(FeatureID.self, forKey: .feature)
    subject = try container.decode(SubjectID.self, forKey: .subject)
    source = try container.decode(SourceID.self, forKey: .source)
    environment = try container.decodeIfPresent(StoreEnvironment.self, forKey: .environment)
    isCredit = try container.decodeIfPresent(Bool.self, forKey: .isCredit) ?? false
    let zones = try container.decode([String].self, forKey: .zones)
    let numbers = try container.decode([Double].self, forKey: .stretches)
    let places = stride(from: 0, to: numbers.count, by: Self.width)
    let found = numbers.count % Self.width == 0 ? places.map { Stretch(numbers[$0..<$0 + Self.width], zones) } : [nil]
    guard found.allSatisfy({ $0 != nil }) else { throw decoder.mistake("This is not a history.") }
    stretches = Self.outermost(found.compactMap { $0 })
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(feature, forKey: .feature)
    try container.encode(subject, forKey: .subject)
    try container.encode(source, forKey: .source)
    try container.encodeIfPresent(environment, forKey: .environment)
    if isCredit { try container.encode(true, forKey: .isCredit) }
    let zones = Set(stretches.map(\.zone)).sorted()
    try container.encode(zones, forKey: .zones)
    try container.encode(stretches.flatMap { $0.numbers(zones) }, forKey: .stretches)
  }
}

extension UsageHistory.Stretch {
  fileprivate init?(_ row: ArraySlice<Double>, _ zones: [String]) {
    let dates = row.prefix(3).map { Date(timeIntervalSinceReferenceDate: $0) }
    let numbers = row.dropFirst(3).compactMap { Int(exactly: $0) }
    guard numbers.count == 5, zones.indices.contains(numbers[1]), dates[0] <= dates[1],
      numbers[2...].allSatisfy({ (0...Use.unknownAmount).contains($0) })
    else { return nil }
    (first, last, begins) = (dates[0], dates[1], dates[2])
    (day, zone) = (LocalDay.bounded(numbers[0]), zones[numbers[1]])
    (counted, all, credits) = (numbers[2], numbers[3], numbers[4])
  }

  fileprivate func numbers(_ zones: [String]) -> [Double] {
    let dates = [first, last, begins].map(\.timeIntervalSinceReferenceDate)
    return dates + [day, zones.firstIndex(of: zone) ?? 0, counted, all, credits].map(Double.init)
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeJSON

/// The sums of one source's uses of a feature that are long past, kept instead of the single uses.
///
/// **Law.** A stretch includes all uses by its source from its first moment to its last. A single use or a shorter stretch within it is
/// included in it and not kept separately, so a folded and an unfolded copy of one state never count twice. Only the source itself folds
/// its uses, because only the source certainly has all of them.
package struct UsageHistory: MergingFact {
  /// The identity of a history: one per feature, subject, source and environment. Uses that credits covered are separate, because they stay
  /// with the buyer of the credits.
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

  /// The sums of all uses between two moments, both included, and their local day.
  struct Stretch: Sendable, Hashable {
    var first: Date
    var last: Date
    /// The first use that counts. Its time zone is the day's.
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

    /// Extends the stretch by a later one, of the same day or a later day.
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
  package var subject: SubjectID
  let source: SourceID
  let environment: StoreEnvironment?
  let isCredit: Bool
  /// The sum of all uses.
  package var used: Int { stretches.reduce(0) { $0 + $1.all } }
  /// Earliest first. No stretch lies within another.
  private(set) var stretches: [Stretch]

  init(like use: Use, _ stretches: [Stretch]) {
    (feature, subject, source) = (use.feature, use.subject, use.source)
    environment = use.environment == .production ? nil : use.environment
    isCredit = use.credits > 0
    self.stretches = Self.outermost(stretches)
  }

  package var key: Key {
    Key(feature: feature, subject: subject, source: source, environment: environment?.rawValue ?? "", isCredit: isCredit)
  }

  /// Merges histories with equal keys. O(n log n) in the stretches; merging each with the next would be quadratic.
  static func joined(_ histories: [Self]) -> [Self] {
    Dictionary(grouping: histories, by: \.key).values.map { same in
      var result = same[0]
      if same.count > 1 { result.stretches = outermost(same.flatMap(\.stretches)) }
      return result
    }
  }

  /// Merges the stretches of both. A stretch within another is included in it.
  package func merged(with other: Self) -> Self {
    var result = self
    result.stretches = Self.outermost(stretches + other.stretches)
    return result
  }

  /// Keeps the outermost stretches. Of two with the same moments, keeps the one with the higher sums.
  private static func outermost(_ stretches: [Stretch]) -> [Stretch] {
    func sums(_ a: Stretch) -> (Int, Int, Int, Int, String) { (-a.all, -a.counted, -a.credits, a.day, a.zone) }
    // Stored stretches already follow one another.
    if zip(stretches, stretches.dropFirst()).allSatisfy({ $0.last < $1.first }) { return stretches }
    var found: [Stretch] = []
    let sorted = stretches.sorted { a, b in
      if a.first != b.first { return a.first < b.first }
      if a.last != b.last { return a.last > b.last }
      return sums(a) == sums(b) ? a.begins < b.begins : sums(a) < sums(b)
    }
    // None begins before the last one that was found, so only an end can lie outside.
    for stretch in sorted where found.last.map({ $0.last < stretch.last }) ?? true { found.append(stretch) }
    return found
  }

  /// The stretch that includes a moment. O(log stretches).
  func stretch(at date: Date) -> Stretch? {
    let index = stretches.indexPast { $0.first <= date } - 1
    return index >= 0 && date <= stretches[index].last ? stretches[index] : nil
  }
}

extension UsageHistory {
  private enum CodingKeys: String, CodingKey { case feature, subject, source, environment, isCredit = "credits", zones, stretches }
  private static let width = 8

  /// Reads the stretches from one array of numbers, ``width`` for each.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    feature = try container.decode(FeatureID.self, forKey: .feature)
    subject = try container.decode(SubjectID.self, forKey: .subject)
    source = try container.decode(SourceID.self, forKey: .source)
    environment = try container.decodeIfPresent(StoreEnvironment.self, forKey: .environment)
    isCredit = try container.decodeIfPresent(Bool.self, forKey: .isCredit) ?? false
    let zones = try container.decode([String].self, forKey: .zones)
    let numbers = try container.decode([Double].self, forKey: .stretches)
    let starts = stride(from: 0, to: numbers.count, by: Self.width)
    let found = numbers.count % Self.width == 0 ? starts.map { Stretch(numbers[$0..<$0 + Self.width], zones) } : [nil]
    guard found.allSatisfy({ $0 != nil }) else { throw decoder.mistake("This is not a history of uses.") }
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
    func date(_ column: Int) -> Date { Date(timeIntervalSinceReferenceDate: row[row.startIndex + column]) }
    func number(_ column: Int) -> Int? { Int(exactly: row[row.startIndex + column]) }
    func sum(_ column: Int) -> Int? { number(column).flatMap { (0...Use.unknownAmount).contains($0) ? $0 : nil } }
    guard date(0) <= date(1), let day = number(3), let zone = number(4), zones.indices.contains(zone), let counted = sum(5),
      let all = sum(6), let credits = sum(7)
    else { return nil }
    (first, last, begins) = (date(0), date(1), date(2))
    (self.day, self.zone) = (LocalDay.bounded(day), zones[zone])
    (self.counted, self.all, self.credits) = (counted, all, credits)
  }

  fileprivate func numbers(_ zones: [String]) -> [Double] {
    let dates = [first, last, begins].map(\.timeIntervalSinceReferenceDate)
    return dates + [day, zones.firstIndex(of: zone) ?? 0, counted, all, credits].map(Double.init)
  }
}

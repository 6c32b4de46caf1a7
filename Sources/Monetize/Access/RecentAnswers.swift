// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Answers to questions with a parameter that were asked lately. A judgement is pure, so its answer is kept until the facts change or its
/// time is over: a list on the screen asks the same questions at every frame.
///
/// A table of fixed size: each question has a few places, and where all are taken, a newer answer takes an older one's. Nothing grows. O(1).
struct RecentAnswers: Sendable {
  private final class Entry: Sendable {
    let request: AccessRequest
    let version: Int
    let decision: Decision
    let until: Date

    init(_ request: AccessRequest, _ version: Int, _ decision: Decision, _ until: Date) {
      (self.request, self.version, self.decision, self.until) = (request, version, decision, until)
    }

    /// Field by field: comparing both requests as wholes copies one of them, with all its texts.
    func answers(_ other: AccessRequest) -> Bool {
      answers(other.feature, other.item) && request.level == other.level && request.count == other.count && request.held == other.held
        && request.date == other.date
    }

    func answers(_ feature: FeatureID, _ item: ItemPath?) -> Bool {
      request.feature == feature && request.item?.hash == item?.hash && request.item == item
    }

    var isAboutNothingElse: Bool { request.level == nil && request.count == 1 && request.held == nil && request.date == nil }
  }
  private var entries: [Entry?] = []
  private static let (size, ways) = (512, 4)

  /// What was answered to a question over the facts of `version`, and until when that holds.
  func answer(to request: AccessRequest, version: Int) -> (decision: Decision, until: Date)? {
    find(Self.place(of: request)) { $0.version == version && $0.answers(request) }
  }

  /// The same for the question about an item, which is not made into a request first.
  func answer(to feature: FeatureID, item: ItemPath, version: Int) -> (decision: Decision, until: Date)? {
    find(Self.place(of: feature, item.hash)) { $0.version == version && $0.answers(feature, item) && $0.isAboutNothingElse }
  }

  @inline(__always)
  private func find(_ first: Int, _ answers: (Entry) -> Bool) -> (decision: Decision, until: Date)? {
    guard !entries.isEmpty else { return nil }
    for place in first..<first + Self.ways {
      guard let entry = entries[place] else { return nil }
      if answers(entry) { return (entry.decision, entry.until) }
    }
    return nil
  }

  /// Keeps an answer.
  mutating func keep(_ decision: Decision, to request: AccessRequest, version: Int, until: Date) {
    if entries.isEmpty { entries = Array(repeating: nil, count: Self.size) }
    let first = Self.place(of: request)
    let ways = first..<first + Self.ways
    let place = ways.first { entries[$0].map { $0.version != version || $0.answers(request) } ?? true } ?? first
    entries[place] = Entry(request, version, decision, until)
  }

  /// The first of a question's places.
  private static func place(of request: AccessRequest) -> Int {
    var other = UInt64(truncatingIfNeeded: request.count &- 1 &+ 31 &* (request.held ?? 0))
    if let level = request.level { other = stableHash(of: level, after: other) }
    return place(of: request.feature, request.item?.hash ?? 0, other)
  }

  @inline(__always)
  private static func place(of feature: FeatureID, _ item: UInt64, _ other: UInt64 = 0) -> Int {
    let hash = (feature.hash ^ item &* 31 ^ other &* 0x1000_0000_01b3) &* 0x9e37_79b9_7f4a_7c15
    return (Int(truncatingIfNeeded: hash ^ (hash >> 32)) & (size / ways - 1)) * ways
  }
}

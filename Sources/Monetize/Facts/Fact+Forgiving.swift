// SPDX-License-Identifier: Apache-2.0
import Foundation

extension TimeSeen {
  /// How far ahead of now a time may lie and still be trusted, in seconds. Travel explains up to two days.
  static let tolerance: TimeInterval = 2 * 86400
}

extension Fact {
  /// The fact, moved to the date of the correction if a wrong clock dated it, so that later revisions can replace it.
  func forgiven(_ time: TimeSeen?) -> Fact {
    guard let time, let found = time.corrected else { return self }
    let end = max(time.latest, found) + TimeSeen.tolerance
    switch sort {
    case .cap(var cap) where cap.revision.date > end:
      cap.revision.date = found
      return .cap(cap)
    case .grant(var grant) where grant.revision.date > end:
      grant.revision.date = found
      grant.from = min(grant.from, found)
      return .grant(grant)
    case .pending(var pending) where pending.revision.date > end:
      let length = pending.lapses.timeIntervalSince(pending.since)
      (pending.revision.date, pending.since, pending.lapses) = (found, found, found + length)
      return .pending(pending)
    case .child(var child) where child.revision.date > end:
      child.revision.date = found
      return .child(child)
    // The store dates purchases and renewals.
    default: return self
    }
  }

  /// All facts, corrected by the latest correction among them.
  static func forgiven(_ facts: [Fact]) -> [Fact] {
    var times = FactSet<TimeSeen>()
    for case .time(let seen) in facts.lazy.map(\.sort) { times.insert(seen) }
    return times[0]?.corrected == nil ? facts : facts.map { $0.forgiven(times[0]) }
  }
}

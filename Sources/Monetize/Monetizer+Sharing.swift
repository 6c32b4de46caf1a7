// SPDX-License-Identifier: Apache-2.0
import Foundation

extension Monetizer {
  /// What this device tells the customer's other devices: uses, totals, gifts, caps, completions and coins, as far as they are settled.
  ///
  /// Never what the store or a clock said: each device reads its own. Not a use whose work is still under way, because another device cannot
  /// know when that lapses; and not that this device's state was damaged, because the others know what they know. O(n log n).
  public var sharedFacts: [Fact] { core.withLock { $0.state }.facts.filter(Self.isShared) }

  private static func isShared(_ fact: Fact) -> Bool {
    guard case .use(let use) = fact else { return fact.isRecorded }
    return use.status != .reserved && use.subject != .everyone
  }

  /// Takes over what another device of the same customer and account has recorded, in any order and any number of times: the result is the
  /// same. It never learns here what the store sold, or what time it is.
  ///
  /// Uses add up, so that a limit which both devices used up without knowing of each other is exceeded once and then has nothing left. Facts
  /// of the store and of clocks, and uses that are not settled, are ignored. A cap or a gift that says it is from more than two days ahead is
  /// refused, because it would outlive everything that is said after it; it is taken when its time has come.
  /// - Parameter facts: What ``sharedFacts`` of the other device is. Whose they are is for whoever brings them to know.
  /// - Returns: What was news, and what was refused.
  @discardableResult
  public func merge(_ facts: [Fact]) async -> MergeReport {
    guard begins() else { return MergeReport() }
    defer { ends() }
    let latest = now + Self.aheadOfBelief
    var report = MergeReport()
    let believed = facts.filter { fact in
      guard Self.isShared(fact) else { return false }
      let isBelieved = fact.revision.map { $0.date <= latest } ?? true
      if !isBelieved { report.refused.append(fact) }
      return isBelieved
    }
    report.news = core.withLock { core in
      let news = believed.filter { core.state.isNews($0) }
      core.state.insert(contentsOf: news)
      if !news.isEmpty { core.changed() }
      return news
    }
    guard !report.news.isEmpty else { return report }
    announceChange()
    _ = await journal.write(report.news + [timeFact()])
    return report
  }
}

/// What came of facts from another device.
public struct MergeReport: Sendable, Hashable {
  /// What was not known before. Durable, unless the disk refused; then it is written with the next fact.
  public internal(set) var news: [Fact] = []
  /// What was not believed.
  public internal(set) var refused: [Fact] = []
}

extension Fact {
  /// When it was last changed, of those whose later word wins.
  fileprivate var revision: Revision? {
    switch self {
    case .grant(let grant): grant.revision
    case .cap(let cap): cap.revision
    default: nil
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation

extension Monetizer {
  /// What this device tells the customer's other devices: uses, totals, gifts, caps, completions and coins, as far as they are settled, and
  /// purchases of credits, so that a use which they covered is owed nowhere.
  ///
  /// Nothing else that the store or a clock said: each device reads its own. Not a use whose work is still under way, because another device
  /// cannot know when that lapses; and not that this device's state was damaged, because the others know what they know. O(n log n).
  public var sharedFacts: [Fact] {
    let scope = catalog.factScope
    return state.facts.filter { $0.policy(in: scope).isShared }
  }

  /// Takes over what another device of the same customer and account has recorded, in any order and any number of times: the result is the
  /// same. It never learns here what time it is, or what the store sold besides credits, which are believed as a gift is.
  ///
  /// Uses add up, so that a limit which both devices used up without knowing of each other is exceeded once and then has nothing left. What
  /// is never shared is ignored. A cap, a gift or a purchase that says it is from more than two days ahead is refused, because it would outlive
  /// everything that is said after it; it is taken when its time has come.
  /// - Parameter facts: What ``sharedFacts`` of the other device is. Whose they are is for whoever brings them to know.
  /// - Returns: What was news, and what was refused.
  @discardableResult
  public func merge(_ facts: [Fact]) async -> MergeReport {
    let latest = now + TimeSeen.tolerance
    let scope = catalog.factScope
    var report = MergeReport()
    let believed = facts.filter { fact in
      let policy = fact.policy(in: scope)
      guard policy.isShared else { return false }
      let isBelieved = policy.said.map { $0 <= latest } ?? true
      if !isBelieved { report.refused.append(fact) }
      return isBelieved
    }
    report.news = await add(believed)
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

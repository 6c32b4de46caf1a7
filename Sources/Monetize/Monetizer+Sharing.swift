// SPDX-License-Identifier: Apache-2.0
import Foundation

extension Monetizer {
  /// The facts to share with the customer's other devices: settled uses, totals, complimentary grants, caps, completions, coins, progress,
  /// children, arms of experiments, and facts of the app's own unless their policy says otherwise. Includes purchases of credits, so that
  /// other devices have the credits that covered those uses.
  ///
  /// Excludes all other facts from the store or the clock, which each device reads itself. Excludes reservations, because another device
  /// cannot determine when they lapse. Excludes the record of a damaged state: other devices have their own, undamaged counts. O(n log n).
  public var sharedFacts: [Fact] {
    let scope = baseCatalog.factScope
    return state.facts.filter { $0.policy(in: scope).isShared }
  }

  /// Merges facts that another device of the same customer and account has recorded. Neither their order nor their repetition matters.
  /// Ignores facts that are never shared. The time, and purchases other than credits, are never taken from here. Purchases of credits are
  /// trusted like complimentary grants.
  ///
  /// Uses add up. A limit that two devices used up independently is exceeded once and then has nothing left. Refuses a cap, a complimentary
  /// grant, a child or a purchase dated more than two days ahead, because it would override all later ones; it is accepted when that date is near.
  /// - Parameter facts: The other device's ``sharedFacts``. The caller must make sure that they belong to the same customer.
  /// - Returns: The new and the refused facts.
  @discardableResult
  public func merge(_ facts: [Fact]) async -> MergeReport {
    let latest = now + TimeSeen.tolerance
    let scope = baseCatalog.factScope
    var report = MergeReport()
    let believed = facts.filter { fact in
      let policy = fact.policy(in: scope)
      guard policy.isShared else { return false }
      let isBelieved = policy.revisionDate.map { $0 <= latest } ?? true
      if !isBelieved { report.refused.append(fact) }
      return isBelieved
    }
    report.news = await add(believed)
    return report
  }
}

/// The result of merging facts from another device.
public struct MergeReport: Sendable, Hashable {
  /// The facts that were not known before. Durable; if the disk refused one, it is written with the next fact.
  public internal(set) var news: [Fact] = []
  /// The facts that were refused.
  public internal(set) var refused: [Fact] = []
}

// SPDX-License-Identifier: Apache-2.0
import Foundation

/// All uses by feature and subject, with running totals, so that a spend costs the same after ten uses and after a million. Uses in a
/// store's test environments are kept separately.
public struct UsageLedger: Sendable, Hashable {
  struct Key: Sendable, Hashable {
    let feature: FeatureID
    let subject: SubjectID
    /// `nil` for production, and for uses while the environment was unknown.
    var environment: StoreEnvironment?

    init(feature: FeatureID, subject: SubjectID, environment: StoreEnvironment? = nil) {
      (self.feature, self.subject) = (feature, subject)
      self.environment = environment == .production ? nil : environment
    }
  }

  private var usages: [Key: FeatureUsage] = [:]
  private var testEnvironments: Set<StoreEnvironment> = []

  /// An empty ledger.
  public init() {}

  var isEmpty: Bool { usages.isEmpty }

  var subjects: Set<SubjectID> { Set(usages.keys.map(\.subject)) }

  /// All uses, in no order.
  public var uses: [Use] { sharedUses.map(\.value) }

  /// All uses, in no order.
  var sharedUses: [Shared<Use>] { usages.values.flatMap(\.uses) }

  /// All uses by feature, subject, environment and key. O(n log n).
  var sortedUses: [Shared<Use>] {
    func sides(_ key: Key) -> (FeatureID, SubjectID, String) { (key.feature, key.subject, key.environment?.rawValue ?? "") }
    return usages.sorted { sides($0.key) < sides($1.key) }.flatMap { $1.uses.sorted { $0.value.key < $1.value.key } }
  }

  /// All totals of sources, in no order.
  public var allTotals: [ReportedTotal] { usages.values.flatMap { $0.sourceTotals.values } }

  /// Adds a use, or merges it with the known copy. Returns whether that changed anything.
  @discardableResult
  public mutating func insert(_ use: Use) -> Bool { insert(Shared(use)) }

  @discardableResult
  mutating func insert(_ use: Shared<Use>) -> Bool {
    let key = Key(feature: use.value.feature, subject: use.value.subject, environment: use.value.environment)
    if let environment = key.environment { testEnvironments.insert(environment) }
    return usages[key, default: FeatureUsage()].insert(use)
  }

  /// Adds a source's total, or raises the known one. Returns whether that changed anything.
  @discardableResult
  public mutating func insert(_ total: ReportedTotal) -> Bool {
    usages[Key(feature: total.feature, subject: total.subject), default: FeatureUsage()].insert(total)
  }

  var allHistories: [UsageHistory] { usages.values.flatMap { $0.histories.values } }

  /// Adds the sums of sources' uses. Returns whether that changed anything. O(uses) of their features for all together.
  @discardableResult
  mutating func insert(contentsOf histories: [UsageHistory]) -> Bool {
    let byKey = Dictionary(grouping: histories) { Key(feature: $0.feature, subject: $0.subject, environment: $0.environment) }
    return byKey.reduce(false) { isNews, entry in
      if let environment = entry.key.environment { testEnvironments.insert(environment) }
      return usages[entry.key, default: FeatureUsage()].insert(contentsOf: entry.value) || isNews
    }
  }

  /// The sums of a source's uses that are older than `end` for their feature, to be inserted instead of them.
  func folded(of source: SourceID, at now: Date, before end: (FeatureID) -> Date) -> [UsageHistory] {
    usages.filter { $0.key.subject != .everyone }.flatMap { $1.folded(of: source, at: now, before: end($0.feature)) }
  }

  /// The use, moved to just after the folded stretch that would include it. Such a stretch exists only after a clock ran days ahead.
  func placed(_ use: Use) -> Use {
    let key = Key(feature: use.feature, subject: use.subject, environment: use.environment)
    guard let stretch = usages[key]?.stretch(holding: use) else { return use }
    var use = use
    use.date = stretch.last.next
    return use
  }

  /// The use with this key, among those made in an environment; see ``Use/environment``.
  public func use(_ key: String, of feature: FeatureID, by subject: SubjectID, in environment: StoreEnvironment? = nil) -> Use? {
    usages[Key(feature: feature, subject: subject, environment: environment)]?.use(key)
  }

  /// The use with this key, among those that count in an environment.
  func use(_ key: String, of feature: FeatureID, by subject: SubjectID, countedIn current: StoreEnvironment?) -> Use? {
    use(key, of: feature, by: subject)
      ?? environments(countedIn: current).lazy.compactMap { use(key, of: feature, by: subject, in: $0) }.first
  }

  /// The sums for a judgement, with single uses only from `since` on (for rolling limits). In a test environment, uses made before it was
  /// known count as well; in an unknown environment, all uses count. O(days and uses returned).
  func totals(of feature: FeatureID, by subject: SubjectID, since: Date?, at now: Date, in current: StoreEnvironment?) -> UsageTotals {
    if isEmpty { return UsageTotals() }
    var totals = usages[Key(feature: feature, subject: subject)]?.totals(since: since, at: now) ?? UsageTotals()
    for environment in environments(countedIn: current) {
      let key = Key(feature: feature, subject: subject, environment: environment)
      if let usage = usages[key] { totals.add(usage.totals(since: since, at: now)) }
    }
    return totals
  }

  /// The number of a feature's credits used by all members, because credits belong to the customer. O(features and subjects used).
  func creditsUsed(of feature: FeatureID, in current: StoreEnvironment?) -> Int {
    usages(of: [feature], in: current).reduce(0) { $0 + $1.credits }
  }

  /// The dates of all members' uses of these features, in no order. O(uses of the features).
  func dates(of features: Set<FeatureID>, in current: StoreEnvironment?) -> [Date] {
    usages(of: features, in: current).flatMap { usage in
      usage.uses.filter { $0.value.status != .released }.map(\.value.date)
        + usage.histories.values.flatMap(\.stretches).flatMap { [$0.begins, $0.last] }
    }
  }

  private func usages(of features: Set<FeatureID>, in current: StoreEnvironment?) -> [FeatureUsage] {
    let counted = environments(countedIn: current)
    return usages.filter { features.contains($0.key.feature) && ($0.key.environment.map(counted.contains) ?? true) }.map(\.value)
  }

  /// The test environments whose uses count, sorted.
  private func environments(countedIn current: StoreEnvironment?) -> [StoreEnvironment] {
    guard let current else { return testEnvironments.sorted() }
    return current == .production ? [] : [current]
  }

  /// Reservations made by runs other than `run`.
  func lapsed(besides run: String) -> [Use] {
    usages.values.flatMap { $0.uses.filter { $0.value.status == .reserved && $0.value.run != run }.map(\.value) }
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation

/// All uses, by feature and subject, with running totals: a spend costs the same after ten uses and after a million. Those of a store's test
/// worlds are kept apart.
public struct UsageLedger: Sendable, Hashable {
  struct Key: Sendable, Hashable {
    let feature: FeatureID
    let subject: SubjectID
    /// `nil` for production, and for what was used when nobody had said which world it is.
    var environment: StoreEnvironment?

    init(feature: FeatureID, subject: SubjectID, environment: StoreEnvironment? = nil) {
      (self.feature, self.subject) = (feature, subject)
      self.environment = environment == .production ? nil : environment
    }
  }

  private var usages: [Key: FeatureUsage] = [:]
  /// The worlds besides production that uses were made in.
  private var testWorlds: Set<StoreEnvironment> = []

  /// An empty ledger.
  public init() {}

  /// Whether nothing was ever used.
  var isEmpty: Bool { usages.isEmpty }

  /// Those who used something.
  var subjects: Set<SubjectID> { Set(usages.keys.map(\.subject)) }

  /// All uses, in no order.
  public var uses: [Use] { usages.values.flatMap(\.uses) }

  /// What sources counted in sum, in no order.
  public var allTotals: [ReportedTotal] { usages.values.flatMap { $0.sourceTotals.values } }

  /// Adds a use, or what it says beyond the one that is there. Tells whether that changed anything.
  @discardableResult
  public mutating func insert(_ use: Use) -> Bool {
    let key = Key(feature: use.feature, subject: use.subject, environment: use.environment)
    if let world = key.environment { testWorlds.insert(world) }
    return usages[key, default: FeatureUsage()].insert(use)
  }

  /// Adds what a source counted in sum, or raises what it said before. Tells whether that changed anything.
  @discardableResult
  public mutating func insert(_ total: ReportedTotal) -> Bool {
    usages[Key(feature: total.feature, subject: total.subject), default: FeatureUsage()].insert(total)
  }

  /// What sources used long ago, in no order.
  var allHistories: [UsageHistory] { usages.values.flatMap { $0.histories.values } }

  /// Adds what a source used long ago. Tells whether that changed anything.
  @discardableResult
  mutating func insert(_ history: UsageHistory) -> Bool {
    let key = Key(feature: history.feature, subject: history.subject, environment: history.environment)
    if let world = key.environment { testWorlds.insert(world) }
    return usages[key, default: FeatureUsage()].insert(history)
  }

  /// What is added up of the uses of a source that are older than `end` says for their feature: to be inserted in their place.
  func folded(of source: SourceID, at now: Date, before end: (FeatureID) -> Date) -> [UsageHistory] {
    usages.filter { $0.key.subject != .everyone }.flatMap { $1.folded(of: source, at: now, before: end($0.feature)) }
  }

  /// The use as it can be recorded now: not within a stretch that its source has added up, in which it would be counted already. Only a clock
  /// that was days ahead has made one there.
  func placed(_ use: Use) -> Use {
    let key = Key(feature: use.feature, subject: use.subject, environment: use.environment)
    guard let stretch = usages[key]?.stretch(holding: use) else { return use }
    var use = use
    use.date = Date(timeIntervalSinceReferenceDate: stretch.last.timeIntervalSinceReferenceDate.nextUp)
    return use
  }

  /// Adds all uses of another ledger. O(n log n).
  public mutating func merge(_ other: Self) {
    other.allHistories.forEach { insert($0) }
    other.uses.forEach { insert($0) }
    other.allTotals.forEach { insert($0) }
  }

  /// The use of that key, among those that were made in a world; see ``Use/environment``.
  public func use(_ key: String, of feature: FeatureID, by subject: SubjectID, in environment: StoreEnvironment? = nil) -> Use? {
    usages[Key(feature: feature, subject: subject, environment: environment)]?.use(key)
  }

  /// The use of that key, among those that count in a world.
  func use(_ key: String, of feature: FeatureID, by subject: SubjectID, countedIn world: StoreEnvironment?) -> Use? {
    use(key, of: feature, by: subject)
      ?? worlds(countedIn: world).lazy.compactMap { use(key, of: feature, by: subject, in: $0) }.first
  }

  /// What a judgement needs to know, with single uses only from `since` on (for rolling limits). In a test world what was used before it was
  /// known counts as well; where no world is known, everything does.
  /// O(days and uses shown).
  func totals(of feature: FeatureID, by subject: SubjectID, since: Date?, at now: Date, in world: StoreEnvironment?) -> UsageTotals {
    if isEmpty { return UsageTotals() }
    var totals = usages[Key(feature: feature, subject: subject)]?.totals(since: since, at: now) ?? UsageTotals()
    for environment in worlds(countedIn: world) {
      let key = Key(feature: feature, subject: subject, environment: environment)
      if let usage = usages[key] { totals.add(usage.totals(since: since, at: now)) }
    }
    return totals
  }

  /// How many credits of a feature were used, by anybody: credits are the customer's and not a member's. O(features and subjects used).
  func creditsUsed(of feature: FeatureID, in world: StoreEnvironment?) -> Int {
    usages(of: [feature], in: world).reduce(0) { $0 + $1.credits }
  }

  /// When features were used, by any member, in no order. O(uses of the features).
  func dates(of features: Set<FeatureID>, in world: StoreEnvironment?) -> [Date] {
    usages(of: features, in: world).flatMap { usage in
      usage.uses.filter { $0.status != .released }.map(\.date)
        + usage.histories.values.flatMap(\.stretches).flatMap { [$0.begins, $0.last] }
    }
  }

  private func usages(of features: Set<FeatureID>, in world: StoreEnvironment?) -> [FeatureUsage] {
    let worlds = worlds(countedIn: world)
    return usages.filter { features.contains($0.key.feature) && ($0.key.environment.map(worlds.contains) ?? true) }.map(\.value)
  }

  /// The test worlds whose uses count, sorted.
  private func worlds(countedIn world: StoreEnvironment?) -> [StoreEnvironment] {
    guard let world else { return testWorlds.sorted() }
    return world == .production ? [] : [world]
  }

  /// Reservations that were made by other runs than `run`.
  func lapsed(besides run: String) -> [Use] { uses.filter { $0.status == .reserved && $0.run != run } }
}

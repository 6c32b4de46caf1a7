// SPDX-License-Identifier: Apache-2.0
import Foundation

/// All uses, by feature and subject, with running totals: a spend costs the same after ten uses and after a million. Those of a store's test
/// worlds are kept apart.
public struct UsageLedger: Sendable {
  struct Key: Sendable, Hashable {
    let feature: FeatureID
    let subject: SubjectID
    /// `nil` for production, and for what was used when nobody had said which world it is.
    var environment: StoreEnvironment?

    init(feature: FeatureID, subject: SubjectID, environment: StoreEnvironment? = nil) {
      (self.feature, self.subject) = (feature, subject)
      self.environment = environment == .production ? nil : environment
    }

    init(_ use: Use) { self.init(feature: use.feature, subject: use.subject, environment: use.environment) }
  }

  /// In a row beside their table: each is changed in its place.
  private var usages: [FeatureUsage] = []
  private var places: [Key: Int] = [:]
  /// The worlds besides production that uses were made in, sorted.
  private var testWorlds: [StoreEnvironment] = []

  /// An empty ledger.
  public init() {}

  /// Whether nothing was ever used.
  var isEmpty: Bool { usages.isEmpty }

  /// Those who used something.
  var subjects: Set<SubjectID> { Set(places.keys.map(\.subject)) }

  /// All uses, in no order.
  public var uses: [Use] { usages.flatMap(\.uses) }

  /// What sources counted in sum, in no order.
  public var allTotals: [UsageTotal] { usages.flatMap { $0.sourceTotals.values } }

  /// Adds a use, or what it says beyond the one that is there. Tells whether that changed anything.
  @discardableResult
  public mutating func insert(_ use: Use) -> Bool { usages[place(of: Key(use))].insert(use) }

  /// Adds what a source counted in sum, or raises what it said before. Tells whether that changed anything.
  @discardableResult
  public mutating func insert(_ total: UsageTotal) -> Bool {
    usages[place(of: Key(feature: total.feature, subject: total.subject))].insert(total)
  }

  func isNews(_ total: UsageTotal) -> Bool {
    self[Key(feature: total.feature, subject: total.subject)]?.sourceTotals.isNews(total) ?? true
  }

  /// Adds the uses among facts in any order. O(n log n) in the uses of the features that were used.
  ///
  /// Twice by place: a loop over the facts would copy each with all its texts, and a table that grows is filled twice.
  mutating func insert(usesOf facts: [Fact]) {
    var (counts, placeOf) = ([Int](), [Int]())
    placeOf.reserveCapacity(facts.count)
    for number in facts.indices {
      guard case .use(let use) = facts[number].sort else {
        placeOf.append(-1)
        continue
      }
      let place = place(of: Key(use))
      while counts.count <= place { counts.append(0) }
      counts[place] += 1
      placeOf.append(place)
    }
    for place in counts.indices where counts[place] > 0 { usages[place].prepare(for: counts[place]) }
    for number in facts.indices where placeOf[number] >= 0 {
      if case .use(let use) = facts[number].sort { usages[placeOf[number]].take(use) }
    }
    for place in counts.indices { usages[place].finishTaking() }
  }

  /// Adds all uses of another ledger. O(n log n).
  public mutating func merge(_ other: Self) {
    if usages.isEmpty {
      self = other
      return
    }
    for (key, theirs) in other.places {
      let (place, usage) = (place(of: key), other.usages[theirs])
      if usage.uses.count > 32 {
        usages[place].prepare(for: usage.uses.count)
        for use in usage.uses { usages[place].take(use) }
        usages[place].finishTaking()
      } else {
        for use in usage.uses { usages[place].insert(use) }
      }
      for total in usage.sourceTotals.values { usages[place].insert(total) }
    }
  }

  private subscript(key: Key) -> FeatureUsage? { places[key].map { usages[$0] } }

  private mutating func place(of key: Key) -> Int {
    if let place = places[key] { return place }
    if let environment = key.environment, !testWorlds.contains(environment) {
      testWorlds.insert(environment, at: testWorlds.indexPast { $0 < environment })
    }
    places[key] = usages.count
    usages.append(FeatureUsage())
    return usages.count - 1
  }

  /// The use of that key, among those that were made in a world; see ``Use/environment``.
  public func use(_ key: String, of feature: FeatureID, by subject: SubjectID, in environment: StoreEnvironment? = nil) -> Use? {
    self[Key(feature: feature, subject: subject, environment: environment)]?.use(key)
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
    var totals = self[Key(feature: feature, subject: subject)]?.totals(since: since, at: now) ?? UsageTotals()
    for environment in worlds(countedIn: world) {
      let key = Key(feature: feature, subject: subject, environment: environment)
      if let usage = self[key] { totals.add(usage.totals(since: since, at: now)) }
    }
    return totals
  }

  /// How many credits of a feature were used, by anybody: credits are the customer's and not a member's. O(features and subjects used).
  func creditsUsed(of feature: FeatureID, in world: StoreEnvironment?) -> Int {
    let worlds = worlds(countedIn: world)
    return places.reduce(0) { sum, entry in
      guard entry.key.feature == feature, entry.key.environment.map(worlds.contains) ?? true else { return sum }
      return sum + usages[entry.value].credits
    }
  }

  /// When features were used, by any member, earliest first. O(uses of the features).
  func dates(of features: Set<FeatureID>, in world: StoreEnvironment?) -> [Date] {
    let worlds = worlds(countedIn: world)
    return places.filter { features.contains($0.key.feature) && ($0.key.environment.map(worlds.contains) ?? true) }
      .flatMap { usages[$0.value].uses.filter { $0.status != .released }.map(\.date) }.sorted()
  }

  /// The test worlds whose uses count.
  private func worlds(countedIn world: StoreEnvironment?) -> [StoreEnvironment] {
    guard let world else { return testWorlds }
    return world == .production ? [] : [world]
  }

  /// Reservations that were made by other runs than `run`.
  func lapsed(besides run: String) -> [Use] {
    usages.flatMap { usage in usage.uses.filter { $0.status == .reserved && $0.run != run } }
  }
}

extension UsageLedger: Hashable {
  /// Equal when they hold the same uses and sums, in whatever order they came.
  public static func == (a: Self, b: Self) -> Bool {
    a.places.count == b.places.count && a.places.allSatisfy { b[$0.key] == a.usages[$0.value] }
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(places.reduce(0) { $0 ^ $1.key.hashValue ^ usages[$1.value].hashValue })
  }
}

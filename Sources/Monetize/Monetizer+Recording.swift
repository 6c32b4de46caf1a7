// SPDX-License-Identifier: Apache-2.0
public import Foundation

extension Monetizer {
  /// Records the total that another source has counted, such as a server or another device. For one source the higher total wins, and
  /// totals of different sources add up. A total includes uses that the source also reported individually; see ``ReportedTotal``. A total of
  /// a part counts for its whole, as a use of it does.
  /// - Returns: Whether it changed anything. `false` for a feature that is not in the catalog.
  @discardableResult
  public func record(_ total: ReportedTotal) async -> Bool {
    guard let counted = counted(total.feature) else { return false }
    var total = total
    total.feature = counted
    return await record(.total(total), by: .customer)
  }

  /// Records individual uses that another source has counted, in one step. A use with a known key counts once. A use of a part counts for
  /// its whole.
  public func record(_ uses: [Use]) async {
    await add(
      uses.map { use in
        var use = use
        use.feature = counted(use.feature) ?? use.feature
        return .use(use)
      })
  }

  /// The feature that uses of a feature count for: its whole for a part, otherwise itself. `nil` for a feature that is not in the catalog.
  private func counted(_ feature: FeatureID) -> FeatureID? {
    parts.names.look(at: feature)
    return baseCatalog.index.features[feature].map { baseCatalog.features[baseCatalog.index.wholes[$0]].id }
  }

  /// Gives entitlements without a purchase, for ever or until a date, such as a gift from support. Replaces an earlier grant with the same
  /// id.
  /// - Parameters:
  ///   - entitlements: The entitlements to give.
  ///   - id: The id of the complimentary grant.
  ///   - until: When it ends; `nil` when it never ends.
  public func give(_ entitlements: [EntitlementID], id: String, until: Date? = nil) async {
    for entitlement in entitlements { parts.names.look(at: entitlement) }
    await give(ComplimentaryGrant(id: id, entitlements: entitlements, from: now, until: until))
  }

  /// Gives credits without a purchase, such as a reward, or uses that support gives back. They add up with bought ones, and never end.
  /// Replaces an earlier grant with the same id, so that a repeated call gives nothing more.
  /// - Parameters:
  ///   - credits: The credits by counted feature: a number of uses, or seconds where time is counted. Other features ignore them.
  ///   - id: The id of the complimentary grant: one for each reward.
  public func give(credits: [FeatureID: Int], id: String) async {
    let known = credits.compactMap { feature, amount in counted(feature).map { ($0, amount) } }
    await give(ComplimentaryGrant(id: id, credits: Dictionary(known, uniquingKeysWith: max), from: now))
  }

  /// Revokes a complimentary grant. Credits of it that were used are owed, and the next credits pay for them first.
  public func takeBack(gift id: String) async {
    guard var grant = state.grants[id] else { return }
    grant.isRevoked = true
    await give(grant)
  }

  private func give(_ grant: ComplimentaryGrant) async {
    var grant = grant
    if let known = state.grants[grant.id] {
      (grant.from, grant.revision) = (known.from, known.revision)
      if grant == known { return }
    }
    grant.revision = .next(after: state.grants[grant.id]?.revision, at: now)
    await record(.grant(grant), by: .customer)
  }

  // MARK: The family

  /// The children of the family, sorted by name, then by id. The app must make sure that only a parent changes them.
  public var children: [FamilyChild] {
    state.children.values.filter { !$0.isRemoved }.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
  }

  /// Adds a child. Children may share a name.
  /// - Returns: The child, with an id that stays the same when it is renamed. Use its ``FamilyChild/member`` in questions.
  @discardableResult
  public func addChild(named name: String) async -> FamilyChild {
    let child = FamilyChild(id: SubjectID("child-\(parts.configuration.makeID())"), name: name, revision: Revision(now))
    await record(.child(child), by: .customer)
    return child
  }

  /// Renames a child, on every device of the account. Does nothing for a removed or unknown child.
  public func rename(_ id: SubjectID, to name: String) async {
    guard let known = state.children[id] else { return }
    await record(.child(FamilyChild(id: id, name: name, revision: .next(after: known.revision, at: now))), by: .customer)
  }

  /// Removes a child with its uses, limits, completions, progress and coins. Removes these even for a child that was never added. Answers
  /// change at once, the storage at its next compaction, and other devices when they receive the removal. Purchases and facts of the app's
  /// own sorts stay. Does nothing for the customer.
  public func removeChild(_ id: SubjectID) async {
    let (state, known) = (state, state.children[id])
    guard known != nil || id != .customer && id != .everyone && state.facts.contains(where: { $0.subject == id }) else { return }
    let revision = Revision.next(after: known?.revision, at: now)
    await record(.child(FamilyChild(id: id, name: "", isRemoved: true, revision: revision)), by: .customer)
  }

  // MARK: Sharing

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

  // MARK: Adding facts

  /// Records a fact from the app. Durable when this returns. A fact that the disk refuses is written with the next one.
  /// - Returns: Whether it changed anything. Always `false` in a demo.
  @discardableResult
  package func record(_ fact: Fact, by member: Member) async -> Bool { member.role == .demo ? false : await !add([fact]).isEmpty }

  /// Records facts, unless the monetizer has handed over.
  /// - Returns: The facts that changed something.
  @discardableResult
  func add(_ facts: [Fact]) async -> [Fact] {
    guard await parts.work.record() else { return [] }
    defer { parts.work.end() }
    return await parts.writer.add(facts).news
  }

  func receive(_ update: StoreUpdate) async { await sync.receive(update) }
}

/// The result of merging facts from another device.
public struct MergeReport: Sendable, Hashable {
  /// The facts that were not known before. Durable; if the disk refused one, it is written with the next fact.
  public internal(set) var news: [Fact] = []
  /// The facts that were refused.
  public internal(set) var refused: [Fact] = []
}

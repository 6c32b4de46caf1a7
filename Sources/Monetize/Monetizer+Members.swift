// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The questions and uses of one member. A value to pass around; it keeps the monetizer alive.
public struct MemberAccess: AccessControl {
  package let monetizer: Monetizer
  /// The member.
  public let member: Member

  /// This value itself.
  public var access: MemberAccess { self }
  private var parts: Parts { monetizer.parts }

  /// All answers for this member at this moment.
  public var snapshot: Snapshot { parts.answers.current(member).snapshot }

  /// Whether the member may use a feature now.
  public func allows(_ feature: FeatureID) -> Bool {
    parts.names.look(at: feature)
    return snapshot.allows(feature)
  }

  /// The decision for a request.
  public func decision(for request: AccessRequest) -> Decision {
    parts.names.look(at: request.feature)
    return snapshot.decision(for: request)
  }

  // MARK: Limits and coins

  /// Limits a feature for this member, replacing an earlier limit. `nil` lifts it. A limit only narrows: it never allows what the grants
  /// deny, and no purchase lifts it. It counts all uses, including those made before it was set.
  ///
  /// An amount that does not fit the feature's allowance closes the feature for the member, because the intent is unknown.
  public func limit(_ feature: FeatureID, to amount: CapAmount?) async {
    parts.names.look(at: feature)
    let id = monetizer.baseCatalog.feature(feature)?.id ?? feature
    let (now, known) = (parts.clock.now, parts.answers.facts.caps[Cap.Key(feature: id, subject: member.subject)])
    let revision = Revision.next(after: known?.revision, at: now)
    await monetizer.record(.cap(Cap(feature: id, subject: member.subject, amount: amount?.json, revision: revision)), by: member)
  }

  /// The coin balance: earned minus spent over all sources, at least 0.
  public var coins: Int { max(0, parts.answers.facts.coins[member.subject] ?? 0) }

  /// Pays coins for a reason, once. The higher total for a reason counts, so a retry pays nothing more.
  public func earn(_ coins: Int, for reason: String) async { await monetizer.record(entry(reason, earned: coins), by: member) }

  /// Whether an item was bought with coins. An item that costs nothing is never bought.
  public func hasBought(_ item: ItemPath) -> Bool { parts.answers.facts.paid[member.subject]?[item.description] != nil }

  /// Buys an item with coins. Buying it again costs nothing.
  /// - Returns: The coins that are left.
  /// - Throws: ``AccessDenied`` when the balance is too low, or the item may not be bought now.
  @discardableResult
  public func buy(_ item: ItemPath, of feature: FeatureID) async throws(AccessDenied) -> Int {
    guard parts.work.begin() else { throw AccessDenied(decision: .denied(.handedOver)) }
    defer { parts.work.end() }
    // Judges with the spends of other processes, and pays only if nothing changed. Concurrent purchases never exceed the balance.
    let denial = Locked<Decision?>(nil)
    await parts.writer.add { [self] in
      if hasBought(item) { return nil }
      let (version, snapshot) = parts.answers.current(member)
      let decision = snapshot.decision(for: AccessRequest(feature, item: item))
      denial.set(decision.isAllowed ? nil : decision)
      guard decision.isAllowed, member.role != .demo else { return nil }
      return .init(facts: [entry(WalletEntry.id(paying: item), spent: decision.price ?? 0)], version: version)
    }
    if let decision = denial.copy { throw AccessDenied(decision: decision) }
    return coins
  }

  // MARK: Progress

  /// Records progress values of this member. The rule for each field in the catalog's `sync.merge` decides: a worse best time, fewer stars
  /// or an invalid value changes nothing. Progress is separate for each member and module.
  /// - Parameters:
  ///   - values: The values by field. ``MergeRule`` describes their units.
  ///   - module: The module of the app. Must be declared if the catalog declares modules.
  ///   - item: The item, such as a level; empty for the whole module.
  /// - Returns: The fields that were not recorded: unknown to the catalog, or invalid. All of them for an unknown module and in a demo.
  @discardableResult
  public func saveProgress(_ values: [String: Int], in module: String, item: String = "") async -> Set<String> {
    let (catalog, source) = (monetizer.baseCatalog, monetizer.parts.source)
    guard member.role != .demo, catalog.modules.isEmpty || catalog.modules.contains(where: { $0.id == module }) else {
      return Set(values.keys)
    }
    let entries = values.compactMap { field, value -> ProgressEntry? in
      guard let rule = catalog.sync?.rule(of: field), rule.value(value) != nil else { return nil }
      return ProgressEntry(subject: member.subject, module: module, item: item, field: field, source: source, rule: rule, value: value)
    }
    await monetizer.add(entries.map(Fact.progress))
    return Set(values.keys).subtracting(entries.map(\.field))
  }

  /// The progress of this member: the values of all sources, merged by the catalog's rules. O(n) in the progress of all members.
  public func progress(in module: String, item: String = "") -> [String: Int] {
    let sync = monetizer.baseCatalog.sync
    var joined: [String: Int] = [:]
    for entry in monetizer.state.progress.values where (entry.subject, entry.module, entry.item) == (member.subject, module, item) {
      guard let rule = sync?.rule(of: entry.field) else { continue }
      joined[entry.field] = rule.joined(joined[entry.field], entry.value)
    }
    return joined
  }

  private func entry(_ reason: String, earned: Int = 0, spent: Int = 0) -> Fact {
    .wallet(WalletEntry(id: reason, subject: member.subject, source: parts.source, earned: earned, spent: spent))
  }
}

extension Monetizer {
  /// The customer's marks of one sort, by name: the highest value of all devices. O(n) in the progress of all members.
  package func marks(_ sort: ProgressMark) -> [String: Int] { state.marks(sort) }

  /// Records marks, each with its value.
  /// - Returns: The names whose value was raised on this device.
  package func mark(_ marks: [String: Int], in sort: ProgressMark) async -> Set<String> {
    let known = self.marks(sort)
    let entries = marks.filter { known[$0.key] ?? Int.min < $0.value }
      .map { ProgressEntry(mark: $0.key, in: sort, source: parts.source, value: $0.value) }
    let news = await add(entries.sorted { $0.key < $1.key }.map(Fact.progress))
    return Set(news.compactMap { if case .progress(let entry) = $0.sort { entry.item } else { nil } })
  }
}

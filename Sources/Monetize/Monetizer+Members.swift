// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What one member may do. A value to pass around; it holds on to the monetizer.
public struct MemberAccess: Sendable {
  package let monetizer: Monetizer
  /// Who it is.
  public let member: Member

  private var parts: Parts { monetizer.parts }

  // MARK: Asking

  /// All answers for this member at this moment.
  public var snapshot: Snapshot { parts.answers.current(member).snapshot }

  /// Whether the member may use a feature now.
  public func allows(_ feature: FeatureID) -> Bool {
    parts.names.look(at: feature)
    return snapshot.allows(feature)
  }

  /// The whole answer for a feature.
  public func decision(for feature: FeatureID) -> Decision { decision(for: AccessRequest(feature)) }

  /// The whole answer for one item of a collection.
  public func decision(for feature: FeatureID, item: ItemPath) -> Decision { decision(for: AccessRequest(feature, item: item)) }

  /// The whole answer to a question.
  public func decision(for request: AccessRequest) -> Decision {
    parts.names.look(at: request.feature)
    return parts.answers.decision(for: request, by: member).decision
  }

  /// Does what a tap on something by this member does; see ``Monetizer/open(_:)``. A paywall sells to the customer, whichever member taps.
  public func open(_ request: AccessRequest) async -> Monetizer.Opening { await monetizer.open(request, as: member) }

  // MARK: Using

  /// Uses a feature once, or `count` times: checks and counts in one step.
  ///
  /// 100 calls at once with 3 left give 3. A call with a key that was counted already counts nothing.
  /// - Returns: the decision after the use, with what is left.
  /// - Throws: ``AccessDenied`` when it is not allowed, or could not be recorded; nothing was counted then.
  @discardableResult
  public func spend(_ feature: FeatureID, item: ItemPath? = nil, count: Int = 1, key: String? = nil) async throws(AccessDenied) -> Decision
  {
    let request = AccessRequest(feature, item: item, count: count)
    // One record. A call of the same key whose work is under way is counted with it.
    await monetizer.commit(try await monetizer.effects.reservations.reserve(request, by: member, key: key, as: .committed))
    return decision(for: feature)
  }

  /// Does some work that uses a feature: reserves before it, counts when it succeeds, and gives back when it throws.
  ///
  /// The body runs where the caller is. A second call with a key that is under way shares its reservation; one whose key was counted
  /// already runs and counts nothing.
  /// - Throws: ``AccessDenied`` when it is not allowed, or could not be recorded, before the body runs; else what the body throws.
  public func withSpending<Result>(
    _ feature: FeatureID, item: ItemPath? = nil, count: Int = 1, key: String? = nil, _ body: () async throws -> Result
  ) async throws -> Result {
    let reservation = try await reserve(AccessRequest(feature, item: item, count: count), key: key)
    do {
      let result = try await body()
      await monetizer.commit(reservation)
      return result
    } catch {
      await monetizer.release(reservation)
      throw error
    }
  }

  /// Reserves uses without running anything: the primitive under ``withSpending(_:item:count:key:_:)``. The reservation is durable when this
  /// returns, and lapses only when this process is gone. Settle it with ``Monetizer/commit(_:)`` or ``Monetizer/release(_:)``.
  /// - Throws: ``AccessDenied`` when it is not allowed, or with ``Reason/notRecorded`` when the storage refused it.
  public func reserve(_ request: AccessRequest, key: String? = nil) async throws(AccessDenied) -> Reservation {
    try await monetizer.effects.reservations.reserve(request, by: member, key: key)
  }

  // MARK: Completing

  /// Remembers that an item, or a part of one, was completed. Completing it again keeps the first date.
  /// - Returns: whether it was completed for the first time; `false` as well for an item that the catalog does not have, which is not
  ///   remembered, and in a demo.
  @discardableResult
  public func complete(_ item: ItemPath) async -> Bool {
    guard monetizer.catalog.item(at: item) != nil else { return false }
    return await record(.completion(Completion(item: item, subject: member.subject, date: parts.clock.now)))
  }

  /// Whether an item, or a part of one, was completed.
  public func isCompleted(_ item: ItemPath) -> Bool {
    parts.answers.facts.completions[Completion.Key(item: item, subject: member.subject)] != nil
  }

  /// All that this member completed, sorted by item.
  public var completions: [Completion] { parts.answers.facts.completions.sorted.filter { $0.subject == member.subject } }

  // MARK: Limits and coins

  /// Limits a feature for this member, in place of an earlier limit; `nil` lifts it. A limit only narrows: it allows nothing that
  /// the grants deny, it counts all uses, also those made before it was set, and no purchase lifts it.
  ///
  /// An amount that does not fit the feature's allowance closes the feature for the member: what was meant is not known.
  public func limit(_ feature: FeatureID, to amount: CapAmount?) async {
    guard member.role != .demo else { return }
    parts.names.look(at: feature)
    let id = monetizer.catalog.feature(feature)?.id ?? feature
    let number = (parts.answers.facts.caps[Cap.Key(feature: id, subject: member.subject)]?.revision.sequence ?? -1) + 1
    let revision = Revision(parts.clock.now, sequence: number)
    await monetizer.record(.cap(Cap(feature: id, subject: member.subject, amount: amount?.json, revision: revision)), by: .customer)
  }

  /// The coins there are: earned minus spent over all sources, never shown below 0.
  public var coins: Int { max(0, parts.answers.facts.coins[member.subject] ?? 0) }

  /// Pays coins out, for a reason that has not been paid for yet: the higher total of one reason counts, so that a retry pays once.
  public func earn(_ coins: Int, for reason: String) async { await record(entry(reason, earned: coins)) }

  /// Whether an item was bought for coins. One that costs nothing is not bought.
  public func hasBought(_ item: ItemPath) -> Bool { parts.answers.facts.bought[member.subject]?.contains(item.description) ?? false }

  /// Buys an item for coins. Buying it again costs nothing.
  /// - Returns: the coins that are left.
  /// - Throws: ``AccessDenied`` when there are too few, or the item may not be bought now.
  @discardableResult
  public func buy(_ item: ItemPath, of feature: FeatureID) async throws(AccessDenied) -> Int {
    guard parts.work.begin() else { throw AccessDenied(decision: .denied(.handedOver)) }
    defer { parts.work.end() }
    // Judged with what other processes have paid; paid only if nothing has changed since, so that two items at once never cost more than there is.
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

  private func entry(_ reason: String, earned: Int = 0, spent: Int = 0) -> Fact {
    .wallet(WalletEntry(id: reason, subject: member.subject, source: parts.source, earned: earned, spent: spent))
  }

  @discardableResult
  private func record(_ fact: Fact) async -> Bool { await monetizer.record(fact, by: member) }
}

extension Monetizer {
  /// The same questions and uses for one member of a family, for a guest, or in a demo.
  public func `as`(_ member: Member) -> MemberAccess { MemberAccess(monetizer: self, member: member) }

  private var customer: MemberAccess { self.as(.customer) }

  /// Uses a feature; see ``MemberAccess/spend(_:item:count:key:)``.
  /// - Throws: ``AccessDenied`` when it is not allowed; nothing was counted then.
  @discardableResult
  public func spend(_ feature: FeatureID, item: ItemPath? = nil, count: Int = 1, key: String? = nil) async throws(AccessDenied) -> Decision
  {
    try await customer.spend(feature, item: item, count: count, key: key)
  }

  /// Does some work that uses a feature; see ``MemberAccess/withSpending(_:item:count:key:_:)``.
  /// - Throws: ``AccessDenied`` when it is not allowed, before the body runs; else what the body throws.
  public func withSpending<Result>(
    _ feature: FeatureID, item: ItemPath? = nil, count: Int = 1, key: String? = nil, _ body: () async throws -> Result
  ) async throws -> Result {
    try await customer.withSpending(feature, item: item, count: count, key: key, body)
  }

  /// Reserves uses without running anything; see ``MemberAccess/reserve(_:key:)``.
  /// - Throws: ``AccessDenied`` when it is not allowed.
  public func reserve(_ request: AccessRequest, by member: Member = .customer, key: String? = nil) async throws(AccessDenied) -> Reservation
  {
    try await self.as(member).reserve(request, key: key)
  }

  /// Counts a reservation. If the disk refuses, it counts in memory and is written with the next fact.
  public func commit(_ reservation: Reservation) async { await effects.reservations.settle(reservation, as: .committed) }

  /// Gives a reservation back.
  public func release(_ reservation: Reservation) async { await effects.reservations.settle(reservation, as: .released) }

  /// Remembers that an item was completed; see ``MemberAccess/complete(_:)``.
  @discardableResult
  public func complete(_ item: ItemPath, by member: Member = .customer) async -> Bool { await self.as(member).complete(item) }

  /// Whether an item, or a part of one, was completed.
  public func isCompleted(_ item: ItemPath, by member: Member = .customer) -> Bool { self.as(member).isCompleted(item) }

  /// All that was completed, sorted by item.
  public func completions(by member: Member = .customer) -> [Completion] { self.as(member).completions }

  /// Limits a feature for a member; see ``MemberAccess/limit(_:to:)``.
  public func limit(_ feature: FeatureID, to amount: CapAmount?, for member: Member) async {
    await self.as(member).limit(feature, to: amount)
  }
}

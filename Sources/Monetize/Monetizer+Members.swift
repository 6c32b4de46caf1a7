// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The questions and uses of one member. A value to pass around; it keeps the monetizer alive.
public struct MemberAccess: Sendable {
  package let monetizer: Monetizer
  /// The member.
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

  /// The decision for a feature.
  public func decision(for feature: FeatureID) -> Decision { decision(for: AccessRequest(feature)) }

  /// The decision for one item of a collection.
  public func decision(for feature: FeatureID, item: ItemPath) -> Decision { decision(for: AccessRequest(feature, item: item)) }

  /// The decision for a request.
  public func decision(for request: AccessRequest) -> Decision {
    parts.names.look(at: request.feature)
    return parts.answers.decision(for: request, by: member).decision
  }

  /// Handles a tap by this member; see ``Monetizer/open(_:)``. A paywall sells to the customer, whichever member taps.
  public func open(_ request: AccessRequest) async -> Monetizer.Opening { await monetizer.open(request, as: member) }

  // MARK: Using

  /// Uses a feature once, or `count` times. Checks and counts in one step.
  ///
  /// 100 concurrent calls with 3 left succeed 3 times. A call with a key that was counted before counts nothing.
  /// - Returns: The decision after the use, with the amount left.
  /// - Throws: ``AccessDenied`` when it is not allowed or could not be recorded. Nothing is counted then.
  @discardableResult
  public func spend(_ feature: FeatureID, item: ItemPath? = nil, count: Int = 1, key: String? = nil) async throws(AccessDenied) -> Decision
  {
    try await spend(AccessRequest(feature, item: item, count: count), key: key)
  }

  /// Uses a feature as a request describes it, such as one more of a capacity; see ``spend(_:item:count:key:)``.
  /// - Throws: ``AccessDenied`` when it is not allowed or could not be recorded. Nothing is counted then.
  @discardableResult
  public func spend(_ request: AccessRequest, key: String? = nil) async throws(AccessDenied) -> Decision {
    // Writes one record. A concurrent call with the same key counts together with this one.
    await monetizer.commit(try await monetizer.effects.reservations.reserve(request, by: member, key: key, as: .committed))
    return decision(for: request.feature)
  }

  /// Runs work that uses a feature: reserves the use before it, counts it when the work succeeds, and releases it when the work throws.
  ///
  /// The body runs in the caller's isolation. A second call with a key that is under way shares its reservation. A call with a key that was
  /// counted before runs the body and counts nothing.
  /// - Throws: ``AccessDenied`` before the body runs, when it is not allowed or could not be recorded; otherwise the error of the body.
  public func withSpending<Result>(
    _ feature: FeatureID, item: ItemPath? = nil, count: Int = 1, key: String? = nil, _ body: () async throws -> Result
  ) async throws -> Result {
    try await withSpending(AccessRequest(feature, item: item, count: count), key: key, body)
  }

  /// Runs work that uses a feature as a request describes it, such as one more of a capacity; see ``withSpending(_:item:count:key:_:)``.
  /// - Throws: ``AccessDenied`` before the body runs, when it is not allowed or could not be recorded; otherwise the error of the body.
  public func withSpending<Result>(
    _ request: AccessRequest, key: String? = nil, _ body: () async throws -> Result
  ) async throws -> Result {
    let reservation = try await reserve(request, key: key)
    do {
      let result = try await body()
      await monetizer.commit(reservation)
      return result
    } catch {
      await monetizer.release(reservation)
      throw error
    }
  }

  /// Reserves uses without running work: the primitive under ``withSpending(_:item:count:key:_:)``. The reservation is durable when this
  /// returns, and lapses only when this process ends. Settle it with ``Monetizer/commit(_:)`` or ``Monetizer/release(_:)``.
  /// - Throws: ``AccessDenied`` when it is not allowed, or with ``Reason/notRecorded`` when the storage refuses it.
  public func reserve(_ request: AccessRequest, key: String? = nil) async throws(AccessDenied) -> Reservation {
    try await monetizer.effects.reservations.reserve(request, by: member, key: key)
  }

  // MARK: Completing

  /// Records that an item or a part was completed. Keeps the first date.
  /// - Returns: Whether this is the first completion. Returns `false` and records nothing for an unknown item and in a demo.
  @discardableResult
  public func complete(_ item: ItemPath) async -> Bool {
    guard monetizer.baseCatalog.item(at: item) != nil else { return false }
    return await record(.completion(Completion(item: item, subject: member.subject, date: parts.clock.now)))
  }

  /// Whether an item or a part is completed.
  public func isCompleted(_ item: ItemPath) -> Bool {
    parts.answers.facts.completions[Completion.Key(item: item, subject: member.subject)] != nil
  }

  /// The completions of this member, sorted by item.
  public var completions: [Completion] { parts.answers.facts.completions.sorted.filter { $0.subject == member.subject } }

  // MARK: Limits and coins

  /// Limits a feature for this member, replacing an earlier limit. `nil` lifts it. A limit only narrows: it never allows what the grants
  /// deny, and no purchase lifts it. It counts all uses, including those made before it was set.
  ///
  /// An amount that does not fit the feature's allowance closes the feature for the member, because the intent is unknown.
  public func limit(_ feature: FeatureID, to amount: CapAmount?) async {
    guard member.role != .demo else { return }
    parts.names.look(at: feature)
    let id = monetizer.baseCatalog.feature(feature)?.id ?? feature
    let (now, known) = (parts.clock.now, parts.answers.facts.caps[Cap.Key(feature: id, subject: member.subject)])
    let revision = Revision.next(after: known?.revision, at: now)
    await monetizer.record(.cap(Cap(feature: id, subject: member.subject, amount: amount?.json, revision: revision)), by: .customer)
  }

  /// The coin balance: earned minus spent over all sources, at least 0.
  public var coins: Int { max(0, parts.answers.facts.coins[member.subject] ?? 0) }

  /// Pays coins for a reason, once. The higher total for a reason counts, so a retry pays nothing more.
  public func earn(_ coins: Int, for reason: String) async { await record(entry(reason, earned: coins)) }

  /// Whether an item was bought with coins. An item that costs nothing is never bought.
  public func hasBought(_ item: ItemPath) -> Bool { parts.answers.facts.bought[member.subject]?.contains(item.description) ?? false }

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

  private func entry(_ reason: String, earned: Int = 0, spent: Int = 0) -> Fact {
    .wallet(WalletEntry(id: reason, subject: member.subject, source: parts.source, earned: earned, spent: spent))
  }

  @discardableResult
  private func record(_ fact: Fact) async -> Bool { await monetizer.record(fact, by: member) }
}

extension Monetizer {
  /// The questions and uses of one family member, a guest, or a demo.
  public func `as`(_ member: Member) -> MemberAccess { MemberAccess(monetizer: self, member: member) }

  private var customer: MemberAccess { self.as(.customer) }

  /// Uses a feature; see ``MemberAccess/spend(_:item:count:key:)``.
  /// - Throws: ``AccessDenied`` when it is not allowed. Nothing is counted then.
  @discardableResult
  public func spend(_ feature: FeatureID, item: ItemPath? = nil, count: Int = 1, key: String? = nil) async throws(AccessDenied) -> Decision
  {
    try await customer.spend(feature, item: item, count: count, key: key)
  }

  /// Uses a feature as a request describes it; see ``MemberAccess/spend(_:key:)-(AccessRequest,_)``.
  /// - Throws: ``AccessDenied`` when it is not allowed. Nothing is counted then.
  @discardableResult
  public func spend(_ request: AccessRequest, key: String? = nil) async throws(AccessDenied) -> Decision {
    try await customer.spend(request, key: key)
  }

  /// Runs work that uses a feature; see ``MemberAccess/withSpending(_:item:count:key:_:)``.
  /// - Throws: ``AccessDenied`` before the body runs, when it is not allowed; otherwise the error of the body.
  public func withSpending<Result>(
    _ feature: FeatureID, item: ItemPath? = nil, count: Int = 1, key: String? = nil, _ body: () async throws -> Result
  ) async throws -> Result {
    try await customer.withSpending(feature, item: item, count: count, key: key, body)
  }

  /// Runs work that uses a feature as a request describes it; see ``MemberAccess/withSpending(_:key:_:)-(AccessRequest,_,_)``.
  /// - Throws: ``AccessDenied`` before the body runs, when it is not allowed; otherwise the error of the body.
  public func withSpending<Result>(
    _ request: AccessRequest, key: String? = nil, _ body: () async throws -> Result
  ) async throws -> Result {
    try await customer.withSpending(request, key: key, body)
  }

  /// Reserves uses without running work; see ``MemberAccess/reserve(_:key:)``.
  /// - Throws: ``AccessDenied`` when it is not allowed.
  public func reserve(_ request: AccessRequest, by member: Member = .customer, key: String? = nil) async throws(AccessDenied) -> Reservation
  {
    try await self.as(member).reserve(request, key: key)
  }

  /// Counts a reservation. If the disk refuses it, it counts in memory and is written with the next fact.
  public func commit(_ reservation: Reservation) async { await effects.reservations.settle(reservation, as: .committed) }

  /// Releases a reservation.
  public func release(_ reservation: Reservation) async { await effects.reservations.settle(reservation, as: .released) }

  /// Records that an item was completed; see ``MemberAccess/complete(_:)``.
  @discardableResult
  public func complete(_ item: ItemPath, by member: Member = .customer) async -> Bool { await self.as(member).complete(item) }

  /// Whether an item or a part is completed.
  public func isCompleted(_ item: ItemPath, by member: Member = .customer) -> Bool { self.as(member).isCompleted(item) }

  /// The completions of a member, sorted by item.
  public func completions(by member: Member = .customer) -> [Completion] { self.as(member).completions }

  /// Limits a feature for a member; see ``MemberAccess/limit(_:to:)``.
  public func limit(_ feature: FeatureID, to amount: CapAmount?, for member: Member) async {
    await self.as(member).limit(feature, to: amount)
  }
}

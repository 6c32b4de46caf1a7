// SPDX-License-Identifier: Apache-2.0
import Foundation

/// That something was asked for and denied. `decision` says why and what would open it.
public struct AccessDenied: Error, Sendable, Hashable, CustomStringConvertible {
  /// The denial.
  public let decision: Decision
  /// Makes the error of a denial, for an app that keeps a list itself and asks whether there is room in it.
  public init(decision: Decision) { self.decision = decision }
  /// The reason.
  public var description: String { "Denied: \(decision.reason)." }
}

extension Monetizer {
  /// Uses a feature once, or `count` times: checks and counts in one step.
  ///
  /// 100 calls at once with 3 left give 3. A call with a key that was counted already counts nothing.
  /// - Returns: the decision after the use, with what is left.
  /// - Throws: ``AccessDenied`` when it is not allowed; nothing was counted then.
  @discardableResult
  public func spend(_ feature: FeatureID, item: ItemPath? = nil, count: Int = 1, key: String? = nil) async throws(AccessDenied) -> Decision
  {
    try await spend(AccessRequest(feature, item: item, count: count), by: .customer, key: key)
  }

  /// Does some work that uses a feature: reserves before it, counts when it succeeds, and gives back when it throws.
  ///
  /// The body runs where the caller is. A second call with a key that is under way shares its reservation; one whose key was counted
  /// already runs and counts nothing.
  /// - Throws: ``AccessDenied`` when it is not allowed, before the body runs; else what the body throws.
  public func withSpending<Result>(
    _ feature: FeatureID, item: ItemPath? = nil, count: Int = 1, key: String? = nil, _ body: () async throws -> Result
  ) async throws -> Result {
    try await withSpending(AccessRequest(feature, item: item, count: count), by: .customer, key: key, body)
  }

  func withSpending<Result>(
    _ request: AccessRequest, by member: Member, key: String?, _ body: () async throws -> Result
  ) async throws -> Result {
    let reservation = try await reserve(request, by: member, key: key)
    do {
      let result = try await body()
      await settle(reservation, as: .committed)
      return result
    } catch {
      await settle(reservation, as: .released)
      throw error
    }
  }

  /// Uses reserved for work that is under way. Commit or release it by its key, any number of times with one effect.
  public struct Reservation: Sendable, Hashable {
    /// What names the use.
    public let key: String
    /// What is used.
    public let feature: FeatureID
    let member: Member
    let environment: StoreEnvironment?
    let attempt: Int
    /// Whether there is anything to settle: a feature that is not metered, and a key that was counted before, have nothing.
    let isOpen: Bool
  }

  /// Reserves uses without running anything: the primitive under ``withSpending(_:item:count:key:_:)``. The reservation is durable when this
  /// returns, and lapses only when this process is gone.
  /// - Throws: ``AccessDenied`` when it is not allowed.
  public func reserve(_ request: AccessRequest, by member: Member = .customer, key: String? = nil) async throws(AccessDenied) -> Reservation
  {
    guard begins() else { throw AccessDenied(decision: .denied(.handedOver)) }
    defer { ends() }
    let key = key ?? configuration.makeID()
    while true {
      let (version, snapshot) = current(member)
      let now = max(snapshot.date, now)
      guard let place = catalog.index.features[request.feature] else { throw AccessDenied(decision: .denied(.unknownFeature)) }
      let feature = catalog.features[place]
      if let whole = feature.part?.whole {
        // A part is used up with the whole: both must be open, and the whole counts.
        let decision = snapshot.decision(for: request, at: now)
        guard decision.isAllowed else { throw AccessDenied(decision: decision) }
        var request = request
        request.feature = whole
        return try await reserve(request, by: member, key: key)
      }
      let subject = member.subject
      let world = snapshot.situation.environment
      let known = core.withLock { $0.state.usage.use(key, of: feature.id, by: subject, countedIn: world) }
      let isShared = known.map(share) ?? false
      if let known, isShared || known.status == .committed {
        return Reservation(
          key: key, feature: feature.id, member: member, environment: known.environment, attempt: known.attempt, isOpen: isShared)
      }
      let decision = snapshot.decision(for: request, at: now)
      guard decision.isAllowed else {
        if decision.reason == .limitReached { emit(MonetizeEvent(.usageLimitReached, at: now, feature: feature.id, item: request.item)) }
        throw AccessDenied(decision: decision)
      }
      // Who only looks around leaves no trace; what is not metered has nothing to count.
      guard type(of: feature.shape).isMetered, member.role != .demo else {
        return Reservation(key: key, feature: feature.id, member: member, environment: nil, attempt: 0, isOpen: false)
      }
      let row = snapshot.rows[place].value
      let (day, zone) = feature.shape.day(in: AllowanceContext(now: now, background: row.background))
      let credits = snapshot.judge.creditsNeeded(for: request, feature, row, at: now)
      let use = Use(
        key: key, feature: feature.id, subject: subject, source: configuration.source, amount: request.count, date: now, day: day,
        zone: zone.identifier, counted: row.granted != .unlimited, credits: credits, status: .reserved,
        environment: known == nil ? world : known?.environment, run: run, attempt: (known?.attempt ?? -1) + 1)
      // Judged outside the lock; counted only if nothing has changed since.
      guard insert(use, place, ifVersion: version) else { continue }
      showCredits(use)
      _ = current(member)
      _ = await journal.write([.use(use), timeFact()])
      return Reservation(
        key: key, feature: feature.id, member: member, environment: use.environment, attempt: use.attempt, isOpen: true)
    }
  }

  /// A reservation of this run, by what names its use.
  struct Held: Hashable, Sendable {
    let key: String
    let feature: FeatureID
    let subject: SubjectID
    let environment: StoreEnvironment?
    let attempt: Int

    init(_ use: Use) {
      (key, feature, subject, environment, attempt) = (use.key, use.feature, use.subject, use.environment, use.attempt)
    }

    init(_ reservation: Reservation) {
      (key, feature, environment, attempt) = (reservation.key, reservation.feature, reservation.environment, reservation.attempt)
      subject = reservation.member.subject
    }
  }

  /// Holds a reservation once more; `false` when nobody holds it any longer.
  private func share(_ use: Use) -> Bool {
    core.withLock { core in
      guard let holders = core.held[Held(use)] else { return false }
      core.held[Held(use)] = holders + 1
      return true
    }
  }

  /// Counts a reservation. If the disk refuses, it counts in memory and is written with the next fact.
  public func commit(_ reservation: Reservation) async { await settle(reservation, as: .committed) }

  /// Gives a reservation back.
  public func release(_ reservation: Reservation) async { await settle(reservation, as: .released) }

  func spend(_ request: AccessRequest, by member: Member, key: String?) async throws(AccessDenied) -> Decision {
    let reservation = try await reserve(request, by: member, key: key)
    await settle(reservation, as: .committed)
    return current(member).snapshot.decision(for: request.feature)
  }

  private func insert(_ use: Use, _ place: Int, ifVersion version: Int) -> Bool {
    core.withLock { core in
      guard core.version == version else { return false }
      core.state.insert(.use(use))
      core.held[Held(use)] = 1
      core.changed(row: use.subject == .customer ? place : nil)
      return true
    }
  }

  /// Credits are the customer's: what a child used of them is seen in the customer's own answers as well.
  private func showCredits(_ use: Use) {
    if use.credits > 0, use.subject != .customer { _ = current(.customer) }
  }

  private func settle(_ reservation: Reservation, as status: Use.Status) async {
    guard reservation.isOpen, let place = catalog.index.features[reservation.feature] else { return }
    _ = begins(ending: true)
    defer { ends() }
    let settled = core.withLock { core -> Use? in
      let held = Held(reservation)
      guard let holders = core.held[held] else { return nil }
      // One of several that share it may fail; it is given back by the last.
      if status == .released, holders > 1 {
        core.held[held] = holders - 1
        return nil
      }
      core.held[held] = nil
      // Another device may have told meanwhile what became of the same key there. What was done here counts, once.
      guard
        var use = core.state.usage.use(held.key, of: held.feature, by: held.subject, in: held.environment),
        use.status == .reserved || (use.status == .released && status == .committed)
      else { return nil }
      use.status = status
      // Released is the lesser word within one attempt, so that it has to be a later one.
      if status == .released { use.attempt += 1 }
      core.state.insert(.use(use))
      core.changed(row: use.subject == .customer ? place : nil)
      return use
    }
    guard let settled else { return }
    showCredits(settled)
    _ = current(reservation.member)
    _ = await journal.write([.use(settled), timeFact()])
  }
}

// SPDX-License-Identifier: Apache-2.0

/// Asks about features and uses them for one member: a ``Monetizer`` for the customer, ``MemberAccess`` for any member of the family.
public protocol AccessControl: Sendable {
  /// The member, with the questions and records that are not part of this protocol.
  var access: MemberAccess { get }
  /// Whether the member may use a feature now. `false` for a feature that is not in the catalog.
  func allows(_ feature: FeatureID) -> Bool
  /// The decision for a request.
  func decision(for request: AccessRequest) -> Decision
}

extension Monetizer: AccessControl {
  /// The questions and uses of one family member, a guest, or a demo.
  public func `as`(_ member: Member) -> MemberAccess { MemberAccess(monetizer: self, member: member) }

  /// The questions and uses of the customer.
  public var access: MemberAccess { self.as(.customer) }

  /// Counts a reservation. If the disk refuses to write it, the use counts in memory and is written with the next fact.
  public func commit(_ reservation: Reservation) async { await reservations.settle(reservation, as: .committed) }

  /// Releases a reservation.
  public func release(_ reservation: Reservation) async { await reservations.settle(reservation, as: .released) }
}

extension AccessControl {
  // MARK: Asking

  /// The decision for a feature.
  public func decision(for feature: FeatureID) -> Decision { decision(for: AccessRequest(feature)) }

  /// The decision for one item of a collection.
  public func decision(for feature: FeatureID, item: ItemPath) -> Decision { decision(for: AccessRequest(feature, item: item)) }

  /// What to show for a feature, or for one of its items, now.
  public func access(to feature: FeatureID, item: ItemPath? = nil) -> FeatureAccess { access(to: AccessRequest(feature, item: item)) }

  /// What to show for a request, now.
  public func access(to request: AccessRequest) -> FeatureAccess { access.snapshot.access(to: request) }

  /// Handles a tap in the right order: returns the content, or shows the gate and then returns the paywall, or returns the reason. When a new
  /// answer of the store may matter, waits up to three seconds for it. A paywall sells to the customer, whichever member taps. A demo sends
  /// no event.
  public func open(_ request: AccessRequest) async -> Monetizer.Opening { await access.monetizer.open(request, as: access.member) }

  // MARK: Using

  /// Uses a feature once, or `count` times. Checks and counts in one step.
  ///
  /// 100 concurrent calls with 3 left succeed 3 times. A call with a key that was counted before counts nothing.
  /// - Returns: The decision after the use, with the amount left.
  /// - Throws: ``AccessDenied`` when the use is not allowed or could not be recorded. Nothing is counted then.
  @discardableResult
  public func spend(_ feature: FeatureID, item: ItemPath? = nil, count: Int = 1, key: String? = nil) async throws(AccessDenied) -> Decision
  {
    try await spend(AccessRequest(feature, item: item, count: count), key: key)
  }

  /// Uses a feature as a request describes it, such as one more of a capacity; see ``spend(_:item:count:key:)``.
  /// - Throws: ``AccessDenied`` when the use is not allowed or could not be recorded. Nothing is counted then.
  @discardableResult
  public func spend(_ request: AccessRequest, key: String? = nil) async throws(AccessDenied) -> Decision {
    let (monetizer, member) = (access.monetizer, access.member)
    // Writes one record. A concurrent call with the same key counts together with this one.
    await monetizer.commit(try await monetizer.reservations.reserve(request, by: member, key: key, as: .committed))
    return decision(for: request.feature)
  }

  /// Runs work that uses a feature: reserves the use before it, counts it when the work succeeds, and releases it when the work throws.
  ///
  /// The body runs in the caller's isolation. A call with the same key as a call under way shares its reservation. A call with a key
  /// that was counted before runs the body and counts nothing.
  /// - Throws: ``AccessDenied`` before the body runs, when the use is not allowed or could not be recorded; otherwise the error of the
  ///   body.
  public func withSpending<Result>(
    _ feature: FeatureID, item: ItemPath? = nil, count: Int = 1, key: String? = nil, _ body: () async throws -> Result
  ) async throws -> Result {
    try await withSpending(AccessRequest(feature, item: item, count: count), key: key, body)
  }

  /// Runs work that uses a feature as a request describes it, such as one more of a capacity; see ``withSpending(_:item:count:key:_:)``.
  /// - Throws: ``AccessDenied`` before the body runs, when the use is not allowed or could not be recorded; otherwise the error of the
  ///   body.
  public func withSpending<Result>(
    _ request: AccessRequest, key: String? = nil, _ body: () async throws -> Result
  ) async throws -> Result {
    try await settling(try await reserve(request, key: key), body)
  }

  /// Runs work. Counts its reservation when it succeeds, and releases the reservation when it throws.
  private func settling<Result>(_ reservation: Reservation, _ work: () async throws -> Result) async throws -> Result {
    do {
      let result = try await work()
      await access.monetizer.commit(reservation)
      return result
    } catch {
      await access.monetizer.release(reservation)
      throw error
    }
  }

  /// Runs work that uses a feature, and returns what to show afterwards. For a button such as "Create a story".
  ///
  /// Reserves the use before the work, counts it when the work succeeds, and releases it when the work throws. When nothing is left, skips
  /// the work and acts like a tap on the feature (``open(_:)``): the parental gate, then the paywall.
  /// - Parameters:
  ///   - feature: The feature to use.
  ///   - item: The item to use.
  ///   - count: The number of uses, or of seconds; at least 1.
  ///   - key: The name of the use. A second tap or a retry with the same key counts once. Default: a new name for each call.
  ///   - work: The work. Runs in the caller's isolation; neither it nor its result needs to be `Sendable`.
  public func perform<Value>(
    _ feature: FeatureID, item: ItemPath? = nil, count: Int = 1, key: String? = nil, _ work: () async throws -> Value
  ) async -> WorkOutcome<Value> {
    let request = AccessRequest(feature, item: item, count: count)
    var mayRetry = true
    while true {
      let reservation: Reservation
      do throws(AccessDenied) { reservation = try await reserve(request, key: key) } catch {
        switch await open(request) {
        // Bought or approved in the meantime. Retries once, because a denial may have another cause, such as a full disk.
        case .content where mayRetry: mayRetry = false
        case .content: return .closed(error.decision)
        case .paywall(let paywall, let pass): return .paywall(paywall, pass)
        case .denied(let decision): return decision.reason.isWaiting ? .waiting(decision) : .closed(decision)
        case .gateFailed: return .gateFailed
        }
        continue
      }
      do { return .done(try await settling(reservation, work)) } catch { return .failed(error) }
    }
  }

  /// Reserves uses without running work: the primitive under ``withSpending(_:item:count:key:_:)``. The reservation is durable when this
  /// returns, and lapses only when this process ends. Settle it with ``Monetizer/commit(_:)`` or ``Monetizer/release(_:)``.
  /// - Throws: ``AccessDenied`` when the use is not allowed, or with ``Reason/notRecorded`` when the storage refuses the record.
  public func reserve(_ request: AccessRequest, key: String? = nil) async throws(AccessDenied) -> Reservation {
    try await access.monetizer.reservations.reserve(request, by: access.member, key: key)
  }

  // MARK: Recording

  /// Records that an item or a part was completed. Keeps the first date.
  /// - Returns: Whether this is the first completion. Returns `false` and records nothing for an unknown item and in a demo.
  @discardableResult
  public func complete(_ item: ItemPath) async -> Bool {
    let (monetizer, member) = (access.monetizer, access.member)
    guard monetizer.baseCatalog.item(at: item) != nil else { return false }
    // A later completion can change the fact: an imported completion without a date gets its date.
    let isFirst = !isCompleted(item)
    return await monetizer.record(.completion(Completion(item: item, subject: member.subject, date: monetizer.now)), by: member) && isFirst
  }

  /// Whether an item or a part is completed.
  public func isCompleted(_ item: ItemPath) -> Bool {
    access.monetizer.state.completions[Completion.Key(item: item, subject: access.member.subject)] != nil
  }

  /// The completions of this member, sorted by item.
  public var completions: [Completion] { access.monetizer.state.completions.sorted.filter { $0.subject == access.member.subject } }

  /// Records a fact of a sort that the app defines. Durable when this returns. A fact that the disk refuses is written with the next one.
  /// Does nothing in a demo.
  /// - Returns: Whether it changed anything.
  @discardableResult
  public func record(_ fact: some CustomFact) async -> Bool { await access.monetizer.record(.custom(fact), by: access.member) }
}

/// The result of ``AccessControl/perform(_:item:count:key:_:)``. Closed.
public enum WorkOutcome<Value> {
  /// The work succeeded and was counted.
  case done(Value)
  /// Nothing is left, and a purchase helps: show this paywall. The pass of the gate, if any, is valid for one purchase from it.
  case paywall(Paywall, GatePass?)
  /// The store has not answered, or a purchase waits for approval: show neither a result nor a paywall, and offer to retry.
  case waiting(Decision)
  /// Closed, and no purchase helps: show the reason.
  case closed(Decision)
  /// The work threw this error. Nothing was counted; retry with the same key.
  case failed(any Error)
  /// The parental gate was not passed: show nothing.
  case gateFailed
}

extension WorkOutcome: Sendable where Value: Sendable {}

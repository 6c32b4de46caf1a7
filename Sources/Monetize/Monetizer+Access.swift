// SPDX-License-Identifier: Apache-2.0

extension Monetizer {
  /// What to show in place of a feature, or of one of its items, now.
  public func access(to feature: FeatureID, item: ItemPath? = nil) -> FeatureAccess { self.as(.customer).access(to: feature, item: item) }

  /// What to show in place of what a request asks for, now.
  public func access(to request: AccessRequest) -> FeatureAccess { self.as(.customer).access(to: request) }

  /// Does some work that uses a feature, and answers what to show afterwards: for a button such as "Create a story".
  ///
  /// Reserves the use before the work, counts it when the work succeeds, and gives it back when the work throws. Where nothing is left it
  /// does not run the work, and does what a tap on the feature does (``open(_:)``): the parental gate, then the paywall.
  /// - Parameters:
  ///   - feature: What is used.
  ///   - item: Which item of it.
  ///   - count: How many uses, or how many seconds; at least 1.
  ///   - key: Names the use. A second tap and a retry with the same key count once. Default: a new name for each call.
  ///   - work: Runs where the caller is; neither it nor its result has to be `Sendable`.
  public func perform<Value>(
    _ feature: FeatureID, item: ItemPath? = nil, count: Int = 1, key: String? = nil, _ work: () async throws -> Value
  ) async -> WorkOutcome<Value> {
    await perform(AccessRequest(feature, item: item, count: count), as: .customer, key: key, work)
  }

  func perform<Value>(
    _ request: AccessRequest, as member: Member, key: String?, _ work: () async throws -> Value
  ) async -> WorkOutcome<Value> {
    var mayRetry = true
    while true {
      let reservation: Reservation
      do throws(AccessDenied) { reservation = try await reserve(request, by: member, key: key) } catch {
        switch await open(request, as: member) {
        // Bought or approved in the meantime; once, because some denials concern uses only, such as a disk that refuses.
        case .content where mayRetry: mayRetry = false
        case .content: return .closed(error.decision)
        case .paywall(let paywall, let pass): return .paywall(paywall, pass)
        case .denied(let decision): return decision.reason.isWaiting ? .waiting(decision) : .closed(decision)
        case .gateFailed: return .gateFailed
        }
        continue
      }
      do {
        let value = try await work()
        await commit(reservation)
        return .done(value)
      } catch {
        await release(reservation)
        return .failed(error)
      }
    }
  }
}

/// How ``Monetizer/perform(_:item:count:key:_:)`` ended. Closed.
public enum WorkOutcome<Value> {
  /// The work is done and counted.
  case done(Value)
  /// Nothing is left, and a purchase helps: show this paywall. The pass, where there is a gate, is good for one purchase from it.
  case paywall(Paywall, GatePass?)
  /// The store has not answered, or a purchase waits for approval: show neither a result nor a paywall, and offer to try again.
  case waiting(Decision)
  /// Closed, and a purchase does not help: show the reason.
  case closed(Decision)
  /// The work threw this. It cost nothing; it can be tried again with the same key.
  case failed(any Error)
  /// The parental gate was not passed: show nothing.
  case gateFailed
}

extension WorkOutcome: Sendable where Value: Sendable {}

extension MemberAccess {
  /// What to show in place of a feature, or of one of its items, now.
  public func access(to feature: FeatureID, item: ItemPath? = nil) -> FeatureAccess { access(to: AccessRequest(feature, item: item)) }

  /// What to show in place of what a request asks for, now.
  public func access(to request: AccessRequest) -> FeatureAccess {
    let snapshot = snapshot
    return snapshot.access(to: request, snapshot.decision(for: request, at: max(snapshot.date, monetizer.now)))
  }

  /// Does some work that uses a feature; see ``Monetizer/perform(_:item:count:key:_:)``.
  public func perform<Value>(
    _ feature: FeatureID, item: ItemPath? = nil, count: Int = 1, key: String? = nil, _ work: () async throws -> Value
  ) async -> WorkOutcome<Value> {
    await monetizer.perform(AccessRequest(feature, item: item, count: count), as: member, key: key, work)
  }
}

// SPDX-License-Identifier: Apache-2.0

extension AccessControl {
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
      do {
        let value = try await work()
        await access.monetizer.commit(reservation)
        return .done(value)
      } catch {
        await access.monetizer.release(reservation)
        return .failed(error)
      }
    }
  }
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

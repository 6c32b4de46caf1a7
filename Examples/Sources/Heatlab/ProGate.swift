// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// What stands in the place of a feature: the `ProGate` view switches over it and knows nothing else.
public enum ProGate: Sendable, Hashable {
  /// The feature itself.
  case content
  /// A prompt that opens this paywall.
  case upgrade(Paywall)
  /// Neither: nobody knows yet, or a purchase waits. The reason says which.
  case pending(Reason)
  /// Closed, and buying does not help.
  case unavailable(Reason)

  /// What a request leads to.
  public init(_ request: AccessRequest, in snapshot: Snapshot) {
    let decision = snapshot.decision(for: request)
    if decision.isAllowed {
      self = .content
    } else if let paywall = snapshot.paywall(for: decision, request: request) {
      self = .upgrade(paywall)
    } else {
      // What a purchase would open and is not for sale yet, is open in a moment or soon.
      self = decision.buyingHelps ? .pending(decision.reason) : .unavailable(decision.reason)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

/// Where a person stands with Pro: the app's words for what the monetizer says, derived each time and never stored.
public struct ProStatus: Sendable, Hashable {
  /// The states of a subscription, with what a screen says about each.
  public enum State: Sendable, Hashable {
    /// The store has not answered: wait.
    case unknown
    /// Never subscribed.
    case never
    /// A purchase waits for somebody's approval.
    case pending
    /// In the free trial.
    case inTrial(until: Date)
    /// Paid until then; `nil` for a gift without an end.
    case active(until: Date?, willRenew: Bool)
    /// A renewal failed, and Pro stays for a while.
    case grace(until: Date?)
    /// A renewal failed, and the store still tries; no Pro.
    case billingRetry
    /// Ended.
    case expired(Date?)
    /// Taken back.
    case revoked(Date?)
  }

  /// Where the person stands.
  public let state: State
  /// Whether the person is Pro. There is no way to set it.
  public let isPro: Bool

  /// What a snapshot says about Pro.
  public init(_ snapshot: Snapshot) {
    guard let standing = snapshot.standing(with: .pro) else {
      state = .never
      isPro = false
      return
    }
    isPro = standing.isEntitled
    let product = standing.product
    state =
      switch standing.state {
      case .unknown: .unknown
      case .never: .never
      case .pending: .pending
      case .trial: .inTrial(until: product?.expires ?? snapshot.date)
      case .active: .active(until: standing.accessUntil, willRenew: product?.willRenew ?? false)
      case .grace: .grace(until: standing.accessUntil)
      case .billingRetry: .billingRetry
      case .expired: .expired(product?.expires)
      case .revoked: .revoked(product?.revokedAt)
      }
  }
}

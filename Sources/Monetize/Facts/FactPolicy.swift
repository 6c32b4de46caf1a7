// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// What becomes of a fact beyond its own device and its own owner.
public struct FactPolicy: Sendable, Hashable {
  /// Whether the app recorded it, rather than the store or a clock: it is told to the customer's other devices, and handed over to an account.
  public var isRecorded: Bool
  /// Whether it is final. What is still under way is not told to other devices.
  public var isSettled = true
  /// Whether it is about bought credits, which stay with the account that they were bought for.
  public var isCredit = false
  /// Whether it is kept in the secure storage as well, which a reinstallation does not empty.
  public var survivesReinstall = false
  /// Whether it stays with its owner also when it is handed over.
  public var stays = false
  /// When it was said, for facts whose later revision wins: one that is dated in the future is refused.
  public var said: Date?

  /// Recorded by the app.
  public static let recorded = FactPolicy(isRecorded: true)
  /// Said by the store or a clock: each device asks its own.
  public static let local = FactPolicy(isRecorded: false)

  /// Whether other devices of the customer are told.
  var isShared: Bool { isRecorded && isSettled }
}

/// What a catalog says that decides about policies.
struct FactScope: Sendable {
  /// Products whose credits no store lists again.
  var creditProducts: Set<ProductID> = []
  /// Features whose uses survive a reinstallation and stay with their owner.
  var lastingFeatures: Set<FeatureID> = []
}

extension Fact {
  /// What becomes of the fact beyond this device.
  func policy(in scope: FactScope) -> FactPolicy {
    switch sort {
    case .transaction(let fact):
      let isCredit = scope.creditProducts.contains(fact.productID)
      return FactPolicy(isRecorded: isCredit, isCredit: isCredit, survivesReinstall: isCredit, said: fact.revision.date)
    case .use(let fact):
      let lasts = scope.lastingFeatures.contains(fact.feature)
      return FactPolicy(
        isRecorded: fact.subject != .everyone, isSettled: fact.status != .reserved, isCredit: fact.credits > 0,
        survivesReinstall: lasts || fact.credits > 0, stays: lasts && fact.credits == 0)
    case .total(let fact):
      let lasts = scope.lastingFeatures.contains(fact.feature)
      return FactPolicy(isRecorded: true, survivesReinstall: lasts, stays: lasts)
    case .cap(let fact):
      return FactPolicy(
        isRecorded: true, survivesReinstall: scope.lastingFeatures.contains(fact.feature), stays: true, said: fact.revision.date)
    case .grant(let fact): return FactPolicy(isRecorded: true, said: fact.revision.date)
    case .completion, .wallet, .progress, .assignment: return .recorded
    case .child(let fact): return FactPolicy(isRecorded: true, said: fact.isRemoved ? nil : fact.revision.date)
    case .renewal, .pending, .time, .answer, .installation: return .local
    case .custom(let fact): return fact.policy
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The rules for sharing a fact with other devices and for handing it over to another account.
public struct FactPolicy: Sendable, Hashable {
  /// Whether the app recorded it, rather than the store or a clock. Recorded facts are shared with other devices and handed over.
  public var isRecorded: Bool
  /// Whether it is final. A fact that may still change is not shared.
  var isSettled = true
  /// Whether it is about credits, which stay together: those bought for an account stay with it.
  var isCredit = false
  /// Whether it is also kept in secure storage, which survives a reinstallation.
  public var survivesReinstall = false
  /// Whether it stays with its owner when it is handed over.
  public var stays = false
  /// The date of a fact whose latest revision wins. A date in the future is refused.
  var revisionDate: Date?

  /// The policy of facts that the app records.
  public static let recorded = FactPolicy(isRecorded: true)
  /// The policy of facts from the store or a clock, which each device reads itself.
  public static let local = FactPolicy(isRecorded: false)

  var isShared: Bool { isRecorded && isSettled }
}

/// The parts of a catalog that decide about policies.
struct FactScope: Sendable {
  /// Products whose credits no store lists again.
  var creditProducts: Set<ProductID> = []
  /// Features whose uses survive a reinstallation and stay with their owner.
  var lastingFeatures: Set<FeatureID> = []
}

extension Fact {
  func policy(in scope: FactScope) -> FactPolicy {
    switch sort {
    case .transaction(let fact):
      let isCredit = scope.creditProducts.contains(fact.productID)
      return FactPolicy(isRecorded: isCredit, isCredit: isCredit, survivesReinstall: isCredit, revisionDate: fact.revision.date)
    case .use(let use):
      let fact = use.value
      let lasts = scope.lastingFeatures.contains(fact.feature)
      return FactPolicy(
        isRecorded: fact.subject != .everyone, isSettled: fact.status != .reserved, isCredit: fact.credits > 0,
        survivesReinstall: lasts || fact.credits > 0, stays: lasts && fact.credits == 0)
    case .history(let fact):
      let lasts = scope.lastingFeatures.contains(fact.feature)
      return FactPolicy(
        isRecorded: fact.subject != .everyone, isCredit: fact.isCredit, survivesReinstall: lasts || fact.isCredit,
        stays: lasts && !fact.isCredit)
    case .total(let fact):
      let lasts = scope.lastingFeatures.contains(fact.feature)
      return FactPolicy(isRecorded: true, survivesReinstall: lasts, stays: lasts)
    case .cap(let fact):
      return FactPolicy(
        isRecorded: true, survivesReinstall: scope.lastingFeatures.contains(fact.feature), stays: true, revisionDate: fact.revision.date)
    case .grant(let fact):
      // Kept with the uses that its credits covered, which would otherwise be owed.
      return FactPolicy(
        isRecorded: true, isCredit: fact.hasCredits, survivesReinstall: fact.hasCredits, revisionDate: fact.revision.date)
    case .completion, .wallet, .progress, .assignment: return .recorded
    case .child(let fact): return FactPolicy(isRecorded: true, revisionDate: fact.isRemoved ? nil : fact.revision.date)
    case .renewal, .pending, .time, .answer, .installation: return .local
    case .custom(let fact): return fact.policy
    }
  }
}

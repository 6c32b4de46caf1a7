// SPDX-License-Identifier: Apache-2.0
import Foundation
public import Monetize
import MonetizeSimulator

/// A customer's access to a feature: as values, and in a few words.
public struct FeatureCell: Sendable, Encodable, Hashable {
  let allowed: Bool
  let reason: String
  /// Whether a possible limit is absent.
  let unlimited: Bool
  /// The amount and its measure.
  let limit: Int?
  let credits: Int?
  let per: String?
  let level: String?
  /// The number of whole days of visible history.
  let days: Int?
  /// The number of open items, and of all items.
  let open: Int?
  let items: Int?
  /// In a few words: `3 a month`, `unlimited`, `–`.
  public let text: String

  private enum CodingKeys: CodingKey { case allowed, reason, unlimited, limit, credits, per, level, days, open, items }

  /// Makes the cell of a feature from a snapshot; for a feature that opens items, about all its items.
  public init(_ feature: Feature, _ snapshot: Snapshot) {
    // For a limit on existing things: a customer who has none yet.
    let decision = snapshot.decision(for: AccessRequest(feature.id, held: 0))
    var open: Int?
    var count: Int?
    var earned: String?
    if type(of: feature.shape).isAboutItems {
      let items = snapshot.catalog.collections(of: feature).flatMap(\.paths)
      let locked = items.filter { !snapshot.allows(AccessRequest(feature.id, item: $0)) }
      (open, count) = (items.count - locked.count, items.count)
      // Items that a customer gets by using the app are included.
      if decision.isAllowed { earned = Self.earned(locked.lazy.map { snapshot.decision(for: feature.id, item: $0).reason }) }
    }
    (allowed, reason) = (earned != nil || (open.map { $0 > 0 } ?? decision.isAllowed), decision.reason.rawValue)
    (limit, credits, level, self.open, items) = (decision.limit, decision.credits, decision.level, open, count)
    per = decision.limit.flatMap { _ in decision.measure.map { CatalogWords.per($0) } }
    days = decision.window.map { Int($0 / 86400) }
    let isPlain = !type(of: feature.shape).hasAmounts || feature.part != nil || count != nil
    unlimited =
      decision.isAllowed && !isPlain && decision.limit == nil && decision.level == nil && decision.cutoff == nil
      && Self.hasNoLimit(feature, decision, snapshot)
    if let earned, let open, let count {
      text = CatalogWords.counted(count, "item") + earned + (open == 0 ? "" : " (\(open) open)")
    } else {
      text = Self.words(feature, decision, open, count, days, isUnlimited: unlimited)
    }
  }

  /// Whether a grant behind an answer has no limit. A decision lacks the limit of an app's own shape.
  private static func hasNoLimit(_ feature: Feature, _ decision: Decision, _ snapshot: Snapshot) -> Bool {
    func grant(of product: ProductID) -> Granted? { snapshot.catalog.product(product)?.grants[feature.id] }
    let first =
      switch decision.grantedBy {
      case .freeTier: snapshot.catalog.freeTier[feature.id]
      case .product(let id): grant(of: id)
      default: Granted?.none
      }
    return first?.isUnlimited ?? true || snapshot.products.contains { $0.isOwned && grant(of: $0.product)?.isUnlimited == true }
  }

  /// How a customer gets the locked items without a purchase; `nil` when not all can be got, or none is locked.
  private static func earned(_ locked: some Sequence<Reason>) -> String? {
    var reasons: Set<Reason> = []
    for reason in locked {
      guard reason == .insufficientCoins || reason == .requiresCompletion else { return nil }
      reasons.insert(reason)
    }
    return reasons.isEmpty ? nil : reasons.contains(.requiresCompletion) ? ", one after the other" : " for coins"
  }

  private static func words(_ feature: Feature, _ decision: Decision, _ open: Int?, _ count: Int?, _ days: Int?, isUnlimited: Bool)
    -> String
  {
    if let open, let count, open > 0 { return "\(open) of \(CatalogWords.counted(count, "item"))" }
    guard open == nil, decision.isAllowed else {
      switch decision.reason {
      case .notAvailable: return "later"
      case .requiresParent, .requiresRole: return (feature.roles ?? [.parent]).map { $0.rawValue }.joined(separator: " or ") + " only"
      default: return "–"
      }
    }
    if feature.part != nil { return "yes" }
    if let level = decision.level { return level }
    if let days { return days == 1 ? "the last day" : "the last \(days) days" }
    guard let limit = decision.limit else { return isUnlimited ? "unlimited" : "yes" }
    // Bought credits are added to the resetting limit, and do not reset.
    func words(_ number: Int) -> String { feature.words(for: number) }
    let (credits, own) = (decision.credits ?? 0, limit - (decision.credits ?? 0))
    let bought = credits > 0 ? "\(words(credits)) bought" : nil
    let granted =
      own > 0 || credits == 0 ? "\(words(own)) \(decision.measure == nil ? "at once" : CatalogWords.per(decision.measure))" : nil
    return [granted, bought].compactMap { $0 }.joined(separator: " and ")
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
public import Monetize
import MonetizeSimulator

/// What one customer gets of a feature: as values, and in a few words.
public struct FeatureCell: Sendable, Encodable, Hashable {
  let allowed: Bool
  let reason: String
  /// Without a limit, where there could be one.
  let unlimited: Bool
  /// How much, and what it is counted by.
  let limit: Int?
  let credits: Int?
  let per: String?
  let level: String?
  /// How far back, in whole days.
  let days: Int?
  /// How many items are open, and how many there are.
  let open: Int?
  let items: Int?
  /// In a few words: `3 a month`, `unlimited`, `–`.
  public let text: String

  private enum CodingKeys: CodingKey { case allowed, reason, unlimited, limit, credits, per, level, days, open, items }

  /// What a snapshot answers about a feature; of one that is opened item by item, about all its items.
  public init(_ feature: Feature, _ snapshot: Snapshot) {
    // Where only so many may exist at once: for a customer who has none yet.
    let decision = snapshot.decision(for: AccessRequest(feature.id, held: 0))
    var open: Int?
    var count: Int?
    if type(of: feature.shape).isAboutItems {
      let collections = feature.collections?.compactMap(snapshot.catalog.collection) ?? snapshot.catalog.collections
      let items = collections.flatMap(\.paths)
      (open, count) = (items.filter { snapshot.decision(for: feature.id, item: $0).isAllowed }.count, items.count)
    }
    (allowed, reason) = (open.map { $0 > 0 } ?? decision.isAllowed, decision.reason.rawValue)
    (limit, credits, level, self.open, items) = (decision.limit, decision.credits, decision.level, open, count)
    per = decision.limit.flatMap { _ in decision.measure.map { CatalogWords.per($0) } }
    days = decision.cutoff.map { Int(snapshot.date.timeIntervalSince($0) / 86400) }
    let isPlain = type(of: feature.shape).name == AccessShape.name || feature.part != nil || count != nil
    unlimited = decision.isAllowed && !isPlain && decision.limit == nil && decision.level == nil && decision.cutoff == nil
    text = Self.words(feature, decision, open, count, days, isUnlimited: unlimited)
  }

  private static func words(_ feature: Feature, _ decision: Decision, _ open: Int?, _ count: Int?, _ days: Int?, isUnlimited: Bool)
    -> String
  {
    if let open, let count, open > 0 { return "\(open) of \(count) items" }
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
    // Bought credits are above what begins anew, and do not begin anew themselves.
    func words(_ number: Int) -> String { feature.shape is DurationShape ? feature.words(for: number) : "\(number)" }
    let (credits, own) = (decision.credits ?? 0, limit - (decision.credits ?? 0))
    let bought = credits > 0 ? "\(words(credits)) bought" : nil
    let granted =
      own > 0 || credits == 0 ? "\(words(own)) \(decision.measure == nil ? "at once" : CatalogWords.per(decision.measure))" : nil
    return [granted, bought].compactMap { $0 }.joined(separator: " and ")
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Judges requests: pure and total. Every request has an answer, a wrong one an answer that says so.
struct Judge {
  let catalog: Catalog
  let situation: Situation
  /// Products whose purchase waits for somebody.
  let pending: Set<ProductID>

  /// The order of a decision: unknown item · not available · role · allowance under its cap · what would open it.
  func decide(_ request: AccessRequest, _ feature: Feature, _ row: FeatureRow, at now: Date) -> Decision {
    var item: Shared<CatalogItem>?
    if let path = request.item {
      item = catalog.item(at: path)
      guard item != nil, feature.collections?.contains(path.collection) ?? true else { return .denied(.unknownItem) }
    }
    if let release = feature.release, !catalog.releases.contains(release) { return .denied(.notAvailable) }
    if let roles = feature.roles, !roles.contains(situation.member.role) {
      return .denied(roles.contains(.parent) ? .requiresParent : .requiresRole)
    }
    if request.feature != feature.id {
      // Asked by an alias: allowances see the feature's own name.
      var request = request
      request.feature = feature.id
      return decide(request, feature, row, at: now)
    }

    func verdict(_ granted: Granted?) -> Verdict {
      guard let granted else { return .denied(.requiresPurchase) }
      if let part = feature.part { return granted.gives(atLeast: part.atLeast) ? .allowed : .denied(.requiresPurchase) }
      return judge(granted, request, feature, item, row.background, countsEveryUse: false, now)
    }
    let grants = verdict(row.granted)
    let own = row.credits.map { grants.adding($0, to: row.granted, for: request) } ?? grants
    let capped = row.cap.map { judge($0, request, feature, item, row.background, countsEveryUse: true, now) }
    var decision = Decision.Content(Self.meet(own, capped))
    decision.validUntil = earlier(decision.validUntil, row.sourcesChangeAt)
    if decision.isAllowed {
      // Explained by the one that leaves most; of equals by the first in catalog order.
      var best: (grantor: FeatureRow.Grantor, verdict: Verdict)?
      for grantor in row.grantors where row.grantors.count > 1 {
        let its = verdict(grantor.granted)
        if its.isAllowed, best.map({ its.leavesMore(than: $0.verdict) }) ?? true { best = (grantor, its) }
        // A part is open or not: none of those that open it leaves more.
        if best != nil, feature.part != nil { break }
      }
      let winner = best?.grantor ?? row.grantors.first
      decision.reason = grants.isAllowed ? winner?.reason ?? .free : .credits
      decision.grantedBy = grants.isAllowed ? winner?.source : .credits
    } else if !decision.reason.isError {
      var helpful: [ProductID] = []
      for offer in row.offers {
        var its = verdict(offer.granted)
        let credits = offer.credits == 0 ? row.credits : (row.credits ?? .init(bought: 0, used: row.creditsUsed)).adding(offer.credits)
        if let credits { its = its.adding(credits, to: offer.granted, for: request) }
        if its.isAllowed, capped?.isAllowed != false { helpful.append(offer.product) }
        // What would help now may help no longer, such as a window that moves on.
        decision.validUntil = earlier(decision.validUntil, its.changesAt)
      }
      explainDenial(&decision, helpful, feature)
    }
    if let window = decision.verdict.window { decision.cutoff = now - window }
    return Decision(decision)
  }

  /// A denial that buying could lift is unknown before the store's answer and pending while a purchase waits. One that it could not lift
  /// has no paywall.
  private func explainDenial(_ decision: inout Decision.Content, _ unlockedBy: [ProductID], _ feature: Feature) {
    decision.unlockedBy = unlockedBy
    guard !unlockedBy.isEmpty else {
      if decision.reason == .requiresPurchase { decision.reason = .notOffered }
      return
    }
    switch situation.store {
    case .waiting: decision.reason = .unknown
    case .unreachable: decision.reason = .storeUnreachable
    case .answered:
      if !pending.isDisjoint(with: unlockedBy) {
        decision.reason = .pending
      } else {
        let isLimit = decision.reason == .limitReached || decision.reason == .capacity
        decision.placement = feature.placement ?? (isLimit ? .usageLimitReached : .featureRestricted)
      }
    }
  }

  func judge(
    _ granted: Granted, _ request: AccessRequest, _ feature: Feature, _ item: Shared<CatalogItem>?,
    _ background: Shared<AllowanceContext.Background>,
    countsEveryUse: Bool, _ now: Date
  ) -> Verdict {
    guard let allowance = granted.allowance else { return feature.shape.unlimited(request) }
    return allowance.judge(request, in: AllowanceContext(now: now, item: item, countsEveryUse: countsEveryUse, background: background))
  }

  /// Both must allow. The numbers are those of the tighter one; a cap that denies says so.
  static func meet(_ own: Verdict, _ cap: Verdict?) -> Verdict {
    guard let cap else { return own }
    var verdict = own
    if !cap.isAllowed || (own.isAllowed && own.leavesMore(than: cap)) {
      verdict = cap
      if !cap.isAllowed && !cap.reason.isError { verdict.reason = .parentalLimit }
    }
    // Also when both deny: what is left is what both leave.
    if let left = own.remaining, let more = cap.remaining { verdict.remaining = min(left, more) }
    verdict.changesAt = earlier(own.changesAt, cap.changesAt)
    verdict.credits = own.credits
    return verdict
  }
}

/// The earlier of two times, each of which may never come. Without an array: it is asked in every judgement.
func earlier(_ a: Date?, _ b: Date?) -> Date? {
  guard let a, let b else { return a ?? b }
  return min(a, b)
}

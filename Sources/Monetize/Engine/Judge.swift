// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Judges requests. Pure and total: an invalid request gets a decision with an error as its reason.
struct Judge {
  /// Held by reference, to avoid copying all of the catalog's lists for each judge.
  let sharedCatalog: Shared<Catalog>
  let situation: Situation
  let pending: Set<ProductID>
  let custom: FactSet<AnyCustomFact>

  var catalog: Catalog { sharedCatalog.value }

  /// Decides in this order: unknown item, conditions, allowance under its cap, products that would help.
  /// - Parameter explains: Whether to name what grants the access, or the products that would help. O(products) with it.
  func decide(
    _ request: AccessRequest, _ feature: Shared<Feature>, _ sources: FeatureRow.Sources, _ background: AllowanceContext.Background,
    at now: Date, explains: Bool = true
  ) -> Decision {
    var question = Question(request: request, item: nil, feature: feature, background: background, now: now)
    // The request may use an alias; allowances get the feature's own id.
    question.request.feature = feature.value.id
    if let path = request.item {
      question.item = catalog.item(at: path)
      guard question.item != nil, feature.value.collections?.contains(path.collection) ?? true else { return .denied(.unknownItem) }
    }
    var conditionsChange: Date?
    if !feature.value.conditions.isEmpty {
      let context = ConditionContext(now: now, situation: situation, releases: catalog.releases, custom: custom)
      conditionsChange = feature.value.conditions.reduce(nil) { earlier($0, $1.nextChange(in: context)) }
      if let reason = feature.value.conditions.lazy.compactMap({ $0.denial(in: context) }).first {
        return Decision.denied(reason).changed { $0.validUntil = conditionsChange }
      }
    }
    var own = verdict(sources.granted, question)
    let byGrants = own.isAllowed
    own.add(sources.credits, to: sources.granted, for: request)
    let capped = capVerdict(sources, question)
    if let capped { own = Self.meet(own, capped) }
    var decision = Decision.Content(consume own)
    decision.validUntil = earlier(earlier(decision.validUntil, sources.changesAt), conditionsChange)
    if !explains {
      // Only `isAllowed` is needed.
    } else if decision.verdict.isAllowed {
      explain(&decision, sources, question, byCredits: !byGrants)
    } else if !decision.reason.isError {
      offer(&decision, sources, question, capped)
    }
    decision.cutoff = decision.verdict.cutoff ?? decision.verdict.window.map { now - $0 }
    return Decision(consume decision)
  }

  struct Question {
    var request: AccessRequest
    var item: Shared<CatalogItem>?
    /// Held by reference, to avoid copying all of its texts for each question.
    let feature: Shared<Feature>
    let background: AllowanceContext.Background
    let now: Date
  }

  // MARK: Verdicts

  /// The verdict of a grant or, counting every use, of a parent's limit. A part is open when the amount reaches that of the part; its
  /// numbers are those of the whole.
  func verdict(_ granted: Granted?, _ question: Question, countsEveryUse: Bool = false) -> Verdict {
    guard let granted else { return .denied(.requiresPurchase) }
    guard let part = question.feature.value.part else { return judge(granted, question, countsEveryUse: countsEveryUse) }
    var verdict = judge(granted, question, isPlain: true, countsEveryUse: countsEveryUse)
    let isOpen = granted.gives(atLeast: part.atLeast)
    (verdict.isAllowed, verdict.reason) = (isOpen, isOpen ? .free : .requiresPurchase)
    (verdict.asked, verdict.balance, verdict.price) = (nil, nil, nil)
    return verdict
  }

  /// The verdict of a parent's limits; `nil` without limits.
  private func capVerdict(_ sources: FeatureRow.Sources, _ question: Question) -> Verdict? {
    let verdicts = sources.caps.map { verdict($0, question, countsEveryUse: true) }
    return verdicts.first.map { verdicts.dropFirst().reduce($0, Self.meet) }
  }

  /// - Parameter isPlain: Whether to leave out the item and the other parameters of the request.
  private func judge(_ granted: Granted, _ question: Question, isPlain: Bool = false, countsEveryUse: Bool = false) -> Verdict {
    let request = isPlain ? AccessRequest(question.request.feature) : question.request
    guard let allowance = granted.allowance else { return question.feature.value.shape.unlimited(request) }
    return allowance.judge(
      request,
      in: AllowanceContext(
        now: question.now, item: isPlain ? nil : question.item, countsEveryUse: countsEveryUse, background: question.background))
  }

  /// Combines two verdicts: both must allow. Takes the numbers of the tighter one. A cap that denies gives the reason.
  private static func meet(_ own: Verdict, _ cap: Verdict) -> Verdict {
    var verdict = own
    if !cap.isAllowed || (own.isAllowed && own.leavesMore(than: cap)) {
      verdict = cap
      // A cap can deny by the feature's own rule, for example by a prerequisite. The reason is then that rule, as without the cap.
      let isRule = own.reason == cap.reason && (cap.requires != nil || cap.price != nil)
      if !cap.isAllowed && !cap.reason.isError && !isRule { verdict.reason = .parentalLimit }
    }
    // Holds even when both deny: the smaller amount is left.
    if let left = own.remaining, let more = cap.remaining { verdict.remaining = min(left, more) }
    verdict.changesAt = earlier(own.changesAt, cap.changesAt)
    verdict.credits = own.credits
    return verdict
  }

  // MARK: Reasons and offers

  /// Explains an allowed decision by the grantor that leaves the most; among equals, by the first in catalog order.
  private func explain(_ decision: inout Decision.Content, _ sources: FeatureRow.Sources, _ question: Question, byCredits: Bool) {
    if byCredits {
      (decision.reason, decision.grantedBy) = (.credits, .credits)
      return
    }
    var best: (grantor: Int, verdict: Verdict)?
    for index in sources.grantors.indices where sources.grantors.count > 1 {
      let verdict = verdict(sources.grantors[index].granted, question)
      if verdict.isAllowed, best.map({ verdict.leavesMore(than: $0.verdict) }) ?? true { best = (index, verdict) }
      // Parts are all-or-nothing, so the first grant that allows one is as good as any other.
      if best != nil, question.feature.value.part != nil { break }
    }
    let winner = best.map { sources.grantors[$0.grantor] } ?? sources.grantors.first
    (decision.reason, decision.grantedBy) = (winner?.reason ?? .free, winner?.source)
  }

  /// Adds the products that would help to a denied decision. If a purchase could help, the reason is `unknown` before the store's answer,
  /// and `pending` while a purchase waits. If none could, there is no paywall.
  private func offer(
    _ decision: inout Decision.Content, _ sources: FeatureRow.Sources, _ question: Question, _ capped: Verdict?
  ) {
    let isCapped = capped?.isAllowed == false
    func verdict(_ granted: Granted?, with credits: FeatureRow.Credits) -> Verdict {
      var verdict = self.verdict(granted, question)
      verdict.add(credits, to: granted, for: question.request)
      return verdict
    }
    var (isWaiting, isInDoubt) = (false, false)
    // An error that only a product's grant finds in the request, such as a missing number.
    var error: Reason?
    for offer in sources.offers {
      let verdict = verdict(offer.granted, with: sources.credits.adding(offer.credits))
      if verdict.isAllowed, !isCapped {
        if offer.isSold { decision.unlockedBy.append(offer.product) }
        isWaiting = isWaiting || pending.contains(offer.product)
      } else if verdict.reason.isError {
        error = verdict.reason
      }
      // A purchase that helps now may not help later, as with a window that moves.
      decision.validUntil = earlier(decision.validUntil, verdict.changesAt)
    }
    for doubt in sources.doubts {
      let verdict = verdict(doubt.granted, with: sources.credits.adding(doubt.credits))
      isInDoubt = isInDoubt || (verdict.isAllowed && !isCapped)
      if verdict.reason.isError { error = verdict.reason }
      decision.validUntil = earlier(decision.validUntil, verdict.changesAt)
    }
    if decision.unlockedBy.isEmpty && !isInDoubt && !isWaiting {
      if decision.reason == .requiresPurchase { decision.reason = error ?? .notOffered }
    } else if situation.store.hasAnswered, isWaiting {
      decision.reason = .pending
    } else if isInDoubt || !situation.store.hasAnswered {
      decision.reason = situation.store.reasonForDoubt
    } else {
      let isLimit = decision.reason != .requiresPurchase && decision.verdict.limit != nil
      decision.placement = question.feature.value.placement ?? (isLimit ? .usageLimitReached : .featureRestricted)
    }
  }
}

extension StoreKnowledge {
  /// The reason for a denial that is not final while the store's answer is missing.
  var reasonForDoubt: Reason { isFailing ? .storeUnreachable : .unknown }
}

extension Verdict {
  /// Adds the customer's credits, if any, which cover uses beyond the grants.
  mutating func add(_ own: FeatureRow.Credits, to granted: Granted?, for request: AccessRequest) {
    if own.all == 0 { return }
    credits = own.left
    if granted == .unlimited || reason.isError { return }
    if granted == nil { (reason, used, limit, remaining, asked) = (.limitReached, 0, 0, 0, request.count) }
    guard let left = remaining else { return }
    remaining = left + own.left
    limit = limit.map { $0 + own.all }
    used = used.map { $0 + min(own.used, own.all) }
    isAllowed = isAllowed || request.count <= left + own.left
  }
}

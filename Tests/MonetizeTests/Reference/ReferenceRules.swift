// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// The facts of one customer, sorted into arrays.
struct ReferenceFacts {
  var transactions: [StoreTransaction] = []
  var renewals: [RenewalInfo] = []
  var pending: [PendingPurchase] = []
  var uses: [Use] = []
  var totals: [ReportedTotal] = []
  var gifts: [ComplimentaryGrant] = []
  var caps: [Cap] = []
  var completions: [Completion] = []
  var wallet: [WalletEntry] = []
  /// When a clock that was days ahead was found out.
  var corrected: Date?

  init(_ facts: [Fact]) {
    for fact in facts {
      switch fact.sort {
      case .transaction(let transaction): transactions.append(transaction)
      case .renewal(let renewal): renewals.append(renewal)
      case .pending(let purchase): pending.append(purchase)
      case .use(let use): uses.append(use.value)
      case .total(let total): totals.append(total)
      case .grant(let gift): gifts.append(gift)
      case .cap(let cap): caps.append(cap)
      case .completion(let completion): completions.append(completion)
      case .wallet(let entry): wallet.append(entry)
      case .time(let time): corrected = time.corrected
      default: break
      }
    }
  }
}

/// The reference's answer: what an app shows and does.
struct ReferenceAnswer: Equatable {
  var isAllowed: Bool
  var reason: Reason
  var remaining: Int?
  var unlockedBy: [ProductID] = []
  /// The numbers of a limit; `nil` where several limits meet, of which the engine names one.
  var count: ReferenceCount?
}

extension StoreTransaction {
  /// A renewal that the store charged and signed before its period begins.
  fileprivate func isPaidAhead(at now: Date) -> Bool { now < purchaseDate && revision.date < purchaseDate }
}

/// The rules of `Docs/Guides` a second time: every grant is judged by itself, from the JSON and a list of facts, without a snapshot, a join,
/// an index or a cache. Slow and plain.
struct ReferenceRules {
  let catalog: ReferenceCatalog
  let facts: ReferenceFacts
  let situation: Situation
  let now: Date

  // MARK: Purchases

  /// The recorded purchases of this app, environment and account.
  private func records(of product: ReferenceCatalog.Product) -> [StoreTransaction] {
    facts.transactions.filter { bought in
      bought.productID.rawValue == product.id && (situation.environment ?? bought.environment) == bought.environment
        && (bought.appID ?? catalog.app) == catalog.app
        && (situation.account == nil || bought.account == nil || bought.account == situation.account)
    }
  }

  /// The records that count: neither revoked nor replaced, and shared only where the product is.
  func purchases(of product: ReferenceCatalog.Product) -> [StoreTransaction] {
    records(of: product).filter {
      $0.revocation == nil && !$0.isUpgraded && ($0.ownership == .purchased || product.json["familyShareable"] as? Bool == true)
    }
  }

  /// Whether a product is owned, and the dates from which its anchored limits count.
  func ownership(of product: ReferenceCatalog.Product) -> (isOwned: Bool, anchors: [Date]) {
    let purchases = purchases(of: product).sorted { $0.purchaseDate < $1.purchaseDate }
    switch product.kind {
    case "nonConsumable":
      let running = purchases.filter { purchase in
        if case .length(let length) = product.period { now < ReferenceTime.adding(length, to: purchase.purchaseDate) } else { true }
      }
      return (!running.isEmpty, running.map(\.purchaseDate))
    case "nonRenewing":
      guard case .length(let length) = product.period else { return (false, []) }
      var (running, end): ([Date], Date) = ([], .distantPast)
      for purchase in purchases {
        let start = product.json["stacks"] as? Bool == true ? max(end, purchase.purchaseDate) : purchase.purchaseDate
        end = ReferenceTime.adding(length, to: start)
        if now < end { running.append(purchase.purchaseDate) }
      }
      return (!running.isEmpty, running)
    case "subscription":
      let running = purchases.filter { now < $0.expirationDate ?? .distantFuture }
      let inGrace = purchases.filter { purchase in
        facts.renewals.contains {
          $0.originalID == purchase.originalID && $0.productID == purchase.productID && $0.state == .inGracePeriod
            && now < $0.graceUntil ?? .distantPast
        }
      }
      let begun = (running + inGrace).filter { !$0.isPaidAhead(at: now) }
      return (!running.isEmpty || !inGrace.isEmpty, begun.map { firstOfRun($0, purchases, product).purchaseDate })
    default: return (false, [])
    }
  }

  /// The first purchase of an unbroken run: each period begins where the one before it ended. A trial that is not as long as a period of the
  /// plan belongs to no run.
  private func firstOfRun(_ period: StoreTransaction, _ all: [StoreTransaction], _ product: ReferenceCatalog.Product) -> StoreTransaction {
    guard
      let before = all.last(where: { $0.originalID == period.originalID && $0.expirationDate == period.purchaseDate && $0.id != period.id })
    else { return period }
    let isTrial = before.offer?.type == .introductory && before.offer?.mode == .freeTrial
    if isTrial, case .length(let length) = product.period, ReferenceTime.adding(length, to: before.purchaseDate) != before.expirationDate {
      return period
    }
    return firstOfRun(before, all, product)
  }

  // MARK: What is granted

  /// One amount, where it is from, and the purchases from which its anchored limits count.
  struct Amount {
    var json: Any
    var reason: Reason
    /// The product or the gift.
    var source = ""
    var anchors: [Date] = []
  }

  func amounts(of feature: String) -> [Amount] {
    var amounts = [catalog.freeGrants[feature]].compactMap { $0 }.map { Amount(json: $0, reason: .free) }
    var open: [Amount] = []
    if !catalog.isMonetized, isSoldOrGiven(feature) {
      // Money lifts neither progress nor coins.
      let isRule = ["prerequisite", "coins"].contains(catalog.features[feature]?.shape)
      open = [Amount(json: isRule ? true : "unlimited", reason: .monetizationOff)]
    }
    for product in catalog.products {
      let (isOwned, anchors) = ownership(of: product)
      guard isOwned else { continue }
      let reason: Reason = product.kind == "subscription" ? .subscribed : .owned
      amounts += catalog.amounts(of: feature, by: product).map { Amount(json: $0, reason: reason, source: product.id, anchors: anchors) }
    }
    for gift in facts.gifts.sorted(by: { $0.id < $1.id }) where isRunning(gift) {
      let given = catalog.amounts(of: feature, by: gift.entitlements.map(\.rawValue))
      amounts += given.map { Amount(json: $0, reason: .complimentary, source: gift.id, anchors: [gift.from]) }
    }
    return amounts + open
  }

  private func isSoldOrGiven(_ feature: String) -> Bool {
    catalog.products.contains { !catalog.amounts(of: feature, by: $0).isEmpty || $0.credits[feature] != nil }
      || catalog.entitlements.values.contains { $0[feature] != nil }
  }

  private func isRunning(_ gift: ComplimentaryGrant) -> Bool {
    !gift.isRevoked && gift.from <= now && now < gift.until ?? .distantFuture
  }

  /// The credits that were bought or given and those that are left, from all members of the family. A purchase pays a debt first.
  func credits(of feature: String, adding more: Int = 0) -> (bought: Int, left: Int) {
    let given = facts.gifts.filter(isRunning).reduce(0) { $0 + ($1.credits[FeatureID(feature)] ?? 0) }
    let bought =
      given
      + catalog.products.filter { $0.kind == "consumable" }.reduce(0) { sum, product in
        sum + purchases(of: product).reduce(0) { $0 + $1.quantity } * ReferenceRules.whole(product.credits[feature])
      }
    let used = facts.uses.filter { $0.feature.rawValue == feature && $0.status != .released && isHere($0) }.reduce(0) {
      $0 + ($1.counted ? $1.credits : 0)
    }
    return (bought + more, max(0, bought + more - used))
  }

  /// Uses of a test environment count only there, and while the environment is unknown.
  func isHere(_ use: Use) -> Bool {
    use.environment == nil || situation.environment == nil || use.environment == situation.environment
  }

  /// A number of uses, or the seconds of a length.
  static func whole(_ json: Any?) -> Int {
    if let length = json as? String { return length == "unlimited" ? .max : Int(ReferenceTime.seconds(length)) }
    return json as? Int ?? 0
  }

  // MARK: The decision

  func answer(_ request: AccessRequest) -> ReferenceAnswer {
    guard let feature = catalog.feature(request.feature.rawValue) else { return .init(isAllowed: false, reason: .unknownFeature) }
    let whole = feature.part.flatMap { catalog.features[$0.whole] } ?? feature
    if let item = request.item, !exists(item, for: whole) { return .init(isAllowed: false, reason: .unknownItem) }
    for feature in [whole, feature] {
      if let reason = condition(of: feature) { return .init(isAllowed: false, reason: reason) }
    }
    let caps = (feature.id == whole.id ? [whole.id] : [feature.id, whole.id]).compactMap { cap(on: $0) }
    let judge = ReferenceJudge(rules: self, feature: feature, whole: whole, request: request, caps: caps)

    let own = judge.verdict(amounts(of: whole.id), credits: credits(of: whole.id))
    if own.isAllowed { return .init(isAllowed: true, reason: own.reason, remaining: own.remaining, count: own.count) }
    if own.reason == .parentalLimit || own.reason.isError { return .init(isAllowed: false, reason: own.reason, remaining: own.remaining) }

    // What a purchase would change. No purchase counts for a demo.
    let bought =
      situation.member.role == .demo ? [] : catalog.products.compactMap { product in judge.verdict(buying: product).map { (product, $0) } }
    let helping = bought.filter(\.1.isAllowed).map(\.0)
    let offered = catalog.isMonetized ? helping.filter(beginsNow) : []
    var answer = ReferenceAnswer(isAllowed: false, reason: own.reason, remaining: own.remaining, count: own.count)
    answer.unlockedBy = offered.filter(\.isOnSale).map { ProductID($0.id) }
    let waits = offered.contains(where: isPending)
    if waits, situation.store.hasAnswered {
      answer.reason = .pending
    } else if helping.contains(where: mayBeOwned) || !situation.store.hasAnswered && (waits || !answer.unlockedBy.isEmpty) {
      answer.reason = situation.store.isFailing ? .storeUnreachable : .unknown
    } else if own.reason == .requiresPurchase, answer.unlockedBy.isEmpty {
      // A request can lack what only another grant needs.
      let isPossible = { product in
        mayBeOwned(product) || catalog.isMonetized && (product.isOnSale || isPending(product)) && beginsNow(product)
      }
      let errors = bought.filter { isPossible($0.0) && $0.1.reason.isError }
      answer.reason = errors.last?.1.reason ?? .notOffered
    }
    return answer
  }

  /// The amount that a parent set for a feature, as JSON. What is not readable closes the feature.
  private func cap(on feature: String) -> Any? {
    let cap = facts.caps.first {
      $0.subject == situation.member.subject && $0.amount != nil && catalog.feature($0.feature.rawValue)?.id == feature
    }
    guard let amount = cap?.amount else { return nil }
    return (try? JSONSerialization.jsonObject(with: Data(amount.utf8), options: .fragmentsAllowed)) ?? "not readable"
  }

  private func condition(of feature: ReferenceCatalog.Feature) -> Reason? {
    if let release = feature.json["release"] as? String, !catalog.releases.contains(release) { return .notAvailable }
    guard let roles = feature.json["roles"] as? [String], !roles.contains(situation.member.role.rawValue) else { return nil }
    return roles.contains("parent") ? .requiresParent : .requiresRole
  }

  private func exists(_ path: ItemPath, for feature: ReferenceCatalog.Feature) -> Bool {
    let parts = path.description.split(separator: "/").map(String.init)
    guard parts.count >= 2, let collection = catalog.collections[parts[0]] else { return false }
    guard (feature.json["in"] as? [String])?.contains(parts[0]) ?? true else { return false }
    return collection.items.contains { $0.id == parts[1] } && (parts.count < 3 || collection.parts.contains(parts[2]))
  }

  /// A product that the customer does not have, or that the store sells again; no trial that has ended; no change of plan that waits for the
  /// next renewal, or for the last payment of a commitment.
  private func beginsNow(_ product: ReferenceCatalog.Product) -> Bool {
    if ownership(of: product).isOwned, !product.isSoldAgain { return false }
    if product.kind == "nonConsumable", purchases(of: product).contains(where: { $0.ownership == .purchased }) { return false }
    guard let group = product.group else { return true }
    return catalog.products.allSatisfy { plan in
      guard plan.group == group, plan.id != product.id, ownership(of: plan).isOwned,
        purchases(of: plan).contains(where: { $0.ownership == .purchased })
      else { return true }
      let isCommitted = facts.renewals.contains { renewal in
        purchases(of: plan).contains { $0.originalID == renewal.originalID }
          && renewal.commitment.map { $0.payment < $0.payments } ?? false
      }
      let isAtOnce = product.level < plan.level || product.level == plan.level && product.period == plan.period
      return isAtOnce && !isCommitted
    }
  }

  private func isPending(_ product: ReferenceCatalog.Product) -> Bool {
    facts.pending.contains { $0.isOpen && $0.productID.rawValue == product.id && now < $0.lapses }
  }

  /// A product without access that the store may yet list: one without a record before the first answer, and one that may have continued
  /// since the last.
  private func mayBeOwned(_ product: ReferenceCatalog.Product) -> Bool {
    if ownership(of: product).isOwned || isPending(product) { return false }
    if let request = facts.pending.first(where: { $0.isOpen && $0.productID.rawValue == product.id }), isSilent(about: request.lapses) {
      return true
    }
    if records(of: product).isEmpty, !hasEnded(product) {
      return !situation.store.hasAnswered && catalog.isMonetized && product.kind != "consumable"
    }
    return mayHaveRenewed(product)
  }

  private func isSilent(about date: Date) -> Bool { situation.store.asOf.map { $0 < date } ?? true }

  /// Whether the renewal status of a subscription is known without a purchase, as after a reinstallation.
  private func hasEnded(_ product: ReferenceCatalog.Product) -> Bool {
    facts.renewals.contains { renewal in
      renewal.productID.rawValue == product.id && renewal.state != .subscribed && renewal.state != .inGracePeriod
        && !facts.transactions.contains { $0.originalID == renewal.originalID }
    }
  }

  /// A subscription that renews by itself, and whose last period or grace period ended after the store's last answer.
  private func mayHaveRenewed(_ product: ReferenceCatalog.Product) -> Bool {
    let purchases = purchases(of: product).sorted {
      ($0.purchaseDate, $0.expirationDate ?? now) < ($1.purchaseDate, $1.expirationDate ?? now)
    }
    guard product.kind == "subscription", let last = purchases.last, var end = last.expirationDate else { return false }
    let begun = records(of: product).filter { !$0.isPaidAhead(at: now) }
    let latest = (begun.isEmpty ? records(of: product) : begun).max { $0.purchaseDate < $1.purchaseDate } ?? last
    if let renewal = facts.renewals.first(where: { $0.originalID == latest.originalID }) {
      let hasGoneOn = renewal.productID != last.productID && renewal.revision.date >= last.purchaseDate
      if !renewal.willRenew || renewal.state == .revoked || renewal.expirationReason != nil || hasGoneOn { return false }
      if renewal.state == .inGracePeriod { end = max(end, renewal.graceUntil ?? end) }
      // Nearly a minute passes before the store lists a renewal that it announced.
      let isSettling =
        renewal.state != .inBillingRetry && now < end + 60 && (renewal.renewsInto ?? renewal.productID) == last.productID
      if renewal.revision.date >= end || isSettling { return end <= now && isSettling }
    }
    return end <= now && isSilent(about: end)
  }
}

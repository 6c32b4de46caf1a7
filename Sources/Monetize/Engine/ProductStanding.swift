// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Derives the ``ProductStatus`` of one product from facts. O(n) in the product's transactions.
struct ProductStanding {
  /// How long after the end of a period the store may still contradict an announced renewal, in seconds.
  ///
  /// Measured: for up to 0.7 s at each renewal the status reads `expired` (lessons.md). Some SDKs wait for 30 s.
  static let settling: TimeInterval = 60

  let product: CatalogProduct
  let situation: Situation
  let now: Date
  /// All transactions of this app, environment and account, earliest first.
  let transactions: [StoreTransaction]
  /// The transactions that count: not revoked, not upgraded, and family shared only when the product allows it.
  let valid: [StoreTransaction]
  let owned: Ownership
  let latest: StoreTransaction?
  /// The renewal status of the subscription that the latest transaction belongs to.
  let renewal: RenewalInfo?
  let pending: PendingPurchase?

  init(of product: CatalogProduct, _ facts: CustomerState, _ situation: Situation, app: String, uses: [Date], at now: Date) {
    (self.product, self.situation, self.now) = (product, situation, now)
    // A plan of many years has hundreds of periods, so they are neither copied nor sorted again.
    transactions = facts.purchases[product.id].kept { situation.concerns($0, app: app) }
    valid = transactions.kept { $0.revocation == nil && !$0.isUpgraded && (product.isFamilyShareable || $0.ownership == .purchased) }
    var renewals: [TransactionID: RenewalInfo] = [:]
    for index in transactions.indices where index == 0 || transactions[index].originalID != transactions[index - 1].originalID {
      renewals[transactions[index].originalID] = facts.renewals[transactions[index].originalID]
    }
    owned = product.kind.ownership(from: ProductHistory(product: product.id, sorted: valid, renewals: renewals, uses: uses), at: now)
    latest = transactions.last { !$0.isAhead(at: now) } ?? transactions.last
    // After a reinstallation, only the renewal status shows that a subscription has ended.
    renewal = latest.map { renewals[$0.originalID] } ?? facts.endedSubscription(of: product.id)
    pending = facts.pending[product.id].flatMap { $0.isOpen ? $0 : nil }
  }

  private var kind: any ProductKind.Type { type(of: product.kind) }
  private var isWaiting: Bool { pending.map { now < $0.lapses } ?? false }
  private var isRetrying: Bool { renewal?.state == .inBillingRetry && now < (renewal?.retryUntil ?? .distantFuture) }

  /// The end after which only the store can tell whether the subscription continues; `nil` when there is no doubt.
  private var doubtfulEnd: Date? {
    guard kind.renews, let last = valid.last, renewal?.willRenew ?? true, renewal?.state != .revoked,
      renewal?.expirationReason == nil
    else { return nil }
    if hasGoneOn(since: last) { return nil }
    let grace = renewal?.state == .inGracePeriod ? renewal?.graceUntil : nil
    return [last.expirationDate, grace].compactMap { $0 }.max()
  }

  /// Whether the subscription has gone on to another product since a transaction, and does not come back by itself.
  private func hasGoneOn(since transaction: StoreTransaction) -> Bool {
    renewal.map { $0.productID != product.id && $0.revision.date >= transaction.purchaseDate } ?? false
  }

  /// Whether the store's last answer came before something changed: a period ended, a renewal is being made, or a request lapsed.
  private var isInDoubt: Bool {
    if owned.isActive || isWaiting { return false }
    if let lapses = pending?.lapses, situation.store.isSilent(about: lapses) { return true }
    guard let end = doubtfulEnd, end <= now else { return false }
    if let renewal, renewal.revision.date >= end { return isSettling(end) }
    return situation.store.isSilent(about: end) || isSettling(end)
  }

  /// Whether an announced renewal into this product may still be under way.
  private func isSettling(_ end: Date) -> Bool {
    guard let renewal, renewal.willRenew, renewal.state != .inBillingRetry else { return false }
    return now < end + Self.settling && (renewal.renewsInto ?? renewal.productID) == product.id
  }

  private var state: ProductState {
    if owned.isActive {
      return switch owned.phase {
      case .trial: .trial
      case .paid: .active
      case .grace: .grace
      }
    }
    if isWaiting { return .pending }
    if isInDoubt { return .unknown }
    if let latest {
      // A purchase that lasted beyond the refund of a later one ended by itself.
      // A refund of an earlier period does not end the store's attempts to renew.
      if !isRetrying, let revocation = latest.revocation, revocation.date >= owned.until ?? .distantPast { return .revoked }
      // A consumable is used up and never expires.
      return kind.sellsCredits ? .never : isRetrying ? .billingRetry : .expired
    }
    if let renewal { return renewal.state == .revoked ? .revoked : isRetrying ? .billingRetry : .expired }
    return situation.store.hasAnswered ? .never : .unknown
  }

  private var changesAt: Date? {
    // Includes the end of every period, because overlapping periods can turn a trial into a paid period.
    var dates = valid.compactMap(\.expirationDate) + transactions.filter { $0.isAhead(at: now) }.map(\.purchaseDate)
    dates += [owned.until, owned.changesAt, latest?.expirationDate, pending?.lapses, renewal?.retryUntil, renewal?.graceUntil].compactMap {
      $0
    }
    if let end = doubtfulEnd { dates += [end, end + Self.settling] }
    return dates.filter { $0 > now }.min()
  }

  var status: ProductStatus {
    var status = ProductStatus(product: product.id)
    status.state = state
    status.accessUntil = owned.isActive ? owned.until : nil
    // A pass has no expiration date in the store. The kind determines when the last purchase ends or ended.
    status.expires = latest == nil ? renewal?.expires : latest?.expirationDate ?? owned.until
    // A group renews once: as the product that it has gone on to.
    let hasGoneOn = (valid.last ?? latest).map(hasGoneOn) ?? false
    status.willRenew = kind.renews ? renewal.map { $0.willRenew && !hasGoneOn } : nil
    status.renewsInto = hasGoneOn ? nil : renewal?.renewsInto
    status.commitment = renewal?.commitment
    status.graceUntil = renewal?.state == .inGracePeriod ? renewal?.graceUntil : nil
    status.retryUntil = isRetrying || renewal?.state == .inGracePeriod ? renewal?.retryUntil : nil
    status.revokedAt = status.state == .revoked ? latest?.revocation?.date : nil
    status.isPending = isWaiting
    status.hasUsedIntroductoryOffer = transactions.contains { $0.offer?.type == .introductory && $0.ownership == .purchased }
    status.ownership = owned.isActive ? valid.last?.ownership : nil
    status.preventsPurchase = owned.isActive && owned.preventsPurchase
    status.isInDoubt = status.state == .unknown && isInDoubt
    status.quantity = kind.sellsCredits ? valid.reduce(0) { min($0 + $1.quantity.clamped(to: 0...1_000_000), Use.unknownAmount) } : 0
    status.since = owned.since
    status.changesAt = changesAt
    status.reason = kind.renews ? .subscribed : .owned
    return status
  }
}

extension Array {
  /// The elements that meet a condition; this array itself when all do.
  fileprivate func kept(where condition: (Element) -> Bool) -> [Element] {
    // By index, because iterating copies each element.
    for index in indices where !condition(self[index]) { return filter(condition) }
    return self
  }
}

extension CustomerState {
  /// The renewal status of an ended subscription without recorded transactions. Prefers the latest revision, then the later chain.
  fileprivate func endedSubscription(of product: ProductID) -> RenewalInfo? {
    let candidates = renewals.values.filter { $0.productID == product && [.expired, .revoked, .inBillingRetry].contains($0.state) }
    if candidates.isEmpty { return nil }
    let known = Set(transactions.values.map(\.originalID))
    return candidates.filter { !known.contains($0.originalID) }.max { ($0.revision, $0.originalID) < ($1.revision, $1.originalID) }
  }
}

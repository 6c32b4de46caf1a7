// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Derives the ``ProductStatus`` of one product from facts. O(1) in the transactions that have ended.
struct ProductStanding {
  /// How long after the end of a period the store may still contradict an announced renewal, in seconds.
  ///
  /// Measured: for up to 0.7 s at each renewal the status reads `expired` (lessons.md). Some SDKs wait for 30 s.
  static let settling: TimeInterval = 60

  let product: CatalogProduct
  let situation: Situation
  let now: Date
  /// All transactions of this app, environment and account.
  let all: [PurchaseHistory]
  /// The transactions that count: not revoked, not upgraded, and family shared only when the product allows it.
  let valid: ProductHistory
  let owned: Ownership
  /// The latest transaction, of those that run if the product is owned.
  let latest: StoreTransaction?
  /// The latest transaction that runs, if it may differ from the latest of all.
  private let running: StoreTransaction?
  /// The renewal status of the subscription that the latest transaction belongs to.
  let renewal: RenewalInfo?
  /// Whether the subscription has gone on to another product since the last transaction, and does not return by itself. A group has one
  /// renewal, and it is for that product.
  let hasGoneOn: Bool
  let pending: PendingPurchase?

  init(of product: CatalogProduct, _ facts: CustomerState, _ situation: Situation, app: String, uses: [Date], at now: Date) {
    (self.product, self.situation, self.now) = (product, situation, now)
    // The transactions of a history have the same environment, app, account, ownership and validity.
    let all = facts.purchases[product.id].filter { situation.concerns($0.transactions[0], app: app) }
    let parts = all.filter {
      $0.transactions[0].isValid && (product.isFamilyShareable || $0.transactions[0].ownership == .purchased)
    }
    var renewals: [TransactionID: RenewalInfo] = [:]
    if !all.isEmpty {
      for renewal in facts.renewals.values where all.contains(where: { $0.contains(chain: renewal.originalID) }) {
        renewals[renewal.originalID] = renewal
      }
    }
    self.all = all
    valid = ProductHistory(product: product.id, parts: parts, renewals: renewals, uses: uses)
    owned = product.kind.ownership(from: valid, at: now)
    let last = all.compactMap { $0.transactions.last { !$0.isAhead(at: now) } }.latest ?? all.latest
    // A purchase that runs describes the product better than a later one that was refunded or has ended, such as a relative's.
    let isAlone = all.count == 1 && now < last?.expirationDate ?? .distantFuture
    running = owned.isActive && !isAlone ? valid.running(at: now).last { !$0.isAhead(at: now) } : nil
    latest = running ?? last
    // After a reinstallation, only the renewal status shows that a subscription has ended.
    let renewal = latest.map { renewals[$0.originalID] } ?? facts.endedSubscription(of: product.id)
    self.renewal = renewal
    if let renewal, renewal.productID != product.id, let last = valid.last ?? latest {
      hasGoneOn = renewal.revision.date >= last.purchaseDate
    } else {
      hasGoneOn = false
    }
    pending = facts.pending[product.id].flatMap { $0.isOpen ? $0 : nil }
  }

  private var kind: any ProductKind.Type { type(of: product.kind) }
  private var isWaiting: Bool { pending.map { now < $0.lapses } ?? false }
  private var isRetrying: Bool {
    !hasGoneOn && renewal?.state == .inBillingRetry && now < (renewal?.retryUntil ?? .distantFuture)
  }

  /// The end after which only the store can report whether the subscription continues; `nil` when there is no doubt.
  private var doubtfulEnd: Date? {
    guard kind.renews, !hasGoneOn, let last = valid.last, renewal?.willRenew ?? true, renewal?.state != .revoked,
      renewal?.expirationReason == nil
    else { return nil }
    let grace = renewal?.state == .inGracePeriod ? renewal?.graceUntil : nil
    return [last.expirationDate, grace].compactMap { $0 }.max()
  }

  /// Whether the store's last answer came before something changed: a period ended, a renewal is being made, or a request lapsed. Only for a
  /// product that is neither owned nor waited for.
  private var isInDoubt: Bool {
    if let lapses = pending?.lapses, situation.store.isSilent(about: lapses) { return true }
    guard let end = doubtfulEnd, end <= now else { return false }
    if let renewal, renewal.revision.date >= end { return isSettling(end) }
    return situation.store.isSilent(about: end) || isSettling(end)
  }

  /// Whether an announced renewal into this product may still be under way. Takes a doubtful end, which only a subscription that renews has.
  private func isSettling(_ end: Date) -> Bool {
    guard let renewal, renewal.state != .inBillingRetry else { return false }
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
    var dates = valid.parts.filter(\.hasEnd).flatMap { part in part.running(at: now).compactMap { part.transactions[$0].expirationDate } }
    dates += all.flatMap { $0.transactions.reversed().prefix { now < $0.purchaseDate }.filter { $0.isAhead(at: now) } }.map(\.purchaseDate)
    dates += [owned.until, owned.changesAt, pending?.lapses].compactMap { $0 }
    if !hasGoneOn, let renewal { dates += [renewal.retryUntil, renewal.graceUntil].compactMap { $0 } }
    if let end = doubtfulEnd { dates += [end, end + Self.settling] }
    return dates.filter { $0 > now }.min()
  }

  var status: ProductStatus {
    var status = ProductStatus(product: product.id)
    status.state = state
    status.accessUntil = owned.isActive ? owned.until : nil
    // A pass has no expiration date in the store. The kind determines when the last purchase ends or ended.
    status.expires = latest == nil ? renewal?.expires : latest?.expirationDate ?? owned.until
    status.willRenew = kind.renews ? renewal.map { $0.willRenew && !hasGoneOn } : nil
    if !hasGoneOn, let renewal {
      (status.renewsInto, status.commitment) = (renewal.renewsInto, renewal.commitment)
      status.graceUntil = renewal.state == .inGracePeriod ? renewal.graceUntil : nil
      status.retryUntil = isRetrying || renewal.state == .inGracePeriod ? renewal.retryUntil : nil
    }
    status.revokedAt = status.state == .revoked ? latest?.revocation?.date : nil
    status.isPending = isWaiting
    status.hasUsedIntroductoryOffer = all.contains { $0.hasIntroduction && $0.transactions[0].ownership == .purchased }
    status.ownership = owned.isActive ? (running ?? valid.last)?.ownership : nil
    status.hasBeenSold = kind.storeType == .nonConsumable && valid.parts.contains { $0.transactions[0].ownership == .purchased }
    status.preventsPurchase = owned.isActive && (owned.preventsPurchase || status.hasBeenSold)
    status.isInDoubt = status.state == .unknown && isInDoubt
    status.quantity = kind.sellsCredits ? valid.parts.reduce(0) { min($0 + $1.quantity, Use.unknownAmount) } : 0
    status.since = owned.since
    status.changesAt = changesAt
    return status
  }
}

extension CustomerState {
  /// The renewal status of an ended subscription without recorded transactions. Prefers the latest revision, then the later chain.
  fileprivate func endedSubscription(of product: ProductID) -> RenewalInfo? {
    renewals.values.filter {
      $0.productID == product && [.expired, .revoked, .inBillingRetry].contains($0.state) && !purchases.contains(chain: $0.originalID)
    }.max { $0.revision == $1.revision ? $0.originalID.isEarlier(than: $1.originalID) : $0.revision < $1.revision }
  }
}

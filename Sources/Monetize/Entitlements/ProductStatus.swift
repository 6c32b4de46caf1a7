// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Where a customer stands with a product. Closed: a switch over it handles every state there is.
public enum ProductState: String, Sendable, Hashable, CaseIterable {
  /// The store has not answered, and nothing is recorded.
  case unknown
  /// Never bought; also a consumable that was, because it is used up and not owned.
  case never
  /// A purchase waits for somebody else.
  case pending
  /// In a free trial.
  case trial
  /// Paid, or owned; with `willRenew` for subscriptions.
  case active
  /// A renewal failed, the period is over, and access is kept for a while.
  case grace
  /// A renewal failed, and the store still tries; no access.
  case billingRetry
  /// Ended.
  case expired
  /// Taken back by the store.
  case revoked

  /// Whether this state gives access: in a trial, while active (renewing or not), and in grace.
  public var givesAccess: Bool { self == .trial || self == .active || self == .grace }
}

/// Where a customer stands with a product, with all that is known about it.
public struct ProductStatus: Sendable, Hashable {
  /// The product.
  public let product: ProductID
  /// Where the customer stands.
  public let state: ProductState
  /// Until when access lasts by itself; `nil` when it does not end, or there is none.
  public let accessUntil: Date?
  /// When the current or last period ends or ended.
  public let expires: Date?
  /// Whether it renews by itself; `nil` for what does not renew, or when the store has not said.
  public let willRenew: Bool?
  /// What it renews into.
  public let renewsInto: ProductID?
  /// The commitment to several payments that it is in; `nil` without one.
  public let commitment: RenewalInfo.Commitment?
  /// Until when access is kept after a failed renewal.
  public let graceUntil: Date?
  /// Until when the store tries to renew.
  public let retryUntil: Date?
  /// When the store took it back; `nil` unless ``state`` is `revoked`.
  public let revokedAt: Date?
  /// Whether a purchase waits for somebody else, also beside a state that gives access.
  public let isPending: Bool
  /// Who owns it.
  public let ownership: StoreTransaction.Ownership?
  /// How many were bought and not taken back, of consumables; 0 for anything else.
  let quantity: Int
  /// The purchases that limits anchored to a purchase count from.
  let since: [Date]
  /// When this status can change by itself.
  let changesAt: Date?
  /// What who owns it is told.
  let reason: Reason

  /// Whether it gives access.
  public var isOwned: Bool { state.givesAccess }
}

extension ProductStatus {
  /// What facts say about one product at `now`. O(n) in the product's transactions.
  init(
    of product: CatalogProduct, state facts: CustomerState, situation: Situation, catalog: Catalog, at now: Date
  ) {
    let bought = facts.purchases[product.id]
    let concerned = bought.keeping { situation.concerns($0, of: bought, in: catalog) }
    let valid = concerned.keeping { situation.honours($0, of: concerned, isFamilyShareable: product.isFamilyShareable) }
    var renewals: [TransactionID: RenewalInfo] = [:]
    var last: TransactionID?
    // By place, here and below: a loop over transactions copies each with all its texts, and after ten years there are many.
    for place in concerned.indices where concerned[place].originalID != last {
      let chain = concerned[place].originalID
      renewals[chain] = facts.renewals[chain]
      last = chain
    }
    let history = ProductHistory(product: product.id, sorted: valid, renewals: renewals)
    let owned = product.kind.ownership(from: history, at: now)
    let latest = concerned.last { !$0.isAhead(at: now) } ?? concerned.last
    // A fresh install is told where a subscription that has ended stands, and none of its transactions.
    let ended = latest == nil ? facts.endedSubscription(of: product.id) : nil
    let renewal = latest.flatMap { renewals[$0.originalID] } ?? ended
    let waiting = facts.pending[product.id].flatMap { $0.isWaiting(at: now) ? $0 : nil }
    let retry = renewal?.state == .inBillingRetry && now < (renewal?.retryUntil ?? .distantFuture)

    let isSubscription = product.subscription != nil
    reason = isSubscription ? .subscribed : .owned
    self.product = product.id
    if owned.isActive {
      let unended = valid.indices.filter { now < (valid[$0].expirationDate ?? .distantFuture) }
      if let current = unended.last(where: { !valid[$0].isAhead(at: now) }) ?? unended.last {
        state = valid[current].offer?.mode == .freeTrial ? .trial : .active
      } else {
        state = isSubscription ? .grace : .active
      }
    } else if waiting != nil {
      state = .pending
    } else if let latest {
      let isUsedUp = product.storeType == .consumable && latest.revocation == nil
      state = isUsedUp ? .never : latest.revocation != nil ? .revoked : retry ? .billingRetry : .expired
    } else if let ended {
      state = ended.state == .revoked ? .revoked : retry ? .billingRetry : .expired
    } else {
      state = situation.store == .answered ? .never : .unknown
    }
    revokedAt = state == .revoked ? latest?.revocation?.date : nil
    accessUntil = owned.isActive ? owned.until : nil
    // A pass has no end of its own: the kind says when the last purchase is over, also when it is.
    let pass = product.storeType == .nonRenewing ? product.kind.ownership(from: history, at: .distantPast).until : nil
    expires = pass ?? (latest == nil ? ended?.expires : latest?.expirationDate)
    willRenew = isSubscription ? renewal?.willRenew : nil
    renewsInto = renewal?.renewsInto
    commitment = renewal?.commitment
    graceUntil = renewal?.state == .inGracePeriod ? renewal?.graceUntil : nil
    retryUntil = retry || renewal?.state == .inGracePeriod ? renewal?.retryUntil : nil
    isPending = waiting != nil
    ownership = owned.isActive ? history.transactions.last?.ownership : nil
    since = owned.since
    quantity = product.storeType == .consumable ? valid.reduce(0) { $0 + max(0, min($1.quantity, 1_000_000)) } : 0
    // Every period's end, not only the last one's: of two that overlap, the end of one turns a trial into a paid period.
    var next: Date?
    for place in valid.indices {
      if let end = valid[place].expirationDate, end > now { next = earlier(next, end) }
    }
    if let last = concerned.last?.purchaseDate, now < last {
      for place in concerned.indices where concerned[place].isAhead(at: now) { next = earlier(next, concerned[place].purchaseDate) }
    }
    let boundaries = [owned.until, owned.changesAt, latest?.expirationDate, waiting?.lapses, renewal?.retryUntil, renewal?.graceUntil]
    for case let boundary? in boundaries where boundary > now { next = earlier(next, boundary) }
    changesAt = next
  }
}

extension CustomerState {
  /// What the store says about an ended subscription of which no transaction is recorded; of several the latest word, then the later chain.
  fileprivate func endedSubscription(of product: ProductID) -> RenewalInfo? {
    let candidates = renewals.values.filter { $0.productID == product && [.expired, .revoked, .inBillingRetry].contains($0.state) }
    if candidates.isEmpty { return nil }
    let known = Set(transactions.values.map(\.originalID))
    return candidates.filter { !known.contains($0.originalID) }.max { ($0.revision, $0.originalID) < ($1.revision, $1.originalID) }
  }
}

extension Array {
  /// Those at the places that are kept; the array itself when all are, as nearly always here: nothing is copied then.
  fileprivate func keeping(_ isKept: (Int) -> Bool) -> [Element] {
    indices.allSatisfy(isKept) ? self : indices.filter(isKept).map { self[$0] }
  }
}

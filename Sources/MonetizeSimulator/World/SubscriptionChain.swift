// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// All that one customer has ever subscribed to in one group: one original transaction, through lapses and changes of plan.
struct SubscriptionChain: Sendable {
  /// Where it stands. What belongs to one standing is there in no other.
  enum Standing: Sendable, Hashable {
    case active
    /// Active, and for a moment at a renewal the store says that it is expired.
    case flickering
    /// A renewal failed, and access is kept; the store tries again until `retry`.
    case grace(until: Date, retry: Date)
    case retry(until: Date)
    case expired(RenewalInfo.ExpirationReason, at: Date)
    case revoked(at: Date)
  }

  struct PriceRise: Sendable {
    let price: AgreedPrice
    let needsConsent: Bool
    var isAgreed: Bool
  }

  struct Commitment: Sendable {
    /// How many payments it is, and how many of them are still to come.
    let payments: Int
    var left: Int
    /// When the last period that it pays for ends, if all is paid in time.
    var ends: Date
    /// Whether another one begins after it.
    var renews = true
  }

  struct Sharing: Sendable, Hashable {
    let customer: Int
    let originalID: TransactionID
  }

  var originalID: TransactionID
  let group: String
  let environment: StoreEnvironment
  /// The index of the product that the current period is of, among the world's.
  var product: Int
  var renewsInto: Int
  var autoRenew = true
  private(set) var standing = Standing.active
  /// Where months are counted from, and how many have been.
  var anchor: Date
  var anchorMonths = 0
  var start: Date
  var expires: Date
  /// The index of the current period's transaction among the customer's purchases.
  var latest = 0
  /// The index of the period before it, which may still run when the current one was paid early.
  var previous: Int?
  /// The offer that runs on, and for how many more periods.
  var offer: (offer: SubscriptionOffer, left: Int)?
  /// The offer that the next renewal uses.
  var nextOffer: SubscriptionOffer?
  /// The code's offer that begins when the introductory one is over.
  var stackedOffer: SubscriptionOffer?
  /// What a period costs this customer, offers aside.
  var price: AgreedPrice
  var priceRise: PriceRise?
  var lastRise: Date?
  var commitment: Commitment?
  var isForgotten = false
  var revision: Revision
  /// Counted up whenever something else is planned; older plans are void.
  var generation = 0
  /// For a family's copy: whose it is.
  var sharedBy: Sharing?

  // MARK: Where it stands

  /// A period runs that is paid for.
  var isActive: Bool { standing == .active || isFlickering }
  var isFlickering: Bool { standing == .flickering }
  var isInGrace: Bool { if case .grace = standing { true } else { false } }
  var isInRetry: Bool { if case .retry = standing { true } else { false } }
  var isExpired: Bool { if case .expired = standing { true } else { false } }
  var isRevoked: Bool { if case .revoked = standing { true } else { false } }
  /// Whether it has ended, whatever ended it.
  var isOver: Bool { isExpired || isRevoked }
  /// Whether the customer has access.
  var isEntitled: Bool { isActive || isInGrace }

  var graceUntil: Date? { if case .grace(let end, _) = standing { end } else { nil } }
  var retryUntil: Date? {
    switch standing {
    case .grace(_, let end), .retry(let end): end
    case .active, .flickering, .expired, .revoked: nil
    }
  }
  var reason: RenewalInfo.ExpirationReason? { if case .expired(let reason, _) = standing { reason } else { nil } }
  var endedAt: Date? {
    switch standing {
    case .expired(_, let date), .revoked(let date): date
    case .active, .flickering, .grace, .retry: nil
    }
  }

  /// A period is paid for.
  mutating func isPaid() { standing = .active }

  /// For a moment the store says that it is expired.
  mutating func flickers() { standing = .flickering }

  /// A renewal failed; with a grace period access is kept until it ends.
  mutating func fails(graceUntil: Date?, retryUntil: Date) {
    standing = graceUntil.map { .grace(until: $0, retry: retryUntil) } ?? .retry(until: retryUntil)
  }

  /// The grace period is over, and the store goes on trying.
  mutating func graceEnds() { if case .grace(_, let end) = standing { standing = .retry(until: end) } }

  /// It ends, and nothing of it runs on.
  mutating func ends(_ reason: RenewalInfo.ExpirationReason, at date: Date) {
    standing = .expired(reason, at: date)
    (autoRenew, priceRise, offer, nextOffer, stackedOffer) = (false, nil, nil, nil, nil)
  }

  /// What was paid is given back, or no longer shared.
  mutating func isTakenBack(at date: Date) {
    standing = .revoked(at: date)
    autoRenew = false
    commitment?.renews = false
  }

  /// It is had again. Auto-renew stays off: only the customer turns it on. A period that is over meanwhile stays over.
  mutating func isGivenAgain(at date: Date) {
    standing = expires <= date ? .expired(.autoRenewDisabled, at: endedAt ?? date) : .active
  }

  // MARK: Periods

  /// Begins to count anew: at a purchase, an upgrade, a recovery after grace.
  mutating func begin(_ period: Period, at date: Date, _ policy: MonthEndPolicy) {
    anchor = date
    anchorMonths = 0
    expires = date
    proceed(by: period, policy)
  }

  /// The next period follows without a gap. Months are counted from the anchor, so that the 31st stays the 31st; anything with days in it
  /// becomes the new anchor where it ends.
  mutating func proceed(by period: Period, _ policy: MonthEndPolicy) {
    start = expires
    if policy == .keepsAnchor, period.days == 0, period.seconds == 0 {
      anchorMonths += period.months + period.years * 12
      expires = Period(months: anchorMonths).added(to: anchor, in: Instant.utc)
    } else {
      expires = period.added(to: start, in: Instant.utc)
      anchor = expires
      anchorMonths = 0
    }
  }

  /// The period ends at another time than planned, and later ones count from there.
  mutating func end(at date: Date) {
    expires = date
    anchor = date
    anchorMonths = 0
  }

  var status: ServerNotification.Status {
    switch standing {
    case .active, .flickering: .active
    case .grace: .billingGracePeriod
    case .retry: .billingRetry
    case .expired: .expired
    case .revoked: .revoked
    }
  }

  var state: RenewalInfo.State {
    switch standing {
    case .active: .subscribed
    case .grace: .inGracePeriod
    case .retry: .inBillingRetry
    case .expired, .flickering: .expired
    case .revoked: .revoked
    }
  }

  var intent: ServerNotification.ExpirationIntent? {
    guard let reason else { return nil }
    return switch reason {
    case .autoRenewDisabled: .cancelled
    case .billingError: .billing
    case .didNotConsentToPriceIncrease: .noConsent
    case .productUnavailable: .unavailable
    default: .other
    }
  }

  /// Whether payments of a commitment are still to come.
  var isCommitted: Bool { commitment.map { $0.left > 0 } ?? false }

  /// Whether there is another period after this one, if nothing is in its way.
  var isToRenew: Bool { isCommitted || autoRenew && commitment?.renews ?? true }

  /// Whether it renews by itself, as the store says it.
  var willRenew: Bool { isToRenew && !isOver }

  /// What the next period is of. A commitment is kept: what is chosen begins after it.
  var nextProduct: Int { isCommitted ? product : renewsInto }

  /// The commitment that begins with the current period, or that it is another payment of.
  mutating func commit(to payments: Int?, _ period: Period, _ policy: MonthEndPolicy) {
    guard let payments, payments > 0 else { return commitment = nil }
    commitment = Commitment(payments: payments, left: payments - 1, ends: expires)
    foreseeCommitment(period, policy)
  }

  /// When the last payment's period will end, counted from the current one.
  mutating func foreseeCommitment(_ period: Period, _ policy: MonthEndPolicy) {
    guard let left = commitment?.left else { return }
    var future = self
    for _ in 0..<left { future.proceed(by: period, policy) }
    commitment?.ends = future.expires
  }

  func info(_ products: [SimulatedProduct]) -> RenewalInfo {
    var info = RenewalInfo(
      originalID: originalID, productID: products[product].id, state: state, willRenew: willRenew,
      renewsInto: willRenew ? products[renewsInto].id : nil, expires: expires, graceUntil: graceUntil, retryUntil: retryUntil,
      expirationReason: reason, priceIncreaseAgreed: isOver ? nil : priceRise?.isAgreed, signed: revision.date)
    info.commitment = commitment.flatMap {
      isOver
        ? nil : .init(payment: $0.payments - $0.left, payments: $0.payments, ends: $0.ends, willRenew: $0.renews)
    }
    info.revision = revision
    return info
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// A customer's subscriptions in one group: one original transaction, through lapses and changes of plan.
struct SubscriptionChain: Sendable {
  /// The state of a chain, with data that only this state has.
  enum Standing: Sendable, Hashable {
    case active
    /// Active, but briefly reported as expired at a renewal.
    case flickering
    /// A renewal failed and access continues; the store retries until `retry`.
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
    /// The number of payments, and of those still to come.
    let payments: Int
    var left: Int
    /// Whether a payment has been made. Before the first one the customer is bound to nothing.
    var hasBegun: Bool { left < payments }
    /// The end of the last paid period, if all payments are on time.
    var ends: Date
    /// Whether another commitment follows.
    var renews = true
  }

  var originalID: TransactionID
  let group: String
  let environment: StoreEnvironment
  /// The current period's product.
  var product: Row<SimulatedProduct>
  var renewsInto: Row<SimulatedProduct>
  var autoRenew = true
  private(set) var standing = Standing.active
  /// The start for counting months, and the number of months since.
  var anchor: Date
  var anchorMonths = 0
  var start: Date
  var expires: Date
  /// The current period's transaction.
  var latest: Row<Purchase>
  /// The period before, which may still run when the current one was paid early.
  var previous: Row<Purchase>?
  /// The running offer, with the number of further periods.
  var offer: (offer: AgreedOffer, left: Int)?
  /// The offer of the next renewal.
  var nextOffer: AgreedOffer?
  /// The code's offer that follows the introductory one.
  var stackedOffer: AgreedOffer?
  /// The price of a period for this customer, without offers.
  var price: AgreedPrice
  var priceRise: PriceRise?
  var commitment: Commitment?
  var isForgotten = false
  var revision: Revision
  /// Increases with every new plan; events of older generations are void.
  var generation = 0
  /// Whether it is a family member's copy.
  var isShared = false

  // MARK: State

  /// Whether a paid period is running.
  var isActive: Bool { standing == .active || isFlickering }
  var isFlickering: Bool { standing == .flickering }
  var isInGrace: Bool { if case .grace = standing { true } else { false } }
  var isInRetry: Bool { if case .retry = standing { true } else { false } }
  var isExpired: Bool { if case .expired = standing { true } else { false } }
  var isRevoked: Bool { if case .revoked = standing { true } else { false } }
  /// Whether it has ended, for any reason.
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

  /// Records a payment.
  mutating func isPaid() { standing = .active }

  /// Reports the chain as expired for a moment.
  mutating func flickers() { standing = .flickering }

  /// Records a failed renewal; with a grace period access continues until its end.
  mutating func fails(graceUntil: Date?, retryUntil: Date) {
    standing = graceUntil.map { .grace(until: $0, retry: retryUntil) } ?? .retry(until: retryUntil)
  }

  /// Ends the grace period; the store continues to retry.
  mutating func graceEnds() { if case .grace(_, let end) = standing { standing = .retry(until: end) } }

  /// Ends the chain with its offers.
  mutating func ends(_ reason: RenewalInfo.ExpirationReason, at date: Date) {
    standing = .expired(reason, at: date)
    (autoRenew, priceRise, offer, nextOffer, stackedOffer) = (false, nil, nil, nil, nil)
  }

  /// Revokes the chain: refunded, or no longer shared. A commitment ends at once, so its payments begin anew if the customer turns renewal
  /// on again. Source: Apple, "Supporting monthly subscriptions with a 12-month commitment": "the commitment ends immediately".
  mutating func isTakenBack(at date: Date) {
    standing = .revoked(at: date)
    autoRenew = false
    if let payments = commitment?.payments { commitment?.left = payments }
    commitment?.renews = false
  }

  /// Restores the chain after a revocation. Auto-renew stays off, because only the customer turns it on. A period that has since ended
  /// stays ended.
  mutating func isGivenAgain(at date: Date) {
    standing = expires <= date ? .expired(.autoRenewDisabled, at: endedAt ?? date) : .active
  }

  // MARK: Periods

  /// Starts counting anew: at a purchase, an upgrade, a recovery after grace.
  mutating func begin(_ period: Period, at date: Date, _ settings: StoreSettings) {
    end(at: date)
    proceed(by: period, settings)
  }

  /// Continues with the next period without a gap. Months count from the anchor, so that the 31st stays the 31st; a period with days in it
  /// sets a new anchor at its end.
  mutating func proceed(by period: Period, _ settings: StoreSettings) {
    start = expires
    if settings.monthEnd == .keepsAnchor, period.days == 0, period.seconds == 0 {
      anchorMonths += period.months + period.years * 12
      expires = Period(months: anchorMonths).added(to: anchor, in: settings.months.calendar)
    } else {
      end(at: period.added(to: start, in: settings.months.calendar))
    }
  }

  /// Moves the end of the period; later periods count from it.
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

  /// Whether payments of a commitment remain.
  var isCommitted: Bool { commitment.map { $0.hasBegun && $0.left > 0 } ?? false }

  /// Whether another period follows, without any obstacle.
  var isToRenew: Bool { isCommitted || autoRenew && commitment?.renews ?? true }

  /// Whether it renews by itself, as the store reports it.
  var willRenew: Bool { isToRenew && !isOver }

  /// The product of the next period. During a commitment another choice waits until its end.
  var nextProduct: Row<SimulatedProduct> { isCommitted ? product : renewsInto }

  /// Begins a commitment with the current period. A period that is no payment of it, such as a free trial, comes before it.
  mutating func commit(to payments: Int?, _ period: Period, isPayment: Bool, _ settings: StoreSettings) {
    guard let payments, payments > 0 else { return commitment = nil }
    commitment = Commitment(payments: payments, left: payments - (isPayment ? 1 : 0), ends: expires)
    foreseeCommitment(period, settings)
  }

  /// Calculates the end of the last payment's period from the current one.
  mutating func foreseeCommitment(_ period: Period, _ settings: StoreSettings) {
    guard let left = commitment?.left else { return }
    var future = self
    for _ in 0..<left { future.proceed(by: period, settings) }
    commitment?.ends = future.expires
  }

  func info(_ products: [SimulatedProduct]) -> RenewalInfo {
    var info = RenewalInfo(
      originalID: originalID, productID: products[product].id, state: state, willRenew: willRenew,
      renewsInto: willRenew ? products[renewsInto].id : nil, expires: expires, graceUntil: graceUntil, retryUntil: retryUntil,
      expirationReason: reason, priceIncreaseAgreed: isOver ? nil : priceRise?.isAgreed, signed: revision.date)
    info.commitment = commitment.flatMap {
      isOver || !$0.hasBegun
        ? nil : .init(payment: $0.payments - $0.left, payments: $0.payments, ends: $0.ends, willRenew: $0.renews)
    }
    info.revision = revision
    return info
  }
}

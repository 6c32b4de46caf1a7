// SPDX-License-Identifier: Apache-2.0

/// A special price for a subscription. Source: StoreKit `Product.SubscriptionOffer`.
public struct SubscriptionOffer: Sendable, Hashable, Codable {
  /// Who may use an offer.
  public enum OfferType: String, Sendable, Hashable, Codable, CaseIterable {
    /// Once for each customer and group, ever.
    case introductory
    /// For current and former subscribers, signed by the developer.
    case promotional
    /// For customers who left.
    case winBack
    /// For whoever has a code.
    case code
  }

  /// How an offer is paid.
  public enum Mode: String, Sendable, Hashable, Codable, CaseIterable {
    /// Nothing, for the whole length.
    case freeTrial
    /// The lower price, each period.
    case payAsYouGo
    /// The lower price once, for the whole length.
    case payUpFront
  }

  /// Who may use it.
  public var type: OfferType
  /// How it is paid.
  public var mode: Mode
  /// Its length; for pay as you go the length of one period.
  public var period: Period
  /// The store's id; introductory offers have none.
  public var id: String?
  /// How many periods, for pay as you go; 1 otherwise.
  public var periods: Int?
  /// What it costs; nothing for a free trial.
  public var price: Money?
  /// Whether it runs; `true` when absent.
  public var enabled: Bool?

  /// Makes an offer.
  public init(
    type: OfferType, mode: Mode, period: Period, id: String? = nil, periods: Int? = nil, price: Money? = nil, enabled: Bool? = nil
  ) {
    self.type = type
    self.mode = mode
    self.period = period
    self.id = id
    self.periods = periods
    self.price = price
    self.enabled = enabled
  }

  /// Whether it runs at all.
  public var isEnabled: Bool { enabled ?? true }
}

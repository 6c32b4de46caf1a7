// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A special price for a subscription. Source: StoreKit `Product.SubscriptionOffer`.
public struct SubscriptionOffer: Sendable, Hashable, Codable {
  /// The type of an offer, which decides who may use it.
  public enum OfferType: String, Sendable, Hashable, Codable, CaseIterable {
    /// For new customers, once per customer and subscription group.
    case introductory
    /// For current and former subscribers, signed by the developer.
    case promotional
    /// For lapsed subscribers.
    case winBack
    /// For holders of a code.
    case code
  }

  /// The payment mode of an offer.
  public enum Mode: String, Sendable, Hashable, Codable, CaseIterable {
    /// Free for the whole length.
    case freeTrial
    /// A lower price for each period.
    case payAsYouGo
    /// A lower price once, for the whole length.
    case payUpFront
  }

  /// The type, which decides who may use it.
  public var type: OfferType
  /// The payment mode.
  public var mode: Mode
  /// The length; for pay as you go, the length of one period.
  public var period: Period
  /// The store's id; `nil` for introductory offers.
  public var id: String?
  /// The number of periods for pay as you go; 1 otherwise.
  public var periods: Int?
  /// The price; `nil` for a free trial.
  public var price: Money?
  /// Whether the offer is active; `true` when absent.
  public var enabled: Bool?
  /// When the offer begins, such as at the launch of an app; `nil` for one without a beginning.
  public var from: OfferDate?
  /// When the offer ends, half-open; `nil` for one without an end.
  public var until: OfferDate?

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

  /// Whether the offer is active.
  public var isEnabled: Bool { enabled ?? true }
  /// Whether the offer runs at an instant.
  public func isRunning(at date: Date) -> Bool {
    isEnabled && (from.map { $0.date <= date } ?? true) && (until.map { date < $0.date } ?? true)
  }
}

/// The beginning or the end of an offer: ISO 8601 with an offset, such as `2026-03-01T00:00:00Z`.
public struct OfferDate: Sendable, Hashable, Codable {
  /// The instant.
  public let date: Date

  /// Makes one from an instant.
  public init(_ date: Date) { self.date = date }

  /// Reads ISO 8601. A date alone is midnight in UTC.
  public init(from decoder: any Decoder) throws {
    let text = try String(from: decoder)
    guard let date = ISODate.parse(text, in: Calendar.storeCalendar.timeZone) else {
      throw decoder.mistake("\"\(text)\" is not an instant. Write ISO 8601, such as 2026-03-01T00:00:00Z.")
    }
    self.date = date
  }

  /// Writes ISO 8601.
  public func encode(to encoder: any Encoder) throws { try ISODate.text(date).encode(to: encoder) }
}

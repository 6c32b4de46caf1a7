// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

/// The named assumptions of a revenue forecast in a catalog: `"forecast": { "asPlanned": { "conversion": ["0.03", "0.05"] } }`.
///
/// Amounts and shares are decimal strings. A missing value has a default, or is left out of the forecast.
public struct ForecastAssumptions: Sendable, Hashable {
  /// A share, or a range of it, within 0...1.
  public struct Share: Sendable, Hashable {
    /// The lower bound.
    public var low: Decimal
    /// The upper bound; equal to the lower one without a range.
    public var high: Decimal
    /// Makes a share.
    public init(_ low: Decimal, _ high: Decimal? = nil) { (self.low, self.high) = (low, high ?? low) }
  }

  /// A number for customers who have not paid, and one for customers who have.
  public struct ByCustomer: Sendable, Hashable {
    /// For customers who have not paid.
    public var free: Decimal?
    /// For customers who have.
    public var paid: Decimal?
    /// Makes a pair of numbers.
    public init(free: Decimal? = nil, paid: Decimal? = nil) { (self.free, self.paid) = (free, paid) }
  }

  /// The store's commission on a price.
  public enum Commission: Sendable, Hashable {
    /// 30 %, and 15 % for a subscription after it was paid for a year.
    case standard
    /// A fixed share, such as 0.15 for small businesses.
    case share(Decimal)
  }

  /// The retention of a product's subscribers, or of the buyers of what is sold again, such as a pass.
  public enum Retention: Sendable, Hashable {
    /// The parameters of a shifted beta-geometric curve.
    case shapes(alpha: Double, beta: Double)
    /// The shares of customers left after 1, 2, … renewals or later purchases, to which a curve is fitted.
    case survivors([Double])
  }

  /// The cost of one use by feature, in the currency of the prices.
  public var costPerUse: [FeatureID: ByCustomer] = [:]
  /// The cost of one use of each counted feature that ``costPerUse`` does not list.
  public var costOfOtherUses: ByCustomer?
  /// Uses per customer and month, by feature; for a lifetime limit, all uses ever. Without an entry, customers who have not paid use their
  /// whole limit.
  public var uses: [FeatureID: ByCustomer] = [:]
  /// The share of downloads that become paying customers.
  public var conversion: Share?
  /// The store's commission.
  public var commission: Commission?
  /// The share of payments that are refunded.
  public var refunds: Decimal?
  /// The downloads of each month, from the first.
  public var downloads: [Int]?
  /// The shares of products among paying customers; equal shares when empty.
  public var mix: [ProductID: Decimal] = [:]
  /// The retention of subscribers and of buyers by product. Without an entry, the usual curve for the period of a subscription, and one
  /// purchase by each buyer of anything else.
  public var retention: [ProductID: Retention] = [:]
  /// Prices that replace those of the catalog.
  public var price: [ProductID: Decimal] = [:]
  /// Free limits that replace those of the catalog.
  public var limit: [FeatureID: Int] = [:]

  /// Makes empty assumptions.
  public init() {}

  /// The cost of one use of a feature.
  public func cost(of feature: FeatureID) -> ByCustomer? { costPerUse[feature] ?? costOfOtherUses }
}

// MARK: - Reading

extension ForecastAssumptions.Share: Decodable {
  /// A share without a range.
  struct One: Decodable {
    let value: Decimal
    init(from decoder: any Decoder) throws { value = try decoder.decimal(in: 0...1, "a share from 0 to 1, such as \"0.04\"") }
  }

  /// Reads `"0.04"`, or `["0.03", "0.05"]` for a range.
  public init(from decoder: any Decoder) throws {
    guard (try? decoder.unkeyedContainer()) != nil else {
      self.init(try One(from: decoder).value)
      return
    }
    let ends = try [One](from: decoder).map(\.value)
    guard ends.count == 2, ends[0] <= ends[1] else {
      throw decoder.mistake("A range needs two shares, the smaller one first, such as [\"0.03\", \"0.05\"].")
    }
    self.init(ends[0], ends[1])
  }
}

extension ForecastAssumptions.ByCustomer: Decodable {
  private enum CodingKeys: String, CodingKey { case free, paid }

  /// Reads `"0.012"` for all, or `{ "free": "0", "paid": "0.012" }`.
  public init(from decoder: any Decoder) throws {
    guard let container = try? decoder.container(keyedBy: CodingKeys.self) else {
      let all = try DecimalText(from: decoder).value
      self.init(free: all, paid: all)
      return
    }
    self.init(
      free: try container.decodeIfPresent(DecimalText.self, forKey: .free)?.value,
      paid: try container.decodeIfPresent(DecimalText.self, forKey: .paid)?.value)
  }
}

extension ForecastAssumptions.Commission: Decodable {
  /// Reads `"standard"`, or a share such as `"0.15"`.
  public init(from decoder: any Decoder) throws {
    if (try? String(from: decoder)) == "standard" {
      self = .standard
    } else {
      self = .share(try decoder.decimal(in: 0...1, "\"standard\", or a share from 0 to 1 such as \"0.15\""))
    }
  }
}

extension ForecastAssumptions.Retention: Decodable {
  private enum CodingKeys: String, CodingKey { case alpha, beta }

  /// Reads `{ "alpha": 0.8, "beta": 0.9 }`, or shares of subscribers left, such as `[0.53, 0.38, 0.29]`.
  public init(from decoder: any Decoder) throws {
    guard let container = try? decoder.container(keyedBy: CodingKeys.self) else {
      let survivors = try [Double](from: decoder)
      let isFalling = zip([1] + survivors, survivors).allSatisfy { $0 > $1 && $1 > 0 }
      guard survivors.count >= 2, isFalling else {
        throw decoder.mistake("Write at least two shares of the first subscribers, each smaller than the one before and above 0.")
      }
      self = .survivors(survivors)
      return
    }
    let (alpha, beta) = (try container.decode(Double.self, forKey: .alpha), try container.decode(Double.self, forKey: .beta))
    guard alpha > 0, beta > 0 else { throw decoder.mistake("Both shapes of a curve must be above 0.") }
    self = .shapes(alpha: alpha, beta: beta)
  }
}

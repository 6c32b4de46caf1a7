// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeTools

/// The basis of a forecast: the catalog's products and limits, with the assumptions about them.
struct ForecastPlan: Sendable {
  /// A product on sale.
  struct Product: Sendable {
    /// Paid introductory payments: their price, number and length.
    struct Offer: Sendable {
      let price: Decimal
      let payments: Int
      let period: Period
    }

    let id: ProductID
    let name: String
    let price: Decimal
    /// Whether it renews by itself.
    let isSubscription: Bool
    /// The interval of payments: of renewals, or of later purchases by the same customer; `nil` when it is paid once.
    let period: Period?
    /// How long one payment gives access; `nil` for ever, and for credits, which give none.
    let length: Period?
    /// The uses that one payment adds, by feature; `nil` for a product that does not sell credits.
    let credits: [FeatureID: Int]?
    /// What each customer pays first; `nil` without a paid introductory offer.
    let offer: Offer?
    /// The free time before the first payment; zero without a trial.
    let trial: Period
    let curve: RetentionCurve
    /// Whether the curve is only a first guess.
    let isGuess: Bool
    /// Its share among paying customers, in proportion to the other weights.
    let weight: Decimal
    /// Its share among paying customers, for chances.
    let share: Double

    /// The month of each payment within a number of months, counted from the month of the download.
    /// - Parameters:
    ///   - count: The number of months.
    ///   - start: The date of the download, for months of the calendar; `nil` for months of equal length.
    func months(of count: Int, from start: Date? = nil) -> [Int] {
      var found: [Int] = []
      for payment in 0... {
        let month =
          start.map { self.month(of: payment, from: $0) } ?? Int((trial.months(times: 1) + months(before: payment) + 1e-9).rounded(.down))
        if month >= count { break }
        found.append(month)
        if period == nil { break }
      }
      return found
    }

    /// The month of the calendar in which a payment is made. Each month begins as many months after the download as its number.
    private func month(of payment: Int, from start: Date) -> Int {
      let date = date(of: payment, from: start)
      var month = max(0, Calendar.storeCalendar.dateComponents([.month], from: start, to: date).month ?? 0)
      while Period(months: month + 1).added(to: start, in: .storeCalendar) <= date { month += 1 }
      return month
    }

    /// The months that a payment pays for; one for access for ever.
    var monthsPaid: Decimal { length?.exactMonths ?? 1 }

    /// The price of a payment, the first one at 0.
    func price(of payment: Int) -> Decimal { offer.flatMap { payment < $0.payments ? $0.price : nil } ?? price }

    /// The number of introductory payments and of others before a payment.
    private func split(_ payment: Int) -> (first: Int, others: Int) {
      let first = min(payment, offer?.payments ?? 0)
      return (first, payment - first)
    }

    /// The length of paid service before a payment, in months.
    func months(before payment: Int) -> Double {
      let (first, others) = split(payment)
      return (offer?.period.months(times: first) ?? 0) + (period?.months(times: others) ?? 0)
    }

    /// The date of a payment by a customer who buys at `date`.
    func date(of payment: Int, from date: Date) -> Date {
      let (first, others) = split(payment)
      let paid = trial.added(to: date, in: .storeCalendar)
      guard let period else { return paid }
      // A later purchase follows the end of the one before, which has no day of the month of its own.
      if !isSubscription, period.wholeMonths != nil {
        return (0..<payment).reduce(paid) { date, _ in period.added(to: date, in: .storeCalendar) }
      }
      let begin = offer?.period ?? Period()
      // The store keeps the day of the first payment: from January 31 on, the payment in March is on the 31st.
      if let beginMonths = begin.wholeMonths, let months = period.wholeMonths {
        return Period(months: beginMonths * first + months * others).added(to: paid, in: .storeCalendar)
      }
      return period.added(to: begin.added(to: paid, times: first, in: .storeCalendar), times: others, in: .storeCalendar)
    }
  }

  /// A feature whose uses cost money.
  struct Feature: Sendable {
    let id: FeatureID
    let title: String
    let unit: (one: String, other: String)
    /// The number of free uses.
    let limit: Int
    /// The time span in which the limit counts uses; `nil` when it counts something else, such as items.
    let measure: Measure?
    let cost: ForecastAssumptions.ByCustomer
    let uses: ForecastAssumptions.ByCustomer

    /// The uses that a customer who has not paid wants, per month or in all: as assumed, or all that the limit allows.
    var wantedUses: Decimal { uses.free ?? mostUses }
    /// Those of them that the limit allows.
    var freeUses: Decimal { measure == nil ? wantedUses : min(wantedUses, mostUses) }
    var freeCost: Decimal { freeUses * (cost.free ?? 0) }
    /// Whether the limit allows uses again after a time.
    var isPeriodic: Bool { measure.map { $0 != .lifetime } ?? false }
    /// The uses of a payment: all credits that it adds; otherwise as assumed, of a limit that resets those of each month that it pays for. `nil`
    /// without credits or an assumption.
    func paidUses(of product: Product) -> Decimal? {
      if let credits = product.credits { return credits[id].map { Decimal($0) } }
      return uses.paid.map { isPeriodic ? $0 * product.monthsPaid : $0 }
    }
    /// The cost of those uses; without an assumption, 0.
    func paidCost(of product: Product) -> Decimal { (paidUses(of: product) ?? 0) * (cost.paid ?? 0) }

    /// All uses that the limit allows, per month or in all.
    private var mostUses: Decimal {
      let month = Decimal(365) / 12
      return switch measure {
      case .calendar(.day): Decimal(limit) * month
      case .calendar(.week): Decimal(limit) * month / 7
      case .calendar(.year): Decimal(limit) / 12
      case .rolling(let seconds): Decimal(limit) * month * 86400 / Decimal(max(1, seconds))
      case .anchored(let period, _): Decimal(limit) / max(period.exactMonths, Decimal(1) / 1000)
      case .calendar(.month), .lifetime, nil: Decimal(limit)
      }
    }
  }

  let name: String
  let assumptions: ForecastAssumptions
  let currency: String
  var decimals: Int { Money.decimals(of: currency) }
  let products: [Product]
  let features: [Feature]
  let conversion: ForecastAssumptions.Share
  let downloads: [Int]

  /// The published share of downloads of a freemium app that pay within 35 days (RevenueCat, State of Subscription Apps 2026).
  static let usualConversion = ForecastAssumptions.Share(Decimal(sign: .plus, exponent: -3, significand: 21))

  init(_ catalog: Catalog, _ name: String, _ assumptions: ForecastAssumptions) throws(ToolProblem) {
    (self.name, self.assumptions) = (name, assumptions)
    conversion = catalog.isMonetized ? assumptions.conversion ?? Self.usualConversion : .init(0)
    downloads = assumptions.downloads ?? [1000]
    let sold = catalog.products.filter {
      $0.isOffered && $0.price != nil && ($0.price?.amount ?? 0) > 0 && $0.assumed(assumptions.mix) != 0
    }
    guard let first = sold.first?.price?.currency else {
      throw Self.mistake(
        "\(catalog.app.name) sells nothing with a price, so that there is no money to forecast. Give a product a \"price\".")
    }
    guard sold.allSatisfy({ $0.price?.currency == first }) else {
      throw Self.mistake("The products have prices in several currencies. A forecast needs one; give all products a price in \(first).")
    }
    currency = first
    let weights = sold.map { assumptions.mix.isEmpty ? 1 : $0.assumed(assumptions.mix) ?? 0 }
    let whole = weights.reduce(0, +)
    guard whole > 0 else { throw ToolProblem("The shares in \"mix\" add up to 0. Give a product on sale a share.") }
    products = zip(sold, weights).map { product, weight in
      let declared = product.assumed(assumptions.retention).flatMap(RetentionCurve.init)
      let period = product.subscription?.period ?? declared.flatMap { _ in product.intervalOfPurchases }
      var curve = declared ?? .usual(periodInDays: Int((period?.months(times: 1) ?? 1) * 30.4))
      // A customer who gets the money back does not renew.
      curve.most = 1 - (assumptions.refunds ?? 0).double
      return Product(
        id: product.id, name: product.name, price: assumptions.price[product.id] ?? product.price?.amount ?? 0,
        isSubscription: product.subscription != nil, period: period, length: product.kind.length,
        credits: type(of: product.kind).sellsCredits ? product.credits : nil,
        offer: product.subscription?.introductoryOffer.flatMap(Product.Offer.init),
        trial: product.subscription?.introductoryOffer.flatMap { $0.mode == .freeTrial && !$0.isDated ? $0.period : nil } ?? Period(),
        curve: curve, isGuess: declared == nil,
        weight: weight, share: (weight / whole).double)
    }
    features = Self.features(catalog, assumptions)
  }

  /// - Throws: `ToolProblem` while monetization is off, so that nothing is sold.
  static func check(_ catalog: Catalog) throws(ToolProblem) {
    if catalog.isMonetized { return }
    throw mistake(
      "\(catalog.app.name) sells nothing while \"monetization\" is \"off\". Turn it on in a copy, to forecast what it will sell.",
      at: "monetization")
  }

  /// The problem of a catalog that allows no forecast.
  private static func mistake(_ message: String, at path: String = "products") -> ToolProblem {
    ToolProblem(Diagnostic(.error, "no-forecast", path: path, position: nil, message: message))
  }

  private static func features(_ catalog: Catalog, _ assumptions: ForecastAssumptions) -> [Feature] {
    let snapshot = Snapshot(of: CustomerState(), catalog: catalog, at: Date(timeIntervalSince1970: 1_772_366_400))
    return catalog.features.compactMap { feature in
      guard feature.part == nil, let cost = assumptions.cost(of: feature.id) else { return nil }
      // A general cost applies to features that are used up, and not, for example, to a number of profiles.
      let shape = type(of: feature.shape)
      guard shape.isMetered && !shape.countsSeconds || assumptions.costPerUse[feature.id] != nil else { return nil }
      let decision = snapshot.decision(for: feature.id)
      guard let limit = assumptions.limit[feature.id] ?? decision.limit ?? assumptions.costPerUse[feature.id].map({ _ in 0 }) else {
        return nil
      }
      return Feature(
        id: feature.id, title: feature.title, unit: (feature.unit?.one ?? "use", feature.unit?.other ?? "uses"), limit: limit,
        measure: shape.isMetered && (decision.limit ?? assumptions.limit[feature.id]) != nil ? decision.measure ?? .lifetime : nil,
        cost: cost, uses: assumptions.uses[feature.id] ?? .init())
    }
  }
}

extension ForecastPlan.Product.Offer {
  /// `nil` for a free trial, and for an offer with dates, which not every customer gets.
  fileprivate init?(_ offer: SubscriptionOffer) {
    guard let price = offer.price, !offer.isDated else { return nil }
    switch offer.mode {
    case .freeTrial: return nil
    case .payAsYouGo: self.init(price: price.amount, payments: max(1, offer.periods ?? 1), period: offer.period)
    case .payUpFront: self.init(price: price.amount, payments: 1, period: offer.period)
    }
  }
}

extension CatalogProduct {
  /// The assumption about this product; without one, that about the product whose place it takes in an arm of an experiment.
  fileprivate func assumed<Value>(_ values: [ProductID: Value]) -> Value? { values[id] ?? variantOf.flatMap { values[$0] } }

  /// When a customer who buys it again does so: at the end of a pass, at the earliest a day after the purchase, and otherwise a month after it.
  /// `nil` for what is bought once.
  fileprivate var intervalOfPurchases: Period? {
    let day = Period(days: 1)
    guard storeType.isSoldAgain else { return nil }
    guard let length = kind.length, !type(of: kind).sellsCredits else { return Period(months: 1) }
    return length.exactMonths < day.exactMonths ? day : length
  }
}

extension SubscriptionOffer {
  /// Whether it begins or ends at a date, so that not every customer gets it.
  var isDated: Bool { from != nil || until != nil }
}

extension RetentionCurve {
  fileprivate init?(_ retention: ForecastAssumptions.Retention) {
    switch retention {
    case .shapes(let alpha, let beta): self.init(alpha: alpha, beta: beta)
    case .survivors(let left): self.init(fitting: left)
    }
  }
}

extension Period {
  /// The length of a number of periods in months.
  func months(times: Int) -> Double { Double(times) * exactMonths.double }

  /// The number of months of a length in years and months; `nil` if it has days or seconds as well.
  var wholeMonths: Int? { days == 0 && seconds == 0 ? years * 12 + months : nil }

  /// The length in months. Days count as twelfths of a year of 365.25 days.
  var exactMonths: Decimal {
    Decimal(years * 12 + months) + (Decimal(days) + Decimal(seconds) / 86400) * 16 / 487
  }
}

extension Decimal {
  /// The nearest floating-point number, for chances and charts.
  var double: Double { NSDecimalNumber(decimal: self).doubleValue }

  /// Rounded half up to a number of decimals.
  func rounded(_ decimals: Int) -> Decimal {
    var (exact, result) = (self, Decimal())
    NSDecimalRound(&result, &exact, decimals, .plain)
    return result
  }

  /// Rounded towards zero to a whole number, at most the largest one.
  var whole: Int {
    var (exact, result) = (self, Decimal())
    NSDecimalRound(&result, &exact, 0, .down)
    guard result.magnitude < Decimal(Int.max) else { return result < 0 ? .min : .max }
    return NSDecimalNumber(decimal: result).intValue
  }

  /// The smallest whole number that is not less.
  var ceiling: Int {
    let floor = whole
    return Decimal(floor) < self && floor < .max ? floor + 1 : floor
  }
}

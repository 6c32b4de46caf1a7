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
    /// Whether a use is a second.
    let isTime: Bool
    fileprivate(set) var unit: (one: String, other: String)
    /// The number of free uses, also of what has no limit of uses, such as items.
    let limit: Int
    /// The limit on free uses, of 0 where only a product opens the feature. `nil` without a limit, and when `limit` counts something else.
    let free: Limit?
    /// The limits on uses of products, without the free ones; of a product that opens the feature without a limit none.
    let paid: [ProductID: Limit]
    /// Whether uses are counted by month, and not once.
    let isPeriodic: Bool
    let cost: ForecastAssumptions.ByCustomer
    let uses: ForecastAssumptions.ByCustomer

    /// The uses that a customer who has not paid wants, per month or in all: as assumed, or all that the limit allows.
    var wantedUses: Decimal { uses.free ?? free?.most ?? Decimal(limit) }
    /// Those of them that the limit allows.
    var freeUses: Decimal { min(wantedUses, free?.most ?? wantedUses) }
    var freeCost: Decimal { freeUses * (cost.free ?? 0) }
    /// Whether one of these products opens it, and does not sell credits.
    func isSold(by products: [Product]) -> Bool { products.contains { $0.credits == nil && paid[$0.id]?.uses != 0 } }
    /// The uses of an owner, as assumed and as far as the product or the free tier allows them: those of a month if the feature is counted by
    /// month, otherwise those of a payment. `nil` without an assumption.
    func ownedUses(of product: Product) -> Decimal? {
      guard let wanted = uses.paid, let free, let limit = paid[product.id] else { return uses.paid }
      let most = limit.isPeriodic && !isPeriodic ? limit.most * product.monthsPaid : limit.most
      return min(wanted, max(most, free.most))
    }
    /// The uses of a payment: all credits that it adds; otherwise those of an owner, of a limit that resets those of each month that it pays
    /// for. `nil` without credits or an assumption.
    func paidUses(of product: Product) -> Decimal? {
      if let credits = product.credits { return credits[id].map { Decimal($0) } }
      return ownedUses(of: product).map { isPeriodic ? $0 * product.monthsPaid : $0 }
    }
    /// The cost of those uses; without an assumption, 0.
    func paidCost(of product: Product) -> Decimal { (paidUses(of: product) ?? 0) * (cost.paid ?? 0) }
  }

  /// A limit on uses, and the time span in which it counts them.
  struct Limit: Sendable {
    let uses: Int
    let measure: Measure

    /// Whether it allows uses again after a time.
    var isPeriodic: Bool { measure != .lifetime }

    /// All uses that it allows, per month or in all.
    var most: Decimal {
      let month = Decimal(365) / 12
      return switch measure {
      case .calendar(.day): Decimal(uses) * month
      case .calendar(.week): Decimal(uses) * month / 7
      case .calendar(.year): Decimal(uses) / 12
      case .rolling(let seconds): Decimal(uses) * month * 86400 / Decimal(max(1, seconds))
      case .anchored(let period, _): Decimal(uses) / max(period.exactMonths, Decimal(1) / 1000)
      case .calendar(.month), .lifetime: Decimal(uses)
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
    features = Self.features(catalog, assumptions, products)
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

  private static func features(_ catalog: Catalog, _ assumptions: ForecastAssumptions, _ products: [Product]) -> [Feature] {
    let costly = catalog.features.filter { $0.part == nil && assumptions.cost(of: $0.id) != nil }
    if costly.isEmpty { return [] }
    let now = Date(timeIntervalSince1970: 1_772_366_400)
    let free = Snapshot(of: CustomerState(), catalog: catalog, at: now)
    let lasting = Set(products.filter { $0.credits == nil }.map(\.id))
    // What each product allows by itself: a decision about several limits has only one of them.
    let owners = catalog.products.filter { lasting.contains($0.id) }.map { product in
      let bought = Fact.transaction(StoreTransaction(id: "1", productID: product.id, purchaseDate: now))
      let alone = catalog.part([product], features: costly, collections: catalog.collections, freeTier: [:], isMonetized: true)
      return (product.id, Snapshot(of: CustomerState([bought]), catalog: alone, at: now))
    }
    var found = costly.compactMap { Feature($0, assumptions, free, owners) }
    // The uses of several features need their names.
    for index in found.indices where found.count > 1 && catalog.feature(found[index].id)?.unit == nil {
      let (unit, title) = (found[index].unit, found[index].title)
      found[index].unit = ("\(unit.one) of \(title)", "\(unit.other) of \(title)")
    }
    return found
  }
}

extension ForecastPlan.Feature {
  /// `nil` when the cost is not one of its uses.
  fileprivate init?(
    _ feature: Feature, _ assumptions: ForecastAssumptions, _ free: Snapshot, _ owners: [(product: ProductID, snapshot: Snapshot)]
  ) {
    guard let cost = assumptions.cost(of: feature.id) else { return nil }
    // A general cost applies to features that are used up, and not, for example, to a number of profiles.
    let shape = type(of: feature.shape)
    guard shape.isMetered && !shape.countsSeconds || assumptions.costPerUse[feature.id] != nil else { return nil }
    let measure = feature.shape.ownMeasure ?? .lifetime
    func limit(_ snapshot: Snapshot, _ assumed: Int?) -> ForecastPlan.Limit? {
      let decision = snapshot.decision(for: feature.id)
      guard shape.isMetered, let most = assumed ?? (decision.isAllowed ? decision.limit : 0) else { return nil }
      return .init(uses: most, measure: decision.measure ?? measure)
    }
    let freeLimit = limit(free, assumptions.limit[feature.id])
    let paid = Dictionary(uniqueKeysWithValues: owners.map { ($0.product, limit($0.snapshot, nil)) }).compactMapValues(\.self)
    // The free tier decides whether uses come back; without free uses, the feature and its products do.
    let periods = freeLimit.flatMap { $0.uses > 0 ? [$0.measure] : nil } ?? [measure] + paid.values.map(\.measure)
    self.init(
      id: feature.id, title: feature.title, isTime: shape.countsSeconds,
      unit: shape.countsSeconds ? ("second", "seconds") : (feature.unit?.one ?? "use", feature.unit?.other ?? "uses"),
      limit: assumptions.limit[feature.id] ?? free.decision(for: feature.id).limit ?? 0, free: freeLimit, paid: paid,
      isPeriodic: periods.contains { $0 != .lifetime }, cost: cost, uses: assumptions.uses[feature.id] ?? .init())
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

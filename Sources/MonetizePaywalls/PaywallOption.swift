// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

/// One product of a paywall, with every text about it.
///
/// Prices are the store's own text. Derived prices (per month, of an offer) are written in the same style, and omitted if the style is
/// unknown. A saving is rounded down and a price per month up, so that no text promises a lower price than is charged.
public struct PaywallOption: Sendable, Hashable, Identifiable {
  /// The sort of purchase, which decides its texts.
  public enum Sort: String, Sendable, Hashable, CaseIterable {
    /// Renews by itself.
    case subscription
    /// Bought once, owned for ever.
    case oneTime
    /// Runs for a time and does not renew.
    case pass
    /// A free trial: sold once, costs nothing, and ends by itself.
    case trial
    /// Adds credits.
    case credits
    /// Unlocks nothing.
    case tip
  }

  /// The store's id.
  public let id: ProductID
  /// The sort of purchase.
  public let sort: Sort
  /// The store's name; the catalog's until the store has answered.
  public let name: String
  /// The catalog's badge, such as `Best value`; `nil` without one.
  public internal(set) var badge: String?
  /// The store's price text; `nil` until the store has answered.
  public internal(set) var price: String?
  /// How often it is paid, such as `per month`; `nil` for a product that does not renew.
  public internal(set) var cadence: String?
  /// Price and cadence, such as `$8.99 per month`; the price alone for a product that does not renew.
  public internal(set) var priceText: String?
  /// The price of a longer plan per month, such as `$7.50 per month`; `nil` for monthly and shorter plans.
  public internal(set) var pricePerMonth: String?
  /// The saving against the most expensive plan of the group, in whole percent, rounded down; `nil` when there is none.
  public internal(set) var savingPercent: Int?
  /// The saving as a text, such as `Save 16%`.
  public internal(set) var saving: String?
  /// The offer with its length, the price after it, and the day on which the offer ends, if it does; `nil` unless this customer is known to be
  /// eligible. An introductory offer, or else a win-back offer for a customer whose subscription has ended.
  public internal(set) var trial: String?
  /// The store's id of a win-back offer, which the purchase names: `monetizer.purchase(option.id, offer: option.offerID, pass: pass)`. `nil`
  /// for an introductory offer, which applies by itself.
  public internal(set) var offerID: String?
  /// When the offer ends, if the catalog has an end; the offer does not include that instant. `nil` without an offer.
  public internal(set) var offerEnds: Date?
  /// Whether the offer is free of charge at first.
  public internal(set) var startsFree = false
  /// The sort of purchase as a text, such as `One-time purchase` or `Adds 10 stories`. For a subscription, when it begins, such as
  /// `Begins on April 1, 2026, when your current plan ends.`; `nil` when it begins at once.
  public internal(set) var note: String?
  /// How it renews; `nil` for a product that does not renew, and until the store has answered.
  public internal(set) var renewal: String?
  /// How it is cancelled; `nil` for a product that does not renew.
  public internal(set) var cancellation: String?
  /// Whether the purchase button buys it.
  public internal(set) var isSelected = false
  /// The text that a screen reader speaks.
  public internal(set) var accessibilityLabel = ""

  init(id: ProductID, sort: Sort, name: String) {
    (self.id, self.sort, self.name) = (id, sort, name)
  }
}

/// The price of a plan for a year, with the sort of plans that it can be compared with.
private struct Rate {
  /// The common properties of comparable plans.
  struct Sort: Hashable {
    let group: String
    let level: Int
    let currency: String
  }

  let sort: Sort
  let yearly: YearlyPrice

  /// `nil` for a product that is not a subscription or has no yearly price.
  init?(_ product: CatalogProduct, _ listing: StoreProduct) {
    guard let terms = product.subscription, let yearly = YearlyPrice(listing) else { return nil }
    (sort, self.yearly) = (Sort(group: terms.group, level: terms.level, currency: listing.price.currency), yearly)
  }
}

/// Makes the options of one paywall. A class, to avoid copying the catalog into each closure.
final class OptionMaker {
  /// A product of the paywall, with the store's data about it; `nil` until the store has answered.
  private typealias Plan = (product: CatalogProduct, listing: StoreProduct?)

  private let snapshot: Snapshot
  private let products: [ProductID: StoreProduct]
  private let catalog: Catalog
  private let language: Language
  /// The groups in which this customer has used an introductory offer.
  private let tried: Set<String>
  /// The groups in which this customer had a subscription and has none now.
  private let left: Set<String>
  /// The plans that this customer has.
  private let plans: [ProductStatus]

  init(_ snapshot: Snapshot, _ products: [StoreProduct]) {
    self.snapshot = snapshot
    self.products = Dictionary(products.map { ($0.id, $0) }) { first, _ in first }
    tried = snapshot.groups(where: \.hasUsedIntroductoryOffer)
    left = snapshot.groups { $0.state == .expired }.subtracting(snapshot.groups { $0.state.givesAccess || $0.state == .billingRetry })
    plans = snapshot.plans
    catalog = snapshot.catalog
    language = catalog.language
  }

  /// The options of a priced paywall, in its order. Once the store has answered, omits products that it does not sell here.
  func options(of paywall: Paywall, selected: ProductID?, isLoaded: Bool) -> [PaywallOption] {
    let plans = paywall.products.compactMap { id -> Plan? in catalog.product(id).map { ($0, products[id]) } }
    let rates = plans.compactMap { product, listing in listing.flatMap { Rate(product, $0) } }
    let most = Dictionary(rates.map { ($0.sort, $0.yearly) }, uniquingKeysWith: max)
    return plans.compactMap { product, listing in
      guard listing != nil || !isLoaded else { return nil }
      var option = PaywallOption(id: product.id, sort: sort(of: product), name: listing?.displayName ?? product.name)
      if let listing { fill(&option, product, listing, beside: most) }
      option.badge = paywall.definition.badges?[product.id.rawValue]
      option.note = note(product, option.sort)
      if option.sort == .subscription { option.cancellation = catalog.legal?.cancellation ?? language.text(.legalCancellation) }
      option.isSelected = product.id == selected
      let spoken = [
        option.name, option.badge, option.trial ?? option.priceText, option.pricePerMonth, option.note, option.saving,
      ]
      option.accessibilityLabel = spoken.compactMap { $0 }.joined(separator: language.text(.comma))
      return option
    }
  }

  private func sort(of product: CatalogProduct) -> PaywallOption.Sort {
    switch product.storeType {
    case .autoRenewable: .subscription
    case .nonRenewing: .pass
    case .consumable where product.isTip: .tip
    case .consumable where !product.credits.isEmpty: .credits
    // A kind of the app's own may last for a time, such as a rental.
    case .consumable, .nonConsumable, .none: product.isTrial ? .trial : product.kind.length == nil ? .oneTime : .pass
    }
  }

  /// Fills in the texts that follow from the price. `most` has the most expensive plan of each sort.
  private func fill(
    _ option: inout PaywallOption, _ product: CatalogProduct, _ listing: StoreProduct, beside most: [Rate.Sort: YearlyPrice]
  ) {
    option.price = listing.displayPrice
    option.priceText = listing.displayPrice
    option.startsFree = option.sort == .trial
    guard let period = listing.period ?? product.subscription?.period, option.sort == .subscription else { return }
    let each = period.each(in: language)
    let recurring = language.text(.priceRecurring, ["price": listing.displayPrice, "period": each])
    option.cadence = language.text(.priceCadence, ["period": each])
    option.priceText = recurring
    option.pricePerMonth = monthly(listing, period)
    option.savingPercent = Rate(product, listing).flatMap { rate in most[rate.sort].flatMap(rate.yearly.saving) }
    option.saving = option.savingPercent.map { language.text(.priceSaving, ["percent": "\($0)"]) }
    if let offer = offer(listing, product), let text = text(of: offer, listing, after: recurring) {
      option.startsFree = offer.terms.mode == .freeTrial
      option.offerID = offer.terms.type == .introductory ? nil : offer.terms.id
      option.offerEnds = offer.ends
      // The offer does not include the instant of its end: one that ends at midnight ends on the day before.
      let day = offer.ends.map { language.day($0 - 1, in: snapshot.situation.zone) }
      option.trial = day.map { language.text(.offerEnds, ["offer": text, "date": $0]) } ?? text
    }
    option.renewal =
      catalog.legal?.renewal(of: listing, in: language)
      ?? language.text(.legalRenewal, ["price": listing.displayPrice, "period": each])
  }

  private func note(_ product: CatalogProduct, _ sort: PaywallOption.Sort) -> String? {
    switch sort {
    case .subscription:
      snapshot.beginning(of: product, after: plans).map { date in
        language.text(.noteBegins, ["date": language.day(date, in: snapshot.situation.zone)])
      }
    case .oneTime: language.text(.noteOneTime)
    case .tip: language.text(.noteTip)
    case .trial: trialNote(product)
    case .pass: product.kind.length.map { language.text(.notePass, ["length": $0.words(in: language)]) }
    case .credits:
      language.text(
        .noteCredits,
        [
          "count": catalog.features.compactMap { feature in product.credits[feature.id].map { feature.words(for: $0, in: language) } }
            .joined(separator: language.text(.comma))
        ])
    }
  }

  /// The length of a free trial, with the price of the first product on sale that gives as much afterwards. Source: App Review guideline
  /// 3.1.1.
  private func trialNote(_ trial: CatalogProduct) -> String? {
    let note = trial.kind.length.map { language.text(.noteTrial, ["length": $0.words(in: language)]) }
    let next = catalog.products.first { $0.isOffered && !$0.isTrial && $0.gives(allOf: trial) }
    guard let note, let next, let listing = products[next.id] else { return note }
    let period = next.subscription.map { (listing.period ?? $0.period).each(in: language) }
    let price = period.map { language.text(.priceRecurring, ["price": listing.displayPrice, "period": $0]) } ?? listing.displayPrice
    return language.text(.noteTrialThen, ["note": note, "name": listing.displayName, "price": price])
  }

  // MARK: Texts derived from a price

  private func monthly(_ listing: StoreProduct, _ period: Period) -> String? {
    let months = period.years * 12 + period.months
    guard months > 1, period.days == 0, period.seconds == 0, let style = PriceStyle(of: listing.displayPrice, amount: listing.price.amount),
      style.fractionDigits >= Money.decimals(of: listing.price.currency),
      let units = listing.price.amount.units(decimals: style.fractionDigits)
    else { return nil }
    return language.text(.pricePerMonth, ["price": style.text(units: (units + months - 1) / months)])
  }

  /// An offer that this customer may use now.
  private struct Offer {
    let terms: SubscriptionOffer
    /// The store's text of its price; `nil` when the store provides none.
    var displayPrice: String?
    /// When it ends by the catalog.
    var ends: Date?
  }

  /// The offer that the purchase of a plan uses: the introductory one, or else a win-back offer.
  private func offer(_ listing: StoreProduct, _ product: CatalogProduct) -> Offer? {
    guard snapshot.situation.store.hasAnswered, let plan = product.subscription else { return nil }
    // The store lists an offer that this customer may use, but may still list it a while after it was used, once in each group.
    if !tried.contains(plan.group), let terms = listing.introductoryOffer,
      let offer = dated(Offer(terms: terms), by: plan.introductoryOffer)
    {
      return offer
    }
    guard left.contains(plan.group), let back = listing.winBackOffer else { return nil }
    let own = plan.offers.first { $0.id == back.offer.id }
    return dated(Offer(terms: back.offer, displayPrice: back.displayPrice), by: own)
  }

  /// The offer with its end by the catalog; `nil` outside the catalog's dates, such as those of a launch, although the store may list it.
  private func dated(_ offer: Offer, by own: SubscriptionOffer?) -> Offer? {
    guard own?.isRunning(at: snapshot.date) ?? true else { return nil }
    var offer = offer
    offer.ends = own?.until?.date
    return offer
  }

  private func text(of offer: Offer, _ listing: StoreProduct, after: String) -> String? {
    let terms = offer.terms
    let count = max(1, terms.periods ?? 1)
    let length = Period(
      years: terms.period.years * count, months: terms.period.months * count, days: terms.period.days * count,
      seconds: terms.period.seconds * count
    ).words(in: language, inWeeks: terms.mode == .payAsYouGo && terms.period == Period(days: 7))
    if terms.mode == .freeTrial { return language.text(.offerFreeTrial, ["length": length, "after": after]) }
    guard let price = offer.displayPrice ?? price(of: terms, listing) else { return nil }
    return terms.mode == .payUpFront
      ? language.text(.offerPayUpFront, ["price": price, "length": length, "after": after])
      : language.text(
        .offerPayAsYouGo, ["price": price, "period": terms.period.each(in: language), "length": length, "after": after])
  }

  private func price(of offer: SubscriptionOffer, _ listing: StoreProduct) -> String? {
    guard let price = offer.price, price.currency == listing.price.currency else { return nil }
    return PriceStyle(of: listing.displayPrice, amount: listing.price.amount)?.text(for: price.amount)
  }
}

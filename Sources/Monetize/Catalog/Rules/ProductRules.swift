// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeJSON

extension CatalogDraft {
  func checkProducts() {
    checkGroupLevels()
    for product in products {
      checkGrants(of: product)
      checkSubscription(product)
      checkOffers(of: product)
      checkSharing(of: product)
      checkPrices(of: product)
      checkTrial(of: product)
    }
  }

  /// In a subscription group, a higher level (a smaller number) must grant at least as much as a lower one, and equal levels the same.
  /// Otherwise an upgrade, which ends the lower plan, would take something away from a customer who paid more.
  private func checkGroupLevels() {
    // The grants of a plan are unknown when they, or those of its entitlements, could not be read.
    let broken = Set(entitlements.filter { isBroken($0.source) }.map(\.value.id))
    let plans = products.compactMap { plan in plan.value.subscription.map { (group: $0.group, level: $0.level, plan: plan) } }
    for (group, plans) in Dictionary(grouping: plans, by: { $0.group }) where plans.count > 1 && !group.isEmpty {
      let known = plans.filter {
        isGranting($0.plan) && broken.isDisjoint(with: $0.plan.value.entitlements) && !isBroken($0.plan.source)
      }
      // Comparing neighbours in level order is enough, because "grants at least" is transitive.
      let ordered = known.sorted { $0.level < $1.level }
      for (higher, lower) in zip(ordered, ordered.dropFirst()) {
        let isSame = higher.level == lower.level
        for (poorer, richer) in isSame ? [(higher.plan, lower.plan), (lower.plan, higher.plan)] : [(higher.plan, lower.plan)] {
          let (poor, rich) = (poorer.value, richer.value)
          guard let feature = rich.grants.filter({ !(poor.grants[$0]?.gives(atLeast: $1) ?? false) }).keys.min() else { continue }
          reader.report(
            "group-levels", at: poorer.source.at("level"),
            "\"\(poor.id)\" gives less of \"\(feature)\" than \"\(rich.id)\", which is on \(isSame ? "the same" : "a lower") level of the group. "
              + "Grant it at least as much, or change the levels (1 is the highest).")
        }
      }
    }
  }

  /// A product that can be owned must grant something. A consumable need not: a tip jar has no credits.
  private func checkGrants(of product: Placed<CatalogProduct>) {
    require(
      type(of: product.value.kind).sellsCredits || isGranting(product) || isBroken(product.source), "grants-nothing", at: product.source,
      "\"\(product.value.id)\" grants nothing to its buyers. Add \"entitlements\" or \"grants\"; a tip is of the kind \"consumable\".")
  }

  /// Whether anything is granted. Counts every written grant, even one that could not be read.
  private func isGranting(_ product: Placed<CatalogProduct>) -> Bool {
    !product.value.entitlements.isEmpty || !(product.source["grants"]?.members ?? []).allSatisfy { $0.key == "$comment" }
  }

  /// A subscription must be one that the App Store can sell: six lengths, and levels from 1 (app-store-rules E.1, E.2).
  private func checkSubscription(_ product: Placed<CatalogProduct>) {
    guard let terms = product.value.subscription else { return }
    let lengths = [Period(days: 7), Period(months: 1), Period(months: 2), Period(months: 3), Period(months: 6), Period(years: 1)]
    require(
      lengths.contains(where: terms.period.isSame), "subscription-period", at: product.source.at("period"),
      "The App Store sells no subscription for \(terms.period.words). Write P1W, P1M, P2M, P3M, P6M or P1Y.")
    require(
      terms.level >= 1, "subscription-level", at: product.source.at("level"),
      "\(terms.level) is not a level: the highest level of a group is 1, and lower ones have larger numbers. Write 1 or more.")
  }

  /// Offers must have different ids, and only one that is enabled can be introductory.
  private func checkOffers(of product: Placed<CatalogProduct>) {
    var hasIntroduction = false
    for (offer, source) in product.offers {
      let isIntroduction = offer.type == .introductory && offer.isEnabled && isKnown(source, "type")
      check(offer, at: source)
      require(
        !(hasIntroduction && isIntroduction), "second-introductory-offer", at: source,
        "\"\(product.value.id)\" already has an introductory offer, and only one is possible. Remove one, or write \"enabled\": false.")
      hasIntroduction = hasIntroduction || isIntroduction
    }
    let named = product.offers.filter { $0.offer.id?.isEmpty == false }
    unique(
      named.compactMap(\.offer.id), { "\"\(product.value.id)\" already has an offer \"\($0)\". Rename one of them." },
      at: { named[$0].source.at("id") })
  }

  /// An offer must be one that the App Store can make. It needs a length, a price unless it is a free trial, and an id unless it is
  /// introductory (app-store-rules E.3, storekit-format 3.5). Checks each requirement whose values could be read.
  private func check(_ offer: SubscriptionOffer, at source: JSONValue) {
    func require(_ keys: String..., isMet: Bool, _ code: Diagnostic.Code, _ message: String) {
      guard let key = keys.last, keys.allSatisfy({ isKnown(source, $0) }) else { return }
      self.require(isMet, code, at: source.at(key), message)
    }
    let (isFree, repeats) = (offer.mode == .freeTrial, offer.mode == .payAsYouGo)
    require("period", isMet: !offer.period.isZero, "offer-period", "An offer needs a length. Write one such as P7D or P1M.")
    require(
      "mode", "periods", isMet: offer.periods.map { repeats ? $0 >= 1 : $0 == 1 } ?? true, "offer-periods",
      repeats
        ? "An offer lasts at least one period. Write 1 or more."
        : "\"periods\" is for \"payAsYouGo\"; the length of this offer is its \"period\". Remove \"periods\".")
    require(
      "type", "id", isMet: offer.type == .introductory || !(offer.id ?? "").allSatisfy(\.isWhitespace), "offer-id",
      "The store finds an offer of the type \"\(offer.type.rawValue)\" by its id. Add \"id\".")
    if let from = offer.from, let until = offer.until {
      require("from", "until", isMet: from.date < until.date, "offer-dates", "This offer ends before it begins. Write a later \"until\".")
    }
    require(
      "mode", "price", isMet: isFree ? (offer.price?.amount ?? 0) == 0 : offer.price != nil, "offer-price",
      isFree ? "A free trial costs nothing. Remove \"price\", or change \"mode\"." : "A paid offer needs a price. Add \"price\".")
  }

  /// Only non-consumables and auto-renewable subscriptions can be family shareable (app-store-rules E.4).
  private func checkSharing(of product: Placed<CatalogProduct>) {
    require(
      !product.value.isFamilyShareable || type(of: product.value.kind).isShareable, "not-shareable",
      at: product.source.at("familyShareable"),
      "Only non-consumables and auto-renewables can be shared with a family; \"\(product.value.id)\" is neither. Remove "
        + "\"familyShareable\".")
  }

  /// A free trial without a subscription costs nothing. What is paid for and ends is a pass (App Review guideline 3.1.1).
  private func checkTrial(of product: Placed<CatalogProduct>) {
    guard product.value.isTrial, isKnown(product.source, "period", "price") else { return }
    require(
      product.value.price?.amount == 0, "bad-value", at: product.source.at("period"),
      "Only a free trial ends by itself, and its price is 0. Add \"price\": { \"amount\": \"0\", … }, or sell a pass: \"nonRenewing\".")
  }

  /// A price must be payable in its currency: yen have no decimals, dollars two, dinars three.
  private func checkPrices(of product: Placed<CatalogProduct>) {
    for (price, source) in [(product.value.price, product.source)] + product.offers.map({ ($0.offer.price, $0.source) }) {
      if let why = price?.whyUnpayable { reader.report("price-decimals", at: source.at("price", "amount"), why) }
    }
  }
}

extension CatalogDraft.Placed where Value == CatalogProduct {
  /// The offers of a subscription, each with its place; for an app's own kind that makes offers itself, the place of the product.
  fileprivate var offers: [(offer: SubscriptionOffer, source: JSONValue)] {
    guard let offers = value.subscription?.offers, !offers.isEmpty else { return [] }
    let sources = source["offers"]?.elements ?? []
    return offers.enumerated().map { ($1, $0 < sources.count ? sources[$0] : source.at("offers")) }
  }
}

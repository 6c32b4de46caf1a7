// SPDX-License-Identifier: Apache-2.0
#if canImport(StoreKit)
  import Foundation
  import Monetize
  import StoreKit

  /// The customer's eligibility for the offers of a product.
  struct OfferEligibility {
    var introductory = StoreOffer.Eligibility.unknown
    /// The ids of the win-back offers that the customer may use, the best first; `nil` when unknown.
    var winBack: [String]?
  }

  extension StoreOffer.Eligibility {
    /// Whether an introductory offer may be used.
    /// - Parameters:
    ///   - isReportedEligible: StoreKit's answer, which stays the same for the life of the process.
    ///   - isUsedUp: Whether a transaction shows that the group's offer was used.
    ///   - isSignedIn: Whether a storefront is known. Without one, the answer is not about this customer.
    static func introductory(isReportedEligible: Bool, isUsedUp: Bool, isSignedIn: Bool) -> Self {
      if isUsedUp { return .ineligible }
      return isSignedIn ? (isReportedEligible ? .eligible : .ineligible) : .unknown
    }
  }

  extension StoreProduct {
    init(_ product: Product, eligibility: OfferEligibility) {
      let currency = product.priceFormatStyle.currencyCode
      let subscription = product.subscription
      var offers: [StoreOffer] = []
      if let introductory = subscription?.introductoryOffer {
        offers += [StoreOffer(introductory, currency, eligibility.introductory)].compactMap { $0 }
      }
      // StoreKit does not provide eligibility for promotional offers: the app's server decides and signs them.
      offers += subscription?.promotionalOffers.compactMap { StoreOffer($0, currency, .unknown) } ?? []
      if #available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *) {
        let known = subscription?.winBackOffers ?? []
        let best = eligibility.winBack?.compactMap { id in known.first { $0.id == id } } ?? []
        let others = known.filter { offer in !best.contains { $0.id == offer.id } }
        offers += (best + others).compactMap { StoreOffer($0, currency, eligibility.ofWinBack($0.id)) }
      }
      self.init(
        id: ProductID(product.id), displayName: product.displayName, displayPrice: product.displayPrice,
        price: Money(amount: product.price, currency: currency), period: (subscription?.subscriptionPeriod).map(Period.init),
        introductoryOffer: eligibility.introductory == .eligible ? offers.first { $0.offer.type == .introductory }?.offer : nil,
        offers: offers, description: product.description, group: subscription?.subscriptionGroupID,
        isFamilyShareable: product.isFamilyShareable, priceFormat: product.priceFormatStyle)
    }
  }

  extension OfferEligibility {
    fileprivate func ofWinBack(_ id: String?) -> StoreOffer.Eligibility {
      guard let winBack, let id else { return .unknown }
      return winBack.contains(id) ? .eligible : .ineligible
    }
  }

  extension StoreOffer {
    /// `nil` for an unknown type or payment mode.
    fileprivate init?(_ offer: Product.SubscriptionOffer, _ currency: String, _ eligibility: Eligibility) {
      guard let type = SubscriptionOffer.OfferType(offer.type), let mode = SubscriptionOffer.Mode(offer.paymentMode) else { return nil }
      self.init(
        SubscriptionOffer(
          type: type, mode: mode, period: Period(offer.period), id: offer.id, periods: mode == .payAsYouGo ? offer.periodCount : nil,
          price: mode == .freeTrial ? nil : Money(amount: offer.price, currency: currency)),
        displayPrice: offer.displayPrice, eligibility: eligibility)
    }
  }

  extension SubscriptionOffer.OfferType {
    fileprivate init?(_ type: Product.SubscriptionOffer.OfferType) {
      if type == .introductory {
        self = .introductory
      } else if type == .promotional {
        self = .promotional
      } else if #available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *), type == .winBack {
        self = .winBack
      } else {
        return nil
      }
    }
  }

  extension SubscriptionOffer.Mode {
    fileprivate init?(_ mode: Product.SubscriptionOffer.PaymentMode) {
      switch mode {
      case .freeTrial: self = .freeTrial
      case .payAsYouGo: self = .payAsYouGo
      case .payUpFront: self = .payUpFront
      default: return nil
      }
    }
  }

  extension Period {
    /// A week is seven days, because StoreKit returns a weekly plan as either.
    init(_ period: Product.SubscriptionPeriod) {
      switch period.unit {
      case .day: self.init(days: period.value)
      case .week: self.init(weeks: period.value)
      case .month: self.init(months: period.value)
      case .year: self.init(years: period.value)
      @unknown default: self.init(days: period.value)
      }
    }
  }

  extension StoreCountry {
    init(_ storefront: Storefront) { self.init(code: storefront.countryCode, id: storefront.id) }
  }
#endif

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import StoreKit
import Testing

@testable import MonetizeStoreKit

/// StoreKit's values as those of Monetize, without a store.
@Suite("StoreKit: values", .timeLimit(.minutes(30)))
struct MappingTests {
  @Test("A transaction keeps its ids, dates, owner, environment and price") func transaction() {
    let noon = Counter.noon
    let transaction = StoreTransaction(
      StoreKit.Transaction(
        id: 7, originalID: 3, productID: "month", appBundleID: "com.example.app", purchaseDate: noon, expirationDate: noon + 60,
        purchasedQuantity: 2, isUpgraded: true, offer: .init(id: "half", type: .promotional, paymentMode: .payAsYouGo),
        environment: .sandbox, reason: .renewal, price: Decimal(string: "4.99"), currency: "EUR", ownershipType: .familyShared,
        signedDate: noon + 5))
    #expect(transaction.id == "7" && transaction.originalID == "3" && transaction.quantity == 2 && transaction.isUpgraded)
    #expect(transaction.purchaseDate == noon && transaction.expirationDate == noon + 60 && transaction.revision == Revision(noon + 5))
    #expect(transaction.ownership == .familyShared && transaction.environment == .sandbox && transaction.appID == "com.example.app")
    #expect(transaction.offer == .init(type: .promotional, mode: .payAsYouGo, id: "half"))
    #expect(transaction.price == Money.amount("4.99").map { Money(amount: $0, currency: "EUR") })
    #expect(transaction.revocation == nil && transaction.reason == .renewal)
  }

  @Test("A price that could not be read back from disk is left out", arguments: ["usd", "", "EURO", "EU1"])
  func unreadablePrice(currency: String) {
    let transaction = StoreKit.Transaction(id: 1, productID: "pack", purchaseDate: Counter.noon, price: 1, currency: currency)
    #expect(StoreTransaction(transaction).price == nil)
    #expect(Money(-1, in: "EUR") == nil && Money(.nan, in: "EUR") == nil && Money(1, in: "EUR") != nil)
    #expect(Money(0, in: "EUR") != nil, "the first week of a free trial")
  }

  @Test("A revocation has its reason: a problem with the app, the family, or another") func revocations() {
    func reason(_ reason: StoreKit.Transaction.RevocationReason, _ type: StoreKit.Transaction.RevocationType?) -> StoreTransaction
      .Revocation?
    {
      StoreTransaction(
        StoreKit.Transaction(
          id: 1, productID: "pack", purchaseDate: Counter.noon, revocationDate: Counter.noon + 1, revocationReason: reason,
          revocationType: type)
      ).revocation
    }
    #expect(reason(.developerIssue, nil)?.reason == .developerIssue)
    #expect(reason(.other, nil)?.reason == .other)
    #expect(reason(.other, .familyRevocation)?.reason == .familyLeft)
    #expect(reason(.other, nil)?.date == Counter.noon + 1)
  }

  @Test("DEF-H2: each state of a subscription has its own word, and one of a later system is kept") func states() {
    let states: [(Product.SubscriptionInfo.RenewalState, RenewalInfo.State)] = [
      (.subscribed, .subscribed), (.expired, .expired), (.inBillingRetryPeriod, .inBillingRetry), (.inGracePeriod, .inGracePeriod),
      (.revoked, .revoked), (.init(rawValue: 99), "99"),
    ]
    for (given, expected) in states { #expect(RenewalInfo(Counter.status(given))?.state == expected) }
    // The seed's way: a Bool. Grace, with access, and retry, without, become one.
    func isActive(_ status: Product.SubscriptionInfo.Status) -> Bool { status.state == .subscribed }
    #expect(isActive(Counter.status(.inGracePeriod)) == isActive(Counter.status(.inBillingRetryPeriod)))
  }

  @Test("A renewal status keeps the end, the grace period, what follows, and whether a price was agreed to") func renewals() {
    let noon = Counter.noon
    let info = RenewalInfo(Counter.status(.inGracePeriod, expires: noon, grace: noon + 60, signed: noon + 5))
    #expect(info?.expires == noon && info?.graceUntil == noon + 60 && info?.renewsInto == "month" && info?.revision == Revision(noon + 5))
    #expect(info?.priceIncreaseAgreed == nil && info?.commitment == nil)
    #expect(RenewalInfo(Counter.status(.subscribed, willRenew: false))?.renewsInto == nil)
  }

  @Test("A price increase is agreed to, waits for an answer, or does not exist") func priceIncreases() {
    let given: [(Product.SubscriptionInfo.RenewalInfo.PriceIncreaseStatus, Bool?)] = [
      (.agreed, true), (.pending, false), (.noIncreasePending, nil),
    ]
    for (status, isAgreed) in given {
      let plan = StoreKit.Transaction(id: 1, productID: "month", subscriptionGroupID: "21", purchaseDate: Counter.noon)
      let info = Product.SubscriptionInfo.RenewalInfo(
        originalTransactionID: 1, currentProductID: "month", willAutoRenew: true, autoRenewPreference: "month",
        priceIncreaseStatus: status, signedDate: Counter.noon)
      let read = RenewalInfo(.init(state: .subscribed, transaction: .verified(plan), renewalInfo: .verified(info)))
      #expect(read?.priceIncreaseAgreed == isAgreed && read != nil)
    }
  }

  @Test("An answer has the environment of its first purchase with a right signature") func answer() {
    func listed(_ id: UInt64, _ environment: AppStore.Environment, isRight: Bool) -> SignedTransaction {
      let transaction = StoreKit.Transaction(id: id, productID: "pack", purchaseDate: Counter.noon, environment: environment)
      return SignedTransaction(isRight ? .verified(transaction) : .unverified(transaction, .invalidSignature))
    }
    let all = [listed(1, .xcode, isRight: false), listed(2, .production, isRight: true), listed(3, .sandbox, isRight: true)]
    #expect(StoreAnswer(listed: all, statuses: []).environment == .production)
    #expect(StoreAnswer(listed: [all[0]], statuses: []).environment == nil)
  }

  @Test("A status counts only with both signatures right") func unverifiedStatus() {
    let status = Counter.status(.subscribed)
    let forged = Product.SubscriptionInfo.Status(
      state: .subscribed, transaction: .unverified(status.transaction.unsafePayloadValue, .invalidSignature),
      renewalInfo: status.renewalInfo)
    #expect(RenewalInfo(forged) == nil && RenewalInfo(status) != nil)
  }

  @Test("A commitment has the number of its payment, its end, and whether another follows") func commitment() {
    let transaction = StoreKit.Transaction(
      id: 1, productID: "month", purchaseDate: Counter.noon,
      commitmentInfo: .init(billingPeriodNumber: 3, totalBillingPeriods: 12, expirationDate: Counter.noon + 9))
    let renewal = Product.SubscriptionInfo.RenewalInfo(
      originalTransactionID: 1, currentProductID: "month", willAutoRenew: true, signedDate: Counter.noon,
      commitmentInfo: .init(willAutoRenew: false, autoRenewPreference: "month"))
    let info = RenewalInfo(.init(state: .subscribed, transaction: .verified(transaction), renewalInfo: .verified(renewal)))
    #expect(info?.commitment == .init(payment: 3, payments: 12, ends: Counter.noon + 9, willRenew: false) && info?.willRenew == true)
  }

  @Test("A weekly plan is seven days, whichever unit StoreKit names") func periods() {
    #expect(Period(.init(unit: .week, value: 1)) == Period(.init(unit: .day, value: 7)))
    #expect(Period(.init(unit: .month, value: 3)) == Period(months: 3) && Period(.init(unit: .year, value: 1)) == Period(years: 1))
  }

  @Test("A product has the store's texts, its group, and every offer with its own") func products() {
    let product = StoreProduct(Counter.products[1], eligibility: OfferEligibility(introductory: .eligible, winBack: ["back"]))
    #expect(product.price == Money(amount: 10, currency: "USD") && product.displayPrice == "$10.00" && product.group == "21")
    #expect(product.period == Period(months: 1) && product.introductoryOffer?.mode == .freeTrial && product.introductoryOffer?.price == nil)
    #expect(product.offers.map(\.offer.type) == [.introductory, .promotional, .winBack])
    #expect(product.offers.map(\.eligibility) == [.eligible, .unknown, .eligible])
    #expect(product.offers.map(\.displayPrice) == ["0", "$5.00", "$12.00"])
    #expect(product.offers[1].offer.periods == 3 && product.offers[1].offer.price == Money(amount: 5, currency: "USD"))
    #expect(product.priceFormat?.currencyCode == "USD")
    let pack = StoreProduct(Counter.products[0], eligibility: OfferEligibility())
    #expect(pack.isFamilyShareable == true && pack.description == "A pack" && pack.group == nil && pack.offers.isEmpty)
  }

  @Test("Of several win-back offers the App Store's first choice comes first, then those that the customer may not use") func winBacks() {
    let offers = ["a", "b", "c"].map { id in
      Product.SubscriptionOffer(
        id: id, type: .winBack, price: 12, displayPrice: "$12.00", period: .init(unit: .month, value: 3), paymentMode: .payUpFront)
    }
    let plan = Product(
      id: "month", type: .autoRenewable, displayName: "Monthly", price: 10, displayPrice: "$10.00",
      subscription: .init(winBackOffers: offers, subscriptionGroupID: "21", subscriptionPeriod: .init(unit: .month, value: 1)))
    let listed = StoreProduct(plan, eligibility: OfferEligibility(winBack: ["c", "a", "gone"]))
    #expect(listed.offers.map(\.offer.id) == ["c", "a", "b"] && listed.offers.map(\.eligibility) == [.eligible, .eligible, .ineligible])
    #expect(listed.winBackOffer?.offer.id == "c")
    let unknown = StoreProduct(plan, eligibility: OfferEligibility())
    #expect(unknown.offers.map(\.offer.id) == ["a", "b", "c"] && unknown.winBackOffer == nil)
  }

  @Test("DEF-H12: an introductory offer is promised only to a customer who is known to be eligible") func eligibility() {
    typealias Eligibility = StoreOffer.Eligibility
    #expect(Eligibility.introductory(isReportedEligible: true, isUsedUp: false, isSignedIn: true) == .eligible)
    #expect(Eligibility.introductory(isReportedEligible: false, isUsedUp: false, isSignedIn: true) == .ineligible)
    #expect(Eligibility.introductory(isReportedEligible: true, isUsedUp: true, isSignedIn: true) == .ineligible)
    #expect(Eligibility.introductory(isReportedEligible: true, isUsedUp: false, isSignedIn: false) == .unknown)
    for eligibility in Eligibility.allCases where eligibility != .eligible {
      let product = StoreProduct(Counter.products[1], eligibility: OfferEligibility(introductory: eligibility))
      #expect(product.introductoryOffer == nil && product.offers.first?.eligibility == eligibility)
    }
    // The seed's way: the product's offer, for every customer.
    #expect(Counter.products[1].subscription?.introductoryOffer != nil)
    #expect(StoreProduct(Counter.products[1], eligibility: OfferEligibility(winBack: [])).offers.last?.eligibility == .ineligible)
    #expect(StoreProduct(Counter.products[1], eligibility: OfferEligibility()).offers.last?.eligibility == .unknown)
  }

  @Test("MAGIC-11: every error of StoreKit has a code, and no text of it is taken over") func errors() {
    let codes: [(any Error, StoreError.Code)] = [
      (StoreKitError.userCancelled, .userCancelled), (StoreKitError.networkError(URLError(.timedOut)), .network),
      (StoreKitError.systemError(CocoaError(.featureUnsupported)), .system), (StoreKitError.notAvailableInStorefront, .productUnavailable),
      (StoreKitError.notEntitled, .notAllowed), (StoreKitError.unsupported, .unsupported), (StoreKitError.unknown, .unknown),
      (Product.PurchaseError.productUnavailable, .productUnavailable), (Product.PurchaseError.purchaseNotAllowed, .notAllowed),
      (Product.PurchaseError.ineligibleForOffer, .ineligibleForOffer),
      (Product.PurchaseError.invalidOfferSignature, .invalidOfferSignature),
      (Product.PurchaseError.missingOfferParameters, .invalidOfferSignature), (Product.PurchaseError.invalidQuantity, .unknown),
      (URLError(.notConnectedToInternet), .network), (CancellationError(), .cancelled), (StoreError(.unverified), .unverified),
    ]
    for (error, code) in codes { #expect(StoreError(storeKit: error).code == code, "\(error)") }
    let secret = NSError(domain: "AMS", code: 1, userInfo: [NSLocalizedDescriptionKey: "account 1234567 failed"])
    #expect(!StoreError(storeKit: secret).description.contains("1234567"))
  }

  @Test("A request becomes options: quantity, token, and the offer by its signature") func options() throws {
    let month = Counter.products[1]
    func texts(_ request: PurchaseRequest) throws -> Set<String> { Set(try request.options(of: month).map(\.text)) }
    #expect(try texts(PurchaseRequest("month")) == [])
    #expect(
      try texts(PurchaseRequest("month", quantity: 2, account: "ann"))
        == ["quantity 2", "appAccountToken \(AppAccountToken("ann"))"])
    #expect(try texts(PurchaseRequest("month", offerID: "half", signature: .jws("a.b.c"))) == ["promotionalOffer half a.b.c"])
    let parts = OfferSignature.parts(keyID: "K", nonce: UUID(), signature: Data([1]), timestamp: 5)
    #expect(try texts(PurchaseRequest("month", offerID: "half", signature: parts)) == ["promotionalOffer half K 5"])
    #expect(try texts(PurchaseRequest("month", offerID: "back")) == ["winBackOffer back"])
    #expect(throws: StoreError(.invalidOfferSignature)) { try PurchaseRequest("month", offerID: "half").options(of: month) }
    for product in [month, Counter.products[0]] {
      #expect(throws: StoreError(.ineligibleForOffer)) { try PurchaseRequest("month", offerID: "no").options(of: product) }
    }
  }

  @Test("Monthly payments are asked for only of a product that has them; any other would be paid at once") func billing() throws {
    let year = Product(
      id: "year", type: .autoRenewable,
      subscription: .init(
        subscriptionGroupID: "21", subscriptionPeriod: .init(unit: .year, value: 1), pricingTerms: [.init(billingPlanType: .monthly)]))
    #expect(try PurchaseRequest("year", billing: .monthly).options(of: year).map(\.text) == ["billingPlanType MONTHLY"])
    #expect(try PurchaseRequest("year").options(of: year) == [])
    #expect(throws: StoreError(.unsupported)) { try PurchaseRequest("month", billing: .monthly).options(of: Counter.products[1]) }
  }

  @Test("An environment that an older system leaves empty is none") func environments() {
    #expect(StoreEnvironment(storeKit: "Production") == .production && StoreEnvironment(storeKit: "Xcode") == .xcode)
    #expect(StoreEnvironment(storeKit: "") == nil && StoreEnvironment(storeKit: "Later") == "Later")
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// A setting of the world, which stays until it is set again: one row with its name, type, words and effect.
struct ScenarioSetting: Sendable {
  /// A setting with the value that a step gives it.
  struct Value: Sendable {
    let name: String
    let value: any Sendable
    let words: @Sendable (CatalogWords) -> String
    let apply: @Sendable (ScenarioStage) async throws(SimulationError) -> Void
  }

  let name: String
  let about: String
  /// Reads the value in a step; `nil` when it is not there.
  let read: @Sendable (StepKeys) -> Value?

  /// - Parameters:
  ///   - words: The change in words; empty if it needs no mention.
  ///   - apply: Applies the setting to the world.
  init<Given: Sendable>(
    _ name: String, _ sort: ScenarioSort<Given>, _ about: String, words: @escaping @Sendable (Given, CatalogWords) -> String,
    apply: @escaping @Sendable (Given, ScenarioStage) async throws(SimulationError) -> Void
  ) {
    (self.name, self.about) = (name, about)
    read = { keys in
      keys.optional(name, sort, about).map { given in
        Value(
          name: name, value: given, words: { words(given, $0) },
          apply: { (stage: ScenarioStage) async throws(SimulationError) in try await apply(given, stage) })
      }
    }
  }
}

/// Values of settings that are not plain words.
extension ScenarioSetting {
  enum Damage: String, Sendable, Decodable, CaseIterable {
    case corrupt, truncate, delete
    var words: String { self == .corrupt ? "damaged" : self == .truncate ? "cut short" : "deleted" }
  }

  struct Price: Sendable {
    let product: ProductID
    let amount: Decimal
    let consent: PriceConsent?
    /// The storefront with its currency; `nil` for all.
    let storefront: String?
    let currency: String?
    /// The id of an offer or code, or `introductory`; `nil` for the product itself.
    let offer: String?

    init(_ keys: StepKeys) {
      product = keys.required("product", .product, "A product's id.")
      amount = keys.required("amount", .amount, "The price as a decimal string, such as 12.99.")
      consent = keys.optional("consent", .word, "Whether subscribers must agree, or are only informed. Absent: by the store's rule.")
      storefront = keys.optional("storefront", .storefront, "Only in this storefront.")
      currency = keys.optional("currency", .currency, "The currency there, such as EUR.")
      offer = keys.optional(
        "offer", .text, "The offer or code that has this price, by its id, or introductory. Absent: the product itself.")
      keys.needs(
        "storefront", when: .has("currency"),
        "A \"currency\" belongs to a \"storefront\". Name the storefront; elsewhere the price has the catalog's currency.")
      keys.noEffect(["consent"], when: .has("offer"), "subscribers keep the price of an offer that they have redeemed.")
    }

    func apply(_ stage: ScenarioStage) async throws(SimulationError) {
      if consent != nil, let type = stage.store.type(of: product), type != .autoRenewable {
        throw SimulationError(.invalidValue, "\(product) is not a subscription, so its price needs no consent. Remove \"consent\".")
      }
      let store = stage.store
      let known = store.world.products.first { $0.id == product }?.price.currency
      let money = Money(amount: amount, currency: currency ?? known ?? "USD")
      if let offer { return try await store.setPrice(ofOffer: offer, of: product, money, storefront: storefront) }
      try await store.setPrice(product, money, consent: consent ?? .byRule, storefront: storefront)
    }
  }

  struct Failure: Sendable {
    /// The errors that an API of the store can have.
    static let errors: [String] = [
      StoreError.Code.network, .system, .notAllowed, .productUnavailable, .ineligibleForOffer, .invalidOfferSignature, .cancelled,
      .userCancelled, .unknown,
    ].map(\.rawValue)

    /// `nil` makes the API work again.
    let error: StoreError?
    let times: Int?

    init(_ keys: StepKeys) {
      let name = keys.required("error", .word(of: Self.errors + ["none"], "error"), "The error of the API; none makes it work again.")
      error = name == "none" ? nil : StoreError(.init(rawValue: name))
      times = keys.optional("times", .whole(1...Int.max), "The number of calls that fail. Absent: all until it is set again.")
    }

    fileprivate var words: String {
      error.map { "fails with \($0.code.rawValue)\(times.map { " × \($0)" } ?? "")" } ?? "works"
    }
  }
}

extension ScenarioSetting {
  /// The settings, in the order in which they are applied and listed.
  static let all: [ScenarioSetting] = device + accounts + terms + others

  private static let accounts: [ScenarioSetting] = [
    .init("payment", .word, "Whether charges go through.", words: { (payment: PaymentMethod, _) in "payment \(payment.rawValue)" }) {
      payment, stage in await stage.store.setPayment(payment, customer: stage.customer)
    },
    .init("askToBuy", .flag, "Whether purchases wait for a parent.", words: { isOn, _ in "Ask to Buy \(isOn ? "on" : "off")" }) {
      isOn, stage in await stage.store.setAskToBuy(isOn, customer: stage.customer)
    },
    .init(
      "interruptedPurchases", .flag, "Whether purchases are interrupted.",
      words: { isOn, _ in "purchases are \(isOn ? "" : "not ")interrupted" }
    ) { isOn, stage in await stage.store.setAccount(stage.customer) { $0.interruptedPurchases = isOn } },
    .init(
      "interruptedAnswer", .word, "The answer to an interrupted purchase. Default: cancelled.",
      words: { (answer: InterruptedAnswer, _) in "interrupted purchases answer \(answer.rawValue)" }
    ) { answer, stage in stage.store.configure { $0.interruptedAnswer = answer } },
    .init(
      "gracePeriodAfter", .period, "The delay until a new grace period takes effect. Absent: none.",
      words: { length, _ in "changes of the grace period take \(length.words)" }
    ) { length, stage in stage.store.configure { $0.gracePeriodAfter = length } },
    .init(
      "gracePeriod", .gracePeriod, "The grace period after a failed renewal: P3D, P16D, P28D, or P0D for none.",
      words: { period, _ in "grace period \(period.words)" }
    ) { period, stage throws(SimulationError) in try stage.store.setGracePeriod(period.isZero ? nil : period) },
    .init(
      "graceFor", .word, "The failed renewals that have a grace period.", words: { (scope: GraceScope, _) in "grace for \(scope.rawValue)" }
    ) { scope, stage in stage.store.configure { $0.graceFor = scope } },
    .init(
      "monthEnd", .word, "The day of renewals in months that are too short.",
      words: { (policy: MonthEndPolicy, _) in "month end \(policy.rawValue)" }
    ) { policy, stage in stage.store.configure { $0.monthEnd = policy } },
    .init(
      "months", .word, "The time zone in which periods are counted.", words: { (months: StoreMonths, _) in "months of \(months.rawValue)" }
    ) { months, stage in stage.store.configure { $0.months = months } },
    .init(
      "askToBuyLasts", .period, "The lifetime of a request to buy. Default: 24 hours.",
      words: { length, _ in "requests last \(length.words)" }
    ) { length, stage in stage.store.configure { $0.askToBuyLasts = length } },
    .init("price", .object("a price", Price.init), "A new price.", words: words) { price, stage throws(SimulationError) in
      try await price.apply(stage)
    },
    .init(
      "onSale", .map(to: .flag, naming: .product), "Whether products are on sale, by id.",
      words: { products, names in each(products) { "\(names.product(ProductID($0))) \($1 ? "on" : "not on") sale" } }
    ) { products, stage throws(SimulationError) in
      for (id, isOn) in sorted(products) { try await stage.store.setOnSale(ProductID(id), isOn) }
    },
    .init("storefront", .storefront, "The storefront, an ISO 3166-1 alpha-3 code.", words: { code, _ in "storefront \(code)" }) {
      code, stage in await stage.store.setAccount(stage.customer) { $0.storefront = code }
    },
    .init(
      "environment", .word(of: [StoreEnvironment.production, .sandbox, .xcode].map(\.rawValue), "environment"),
      "The store environment of accounts.", words: { name, _ in "environment \(name)" }
    ) { name, stage in await stage.store.setAccount(stage.customer) { $0.environment = .init(rawValue: name) } },
    .init(
      "originalPurchaseDate", .instant, "When the customer first got the app. Absent: the first contact with the store.",
      words: { date, _ in "got the app on \(ISODate.text(date))" }
    ) { date, stage throws(SimulationError) in
      guard date <= stage.store.clock.now else {
        throw SimulationError(.invalidValue, "\(ISODate.text(date)) is in the future. Write the date when the customer got the app.")
      }
      await stage.store.setAccount(stage.customer) { $0.originalPurchaseDate = date }
    },
    .init(
      "originalAppVersion", .text, "The version of the app that the customer first got. Absent: 1.0.",
      words: { version, _ in "got version \(version)" }
    ) { version, stage in await stage.store.setAccount(stage.customer) { $0.originalAppVersion = version } },
  ]

  private static let device: [ScenarioSetting] = [
    .init("network", .word, "Whether the device reaches the store.", words: { (network: NetworkState, _) in network.rawValue }) {
      network, stage throws(SimulationError) in try await stage.store.setNetwork(network, device: stage.device.id)
    }
  ]

  private static let others: [ScenarioSetting] = [
    .init(
      "errors", .map(to: .object("an error", Failure.init), of: "API", among: StoreAPI.all.map(\.rawValue)),
      "Errors by the API's name; with \"on\" for that device only.",
      words: { failures, _ in each(failures) { "\($0) \($1.words)" } }
    ) { failures, stage throws(SimulationError) in
      for (api, failure) in sorted(failures) {
        try stage.store.setError(StoreAPI(api), failure.error, times: failure.times, device: stage.isOneDevice ? stage.device.id : nil)
      }
    },
    .init(
      "clock", .clock, "The device's clock: an instant from which it continues, or true for the right time.",
      words: { belief, _ in belief.map { "the clock shows \(ISODate.text($0))" } ?? "the clock is right" }
    ) { belief, stage throws(SimulationError) in try await stage.store.setClock(belief, device: stage.device.id) },
    .init("timeZone", .timeZone, "The device's time zone, such as Europe/Berlin.", words: { zone, _ in "in \(zone.identifier)" }) {
      zone, stage in stage.session.travel(to: zone)
    },
    .init("damage", .word, "Damage to the state file.", words: { (damage: Damage, _) in "the state file is \(damage.words)" }) {
      damage, stage in stage.session.damage(damage)
    },
    .init(
      "secureStorage", .flag,
      "Whether the app has a secure storage, such as the keychain, from its next launch on. Default: true.",
      words: { isThere, _ in isThere ? "the app has a secure storage" : "the app has no secure storage" }
    ) { isThere, stage in stage.session.usesSecureStorage(isThere) },
  ]

  /// The setting that turns quirks on and off.
  static func quirks(_ rows: [StoreQuirk.Row]) -> ScenarioSetting {
    .init(
      "quirks", .map(to: .flag, of: "quirk", among: rows.map(\.quirk.rawValue)),
      "Occasional behaviour of real stores, on or off, by the quirk's name.",
      words: { quirks, _ in each(quirks) { "\($0) \($1 ? "on" : "off")" } }
    ) { quirks, stage throws(SimulationError) in
      for (name, isOn) in sorted(quirks) { try stage.store.setQuirk(StoreQuirk(name), isOn) }
    }
  }

  /// Terms of products that a catalog does not have.
  private static let terms: [ScenarioSetting] = [
    .init(
      "commitment", .map(to: .whole(0...120, " A commitment is to 120 payments at most."), naming: .product),
      "The number of monthly payments that a customer commits to, by product; 0 for none.",
      words: { payments, names in each(payments) { "\(names.product(ProductID($0))) commits to \($1) payments" } }
    ) { payments, stage throws(SimulationError) in
      for (id, count) in sorted(payments) {
        try stage.store.setCommitment(count > 0 ? count : nil, of: ProductID(id))
      }
    },
    .init(
      "codeStacks", .map(to: .flag), "Whether a code's offer follows the introductory offer, by code.",
      words: { codes, _ in each(codes) { "\($0) \($1 ? "comes after" : "takes the place of") the introductory offer" } }
    ) { codes, stage throws(SimulationError) in
      for (code, stacks) in sorted(codes) { try stage.store.changeRule(of: code) { $0.stacksWithIntroductory = stacks } }
    },
    .init(
      "codes", .map(to: .map(to: .amount), naming: .product), "Prices by code, for products other than subscriptions.",
      words: words
    ) { products, stage throws(SimulationError) in
      for (id, codes) in sorted(products) { try stage.store.addCodes(codes, to: ProductID(id)) }
    },
    .init(
      "codeFor", .map(to: .list(of: .word)), "The customers who may redeem a code, by offer: new, existing, expired.",
      words: { codes, _ in each(codes) { "\($0) is for \($1.map(\.rawValue).joined(separator: ", "))" } }
    ) { (codes: [String: [SimulatedProduct.OfferRule.Audience]], stage) throws(SimulationError) in
      for (code, audiences) in sorted(codes) { try stage.store.changeRule(of: code) { $0.audiences = Set(audiences) } }
    },
  ]

  // MARK: Words

  private static func words(_ price: Price, _ names: CatalogWords) -> String {
    let product = names.product(price.product)
    return (price.offer.map { "\($0) of \(product)" } ?? product)
      + " costs \(price.currency.map { "\(Money(amount: price.amount, currency: $0))" } ?? names.money(price.amount, for: price.product))"
      + (price.storefront.map { " in \($0)" } ?? "")
  }

  private static func words(_ products: [String: [String: Decimal]], _ names: CatalogWords) -> String {
    each(products) { id, codes in
      each(codes) { "\(names.product(ProductID(id))) costs \(names.money($1, for: ProductID(id))) by \($0)" }
    }
  }

  private static func sorted<Value>(_ values: [String: Value]) -> [(key: String, value: Value)] { values.sorted { $0.key < $1.key } }

  private static func each<Value>(_ values: [String: Value], _ words: (String, Value) -> String) -> String {
    sorted(values).map { words($0.key, $0.value) }.joined(separator: ", ")
  }
}

extension ScenarioSort where Value == Period {
  /// A grace period that Apple offers, or none.
  static let gracePeriod = ScenarioSort(
    "P3D, P16D, P28D, or P0D for none", .one(of: ["P3D", "P16D", "P28D", "P0D"]), or: Period(), period.read
  )
  .checked { period, value, reading in
    guard !period.isZero, GraceDays(period) == nil else { return }
    reading.report("bad-value", value, "\"\(period)\" is not a grace period. Apple has \"P3D\", \"P16D\" and \"P28D\"; \"P0D\" is none.")
  }
}

extension ScenarioSort where Value == Date? {
  /// An instant, or `true` for the right time; also as a word, for a value of `each`.
  static let clock = ScenarioSort(
    "an instant, or true", ["anyOf": [["const": true], ["const": "true"], .ref("instant")]], or: nil
  ) { value, reading in
    value.bool == true || value.string == "true" ? .some(nil) : ScenarioSort<Date>.instant.read(value, reading).map { .some($0) }
  }
}

extension ScenarioSort where Value == TimeZone {
  static let timeZone = ScenarioSort("a time zone", ["type": "string"], or: Calendar.storeCalendar.timeZone) { value, reading in
    guard let name = reading.reader.decode(String.self, from: value) else { return nil }
    if let zone = TimeZone(identifier: name) { return zone }
    reading.report("bad-value", value, "There is no time zone \"\(name)\". Write one such as \"Europe/Berlin\".")
    return nil
  }
}

// Scenarios use the store's own names.
extension Sheet: Decodable {}
extension NetworkState: Decodable {}
extension PaymentMethod: Decodable {}
extension GraceScope: Decodable {}
extension InterruptedAnswer: Decodable {}
extension MonthEndPolicy: Decodable {}
extension StoreMonths: Decodable {}
extension PriceConsent: Decodable {}
extension SimulatedProduct.OfferRule.Audience: Decodable {}

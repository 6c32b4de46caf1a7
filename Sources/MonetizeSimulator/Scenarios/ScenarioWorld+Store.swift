// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

extension ScenarioWorld {
  /// What the customer does at the store, and the store itself.
  func atStore(_ action: ScenarioAction, _ session: ScenarioSession) async throws(ScenarioProblem) {
    let customer = session.device.customer
    do throws(SimulationError) {
      switch action {
      case .approve(let product): try await store.approve(product, customer: customer)
      case .decline(let product): try await store.decline(product, customer: customer)
      case .renewal(let to, let product): try await store.setAutoRenew(to == .on, product: product, customer: customer)
      case .family(let member, let joins):
        if joins { try await store.joinFamily(CustomerID(member), of: customer) } else { try await store.leaveFamily(CustomerID(member)) }
      case .refund(let product, let part, let reason, let reverse):
        if part == .none {
          try await store.declineRefund(product, customer: customer)
        } else if reverse {
          try await store.reverseRefund(product, customer: customer)
        } else {
          try await store.refund(
            product, customer: customer, part: part == .full ? .full : .prorated, reason: reason)
        }
      case .renew(let product): try await store.renew(product, customer: customer)
      case .expire(let product): try await store.expire(product, customer: customer)
      case .extend(let product, let by): try await store.extend(product, by: by, customer: customer)
      case .deliver(let times): await store.deliverAgain(customer: customer, times: times)
      case .forget(nil, _): await store.forget(customer: customer)
      case .forget(let product?, let newestOnly): try await store.forget(product, newestOnly: newestOnly, customer: customer)
      default: break
      }
    } catch {
      throw ScenarioProblem(error)
    }
  }

  /// Makes the world different. Errors are those of one device, or of all.
  func set(_ settings: WorldSettings, _ session: ScenarioSession, errorsOn device: DeviceID? = nil) async throws(ScenarioProblem) {
    let customer = session.device.customer
    do throws(SimulationError) {
      if let network = settings.network { try await store.setNetwork(network, device: session.device.id) }
      if let payment = settings.payment { await store.setPayment(payment, customer: customer) }
      if let isOn = settings.askToBuy { await store.setAskToBuy(isOn, customer: customer) }
      if let isOn = settings.interruptedPurchases { await store.setInterruptedPurchases(isOn, customer: customer) }
      if let answer = settings.interruptedAnswer { store.setInterruptedAnswer(answer) }
      if let length = settings.gracePeriodAfter { store.configure { $0.gracePeriodAfter = length } }
      if let period = settings.gracePeriod { try store.setGracePeriod(period.isZero ? nil : period) }
      if let scope = settings.graceFor { store.setGraceFor(scope) }
      if let policy = settings.monthEnd { store.setMonthEnd(policy) }
      if let length = settings.askToBuyLasts { store.setAskToBuyLasts(length) }
      if let storefront = settings.storefront { try await store.setStorefront(storefront, customer: customer) }
      if let environment = settings.environment { await store.setEnvironment(.init(rawValue: environment), customer: customer) }
      if let text = settings.originalPurchaseDate { await store.setAppAcquired(on: try instant(text), customer: customer) }
      if let version = settings.originalAppVersion { await store.setAppAcquired(version: version, customer: customer) }
      for (product, isOnSale) in (settings.onSale ?? [:]).sorted(by: { $0.key < $1.key }) {
        try await store.setOnSale(ProductID(product), isOnSale)
      }
      for (quirk, isOn) in (settings.quirks ?? [:]).sorted(by: { $0.key < $1.key }) { try store.setQuirk(StoreQuirk(quirk), isOn) }
      for (api, failure) in (settings.errors ?? [:]).sorted(by: { $0.key < $1.key }) {
        let error = failure.error == "none" ? nil : StoreError(.init(rawValue: failure.error))
        try store.setError(StoreAPI(api), error, times: failure.times, device: device)
      }
      try setTerms(settings)
      if let price = settings.price {
        guard let amount = Money.amount(price.amount) else {
          throw SimulationError(.invalidValue, "\"\(price.amount)\" is not an amount. Write a decimal string such as \"9.99\".")
        }
        try await setPrice(price, amount)
      }
      if let clock = settings.clock {
        try await store.setClock(clock == "true" ? nil : Instant.parse(clock, in: zone), device: session.device.id)
      }
    } catch {
      throw ScenarioProblem(error)
    }
    if let name = settings.timeZone { try travel(to: name, session) }
    if let damage = settings.damage { damageState(damage, session) }
    if let isThere = settings.secureStorage { session.usesSecureStorage(isThere) }
  }

  private func instant(_ text: String, _ more: String = "") throws(SimulationError) -> Date {
    if let date = Instant.parse(text, in: zone) { return date }
    throw SimulationError(.invalidValue, "\"\(text)\" is not a date and time. Write 2026-03-01T12:00:00Z\(more.isEmpty ? "" : "," + more).")
  }

  private func setPrice(_ price: WorldSettings.Price, _ amount: Decimal) async throws(SimulationError) {
    let consent = price.consent ?? .byRule
    if price.offer == nil, price.storefront == nil, price.currency == nil {
      return try await store.setPrice(price.product, amount: amount, consent: consent)
    }
    let currency = price.currency ?? store.world.products.first { $0.id == price.product }?.price.currency ?? "USD"
    let money = Money(amount: amount, currency: currency)
    if let offer = price.offer { return try await store.setPrice(ofOffer: offer, of: price.product, money, storefront: price.storefront) }
    try await store.setPrice(price.product, money, consent: consent, storefront: price.storefront)
  }

  /// What a catalog does not say about its products.
  private func setTerms(_ settings: WorldSettings) throws(SimulationError) {
    let products = store.world.products
    for (id, payments) in (settings.commitment ?? [:]).sorted(by: { $0.key < $1.key }) {
      guard var product = products.first(where: { $0.id.rawValue == id }) else {
        throw .unknown("product", id, among: products.map(\.id.rawValue))
      }
      product.commitmentPeriods = payments > 0 ? payments : nil
      store.setProduct(product)
    }
    for (code, names) in (settings.codeFor ?? [:]).sorted(by: { $0.key < $1.key }) {
      var audiences: Set<SimulatedProduct.OfferRule.Audience> = []
      for name in names {
        guard let audience = SimulatedProduct.OfferRule.Audience(rawValue: name) else {
          throw .unknown("audience", name, among: SimulatedProduct.OfferRule.Audience.allCases.map(\.rawValue))
        }
        audiences.insert(audience)
      }
      try setRule(of: code) { $0.audiences = audiences }
    }
    for (code, stacks) in (settings.codeStacks ?? [:]).sorted(by: { $0.key < $1.key }) {
      try setRule(of: code) { $0.stacksWithIntroductory = stacks }
    }
    for (id, codes) in (settings.codes ?? [:]).sorted(by: { $0.key < $1.key }) {
      guard var product = store.world.products.first(where: { $0.id.rawValue == id }) else {
        throw .unknown("product", id, among: products.map(\.id.rawValue))
      }
      guard product.terms == nil else {
        throw SimulationError(.invalidValue, "\(id) is a subscription, whose codes are \"offers\" of the type \"code\" in the catalog.")
      }
      for (code, text) in codes.sorted(by: { $0.key < $1.key }) {
        guard let amount = Money.amount(text) else {
          throw SimulationError(.invalidValue, "\"\(text)\" is not an amount. Write a decimal string such as \"0.00\".")
        }
        product.codes[code] = Money(amount: amount, currency: product.price.currency)
      }
      store.setProduct(product)
    }
  }

  private func setRule(of code: String, _ change: (inout SimulatedProduct.OfferRule) -> Void) throws(SimulationError) {
    let products = store.world.products
    guard var product = products.first(where: { $0.terms?.offers.contains { $0.id == code } ?? false }) else {
      throw .unknown("code", code, among: products.flatMap { $0.terms?.offers.compactMap(\.id) ?? [] })
    }
    var rule = product.offerRules[code] ?? SimulatedProduct.OfferRule()
    change(&rule)
    product.offerRules[code] = rule
    store.setProduct(product)
  }

  private func travel(to name: String, _ session: ScenarioSession) throws(ScenarioProblem) {
    guard let zone = TimeZone(identifier: name) else {
      throw ScenarioProblem(text: "There is no time zone \"\(name)\". Write one such as \"Europe/Berlin\".")
    }
    session.travel(to: zone)
  }

  private func damageState(_ damage: WorldSettings.Damage, _ session: ScenarioSession) {
    guard var bytes = session.disk.read(session.statePath) else { return }
    switch damage {
    case .corrupt: for place in stride(from: 20, to: bytes.count, by: 7) where bytes[place] != UInt8(ascii: "\n") { bytes[place] ^= 0x15 }
    case .truncate: bytes.removeLast(bytes.count / 2)
    case .delete:
      session.disk.delete(session.statePath)
      return
    }
    session.disk.write(bytes, to: session.statePath)
  }
}

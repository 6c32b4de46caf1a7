// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import Testing

/// The devices' view: delivery, offline, errors, each quirk.
@Suite(.timeLimit(.minutes(30)))
struct DeviceTests {
  @Test func twoDevicesOfOneCustomer() async throws {
    let store = Shop.store()
    let phone = store.device("phone", customer: "ann")
    let watch = store.device("watch", customer: "ann")
    let other = store.device("other", customer: "bob")
    let ears = [phone, watch, other].map(Ear.init)
    try await phone.buy("monthly")
    // StoreKit: a device's own purchase is no update on it; the subscription's status is.
    #expect(ears.map(\.transactions.count) == [0, 1, 0])
    #expect(ears.map(\.renewals.count) == [1, 1, 0])
    let answers = [try await phone.read(), try await watch.read()]
    #expect(answers[0] == answers[1])
    #expect(answers[0].date == Shop.date("2026-03-01T12:00:00Z"))
    #expect(try await other.read().transactions.isEmpty)
    await store.advance(by: Period(months: 1))
    #expect(ears.map(\.transactions.count) == [1, 2, 0])
    #expect(phone.calls.filter { $0.value > 0 } == ["purchase": 1, "read": 1])
    #expect(Set(phone.calls.keys) == Set(SimulatedDevice.callNames))
    try await phone.finish("t1")
    #expect(phone.finished == ["t1"])
    #expect(watch.finished.isEmpty)
    #expect(try await watch.unfinished().map(\.transaction.id) == ["t2"])
  }

  @Test func listenersAreAwaitedInTheOrderOfTimeAndTheStoreSpeaksBeforeTheClock() async throws {
    let store = Shop.store()
    let phone = store.device()
    let order = Locked<[String]>([])
    let handle = phone.listen { update in
      await Task.yield()
      if case .transaction(let signed) = update { order.withLock { $0.append("\(signed.transaction.id)") } }
    }
    try await phone.buy("weekly")
    let wakeUps = ["2026-03-08T12:00:00Z", "2026-03-10T00:00:00Z"].map { text in
      phone.time.wake(at: Shop.date(text)) { order.withLock { $0.append("wake") } }
    }
    await store.advance(by: Period(days: 14))
    #expect(order.withLock { $0 } == ["t2", "wake", "wake", "t3"])
    #expect(wakeUps.count == 2)
    handle.cancel()
  }

  @Test("A purchase loads its product first, once for a process, and fails as that does") func purchaseLoads() async throws {
    let store = Shop.store()
    let phone = store.device()
    _ = try await phone.products(for: ["weekly"])
    try store.setError(.loadProducts, StoreError(.network))
    await #expect(throws: StoreError(.network)) { try await phone.buy("pack") }
    await #expect(throws: StoreError(.network)) { try await phone.buy("pack") }
    #expect(try await phone.buy("weekly") != nil)
    phone.restartProcess()
    await #expect(throws: StoreError(.network)) { try await phone.buy("monthly") }
    try store.setError(.loadProducts, nil)
    #expect(try await phone.buy("pack") != nil)
  }

  @Test func offlineEverythingFailsAndNewsWaits() async throws {
    let store = Shop.store()
    let phone = store.device("phone")
    let ear = Ear(phone)
    try await phone.buy("monthly")
    try await store.setNetwork(.offline, device: "phone")
    await #expect(throws: StoreError(.network)) { try await phone.read() }
    await #expect(throws: StoreError(.network)) { try await phone.buy("pack") }
    await #expect(throws: StoreError(.network)) { try await phone.products(for: ["pack"]) }
    await #expect(throws: StoreError(.network)) { try await phone.synchronize() }
    try await phone.finish("t1")
    #expect(phone.finished == ["t1"])
    await store.advance(by: Period(months: 2))
    #expect(ear.transactions.isEmpty)
    try await store.setNetwork(.online)
    #expect(ear.transactions.map(\.id) == ["t2", "t3"])
    #expect(ear.renewals.last?.expires == Shop.date("2026-06-01T12:00:00Z"))
    await #expect(throws: SimulationError.self) { try await store.setNetwork(.offline, device: "fone") }
  }

  @Test func whatHappensWhileNobodyListensComesThroughUnfinished() async throws {
    let store = Shop.store()
    let phone = store.device()
    try await phone.buy("pack")
    try await phone.buy("weekly")
    try await phone.finish("t1")
    try await phone.finish("t2")
    await store.advance(by: Period(days: 15))
    try await store.refund("pack")
    let ear = Ear(phone)
    #expect(ear.updates.isEmpty)
    let missed = try await phone.unfinished().map(\.transaction)
    #expect(missed.map(\.id) == ["t1", "t3", "t4"])
    #expect(missed.first?.revocation != nil)
    for transaction in missed { try await phone.finish(transaction.id) }
    #expect(try await phone.unfinished().isEmpty)
    #expect(store.transactions().count == 4)
  }

  @Test func aDeviceThatChangesHands() async throws {
    let store = Shop.store()
    let phone = store.device("phone", customer: "ann")
    try await phone.buy("pack")
    _ = store.device("phone", customer: "bob")
    #expect(phone.customer == "bob")
    #expect(try await phone.read().transactions.isEmpty)
    #expect(try await phone.unfinished().isEmpty)
    #expect(try await phone.standing(of: "t1") == .gone)
  }

  /// At any time, a device's updates and purchase results add up to the state of the store.
  @Test(arguments: UInt64(0)..<6) func whatADeviceHearsIsAllThereIs(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let store = Shop.store(at: "2024-01-31T00:00:00Z", seed: seed)
    let phone = store.device("phone", customer: "ann")
    let watch = store.device("watch", customer: "ann")
    let ears = [Ear(phone), Ear(watch)]
    var answered: [StoreTransaction] = []
    if Bool.random(using: &random) { try store.setQuirk(.duplicates) }
    for _ in 0..<150 {
      let product = Shop.products.randomElement(using: &random)?.id ?? "pack"
      let isOn = Bool.random(using: &random)
      do {
        switch Int.random(in: 0..<9, using: &random) {
        case 0, 1: if let bought = try await phone.buy(product) { answered.append(bought) }
        case 2, 3: await store.advance(by: TimeInterval(Int.random(in: 0..<30 * 86400, using: &random)))
        case 4: await store.setPayment(isOn ? .works : .fails)
        case 5: try await isOn ? store.refund(product, customer: "ann") : store.reverseRefund(product, customer: "ann")
        case 6: try await store.setAutoRenew(isOn, product: product, customer: "ann")
        case 7: try await isOn ? store.renew(product, customer: "ann") : store.expire(product, customer: "ann")
        default: try await store.setNetwork(isOn ? .online : .offline, device: "watch")
        }
      } catch {}
    }
    try await store.setNetwork(.online)
    for (ear, extra) in zip(ears, [answered, []]) {
      var facts = FactSet<StoreTransaction>()
      for fact in ear.transactions + extra { facts.insert(fact) }
      #expect(facts.sorted == store.transactions(of: "ann").sorted { $0.id < $1.id }, "seed \(seed)")
      var states = FactSet<RenewalInfo>()
      for fact in ear.renewals { states.insert(fact) }
      #expect(states.sorted == store.subscriptions(of: "ann").sorted { $0.originalID < $1.originalID }, "seed \(seed)")
    }
  }

  @Test func sheets() async throws {
    let store = Shop.store()
    let phone = store.device()
    let ear = Ear(phone)
    phone.nextSheet = .cancel
    #expect(try await phone.purchase(PurchaseRequest("pack")) == .userCancelled)
    phone.nextSheet = .askToBuy
    #expect(try await phone.purchase(PurchaseRequest("pack")) == .pending)
    #expect(phone.nextSheet == nil)
    try await store.approve("pack")
    #expect(ear.transactions.map(\.id) == ["t1"])
    await store.setAskToBuy(true)
    #expect(try await phone.purchase(PurchaseRequest("coins")) == .pending)
    await store.setAskToBuy(false)
    await store.setAccount { $0.interruptedPurchases = true }
    #expect(try await phone.purchase(PurchaseRequest("season")) == .userCancelled)
    #expect(store.waitingPurchases() == ["coins", "season"])
  }

  @Test func boughtInThePast() async throws {
    let store = Shop.store()
    let phone = store.device()
    _ = try await phone.purchase(PurchaseRequest("monthly"), at: Shop.date("2026-01-15T00:00:00Z"))
    #expect(store.transactions().count == 2)
    #expect(try await phone.read().transactions.map(\.transaction.id) == ["t2"])
  }

  @Test func errorsHappenOnceSoOftenOrUntilTold() async throws {
    let store = Shop.store()
    let phone = store.device("phone")
    try store.setError(.purchase, StoreError(.system), times: 2)
    for _ in 0..<2 { await #expect(throws: StoreError(.system)) { try await phone.buy("pack") } }
    #expect(try await phone.buy("pack") != nil)
    try store.setError(.subscriptionStatus, StoreError(.notAllowed))
    for _ in 0..<5 { await #expect(throws: StoreError(.notAllowed)) { try await phone.read() } }
    try store.setError(.subscriptionStatus, nil)
    #expect(try await phone.read().transactions.count == 1)
    try store.setError(.verification, StoreError(.unknown), times: 1)
    #expect(try await phone.read().transactions.map(\.isVerified) == [false])
    #expect(try await phone.read().transactions.map(\.isVerified) == [true])
    try store.setError(.appStoreSync, StoreError(.userCancelled), times: 1, device: "phone")
    try await store.device("watch").synchronize()
    await #expect(throws: StoreError(.userCancelled)) { try await phone.synchronize() }
    try store.setError(.loadProducts, StoreError(.network), times: 1)
    await #expect(throws: StoreError(.network)) { try await phone.products(for: ["pack"]) }
    try store.setError(.offerCodeRedeem, StoreError(.system), times: 1)
    await #expect(throws: StoreError(.system)) { try await phone.redeemCode("code", for: "trial") }
    _ = try await phone.redeemCode("code", for: "trial")
    try store.setError(.manageSubscriptions, StoreError(.system), times: 1)
    await #expect(throws: StoreError(.system)) { try await phone.manageSubscriptions("trial", autoRenew: false) }
    try await phone.manageSubscriptions("trial", autoRenew: false)
    try store.setError(.refundRequest, StoreError(.system), times: 1)
    await #expect(throws: StoreError(.system)) { try await phone.requestRefund("pack") }
    try await phone.requestRefund("pack")
    #expect(store.log.last?.type == .consumptionRequest)
    try store.setError(.appTransaction, StoreError(.network), times: 1)
    await #expect(throws: StoreError(.network)) { try await phone.appTransaction() }
    try store.setError(.verification, StoreError(.unknown), times: 1)
    await #expect(throws: StoreError(.unverified)) { try await phone.appTransaction() }
    _ = try await phone.appTransaction()
    #expect(throws: SimulationError.self) { try store.setError("purchases", nil) }
  }

  @Test("A customer's app transaction dates from the first contact or the setting, and is constant in the sandbox")
  func appTransactions() async throws {
    let store = Shop.store()
    let phone = store.device("phone", customer: "ann", app: "com.example.app")
    await store.advance(by: Period(months: 1))
    let (tablet, other) = (store.device("tablet", customer: "ann"), store.device("other", customer: "bob"))
    let app = try await phone.appTransaction()
    #expect(
      app
        == AppTransactionRecord(
          appID: "com.example.app", originalPurchaseDate: Shop.date("2026-03-01T12:00:00Z"), originalAppVersion: "1.0"))
    #expect(try await tablet.appTransaction() == app)
    #expect(try await other.appTransaction().originalPurchaseDate == Shop.date("2026-04-01T12:00:00Z"))
    await store.setAccount("bob") { ($0.originalPurchaseDate, $0.originalAppVersion) = (Shop.date("2024-05-01T00:00:00Z"), "0.9") }
    await store.forget(customer: "bob")
    #expect(try await other.appTransaction().originalPurchaseDate == Shop.date("2024-05-01T00:00:00Z"))
    #expect(try await other.appTransaction().originalAppVersion == "0.9")
    await store.setAccount("bob") { $0.environment = .sandbox }
    let sandbox = try await other.appTransaction()
    #expect(sandbox.environment == .sandbox && sandbox.originalAppVersion == "1.0")
    #expect(sandbox.originalPurchaseDate == Shop.date("2013-08-01T07:00:00Z"))
    #expect(phone.calls["appTransaction"] == 1)
  }

  @Test func aFlakyNetworkIsDrawnFromTheSeed() async throws {
    func fails(_ seed: UInt64) async -> [Bool] {
      let store = Shop.store(seed: seed)
      store.configure { $0.flakiness = 0.5 }
      var fails: [Bool] = []
      for _ in 0..<64 { fails.append((try? await store.device().read()) == nil) }
      return fails
    }
    let first = await fails(1)
    #expect(first.contains(true) && first.contains(false))
    #expect(await fails(1) == first)
    #expect(await fails(2) != first)
  }

  @Test func aCancelledTaskReadsNothing() async {
    let phone = Shop.store().device()
    let task = Task { () -> StoreError? in
      withUnsafeCurrentTask { $0?.cancel() }
      do { _ = try await phone.read() } catch { return error as? StoreError }
      return nil
    }
    #expect(await task.value == StoreError(.cancelled))
  }

  @Test func productsShowPricesAndOffers() async throws {
    let store = Shop.store()
    let phone = store.device()
    let shown = try await phone.products(for: ["trial", "nonsense", "pack"])
    #expect(shown.map(\.id) == ["trial", "pack"])
    #expect(shown.map(\.displayPrice) == ["$10.00", "$9.99"])
    #expect(shown.map(\.introductoryOffer) == [Shop.trial, nil])
    try await phone.buy("trial")
    #expect(try await phone.products(for: ["trial"]).map(\.introductoryOffer) == [nil])
  }

  @Test func aCatalogIsAStore() async throws {
    let json = """
      { "schemaVersion": 1, "app": { "id": "com.example.mazes", "name": "Mazes" },
        "features": { "play": { "title": "Play" } },
        "products": [
          { "kind": "nonConsumable", "id": "com.example.mazes.pack", "name": "Pack", "price": { "amount": "9.99", "currency": "USD" },
            "grants": { "play": true } } ],
        "billing": { "gracePeriod": "P16D" } }
      """
    let store = SimulatedStore(catalog: try Catalog(json: Data(json.utf8)), start: Shop.date("2026-03-01T12:00:00Z"))
    #expect(store.settings.gracePeriod == .sixteen)
    #expect(try await store.device().buy("com.example.mazes.pack")?.appID == "com.example.mazes")
  }
}

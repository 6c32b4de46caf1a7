// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeSimulator
import Testing

@testable import Monetize

/// The events of purchases: which of a customer's devices sends which, and with which transaction.
@Suite("Events of purchases", .timeLimit(.minutes(30)))
struct PurchaseEventTests {
  private static let catalog = """
    { "schemaVersion": 1, "app": { "id": "test.shop", "name": "Shop" }, "features": { "extra": {} }, "freeTier": { "grants": {} },
      "products": [
        { "kind": "nonConsumable", "id": "pack", "name": "Pack", "familyShareable": true, "price": { "amount": "2.99", "currency": "USD" },
          "grants": { "extra": true } },
        { "kind": "subscription", "id": "month", "name": "Monthly", "group": "g", "level": 2, "period": "P1M",
          "price": { "amount": "4.99", "currency": "USD" }, "grants": { "extra": true } },
        { "kind": "subscription", "id": "year", "name": "Yearly", "group": "g", "level": 1, "period": "P1Y",
          "price": { "amount": "39.99", "currency": "USD" }, "grants": { "extra": true } },
        { "kind": "subscription", "id": "tried", "name": "Tried", "group": "t", "level": 1, "period": "P1M",
          "price": { "amount": "4.99", "currency": "USD" }, "grants": { "extra": true },
          "offers": [{ "type": "introductory", "mode": "freeTrial", "period": "P7D" }] },
        { "kind": "nonConsumable", "id": "taste", "name": "14-day Trial", "period": "P14D", "price": { "amount": "0", "currency": "USD" },
          "grants": { "extra": true } }] }
    """

  private struct World {
    let catalog: Catalog
    let store: SimulatedStore

    init() throws {
      catalog = try Catalog(json: Data(PurchaseEventTests.catalog.utf8))
      store = SimulatedStore(catalog: catalog, start: RandomFacts.start)
    }

    func launch(_ device: DeviceID, customer: CustomerID = .customer, storage: any StateStorage = .memory) async -> Device {
      let (simulated, log) = (store.device(device, customer: customer), RecordedEvents())
      let monetizer = Monetizer(catalog: catalog) {
        ($0.store, $0.time, $0.storage, $0.startsByItself) = (simulated, simulated.time, storage, false)
        $0.onEvent = { event in log.add(event) }
      }
      await monetizer.start()
      return Device(monetizer: monetizer, log: log)
    }
  }

  private final class RecordedEvents: Sendable {
    private let events = Locked<[MonetizeEvent]>([])
    var all: [MonetizeEvent] { events.copy }
    func add(_ event: MonetizeEvent) { events.withLock { $0.append(event) } }
  }

  private struct Device {
    let monetizer: Monetizer
    let log: RecordedEvents

    private var sales: [MonetizeEvent] {
      let names: Set<MonetizeEvent.Name> = [
        .purchaseCompleted, .purchaseRestored, .subscriptionRenewed, .purchaseRevoked, .purchaseReinstated, .planChangeScheduled,
      ]
      return log.all.filter { names.contains($0.name) }
    }
    var names: [String] { sales.map { "\($0.name.rawValue) \($0.product?.rawValue ?? "")" } }
    var records: [EventRecord] { sales.map { EventRecord($0) } }
  }

  @Test("The event of a purchase has whether it begins a trial: by the offer of a plan, or by a product that is a trial")
  func trials() async throws {
    let world = try World()
    let phone = await world.launch("phone")
    for product in ["pack", "tried", "taste"] as [ProductID] { _ = try await phone.monetizer.purchase(product) }
    #expect(phone.names == ["purchaseCompleted pack", "purchaseCompleted tried", "purchaseCompleted taste"])
    #expect(phone.records.map(\.trial) == [nil, true, true])
  }

  @Test("XC-14, MAGIC-44: two running devices report a purchase and a renewal with one transaction each, and what was paid")
  func twoDevices()
    async throws
  {
    let world = try World()
    let (phone, watch) = (await world.launch("phone"), await world.launch("watch"))
    _ = try await phone.monetizer.purchase("month")
    await world.store.advance(by: 31 * 86400)
    let names = ["purchaseCompleted month", "subscriptionRenewed month"]
    #expect(phone.names == names && watch.names == names)
    #expect(phone.records.map(\.transaction) == watch.records.map(\.transaction) && Set(phone.records.map(\.transaction)).count == 2)
    #expect(phone.records.allSatisfy { $0.price?.description == "4.99 USD" })
    #expect(phone.records[0].until == phone.records[1].purchased && phone.records[0].purchased == RandomFacts.start)
  }

  @Test("AMB-43, DOZZI-39: a device that is first started after the purchase finds it, and did not make it") func laterDevice() async throws
  {
    let world = try World()
    let phone = await world.launch("phone")
    _ = try await phone.monetizer.purchase("pack")
    await world.store.advance(by: 30 * 86400)
    #expect(await world.launch("tablet").names == ["purchaseRestored pack"])
  }

  @Test("An update about a purchase from before the app was first started here is of another device; later starts cannot know")
  func updates() async throws {
    let (storage, time) = (MemoryStorage(), TestTime(RandomFacts.start + 86400))
    for (number, isHere) in [false, true].enumerated() {
      let (store, log) = (ScriptedStore(), EventLog())
      let monetizer = try TestShop.monetizer(store, storage: storage, time: time, log: log)
      await monetizer.start()
      let bought = TestShop.transaction(TransactionID("\(number)"), number == 0 ? "pack" : "month", at: RandomFacts.start)
      await store.deliver(.transaction(SignedTransaction(bought)))
      #expect(log.count(.purchaseCompleted) == (isHere ? 1 : 0), "\(log.names)")
      await monetizer.settled()
    }
  }

  @Test("A purchase in this app was made here, although the store dates it before the first start: the device's clock is ahead")
  func clockAhead() async throws {
    let (log, bought) = (EventLog(), TestShop.transaction(at: RandomFacts.start))
    let store = ScriptedStore { script in
      script.purchase = { _ throws(StoreError) in .success(SignedTransaction(bought)) }
      script.read = StoreAnswer(transactions: [])
    }
    let monetizer = try TestShop.monetizer(store, time: TestTime(RandomFacts.start + 86400), log: log)
    await monetizer.start()
    #expect(try await monetizer.purchase("pack").name == "completed")
    #expect(log.count(.purchaseCompleted) == 1 && log.count(.purchaseRestored) == 0, "\(log.names)")
  }

  @Test("A renewal while the app was closed has the date of its period, not of the launch") func lateRenewal() async throws {
    let (world, storage) = (try World(), MemoryStorage())
    var phone: Device? = await world.launch("phone", storage: storage)
    _ = try await phone?.monetizer.purchase("month")
    phone = nil
    await world.store.advance(by: 70 * 86400)
    let again = await world.launch("phone", storage: storage)
    #expect(again.names.allSatisfy { $0 == "subscriptionRenewed month" } && !again.names.isEmpty)
    let launch = RandomFacts.start + 70 * 86400
    #expect(again.records.allSatisfy { $0.at == launch && $0.purchased.map { $0 < launch - 5 * 86400 } == true && $0.until != nil })
  }

  @Test("Only a purchase that begins with a free trial has that in its event, not the renewals after it") func trial() async throws {
    let world = try World()
    let phone = await world.launch("phone")
    _ = try await phone.monetizer.purchase("month")
    _ = try await phone.monetizer.purchase("tried")
    await world.store.advance(by: 8 * 86400)
    await phone.monetizer.refresh()
    #expect(phone.names == ["purchaseCompleted month", "purchaseCompleted tried", "subscriptionRenewed tried"])
    #expect(phone.records.map(\.trial) == [nil, true, nil])
  }

  @Test("What the family shares is no purchase of the member") func family() async throws {
    let world = try World()
    let ann = await world.launch("ann's", customer: "ann")
    let ben = await world.launch("ben's", customer: "ben")
    _ = try await ann.monetizer.purchase("pack")
    try await world.store.joinFamily("ben", of: "ann")
    await ben.monetizer.refresh()
    #expect(ben.monetizer.allows("extra") && ben.names.isEmpty)
    #expect(ann.names == ["purchaseCompleted pack"])
  }

  @Test("A plan bought again after a lapse, and an upgrade, are purchases; a change at the next renewal is scheduled, then renewed")
  func plans() async throws {
    let world = try World()
    let phone = await world.launch("phone")
    _ = try await phone.monetizer.purchase("month")
    try await world.store.setAutoRenew(false, product: "month")
    await world.store.advance(by: 40 * 86400)
    _ = try await phone.monetizer.purchase("month")
    await world.store.advance(by: 86400)
    _ = try await phone.monetizer.purchase("year")
    #expect(phone.names == ["purchaseCompleted month", "purchaseCompleted month", "purchaseCompleted year"])
    await world.store.advance(by: 86400)
    _ = try await phone.monetizer.purchase("month")
    await world.store.advance(by: 370 * 86400)
    #expect(phone.names.dropFirst(3) == ["planChangeScheduled month", "subscriptionRenewed month"])
  }

  @Test("A refund has one event, and its reversal another") func reversed() async throws {
    let world = try World()
    let phone = await world.launch("phone")
    _ = try await phone.monetizer.purchase("pack")
    try await world.store.refund("pack")
    for _ in 0..<3 { await phone.monetizer.refresh() }
    try await world.store.reverseRefund("pack")
    for _ in 0..<3 { await phone.monetizer.refresh() }
    #expect(phone.names == ["purchaseCompleted pack", "purchaseRevoked pack", "purchaseReinstated pack"])
    #expect(Set(phone.records.map(\.transaction)).count == 1)
  }

  @Test("A line of the log has every value of its record") func wholeLine() throws {
    var record = EventRecord(.used, at: RandomFacts.start, customer: "c")
    (record.child, record.environment, record.simulated) = (Member.child("max").subject, .sandbox, true)
    (record.product, record.feature, record.item, record.placement) = ("month", "story", "forest/4", .settings)
    (record.error, record.experiment, record.arm, record.transaction) = ("network", "price", "low", "1")
    (record.purchased, record.until) = (RandomFacts.start - 60, RandomFacts.start + 60)
    (record.price, record.trial, record.paid, record.count) = (Money(amount: 5, currency: "USD"), true, false, 2)
    record.properties = ["size": .number(3)]
    let line = record.line()
    for key in EventRecord.CodingKeys.allCases { #expect(line.contains("\"\(key.rawValue)\":"), "\(key)") }
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    #expect(try decoder.decode(EventRecord.self, from: Data(line.utf8)) == record)
  }

  @Test("A line of the log is read back with its transaction, dates and price; no event that leaves the device has them") func line() throws
  {
    let bought = StoreTransaction(
      id: "1", productID: "month", purchaseDate: RandomFacts.start, expirationDate: RandomFacts.start + 86400, reason: .purchase,
      price: Money(amount: Decimal(sign: .plus, exponent: -2, significand: 499), currency: "USD"))
    var event = MonetizeEvent(.purchaseCompleted, at: RandomFacts.start, product: "month")
    event.payment = .init(bought)
    let record = EventRecord(event)
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    #expect(try decoder.decode(EventRecord.self, from: Data(record.line().utf8)) == record)
    #expect(record.simulated == nil)
    event.isSimulated = true
    event.assignment = ArmAssignment(experiment: "price", arm: "low", date: RandomFacts.start)
    let assigned = try decoder.decode(EventRecord.self, from: Data(EventRecord(event).line().utf8))
    #expect(assigned.experiment == "price" && assigned.arm == "low")
    #expect(EventRecord(event).simulated == true)
    let shared = SharedEvent(event, try Catalog(json: Data(Self.catalog.utf8)))
    #expect(!"\(Mirror(reflecting: shared).children.map { "\($0.value)" })".contains("4.99"))
  }
}

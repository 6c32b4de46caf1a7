// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// A store that follows a test's script, and counts its calls.
final class ScriptedStore: StoreBackend {
  struct Script: Sendable {
    var purchase: @Sendable (PurchaseRequest) async throws(StoreError) -> PurchaseResult = { _ throws(StoreError) in
      throw StoreError(.productUnavailable)
    }
    /// The answer of `read`; `nil` for a failure.
    var read: StoreAnswer? = StoreAnswer(transactions: [])
    /// A hook between the call and the answer.
    var beforeReading: (@Sendable () async -> Void)?
    /// A hook in `finish` and in `unfinished`.
    var beforeFinishing: (@Sendable () async -> Void)?
    var beforeUnfinished: (@Sendable () async -> Void)?
    var standings: [TransactionID: StoreStanding] = [:]
    /// A hook in `standing`.
    var beforeStanding: (@Sendable () async -> Void)?
    var unfinished: [SignedTransaction] = []
    var unfinishedFails = false
    var synchronizeFails: StoreError?
    /// The answers to the next requests for products; after them, the products.
    var productErrors: [StoreError] = []
    var finishFails = false
    var calls: [String: Int] = [:]
    var finished: [TransactionID] = []
    var deliver: StoreUpdateHandler?
  }
  private let script: Locked<Script>

  init(_ change: (inout Script) -> Void = { _ in }) {
    var script = Script()
    change(&script)
    self.script = Locked(script)
  }

  func change(_ change: (inout Script) -> Void) { script.withLock { change(&$0) } }
  func calls(_ name: String) -> Int { script.withLock { $0.calls[name] ?? 0 } }
  var finished: [TransactionID] { script.withLock { $0.finished } }

  private func ask(_ name: String) -> Script {
    script.withLock { script in
      script.calls[name, default: 0] += 1
      return script
    }
  }

  func products(for ids: [ProductID]) async throws(StoreError) -> [StoreProduct] {
    _ = ask("products")
    let error = script.withLock { $0.productErrors.isEmpty ? nil : $0.productErrors.removeFirst() }
    if let error { throw error }
    return ids.map { StoreProduct(id: $0, displayName: $0.rawValue, displayPrice: "1", price: Money(amount: 1, currency: "USD")) }
  }
  func purchase(_ request: PurchaseRequest) async throws(StoreError) -> PurchaseResult { try await ask("purchase").purchase(request) }
  func read() async throws(StoreError) -> StoreAnswer {
    let script = ask("read")
    await script.beforeReading?()
    guard let answer = script.read else { throw StoreError(.network) }
    return answer
  }
  func standing(of transaction: TransactionID) async throws(StoreError) -> StoreStanding {
    let script = ask("standing")
    await script.beforeStanding?()
    guard let standing = script.standings[transaction] else { throw StoreError(.network) }
    return standing
  }
  func unfinished() async throws(StoreError) -> [SignedTransaction] {
    let script = ask("unfinished")
    await script.beforeUnfinished?()
    if script.unfinishedFails { throw StoreError(.network) }
    return script.unfinished.filter { !script.finished.contains($0.transaction.id) }
  }
  func finish(_ transaction: TransactionID) async throws(StoreError) {
    let script = ask("finish")
    await script.beforeFinishing?()
    if script.finishFails { throw StoreError(.network) }
    self.script.withLock { $0.finished.append(transaction) }
  }
  func synchronize() async throws(StoreError) { if let error = ask("synchronize").synchronizeFails { throw error } }
  func listen(_ deliver: @escaping StoreUpdateHandler) -> StoreListening {
    script.withLock { $0.deliver = deliver }
    return StoreListening { [weak self] in self?.script.withLock { $0.deliver = nil } }
  }
  var isListenedTo: Bool { script.withLock { $0.deliver != nil } }
  /// Sends an update to the listener and waits until it is processed.
  func deliver(_ update: StoreUpdate) async { await script.withLock { $0.deliver }?(update) }
}

/// A gate that always passes, and counts.
final class OpenGate: ParentalGate {
  private let shown = Locked(0)
  var count: Int { shown.withLock { $0 } }
  func challenge() async -> Bool {
    shown.withLock { $0 += 1 }
    return true
  }
}

/// A storage that refuses on demand: only to write, or also to read, like a file on a locked device.
final class RefusingStorage: StateStorage {
  let inner: MemoryStorage
  private let alsoReading: Bool
  private let refuses = Locked(false)
  init(_ inner: MemoryStorage = MemoryStorage(), alsoReading: Bool = false) { (self.inner, self.alsoReading) = (inner, alsoReading) }
  var isRefusing: Bool {
    get { refuses.withLock { $0 } }
    set { refuses.withLock { $0 = newValue } }
  }
  private func check() throws(StorageError) { if isRefusing { throw StorageError("The storage refuses.") } }
  func load() throws(StorageError) -> StoredRecords {
    if alsoReading { try check() }
    return inner.load()
  }
  func append(_ record: Data) throws(StorageError) {
    try check()
    inner.append(record)
  }
  func replace(with records: [Data]) throws(StorageError) {
    try check()
    inner.replace(with: records)
  }
}

/// A storage that reports damage until something is written.
final class DamagedStorage: StateStorage {
  private let inner: MemoryStorage
  private let kept: [Data]
  /// - Parameter kept: The records that can still be read.
  init(_ kept: [Data] = []) { (self.kept, inner) = (kept, MemoryStorage(kept)) }
  func load() throws(StorageError) -> StoredRecords {
    let records = inner.load().records
    return StoredRecords(records: records, damaged: records == kept ? "aside" : nil)
  }
  func append(_ record: Data) throws(StorageError) { inner.append(record) }
  func replace(with records: [Data]) throws(StorageError) { inner.replace(with: records) }
}

/// Collects events.
final class EventLog: Sendable {
  private let log = Locked<[MonetizeEvent]>([])
  var all: [MonetizeEvent] { log.copy }
  var names: [MonetizeEvent.Name] { all.map(\.name) }
  func count(_ name: MonetizeEvent.Name) -> Int { names.filter { $0 == name }.count }
  func add(_ event: MonetizeEvent) { log.withLock { $0.append(event) } }
}

/// The shop that the tests of the facade use.
enum TestShop {
  static func json(gate: Bool = false, products: String = "") -> String {
    """
    { "schemaVersion": 1, "app": { "id": "test.shop", "name": "Shop" },
      "features": { "story": { "allowance": "count", "per": "month" }, "trial": { "allowance": "count" }, "extra": {} },
      "freeTier": { "grants": { "story": 3, "trial": 3 } },
      "products": [
        { "kind": "nonConsumable", "id": "pack", "name": "Pack", "grants": { "extra": true, "story": "unlimited", "trial": "unlimited" } },
        { "kind": "subscription", "id": "month", "name": "Monthly", "group": "g", "level": 1, "period": "P1M", "grants": { "extra": true } }\(products) ]
      \(gate ? ", \"parentalGate\": {}" : "") }
    """
  }
  static func catalog(gate: Bool = false) throws -> Catalog { try Catalog(json: Data(json(gate: gate).utf8)) }
  static func transaction(_ id: TransactionID = "1", _ product: ProductID = "pack", at date: Date = RandomFacts.start) -> StoreTransaction {
    StoreTransaction(id: id, productID: product, purchaseDate: date, expirationDate: product == "month" ? date + 30 * 86400 : nil)
  }

  /// A monetizer that does not start by itself, with a scripted store and a manual clock in UTC.
  static func monetizer(
    _ store: ScriptedStore = ScriptedStore(), storage: any StateStorage = .memory, time: TestTime = TestTime(),
    gate: (any ParentalGate)? = nil,
    catalog: Catalog? = nil, log: EventLog = EventLog(), _ configure: (inout Monetizer.Configuration) -> Void = { _ in }
  ) throws -> Monetizer {
    let catalog = try catalog ?? Self.catalog(gate: gate != nil)
    return Monetizer(catalog: catalog) { configuration in
      configuration.store = store
      configuration.storage = storage
      configuration.time = time
      configuration.zone = { Calendar.storeCalendar.timeZone }
      configuration.parentalGate = gate ?? ClosedGate()
      configuration.onEvent = { log.add($0) }
      configuration.startsByItself = false
      configure(&configuration)
    }
  }
}

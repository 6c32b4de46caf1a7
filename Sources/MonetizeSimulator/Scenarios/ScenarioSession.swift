// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// One device during a scenario: its disk, its process, and its user.
final class ScenarioSession: Sendable {
  /// The moment at which a test ends the process.
  enum Death: Sendable {
    case none
    /// The next write is lost.
    case beforeWriting
    /// The next write is done, and nothing after it.
    case afterWriting
    /// The store records the next finish, and nothing happens after it.
    case afterFinishing
    case dead
  }

  /// What the scenario decides about the device, and what happened on it.
  private struct State: Sendable {
    var death = Death.none
    var zone: TimeZone?
    /// The date of the next purchase, for one in the past.
    var purchaseDate: Date?
    var overlays: [Overlay] = []
    var account: String?
    var askedGround: Ground?
    var launches = 0
    var hasSecureStorage = true
    var version: AppVersion
    var passesGate = false
    var events: [MonetizeEvent] = []
    /// All events since the scenario began.
    var log: [EventRecord] = []
    /// Answers that were not up to date when the app received an event.
    var delays: [String] = []
    /// Whether the app is asked during an event, because its answer may cause another event.
    var isAsking = false

    /// Returns a value, and sets another one.
    mutating func take<Value>(_ path: WritableKeyPath<Self, Value>, leaving next: Value) -> Value {
      defer { self[keyPath: path] = next }
      return self[keyPath: path]
    }
  }

  /// A process of the app, with its number.
  private struct Process: Sendable {
    var monetizer: Monetizer?
    var number = 0

    mutating func runs(_ monetizer: Monetizer?) { (self.monetizer, number) = (monetizer, number + 1) }
  }

  /// Everything that the app's answers follow from.
  private struct Ground: Sendable, Equatable {
    let process: Int
    let facts: Int?
    let date: Date
    let zone: TimeZone?
  }

  let name: String
  let device: SimulatedDevice
  let disk = MemoryFiles()
  /// The storage that can survive a reinstallation.
  let secureDisk = MemoryFiles()
  private let state: Locked<State>
  private let process = Locked(Process())
  private let seed: UInt64
  private let hooks: ScenarioHooks

  init(name: String, device: SimulatedDevice, version: AppVersion, seed: UInt64, hooks: ScenarioHooks) {
    state = Locked(State(version: version))
    (self.name, self.device, self.seed, self.hooks) = (name, device, seed, hooks)
  }

  /// The signed-in account, also while the app does not run; `nil` for a guest.
  var account: String? { state.withLock { $0.account } }

  /// The path of the signed-in account's facts.
  var statePath: String { Self.path(of: account) }
  private static func path(of account: String?) -> String { account.map { "state-\($0)" } ?? "state" }

  /// Everything durable on the device.
  var stored: [[String: [UInt8]]] { [disk.content, secureDisk.content] }

  /// The app, while it runs.
  var monetizer: Monetizer? { process.withLock { $0.monetizer } }

  /// Whether the app's answers may differ from those at the last call.
  func hasNewGround() -> Bool {
    let process = process.copy
    let (facts, now) = (process.monetizer?.version, device.time.now)
    return state.withLock { state in
      let ground = Ground(process: process.number, facts: facts, date: now, zone: state.zone)
      return state.take(\.askedGround, leaving: ground) != ground
    }
  }

  /// Moves the device to a time zone.
  func travel(to zone: TimeZone) { state.withLock { $0.zone = zone } }

  /// The version of the app that is installed here. Each device is updated separately.
  var version: AppVersion { state.withLock { $0.version } }
  func install(_ version: AppVersion) { state.withLock { $0.version = version } }

  func launch(zone home: TimeZone, answers: Bool) async {
    let catalog = version.catalog
    dies(.none)
    device.restartProcess()
    let store = hooks.store(MortalStore(store: device, session: self), self)
    let (storage, secureStorage) = storages(of: account)
    let makeID = ids()
    let monetizer = Monetizer(catalog: catalog) { configuration in
      configuration.store = store
      configuration.storage = storage
      configuration.secureStorage = secureStorage
      configuration.time = device.time
      configuration.account = account
      configuration.makeID = makeID
      configuration.zone = { [state] in state.withLock { $0.zone } ?? home }
      configuration.parentalGate = self
      configuration.onEvent = { [weak self] event in self?.receive(event) }
      configuration.source = SourceID(name)
      // Scenarios use unknown features on purpose, and report them.
      configuration.onUnknownName = nil
      configuration.startsByItself = false
    }
    process.withLock { $0.runs(monetizer) }
    // An overlay that a new version's catalog refuses is skipped, as in an app.
    let overlays = state.withLock { $0.overlays }
    if !overlays.isEmpty { try? monetizer.apply(overlays) }
    await monetizer.settled()
    if answers { await monetizer.start() }
  }

  /// Sets whether the app has a secure storage from its next launch on. A reinstallation keeps the data in it.
  func usesSecureStorage(_ uses: Bool) { state.withLock { $0.hasSecureStorage = uses } }

  private func storages(of account: String?) -> (app: any StateStorage, secure: (any StateStorage)?) {
    let path = Self.path(of: account)
    return (
      hooks.storage(MortalStorage(storage: FileStorage(path: path, files: disk), session: self), self),
      state.withLock { $0.hasSecureStorage } ? MortalStorage(storage: FileStorage(path: path, files: secureDisk), session: self) : nil
    )
  }

  /// Signs in another account, or `nil` to sign out; the store then returns the purchases of that account.
  func signIn(as account: String?, _ policy: HandOverPolicy, from monetizer: Monetizer) async throws(StorageError) {
    let (storage, secureStorage) = storages(of: account)
    let heir = try await monetizer.handOver(to: account, policy: policy, storage: storage, secureStorage: secureStorage)
    state.withLock { $0.account = account }
    process.withLock { $0.runs(heir) }
    await heir.start()
  }

  /// Reinstalls the app. Deletes everything except the secure data, if it is kept.
  func reinstall(keepingSecure: Bool) {
    quit()
    disk.deleteAll()
    device.restartProcess()
    if !keepingSecure { secureDisk.deleteAll() }
    state.withLock { $0.account = nil }
  }

  /// Each overlay with `on` or `off`, and each experiment with its arm; absent while the app does not run.
  var variants: ScenarioValue {
    guard let monetizer else { return .absent }
    let (applied, arms) = (monetizer.appliedOverlays, monetizer.arms)
    let all = state.withLock { $0.overlays }.map { ($0.id, ScenarioValue.text(applied.contains($0.id) ? "on" : "off")) }
    let experiments = monetizer.baseCatalog.experiments.map { ($0.id.rawValue, arms[$0.id].map { ScenarioValue.text($0) } ?? .absent) }
    return .object(Dictionary(all + experiments) { first, _ in first })
  }

  /// Unique and repeatable ids per device, seed and launch: `phone-7-2-5` is the fifth id of the second launch.
  private func ids() -> @Sendable () -> String {
    let launch = state.withLock { state in
      state.launches += 1
      return state.launches
    }
    let (prefix, made) = ("\(name)-\(seed)-\(launch)-", Locked(0))
    return {
      prefix
        + made.withLock { made in
          made += 1
          return String(made)
        }
    }
  }

  /// Sets the remote configuration.
  func configure(_ overlays: [Overlay]) throws(CatalogError) {
    try monetizer?.apply(overlays)
    state.withLock { $0.overlays = overlays }
  }

  /// Damages the state file, if there is one.
  func damage(_ damage: ScenarioSetting.Damage) {
    guard var bytes = disk.read(statePath) else { return }
    switch damage {
    case .corrupt: for index in stride(from: 20, to: bytes.count, by: 7) where bytes[index] != UInt8(ascii: "\n") { bytes[index] ^= 0x15 }
    case .truncate: bytes.removeLast(bytes.count / 2)
    case .delete: return disk.delete(statePath)
    }
    disk.write(bytes, to: statePath)
  }

  /// Ends the process. Its later calls have no effect.
  func quit() {
    dies(.dead)
    process.withLock { $0.runs(nil) }
  }

  /// Sets the date of the next purchase, for one in the past.
  func buys(at date: Date?) { state.withLock { $0.purchaseDate = date } }
  fileprivate func takePurchaseDate() -> Date? { state.withLock { $0.take(\.purchaseDate, leaving: nil) } }

  func dies(_ moment: Death) { state.withLock { $0.death = moment } }
  var isDead: Bool { state.withLock { $0.death == .dead } }

  func atGate(passes: Bool) { state.withLock { $0.passesGate = passes } }

  /// Handles an event as an app does, and reads the answers that the app would show now.
  private func receive(_ event: MonetizeEvent) {
    let customer = device.customer.rawValue
    let isAsking = state.withLock { state in
      state.events.append(event)
      state.log.append(EventRecord(event, customer: customer))
      return state.take(\.isAsking, leaving: true)
    }
    guard !isAsking else { return }
    let delay = isDead ? nil : monetizer.flatMap { hooks.door($0, self).delay(behind: $0) }
    state.withLock { state in
      state.isAsking = false
      if let delay { state.delays.append("During the event \(event.name), \(delay)") }
    }
  }

  /// Whether the app is handling an event.
  var isAsking: Bool { state.withLock { $0.isAsking } }

  func takeDelays() -> [String] { state.withLock { $0.take(\.delays, leaving: []) } }

  /// Returns the events since the last call.
  func takeEvents() -> [MonetizeEvent] { state.withLock { $0.take(\.events, leaving: []) } }

  var events: [MonetizeEvent] { state.withLock { $0.events } }

  /// All events since the scenario began, as a log has them.
  var log: [EventRecord] { state.withLock { $0.log } }

  fileprivate func write(_ body: () throws -> Void) throws(StorageError) {
    let now = state.withLock { $0.death == .beforeWriting ? $0.take(\.death, leaving: .dead) : $0.death }
    guard now != .dead, now != .beforeWriting else { throw StorageError("The process is gone.") }
    do { try body() } catch { throw error as? StorageError ?? StorageError("\(error)") }
    if now == .afterWriting { dies(.dead) }
  }

  fileprivate func afterFinish() { state.withLock { if $0.death == .afterFinishing { $0.death = .dead } } }
}

/// A store that ignores calls after the process has ended.
private struct MortalStore: StoreBackend {
  let store: SimulatedDevice
  let session: ScenarioSession

  var isSimulated: Bool { true }

  /// The store, as long as the process lives.
  private var open: SimulatedDevice {
    get throws(StoreError) {
      if session.isDead { throw StoreError(.cancelled) }
      return store
    }
  }

  func products(for ids: [ProductID]) async throws(StoreError) -> [StoreProduct] { try await open.products(for: ids) }
  func purchase(_ request: PurchaseRequest) async throws(StoreError) -> PurchaseResult {
    try await open.purchase(request, at: session.takePurchaseDate())
  }
  func read() async throws(StoreError) -> StoreAnswer { try await open.read() }
  func standing(of transaction: TransactionID) async throws(StoreError) -> StoreStanding { try await open.standing(of: transaction) }
  func unfinished() async throws(StoreError) -> [SignedTransaction] { try await open.unfinished() }
  func finish(_ transaction: TransactionID) async throws(StoreError) {
    try await open.finish(transaction)
    session.afterFinish()
  }
  func synchronize() async throws(StoreError) { try await open.synchronize() }
  func appTransaction() async throws(StoreError) -> AppTransactionRecord { try await open.appTransaction() }
  func listen(_ deliver: @escaping StoreUpdateHandler) -> StoreListening {
    store.listen { [session] update in if !session.isDead { await deliver(update) } }
  }
}

/// A storage that ignores writes after the process has ended.
private struct MortalStorage: SharedStorage {
  let storage: FileStorage
  let session: ScenarioSession
  func opened() -> MortalStorage { MortalStorage(storage: storage.opened(), session: session) }
  func load() throws(StorageError) -> StoredRecords { try storage.load() }
  func append(_ record: Data) throws(StorageError) { try session.write { try storage.append(record) } }
  func replace(with records: [Data]) throws(StorageError) { try session.write { try storage.replace(with: records) } }
  /// Reads, then writes: no other process uses this disk. An unchanged value is not written.
  func change(_ body: (StorageNews) -> StorageChange?) throws(StorageError) {
    var change: StorageChange?
    try storage.change { news in
      change = body(news)
      return nil
    }
    switch change {
    case .append(let record): try append(record)
    case .replace(let records): try replace(with: records)
    case nil: break
    }
  }
  func begin(_ run: String) throws(StorageError) -> Cancellation { try storage.begin(run) }
  func isRunActive(_ run: String) -> Bool? { storage.isRunActive(run) }
}

/// The parental gate is answered as the scenario requires.
extension ScenarioSession: ParentalGate {
  func challenge() async -> Bool { state.withLock { $0.passesGate } }
}

/// A disk in memory.
final class MemoryFiles: FileSystem {
  private let files = Locked<[String: [UInt8]]>([:])

  func read(_ path: String, from offset: Int = 0) -> [UInt8]? { files.withLock { $0[path].map { Array($0.dropFirst(offset)) } } }
  func write(_ bytes: [UInt8], to path: String) { files.withLock { $0[path] = bytes } }
  func append(_ bytes: [UInt8], to path: String) { files.withLock { $0[path, default: []] += bytes } }
  func truncate(_ path: String, to length: Int) { files.withLock { $0[path] = Array($0[path, default: []].prefix(length)) } }
  func sync(_ path: String) {}
  func rename(_ path: String, to other: String) { files.withLock { $0[other] = $0.removeValue(forKey: path) } }
  func syncFolder(of path: String) {}

  func delete(_ path: String) { files.withLock { $0[path] = nil } }
  func deleteAll() { files.withLock { $0 = [:] } }
  var content: [String: [UInt8]] { files.withLock { $0 } }
}

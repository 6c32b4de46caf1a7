// SPDX-License-Identifier: Apache-2.0
import Foundation

@testable import Monetize
@testable import MonetizeSimulator

/// Wraps the store of an app, and records the events that the laws check.
final class StoryWatch: Sendable {
  struct Seen: Sendable {
    /// The finished transactions of each owner since the disk was last wiped.
    var finished: [Owner: Set<TransactionID>] = [:]
    var purchases: [String: Int] = [:]
    /// Devices whose disk was damaged while the app ran.
    var damaged: Set<String> = []
    var violations: [Violation] = []
  }

  let seen = Locked(Seen())

  func hooks() -> ScenarioHooks {
    var hooks = ScenarioHooks()
    hooks.store = { [self] store, session in WatchedStore(store: store, watch: self, session: session) }
    return hooks
  }

  func takeViolations() -> [Violation] {
    seen.withLock { seen in
      defer { seen.violations = [] }
      return seen.violations
    }
  }
}

/// The owner of facts: an account on a device.
struct Owner: Hashable {
  let device: String
  let account: String?

  init(_ session: ScenarioSession) { (device, account) = (session.name, session.account) }
  init(device: String, account: String?) { (self.device, self.account) = (device, account) }
}

/// A violated law.
struct Violation: Sendable, Equatable {
  /// The law's name, which shrinking preserves.
  let law: String
  let text: String
  /// The step that expects the law, if a scenario can express it.
  var expectation: String?
}

/// The store of one process.
private final class WatchedStore: StoreBackend {
  let store: any StoreBackend
  let watch: StoryWatch
  let session: ScenarioSession
  private let finishedByProcess = Locked<Set<[String]>>([])

  init(store: any StoreBackend, watch: StoryWatch, session: ScenarioSession) {
    (self.store, self.watch, self.session) = (store, watch, session)
    watch.seen.withLock { _ = $0.damaged.remove(session.name) }
  }

  func products(for ids: [ProductID]) async throws(StoreError) -> [StoreProduct] { try await store.products(for: ids) }
  func purchase(_ request: PurchaseRequest) async throws(StoreError) -> PurchaseResult {
    watch.seen.withLock { $0.purchases[session.name, default: 0] += 1 }
    return try await store.purchase(request)
  }
  func read() async throws(StoreError) -> StoreAnswer { try await store.read() }
  func standing(of transaction: TransactionID) async throws(StoreError) -> StoreStanding { try await store.standing(of: transaction) }
  func unfinished() async throws(StoreError) -> [SignedTransaction] { try await store.unfinished() }
  func synchronize() async throws(StoreError) { try await store.synchronize() }
  func appTransaction() async throws(StoreError) -> AppTransactionRecord { try await store.appTransaction() }
  func listen(_ deliver: @escaping StoreUpdateHandler) -> StoreListening { store.listen(deliver) }

  func finish(_ transaction: TransactionID) async throws(StoreError) {
    let isDead = session.isDead
    try await store.finish(transaction)
    guard !isDead else { return }
    let isDurable = Data(session.disk.read(session.statePath) ?? []).range(of: Data("\"id\":\"\(transaction)\"".utf8)) != nil
    let again = finishedByProcess.withLock { !$0.insert([session.monetizer?.parts.run ?? "", transaction.rawValue]).inserted }
    watch.seen.withLock { seen in
      seen.finished[Owner(session), default: []].insert(transaction)
      if !isDurable, !seen.damaged.contains(session.name) {
        seen.violations.append(Violation(law: "durable-before-finish", text: "\(transaction) is finished and not on disk."))
      }
      if again { seen.violations.append(Violation(law: "finished-once", text: "\(transaction) is finished twice by one process.")) }
    }
  }
}

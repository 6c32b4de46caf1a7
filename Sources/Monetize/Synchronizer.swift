// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Keeps an account's devices alike: sends what this one recorded, and takes over what the others did.
///
/// ```swift
/// let sync = Synchronizer(monetizer, over: transport, outbox: .file(outboxURL))
/// await sync.start()
/// ```
///
/// What was recorded is on disk before it waits here, and waits until the other side has it: it is delivered at least once and counts once. What
/// is sent is ``Monetizer/sharedFacts``; nothing waits for it, and no answer depends on it. A guest, who has no account, sends and fetches
/// nothing. After ``Monetizer/handOver(to:policy:heir:storage:secureStorage:)`` make another one for the monetizer that goes on, with an outbox
/// of its own.
public actor Synchronizer {
  /// What came of one exchange.
  public struct Outcome: Sendable, Hashable {
    /// How many records the other side has taken.
    public internal(set) var sent = 0
    /// How many were refused: see ``Synchronizer/queue``.
    public internal(set) var refused = 0
    /// How many facts were news here.
    public internal(set) var received = 0
    /// Why it ended early; what was done before then is done.
    public internal(set) var error: SyncError?
  }

  /// How many records are sent at once.
  public static let batch = 100

  private let monetizer: Monetizer
  private let transport: any SyncTransport
  private let backoff: Backoff
  private let random: @Sendable () -> Double
  private var outbox: Outbox
  private var last: Task<Outcome, Never>?
  private var watching: Task<Void, Never>?
  private var failures = 0
  private var retry: WakeUp?
  /// When it tries again by itself; `nil` when no attempt failed, when trying again would not help, or before ``start()``.
  public private(set) var retriesAt: Date?

  /// Makes one. It sends and fetches nothing by itself before ``start()``.
  /// - Parameters:
  ///   - monetizer: What is kept alike. It has an account.
  ///   - transport: The way to the other devices of that account.
  ///   - outbox: Where it remembers what was sent: a place of its own for each account. Default: in memory; then the next run of the app sends
  ///     and fetches everything once more.
  ///   - backoff: How long it waits after a failure.
  ///   - random: Numbers from 0 to 1 that tell devices apart which fail at the same time.
  public init(
    _ monetizer: Monetizer, over transport: any SyncTransport, outbox: any StateStorage = .memory, backoff: Backoff = Backoff(),
    random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
  ) {
    (self.monetizer, self.transport, self.backoff, self.random) = (monetizer, transport, backoff, random)
    self.outbox = Outbox(outbox, monetizer.parts.configuration.facts)
  }

  deinit { watching?.cancel() }

  /// What waits to be sent, with what was refused and why, in the order in which it was noticed: after each change once it has started.
  public var queue: [QueuedRecord] {
    queueNews()
    return outbox.queue
  }

  /// Exchanges once: sends what waits, then fetches what is new. Calls run one after another, so that each one sends what was recorded before it.
  @discardableResult
  public func sync() async -> Outcome {
    let before = last
    let task = Task { () -> Outcome in
      _ = await before?.value
      return await self.exchange()
    }
    last = task
    return await task.value
  }

  /// Sends again what was refused, such as after somebody else has signed in.
  public func retryRefused() async -> Outcome {
    outbox.allowAgain()
    return await sync()
  }

  /// Exchanges now, after everything that is recorded, and again after a failure. Call ``sync()`` when the app comes to the foreground, because
  /// what other devices record is not announced. Ends with the monetizer, or with ``stop()``.
  public func start() {
    guard watching == nil else { return }
    let snapshots = monetizer.snapshots
    watching = Task { [weak self] in
      var isFirst = true
      for await _ in snapshots {
        await self?.changed(isFirst: isFirst)
        isFirst = false
      }
    }
  }

  /// Exchanges nothing more by itself.
  public func stop() {
    watching?.cancel()
    (watching, retry, retriesAt) = (nil, nil, nil)
  }

  private func changed(isFirst: Bool) async {
    // What waits for a failed attempt goes with the next one.
    if queueNews() || isFirst, retry == nil { await sync() }
  }

  /// A guest's stays on the device.
  private var isGuest: Bool { monetizer.parts.configuration.account == nil }

  @discardableResult
  private func queueNews() -> Bool {
    !isGuest && outbox.add(monetizer.sharedFacts, at: monetizer.parts.configuration.time.now)
  }

  private func exchange() async -> Outcome {
    var outcome = Outcome()
    guard !isGuest else { return outcome }
    queueNews()
    do throws(SyncError) {
      try await push(&outcome)
      try await pull(&outcome)
      (failures, retry, retriesAt) = (0, nil, nil)
    } catch {
      outcome.error = error
      failures += 1
      if watching != nil, error.isTransient { tryAgain() }
    }
    return outcome
  }

  private func push(_ outcome: inout Outcome) async throws(SyncError) {
    while case let records = outbox.batch(Self.batch), !records.isEmpty {
      let refused = try await transport.push(records)
      outbox.settle(records, refused: refused)
      let count = records.count { refused[$0.id] != nil }
      outcome.refused += count
      outcome.sent += records.count - count
    }
  }

  private func pull(_ outcome: inout Outcome) async throws(SyncError) {
    let sorts = monetizer.parts.configuration.facts
    var isLast = false
    while !isLast {
      let page = try await transport.pull(after: outbox.cursor)
      let records = Dictionary((outbox.later + page.records).map { ($0.id, $0) }) { first, _ in first }.values.sorted { $0.id < $1.id }
      let facts = records.map { $0.fact(sorts) }
      let report = await monetizer.merge(facts.compactMap { $0 })
      // Past what is not on this disk, or belongs to another monetizer by now, the cursor does not move.
      guard await monetizer.parts.journal.write([]), !monetizer.parts.work.isClosed else {
        throw SyncError(
          .notKept, "The other devices' records could not be written to the storage. The next exchange fetches them again.")
      }
      let refused = Set(report.refused)
      func isTaken(_ fact: Fact?) -> Bool { fact.map { !refused.contains($0) } ?? false }
      outbox.hear(facts.filter(isTaken).compactMap { $0 }, later: zip(records, facts).filter { !isTaken($1) }.map(\.0), cursor: page.cursor)
      outcome.received += report.news.count
      isLast = page.isLast
    }
  }

  private func tryAgain() {
    let time = monetizer.parts.configuration.time
    let date = time.now + backoff.delay(after: failures, random: random())
    retriesAt = date
    retry = time.wake(at: date) { [weak self] in Task { await self?.wake() } }
  }

  private func wake() async {
    retry = nil
    await sync()
  }
}

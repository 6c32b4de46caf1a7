// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Synchronizes the devices of an account: sends the facts that this device recorded, and adopts those of the others.
///
/// ```swift
/// let sync = Synchronizer(monetizer, over: transport, outbox: .file(outboxURL))
/// await sync.start()
/// ```
///
/// A fact is on disk before it is queued, and stays queued until the other side has it. It is delivered at least once and counts once.
/// Sends ``Monetizer/sharedFacts``. No answer waits for it or depends on it. A guest, who has no account, sends and fetches nothing. After
/// ``Monetizer/handOver(to:policy:heir:storage:secureStorage:)``, make another synchronizer for the returned monetizer, with an outbox of
/// its own.
public actor Synchronizer {
  /// The result of one exchange.
  public struct Outcome: Sendable, Hashable {
    /// The number of records that the other side accepted.
    public internal(set) var sent = 0
    /// The number of refused records; see ``Synchronizer/queue``.
    public internal(set) var refused = 0
    /// The number of facts that were new here.
    public internal(set) var received = 0
    /// The error that ended the exchange early. Earlier steps stay done.
    public internal(set) var error: SyncError?
  }

  /// The number of records sent at once.
  public static let batch = 100

  private let monetizer: Monetizer
  private let transport: any SyncTransport
  private let backoff: Backoff
  private let random: @Sendable () -> Double
  private var outbox: Outbox
  private var last: Task<Outcome, Never>?
  private var watching: Task<Void, Never>?
  /// Whether records were queued since the last exchange began, or it has just started.
  private var hasNews = false
  private var failures = 0
  private var retry: WakeUp?
  /// When it retries by itself; `nil` when no attempt failed, when retrying would not help, or before ``start()``.
  public private(set) var retriesAt: Date?

  /// Makes a synchronizer. It exchanges nothing by itself before ``start()``.
  /// - Parameters:
  ///   - monetizer: The monetizer to synchronize. It must have an account.
  ///   - transport: The connection to the other devices of that account.
  ///   - outbox: The storage of what was sent, separate for each account. Default: in memory; the next run of the app then sends and
  ///     fetches everything again.
  ///   - backoff: The delays after failures.
  ///   - random: Returns numbers from 0 to 1, so that devices that fail at the same time retry at different times.
  public init(
    _ monetizer: Monetizer, over transport: any SyncTransport, outbox: any StateStorage = .memory, backoff: Backoff = Backoff(),
    random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
  ) {
    (self.monetizer, self.transport, self.backoff, self.random) = (monetizer, transport, backoff, random)
    self.outbox = Outbox(outbox, monetizer.parts.configuration.facts)
  }

  deinit { watching?.cancel() }

  /// The queued records, including refused ones with the reasons, in the order of their creation. Updated after each change once started.
  public var queue: [QueuedRecord] {
    queueNews()
    return outbox.queue
  }

  /// Exchanges once: sends the queue, then fetches new records. Calls run one after another, so that each one sends everything recorded
  /// before it.
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

  /// Sends refused records again, such as after another person has signed in.
  public func retryRefused() async -> Outcome {
    outbox.allowAgain()
    return await sync()
  }

  /// Exchanges now, after each recorded fact, and again after a failure. Call ``sync()`` when the app comes to the foreground, because
  /// other devices' records are not announced. Ends with the monetizer, or with ``stop()``.
  public func start() {
    guard watching == nil else { return }
    let snapshots = monetizer.snapshots
    hasNews = true
    watching = Task { [weak self] in
      for await _ in snapshots { await self?.changed() }
      if !Task.isCancelled { await self?.stop() }
    }
  }

  /// Stops exchanging by itself.
  public func stop() {
    watching?.cancel()
    (watching, retry, retriesAt) = (nil, nil, nil)
  }

  private func changed() async {
    // New records wait for the retry of a failed attempt.
    queueNews()
    if hasNews, !isRetryNear { await sync() }
  }

  private var time: any TimeSource { monetizer.parts.configuration.time }

  /// Whether an automatic retry is near. Setting the clock back moves its date away.
  private var isRetryNear: Bool { retriesAt.map { $0 <= time.now + backoff.most } ?? false }

  /// A guest's records stay on the device.
  private var isGuest: Bool { monetizer.parts.configuration.account == nil }

  private func queueNews() {
    if !isGuest, outbox.add(monetizer.sharedFacts, at: time.now) { hasNews = true }
  }

  private func exchange() async -> Outcome {
    var outcome = Outcome()
    // Replaces a planned retry, so that records made meanwhile do not wait for it.
    (retry, retriesAt) = (nil, nil)
    guard !isGuest else { return outcome }
    queueNews()
    hasNews = false
    do throws(SyncError) {
      try await push(&outcome)
      try await pull(&outcome)
      failures = 0
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
      // Facts of other devices are not sent back, whatever happens before they are marked as received.
      outbox.expect(facts.compactMap { $0 })
      let report = await monetizer.merge(facts.compactMap { $0 })
      // The cursor stays before records that are not on disk, or that belong to another monetizer by now.
      guard await monetizer.parts.journal.write([]), !monetizer.parts.work.isClosed else {
        throw SyncError(
          .notKept, "The other devices' records could not be written to the storage. The next exchange fetches them again.")
      }
      let refused = Set(report.refused)
      func isTaken(_ fact: Fact?) -> Bool { fact.map { !refused.contains($0) } ?? false }
      outbox.receive(
        facts.filter(isTaken).compactMap { $0 }, later: zip(records, facts).filter { !isTaken($1) }.map(\.0), cursor: page.cursor)
      outcome.received += report.news.count
      isLast = page.isLast
    }
  }

  private func tryAgain() {
    let date = time.now + backoff.delay(after: failures, random: random())
    retriesAt = date
    retry = time.wake(at: date) { [weak self] in Task { await self?.sync() } }
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation

struct Parts: Sendable {
  let catalog: Catalog
  let configuration: MonetizeConfiguration
  /// The name of this run of the process. Reservations of other runs have lapsed.
  let run: String
  let clock: TrustedClock
  let events: EventQueue
  let answers: Answers
  let journal: Journal
  let writer: FactWriter
  /// The source of the uses that this device counts.
  let source: SourceID
  let work = Operations()
  let names: UnknownNames
  /// Whether a paywall is on the screen. The app reports when it closes one.
  let isPaywallOpen = Locked(false)
  /// When the app was first started here; `nil` when it was, or may have been, started before.
  let firstStart: Date?
  let isUnread: Bool

  init(_ catalog: Catalog, _ configuration: MonetizeConfiguration, run: String, _ stored: Stored) {
    (self.catalog, self.configuration, self.run, journal, isUnread) = (catalog, configuration, run, stored.journal, stored.isUnread)
    let (facts, journal) = (stored.facts, stored.journal)
    names = UnknownNames(catalog, configuration.onUnknownName)
    clock = TrustedClock(configuration.time, seen: facts.time[0])
    // Nothing is known about a storage that could not be read.
    firstStart = facts.time[0] == nil && !stored.isUnread ? clock.now : nil
    events = EventQueue(configuration, catalog)
    answers = Answers(catalog, facts, configuration, clock, events, journal)
    events.now.set { [weak answers] in (answers?.now).map { ($0.environment, $0.catalog) } }
    let installation = facts.installation[0] ?? Installation(id: run)
    source = configuration.source ?? SourceID(installation.id)
    let isNamed = configuration.source != nil
    let unread: (@Sendable () -> Stored)? =
      stored.isUnread ? { @Sendable () -> Stored in Stored(configuration, catalog, run: run, known: journal) } : nil
    writer = FactWriter(
      answers, journal, clock, names, isNamed ? nil : .installation(installation), source: source,
      unwrittenKey: stored.isToBeNoted ? nil : stored.closingKey, unread: unread)
  }

  func send(_ name: MonetizeEvent.Name, product: ProductID? = nil, error: StoreError.Code? = nil) {
    var event = MonetizeEvent(name, at: clock.now, product: product)
    event.error = error
    events.send([event])
  }

  /// Sends an event of a member: with the child, if it is one. A demo sends nothing.
  func send(_ event: MonetizeEvent, by member: Member) {
    if member.role == .demo { return }
    var event = event
    event.subject = member.subject
    events.send([event])
  }
}

/// All effects of one monetizer. The facade forwards calls to them.
struct Effects: Sendable {
  let parts: Parts
  let passes: GatePasses
  let sync: StoreSync
  let purchases: Purchases
  let reservations: Reservations
  let assigning = Locked<Task<Void, Never>?>(nil)
  private let noting: Task<Void, Never>?

  /// Starts from stored facts. Does not read the store yet.
  init(catalog: Catalog, configuration: MonetizeConfiguration) {
    let run = configuration.makeID()
    let stored = Stored(configuration, catalog, run: run)
    parts = Parts(catalog, configuration, run: run, stored)
    passes = GatePasses(parts.clock, run: run)
    sync = StoreSync(parts)
    purchases = Purchases(parts, sync)
    reservations = Reservations(parts)
    noting = stored.isToBeNoted ? Task { _ = await stored.journal.write([]) } : nil
    parts.answers.scheduleWake()
    if stored.isDamaged { parts.send(.stateDamaged) }
    if catalog.events != nil, let seen = stored.facts.time[0]?.latest { parts.answers.announceResets(since: seen) }
  }

  /// Waits for work that no caller waits for: a scheduled read, the record of a damaged state, a change over time. For simulations, in
  /// which nothing else runs meanwhile.
  func settled() async {
    await noted()
    await assigning.copy?.value
    await sync.settled()
    await written()
  }

  /// Waits until pending writes are on disk or refused.
  func written() async { _ = await parts.journal.write([]) }

  func noted() async { await noting?.value }

  /// Ends streams, scheduled calls and listening, when the monetizer is gone or another has taken over.
  func stop() {
    parts.answers.end()
    parts.events.end()
    parts.clock.stop()
    sync.stop()
  }
}

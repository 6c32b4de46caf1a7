// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What all effects of one monetizer share.
struct Parts: Sendable {
  let catalog: Catalog
  let configuration: MonetizeConfiguration
  /// Names this run of the process: a reservation of another run has lapsed.
  let run: String
  let clock: BelievedClock
  let events: EventQueue
  let answers: Answers
  let journal: Journal
  let writer: FactWriter
  /// Which device records what it counts.
  let source: SourceID
  let work = WorkUnderWay()
  let names: UnknownNames
  /// Whether a storage could not be read at the start.
  let isUnread: Bool

  /// Starts with what is stored.
  init(_ catalog: Catalog, _ configuration: MonetizeConfiguration, run: String, _ stored: Stored) {
    (self.catalog, self.configuration, self.run, journal, isUnread) = (catalog, configuration, run, stored.journal, stored.isUnread)
    let (facts, journal) = (stored.facts, stored.journal)
    names = UnknownNames(catalog, configuration.onUnknownName)
    clock = BelievedClock(configuration.time, seen: facts.time[0])
    events = EventQueue(configuration.onEvent)
    answers = Answers(catalog, facts, configuration, clock, events, journal)
    let installation = facts.installation[0] ?? Installation(id: run)
    source = configuration.source ?? SourceID(installation.id)
    let isNamed = configuration.source != nil
    let unread: (@Sendable () -> Stored)? =
      stored.isUnread ? { @Sendable () -> Stored in Stored(configuration, catalog, run: run, known: journal) } : nil
    writer = FactWriter(answers, journal, clock, isNamed ? nil : .installation(installation), unread: unread)
  }

  func tell(_ name: MonetizeEvent.Name, product: ProductID? = nil, error: StoreError.Code? = nil) {
    var event = MonetizeEvent(name, at: clock.now, product: product)
    event.error = error
    events.tell([event])
  }
}

/// All effects of one monetizer. The facade hands calls on to them.
struct Effects: Sendable {
  let parts: Parts
  let passes: GatePasses
  let sync: StoreSync
  let purchases: Purchases
  let reservations: Reservations
  /// Writes down the arms that were given.
  let assigning = Locked<Task<Void, Never>?>(nil)
  /// Writes down that the state was damaged.
  private let noting: Task<Void, Never>?

  /// Starts with what is stored, and asks no store yet.
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
    if stored.isDamaged { parts.tell(.stateDamaged) }
  }

  /// Waits for what was begun without a caller that waits for it: an answer that a clock asked for, the note about a damaged state, a time
  /// that ended something. For simulations, in which nothing else happens meanwhile.
  func settled() async {
    await noted()
    await assigning.copy?.value
    await sync.settled()
    await written()
  }

  /// Waits until what was handed to the storage is written, or refused.
  func written() async { _ = await parts.journal.write([]) }

  /// Waits for the note about a damaged state.
  func noted() async { await noting?.value }

  /// Ends streams, calls and listening: the monetizer is gone, or another one has taken over.
  func stop() {
    parts.answers.end()
    parts.events.end()
    parts.clock.stop()
    sync.stop()
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What the effects of one monetizer share.
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
      unwrittenKey: stored.recordsDamage ? nil : stored.closingKey, unread: unread)
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

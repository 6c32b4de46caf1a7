// SPDX-License-Identifier: Apache-2.0
import Foundation

/// That something was asked for and denied. `decision` says why and what would open it.
public struct AccessDenied: Error, Sendable, Hashable, CustomStringConvertible {
  /// The denial.
  public let decision: Decision
  /// Makes the error of a denial, for an app that keeps a list itself and asks whether there is room in it.
  public init(decision: Decision) { self.decision = decision }
  /// The reason.
  public var description: String { "Denied: \(decision.reason)." }
}

/// Uses reserved for work that is under way. Commit or release it by its key, any number of times with one effect.
public struct Reservation: Sendable, Hashable {
  /// What names the use.
  public let key: String
  /// What is used.
  public let feature: FeatureID
  let subject: SubjectID
  var environment: StoreEnvironment?
  var attempt = 0
  /// Whether there is anything to settle: a feature that is not metered, and a key that was counted before, have nothing.
  var isOpen = false
}

/// Reserves uses before work, and counts them or gives them back after it.
actor Reservations {
  private let parts: Parts
  /// Reservations that are not settled, and how many calls hold each.
  private var held: [Reservation: Int] = [:]

  init(_ parts: Parts) { self.parts = parts }

  func reserve(_ request: AccessRequest, by member: Member, key: String?) async throws(AccessDenied) -> Reservation {
    guard parts.work.begin() else { throw AccessDenied(decision: .denied(.handedOver)) }
    defer { parts.work.end() }
    let key = key ?? parts.configuration.makeID()
    while true {
      let (version, snapshot) = parts.answers.current(member)
      let now = max(snapshot.date, parts.clock.now)
      guard let index = parts.catalog.index.features[request.feature] else { throw AccessDenied(decision: .denied(.unknownFeature)) }
      let feature = parts.catalog.features[index]
      if let whole = feature.part?.whole {
        // A part is used up with the whole: both must be open, and the whole counts.
        let decision = snapshot.decision(for: request, at: now)
        guard decision.isAllowed else { throw AccessDenied(decision: decision) }
        var request = request
        request.feature = whole
        return try await reserve(request, by: member, key: key)
      }
      var reservation = Reservation(key: key, feature: feature.id, subject: member.subject)
      let known = parts.answers.facts.usage.use(key, of: feature.id, by: member.subject, countedIn: snapshot.situation.environment)
      if let known {
        (reservation.environment, reservation.attempt, reservation.isOpen) = (known.environment, known.attempt, true)
        if share(reservation) { return try await recorded(reservation, await parts.journal.write([]), isCounted: known.counted) }
        reservation.isOpen = false
        if known.status == .committed { return reservation }
      }
      let decision = snapshot.decision(for: request, at: now)
      guard decision.isAllowed else { throw denial(decision, request, at: now) }
      // A demo leaves no trace; what is not metered has nothing to count.
      guard member.role != .demo, let metering = snapshot.metering(request, at: now) else { return reservation }
      let use = use(for: request, reservation, known, metering, in: snapshot.situation.environment, at: now)
      (reservation.environment, reservation.attempt, reservation.isOpen) = (use.environment, use.attempt, true)
      if let recorded = await hold(reservation, use, rows(use, index), ifVersion: version) {
        return try await self.recorded(reservation, recorded, isCounted: use.counted)
      }
    }
  }

  private func denial(_ decision: Decision, _ request: AccessRequest, at now: Date) -> AccessDenied {
    if decision.reason == .limitReached {
      let feature = parts.catalog.feature(request.feature)?.id ?? request.feature
      parts.events.tell([MonetizeEvent(.usageLimitReached, at: now, feature: feature, item: request.item)])
    }
    return AccessDenied(decision: decision)
  }

  private func use(
    for request: AccessRequest, _ reservation: Reservation, _ known: Use?, _ metering: Metering, in world: StoreEnvironment?, at now: Date
  ) -> Use {
    Use(
      key: reservation.key, feature: reservation.feature, subject: reservation.subject, source: parts.source, amount: request.count,
      date: now, day: metering.day, zone: metering.zone.identifier, counted: metering.isCounted, credits: metering.credits,
      status: .reserved, environment: known == nil ? world : known?.environment, run: parts.run, attempt: (known?.attempt ?? -1) + 1)
  }

  /// The features whose answers can be different for the customer, whose credits a child uses as well.
  private func rows(_ use: Use, _ index: Int) -> Set<Int> { use.subject == .customer || use.credits > 0 ? [index] : [] }

  /// Holds a reservation once more; `false` when no call holds it any longer.
  private func share(_ reservation: Reservation) -> Bool {
    guard let holders = held[reservation] else { return false }
    held[reservation] = holders + 1
    return true
  }

  /// Judged outside the lock; counted only if nothing has changed since.
  /// - Returns: whether it is on disk; `nil` when something has changed.
  private func hold(_ reservation: Reservation, _ use: Use, _ rows: Set<Int>, ifVersion version: Int) async -> Bool? {
    // Held before anything else can run here, so that a call with the same key finds it.
    held[reservation] = 1
    _ = parts.work.begin(ending: true)
    let result = await parts.writer.add([.use(use)], ifVersion: version, rows: rows)
    guard result.isCurrent else {
      held[reservation] = nil
      parts.work.end()
      return nil
    }
    return result.isDurable
  }

  /// A use that may be forgotten is none: it is given back before the work begins. What is unlimited needs no record.
  private func recorded(_ reservation: Reservation, _ isRecorded: Bool, isCounted: Bool) async throws(AccessDenied) -> Reservation {
    if isRecorded || !isCounted { return reservation }
    await settle(reservation, as: .released)
    throw AccessDenied(decision: .denied(.notRecorded))
  }

  func settle(_ reservation: Reservation, as status: Use.Status) async {
    guard reservation.isOpen, let index = parts.catalog.index.features[reservation.feature] else { return }
    _ = parts.work.begin(ending: true)
    defer { parts.work.end() }
    guard let holders = held[reservation] else { return }
    // One of several that share it may fail; it is given back by the last.
    if status == .released, holders > 1 {
      held[reservation] = holders - 1
      return
    }
    held[reservation] = nil
    // The reservation itself was work under way.
    defer { parts.work.end() }
    guard
      var use = parts.answers.facts.usage.use(
        reservation.key, of: reservation.feature, by: reservation.subject, in: reservation.environment),
      // Another device may have told meanwhile what became of the same key there. What was done here counts, once.
      use.status == .reserved || (use.status == .released && status == .committed)
    else { return }
    use.status = status
    // Released is the lesser word within one attempt, so that it has to be a later one.
    if status == .released { use.attempt += 1 }
    await parts.writer.add([.use(use)], rows: rows(use, index))
  }
}

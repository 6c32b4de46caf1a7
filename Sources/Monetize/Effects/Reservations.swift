// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The error of a request that was denied. `decision` has the reason, and the products that would allow it.
public struct AccessDenied: Error, Sendable, Hashable, CustomStringConvertible {
  /// The denial.
  public let decision: Decision
  /// Makes the error of a denial, for an app that keeps its own list and checks whether there is room in it.
  public init(decision: Decision) { self.decision = decision }
  /// The reason.
  public var description: String { "Denied: \(decision.reason)." }
}

/// Uses reserved for work under way. Commit or release it by its key; repeating either has no further effect.
public struct Reservation: Sendable, Hashable {
  /// The identity of the use.
  public let key: String
  /// The feature that is used.
  public let feature: FeatureID
  let subject: SubjectID
  var environment: StoreEnvironment?
  var attempt = 0
  /// Whether there is anything to settle. `false` for a feature without a limit, and for a key that was counted before.
  var isOpen = false
}

/// Reserves uses before work, and counts or releases them after it.
final class Reservations: Sendable {
  private struct Held: Sendable {
    var changing = 0
    /// Reservations that are not settled, and how many calls hold each.
    var calls: [Reservation: Int] = [:]
    /// Marks this run as active for other processes.
    var run: Cancellation?
  }

  private enum Judgement: Sendable {
    case denied(Decision, AccessRequest)
    /// Allowed, with nothing to write.
    case free(Reservation)
    /// A call under way holds this reservation already.
    case shared(Reservation, Use)
    case new(Reservation, Use, version: Int, rows: Set<Int>)
  }

  private let parts: Parts
  private let held = Locked(Held())

  init(_ parts: Parts) { self.parts = parts }

  /// Counts uses at once (`.committed`), or reserves them for work (`.reserved`). Writes one record.
  func reserve(
    _ request: AccessRequest, by member: Member, key: String?, as status: Use.Status = .reserved
  ) async throws(AccessDenied) -> Reservation {
    guard parts.work.begin() else { throw AccessDenied(decision: .denied(.handedOver)) }
    held.withLock { $0.changing += 1 }
    defer {
      changed()
      parts.work.end()
    }
    let key = key ?? parts.configuration.makeID()
    while true {
      let judgement = Locked(judge(request, by: member, key, status))
      if case .free(let reservation) = judgement.copy { return reservation }
      let result = await parts.writer.add { [self] in
        let found = judge(request, by: member, key, status, known: judgement.copy)
        judgement.set(found)
        if case .shared(let reservation, _) = found { addHold(reservation) }
        guard case .new(let reservation, let use, let version, let rows) = found else { return nil }
        if status == .reserved, !marksRun() {
          judgement.set(.denied(.denied(.notRecorded), request))
          return nil
        }
        return .init(facts: [.use(use)], version: version, rows: rows) { [self] in if status == .reserved { addHold(reservation) } }
      }
      switch judgement.copy {
      case .free(let reservation): return reservation
      case .shared(let reservation, let use), .new(let reservation, let use, _, _):
        // Unlimited uses need no record.
        if result.isDurable || !use.counted {
          await announceUses(result.news)
          return reservation
        }
        // A use that is not durable is released before the work begins.
        if reservation.isOpen { await settle(reservation, as: .released) } else { await undo(use) }
        throw AccessDenied(decision: .denied(.notRecorded))
      case .denied(let decision, let request):
        if await !releaseLapsed() { throw denial(decision, request, member) }
      }
    }
  }

  /// - Parameter known: An earlier judgement of the same request. A new use stays as judged, unless facts have changed since.
  private func judge(
    _ request: AccessRequest, by member: Member, _ key: String, _ status: Use.Status, known: Judgement? = nil
  ) -> Judgement {
    if let known, case .new(_, _, let version, _) = known, version == parts.answers.version { return known }
    let (version, snapshot) = parts.answers.current(member)
    let now = snapshot.date
    guard let index = parts.catalog.index.features[request.feature] else {
      parts.names.look(at: request.feature)
      return .denied(.denied(.unknownFeature), request)
    }
    let feature = parts.catalog.features[index]
    let decision = snapshot.decision(for: request, at: now)
    if let whole = feature.part?.whole {
      // Using a part uses its whole: both must be allowed, and the whole counts.
      var wholly = request
      wholly.feature = whole
      return decision.isAllowed ? judge(wholly, by: member, key, status) : .denied(decision, request)
    }
    var reservation = Reservation(key: key, feature: feature.id, subject: member.subject)
    let known = parts.answers.usage.use(key, of: feature.id, by: member.subject, countedIn: snapshot.situation.environment)
    if let known {
      (reservation.environment, reservation.attempt, reservation.isOpen) = (known.environment, known.attempt, true)
      if held.copy.calls[reservation] != nil { return .shared(reservation, known) }
      reservation.isOpen = false
      if known.status == .committed { return .free(reservation) }
    }
    guard decision.isAllowed else { return .denied(decision, request) }
    // A demo writes nothing, and a feature without a limit has nothing to count.
    guard member.role != .demo, let metering = snapshot.metering(request, at: now) else { return .free(reservation) }
    let made = Use(
      key: key, feature: feature.id, subject: member.subject, source: parts.source, amount: request.count, date: now,
      day: metering.day, zone: metering.zone.identifier, counted: metering.isCounted, credits: metering.credits, status: status,
      environment: known == nil ? snapshot.situation.environment : known?.environment, run: parts.run)
    let use = parts.answers.usage.placed(made.nextAttempt(after: known))
    (reservation.environment, reservation.attempt, reservation.isOpen) = (use.environment, use.attempt, status == .reserved)
    return .new(reservation, use, version: version, rows: rows(use, index))
  }

  private func denial(_ decision: Decision, _ request: AccessRequest, _ member: Member) -> AccessDenied {
    let isRestricted = parts.catalog.events != nil && decision.reason != .limitReached && decision.buyingHelps
    if decision.reason == .limitReached || isRestricted {
      let feature = parts.catalog.feature(request.feature)?.id ?? request.feature
      let name: MonetizeEvent.Name = isRestricted ? .featureRestricted : .usageLimitReached
      var event = MonetizeEvent(name, at: parts.clock.now, feature: feature, item: request.item)
      if request.count > 1 { event.count = request.count }
      parts.send(event, by: member)
    }
    return AccessDenied(decision: decision)
  }

  /// Sends an event for each use among these facts that counts from now on, then reaches milestones.
  private func announceUses(_ facts: [Fact]) async {
    let uses = facts.compactMap(\.use).filter { $0.status == .committed }
    if parts.catalog.events != nil, !uses.isEmpty {
      let snapshot = parts.answers.current(.customer).snapshot
      parts.events.send(uses.map { MonetizeEvent(of: $0, isPaid: snapshot.isPaid($0), at: parts.clock.now) })
    }
    if !parts.catalog.milestones.isEmpty { await Milestones(parts: parts).reach(by: uses) }
  }

  /// The features whose answers can change for the customer. A child uses the customer's credits as well.
  private func rows(_ use: Use, _ index: Int) -> Set<Int> { use.subject == .customer || use.credits > 0 ? [index] : [] }

  /// Holds a reservation once more. A reservation is work under way.
  private func addHold(_ reservation: Reservation) {
    held.withLock { held in
      held.calls[reservation, default: 0] += 1
      guard held.calls[reservation] == 1 else { return }
      _ = parts.work.begin(ending: true)
    }
  }

  /// Ends a change of reservations. Removes the mark of this run when nothing is held and all records are written, because another process
  /// may look at open reservations.
  private func changed() {
    let run = held.withLock { held -> Cancellation? in
      held.changing -= 1
      guard held.calls.isEmpty, held.changing == 0 else { return nil }
      defer { held.run = nil }
      return held.run
    }
    run?.cancel()
  }

  /// Marks this run as active. Without the mark, another process would give a reservation back during the work.
  private func marksRun() -> Bool {
    held.withLock { held in
      if held.run != nil { return true }
      do throws(StorageError) { held.run = try parts.journal.begin(parts.run) } catch { return false }
      return true
    }
  }

  func settle(_ reservation: Reservation, as status: Use.Status) async {
    guard reservation.isOpen, let index = parts.catalog.index.features[reservation.feature] else { return }
    _ = parts.work.begin(ending: true)
    held.withLock { $0.changing += 1 }
    defer {
      changed()
      parts.work.end()
    }
    let isLast = Locked(false)
    let result = await parts.writer.add { [self] in
      guard removeHold(reservation, as: status) else { return nil }
      isLast.set(true)
      guard
        var use = parts.answers.usage.use(
          reservation.key, of: reservation.feature, by: reservation.subject, in: reservation.environment)
      else { return nil }
      // Another device or process may have settled the same key meanwhile. The work done here counts once.
      guard status == .committed ? use.status != .committed : use.status == .reserved && use.run == parts.run else { return nil }
      if status == .released { use = use.released } else { use.status = status }
      return .init(facts: [.use(use)], rows: rows(use, index))
    }
    await announceUses(result.news)
    if isLast.copy { parts.work.end() }
  }

  /// Whether this was the last call that holds a reservation. One of several calls may fail: only the last one releases it.
  private func removeHold(_ reservation: Reservation, as status: Use.Status) -> Bool {
    held.withLock { held in
      guard let calls = held.calls[reservation] else { return false }
      held.calls[reservation] = status == .released && calls > 1 ? calls - 1 : nil
      return held.calls[reservation] == nil
    }
  }

  private func undo(_ use: Use) async { await parts.writer.add { .init(facts: [.use(use.refused)]) } }

  /// Releases reservations of other processes that have ended. Returns whether there was any.
  private func releaseLapsed() async -> Bool {
    let lapsed = parts.answers.usage.lapsed(besides: parts.run)
    if lapsed.isEmpty { return false }
    return await !parts.writer.add { [parts] in
      // Looks again, because everything that those processes have written was adopted, and some reservations may be settled.
      let open = parts.answers.usage.lapsed(besides: parts.run).filter {
        parts.configuration.storage.hasEnded($0, at: parts.clock.now)
      }
      return open.isEmpty ? nil : .init(facts: open.map { .use($0.released) })
    }.news.isEmpty
  }
}

extension MonetizeEvent {
  fileprivate init(of use: Use, isPaid: Bool, at now: Date) {
    self.init(.used, at: now, feature: use.feature)
    (subject, self.isPaid, count) = (use.subject, isPaid, use.amount)
  }
}

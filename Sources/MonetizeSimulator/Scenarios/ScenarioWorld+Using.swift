// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

extension ScenarioWorld {
  private struct WorkFailed: Error {}

  func use(_ use: ScenarioAction.Use, _ member: Member, _ session: ScenarioSession) async throws(ScenarioProblem) -> Outcome? {
    let access = try app(session).as(member)
    if let takes = use.takes { _ = try moment(after: takes) }
    let request = use.request.request(at: session.device.time.now, in: access.monetizer.effectiveCatalog)
    let outcome = try await self.use(use, request, access, session)
    if outcome?.words.contains("denied") == true, case let decision = access.decision(for: request), !decision.isAllowed {
      lastStep.reason = decision.reason.rawValue
    }
    return outcome
  }

  private func use(_ use: ScenarioAction.Use, _ request: AccessRequest, _ access: MemberAccess, _ session: ScenarioSession)
    async throws(ScenarioProblem) -> Outcome?
  {
    let costsCoins = request.item != nil && access.monetizer.effectiveCatalog.feature(request.feature)?.shape is CoinsShape
    if costsCoins, use.takes != nil {
      throw ScenarioProblem(text: "What costs coins is bought at once, and takes no time. Leave \"takes\" out.")
    }
    if use.work == .crashes {
      do throws(AccessDenied) { _ = try await access.monetizer.reserve(request, by: access.member, key: use.key) } catch { return "denied" }
      await work(use.takes)
      session.quit()
      return "crashed"
    }
    if let takes = use.takes { return await self.use(use, request, for: takes, access) }
    // Whoever uses something that costs coins pays them, and works on nothing.
    if costsCoins, let item = request.item {
      var outcomes: [String] = []
      for _ in 0..<use.parallel {
        let heard = heard(request, access, session)
        outcomes.append((try? await access.buy(item, of: request.feature)) == nil ? "denied" : "bought")
        compare(heard, outcomes[outcomes.count - 1], request, session)
        askAtFrontDoors()
      }
      return Outcome(outcomes)
    }
    // A key that is known counts once: what is left says nothing about it.
    let heard = use.parallel == 1 && use.key == nil ? heard(request, access, session) : nil
    let outcomes = await atOnce(use.parallel) { work in
      do {
        try await access.withSpending(request.feature, item: request.item, count: request.count, key: use.key) {
          await work()
          if use.work == .fails { throw WorkFailed() }
        }
        return "used"
      } catch is AccessDenied { return "denied" } catch { return "failed" }
    }
    if let outcome = outcomes.first { compare(heard, outcome, request, session) }
    // In an order that depends only on how often each came.
    return Outcome(outcomes.sorted().reversed())
  }

  /// Work that takes its time: all of it begins now, and ends when that has passed.
  private func use(_ use: ScenarioAction.Use, _ request: AccessRequest, for length: Period, _ access: MemberAccess) async -> Outcome? {
    var outcomes: [String] = []
    var reservations: [Monetizer.Reservation] = []
    for _ in 0..<use.parallel {
      do throws(AccessDenied) {
        reservations.append(try await access.monetizer.reserve(request, by: access.member, key: use.key))
        outcomes.append(use.work == .fails ? "failed" : "used")
      } catch { outcomes.append("denied") }
    }
    if !reservations.isEmpty { await work(length) }
    for reservation in reservations {
      if use.work == .fails {
        await access.monetizer.release(reservation)
      } else {
        await access.monetizer.commit(reservation)
      }
    }
    return Outcome(outcomes)
  }

  private func work(_ length: Period?) async {
    if let length { await pass(to: length.added(to: store.clock.now, in: Instant.calendar(zone))) }
  }
}

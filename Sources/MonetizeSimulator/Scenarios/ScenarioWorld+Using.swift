// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

extension ScenarioWorld {
  private struct WorkFailed: Error {}

  func use(_ use: ScenarioAction.Use, _ member: Member, _ session: ScenarioSession) async throws(ScenarioProblem) -> String? {
    let access = try app(session).as(member)
    let request = use.request.request(at: session.device.time.now)
    let costsCoins = request.item != nil && catalog.feature(request.feature)?.shape is CoinsShape
    if costsCoins, use.takes != nil {
      throw ScenarioProblem(text: "What costs coins is bought at once, and takes no time. Leave \"takes\" out.")
    }
    if use.work == .crashes {
      do throws(AccessDenied) { _ = try await access.monetizer.reserve(request, by: member, key: use.key) } catch { return "denied" }
      await work(use.takes)
      session.quit()
      return "crashed"
    }
    if let takes = use.takes { return await self.use(use, request, for: takes, access) }
    @Sendable func once() async -> String {
      do {
        // Whoever uses something that costs coins pays them.
        if costsCoins, let item = request.item {
          _ = try await access.buy(item, of: request.feature)
          return "bought"
        }
        try await access.withSpending(request.feature, item: request.item, count: request.count, key: use.key) {
          if use.work == .fails { throw WorkFailed() }
        }
        return "used"
      } catch is AccessDenied { return "denied" } catch { return "failed" }
    }
    if use.parallel == 1 { return await once() }
    let outcomes = await withTaskGroup(of: String.self) { group in
      for _ in 0..<use.parallel { group.addTask { await once() } }
      return await group.reduce(into: [String]()) { $0.append($1) }
    }
    // In an order that depends only on how often each came.
    return Self.summary(outcomes.sorted().reversed())
  }

  /// Work that takes its time: all of it begins now, and ends when that has passed.
  private func use(_ use: ScenarioAction.Use, _ request: AccessRequest, for length: Period, _ access: MemberAccess) async -> String? {
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
    return Self.summary(outcomes)
  }

  private func work(_ length: Period?) async {
    if let length { await pass(to: length.added(to: store.clock.now, in: Instant.calendar(zone))) }
  }
}

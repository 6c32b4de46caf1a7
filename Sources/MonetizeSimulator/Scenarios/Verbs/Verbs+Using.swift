// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

extension ScenarioVerbs {
  struct Use: ScenarioVerb {
    enum Work: String, Sendable, Decodable, CaseIterable { case succeeds, fails, crashes }
    private struct WorkFailed: Error {}

    static let info = ScenarioVerbInfo(
      "use", .app, "Uses a limited feature.",
      outcomes: "`used`, `denied`, `failed`, `bought` (for coins), `crashed`; several: `3 used, 97 denied`", allowsMembers: true)
    let request: ScenarioRequest
    let key: String?
    let work: Work
    /// The duration of the work.
    let takes: Period?
    let parallel: Int
    /// The time used, when the request counts seconds.
    let length: Period?

    init(_ keys: StepKeys) {
      var request = keys.question() ?? ScenarioRequest(feature: "")
      key = keys.optional("key", .name, "The id of the use: uses with the same id count once.")
      work = keys.optional("work", .word, "The result of the work. Absent: succeeds.") ?? .succeeds
      parallel =
        keys.optional(
          "parallel", .whole(1...10_000), "The number of concurrent uses, in an order set by the seed. Absent: 1.") ?? 1
      length = keys.optional("length", .period, "The time spent; a fixed number of seconds.")
      takes = keys.optional("takes", .period, "The duration of the work, during which the use is reserved. Absent: none.")
      if let length {
        // Time is counted in seconds.
        let seconds = length.fixedSeconds ?? 0
        if seconds > 0 { request.count = Int(seconds) }
        if seconds <= 0 {
          keys.report("bad-value", at: "length", "A \"length\" has a fixed number of seconds, such as \"PT29M59S\".")
        }
      }
      self.request = request
    }

    var calls: Int { parallel }

    func title(_ names: CatalogWords) -> String {
      "use \(request.text(names, counts: length == nil))" + (length.map { " for \($0.words)" } ?? "")
        + (parallel > 1 ? ", \(parallel) at once" : "") + (takes.map { ", taking \($0.words)" } ?? "")
        + (work == .succeeds ? "" : ", the work \(work.rawValue)")
    }

    func perform(_ stage: ScenarioStage) async throws(ScenarioProblem) -> Outcome? {
      let access = try stage.app().as(stage.member)
      if let takes { _ = try stage.world.moment(after: takes) }
      let request = request.request(at: stage.device.time.now, in: access.monetizer.catalog)
      let outcome = try await use(request, access, stage)
      if outcome.words.contains("denied"), case let decision = access.decision(for: request), !decision.isAllowed {
        stage.world.lastStep.reason = decision.reason.rawValue
      }
      return outcome
    }

    private func use(_ request: AccessRequest, _ access: MemberAccess, _ stage: ScenarioStage) async throws(ScenarioProblem) -> Outcome {
      let shape = access.monetizer.catalog.feature(request.feature)?.shape
      let costsCoins = request.item != nil && shape.map { type(of: $0).needsPrices } ?? false
      if costsCoins, takes != nil {
        throw ScenarioProblem(text: "A purchase for coins takes no time. Remove \"takes\".")
      }
      if work == .crashes {
        do throws(AccessDenied) { _ = try await access.reserve(request, key: key) } catch { return "denied" }
        await stage.world.work(takes)
        stage.session.quit()
        return "crashed"
      }
      if let takes { return await use(request, for: takes, access, stage) }
      if costsCoins, let item = request.item { return await buy(item, request, access, stage) }
      return await spend(request, access, stage)
    }

    /// Buys something that costs coins; there is no work to do.
    private func buy(_ item: ItemPath, _ request: AccessRequest, _ access: MemberAccess, _ stage: ScenarioStage) async -> Outcome {
      var outcomes: [String] = []
      let coins = access.coins
      for _ in 0..<parallel {
        let answer = stage.world.expectedAnswer(request, access, stage.session)
        outcomes.append((try? await access.buy(item, of: request.feature)) == nil ? "denied" : "bought")
        stage.world.compare(answer, outcomes[outcomes.count - 1], request, stage.session)
        stage.world.askAtFrontDoors()
      }
      if outcomes.contains("bought") {
        let left = access.coins
        stage.world.lastStep.remarks.append(left == coins ? "nothing is spent" : "\(CatalogWords.counted(left, "coin")) left")
      }
      return Outcome(outcomes)
    }

    private func spend(_ request: AccessRequest, _ access: MemberAccess, _ stage: ScenarioStage) async -> Outcome {
      // A known key counts once, so the rest of the limit gives no answer about it.
      let answer = parallel == 1 && key == nil ? stage.world.expectedAnswer(request, access, stage.session) : nil
      let (key, work) = (key, work)
      let outcomes = await stage.world.atOnce(parallel) { pause in
        do {
          try await access.withSpending(request, key: key) {
            await pause()
            if work == .fails { throw WorkFailed() }
          }
          return "used"
        } catch is AccessDenied { return "denied" } catch { return "failed" }
      }
      if let outcome = outcomes.first { stage.world.compare(answer, outcome, request, stage.session) }
      // Sort by count, so that the order is repeatable.
      return Outcome(outcomes.sorted().reversed())
    }

    /// Starts all of the work now, and ends it after its duration.
    private func use(_ request: AccessRequest, for length: Period, _ access: MemberAccess, _ stage: ScenarioStage) async -> Outcome {
      var outcomes: [String] = []
      var reservations: [Reservation] = []
      for _ in 0..<parallel {
        do throws(AccessDenied) {
          reservations.append(try await access.reserve(request, key: key))
          outcomes.append(work == .fails ? "failed" : "used")
        } catch { outcomes.append("denied") }
      }
      if !reservations.isEmpty { await stage.world.work(length) }
      for reservation in reservations {
        if work == .fails {
          await access.monetizer.release(reservation)
        } else {
          await access.monetizer.commit(reservation)
        }
      }
      return Outcome(outcomes)
    }
  }
}

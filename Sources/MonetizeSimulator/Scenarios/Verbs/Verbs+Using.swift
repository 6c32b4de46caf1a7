// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

extension ScenarioVerbs {
  struct Use: ScenarioVerb {
    enum Work: String, Sendable, Decodable, CaseIterable { case succeeds, fails, crashes }
    private struct WorkFailed: Error {}

    static let info = ScenarioVerbInfo(
      "use", .app, "Something limited is used.",
      outcomes: "`used`, `denied`, `failed`, `bought` (for coins), `crashed`; several are counted: `3 used, 97 denied`", knowsMembers: true)
    let request: ScenarioRequest
    let key: String?
    let work: Work
    /// How long the work runs.
    let takes: Period?
    let parallel: Int
    /// The time that is used, where the request counts its seconds.
    let length: Period?

    init(_ keys: StepKeys) {
      var request = keys.question() ?? ScenarioRequest(feature: "")
      key = keys.optional("key", .text, "The use's own name: the same one twice is one use.")
      work = keys.optional("work", .word, "How the work ends that the use is for. Absent: succeeds.") ?? .succeeds
      parallel =
        keys.optional(
          "parallel", .whole(1...10_000), "How many uses are under way at once; the seed says which of them goes on next. Absent: 1.") ?? 1
      length = keys.optional("length", .period, "The time that was spent; a fixed number of seconds.")
      takes = keys.optional("takes", .period, "How long the work runs: time passes while the use is reserved. Absent: no time.")
      if let length {
        // What is counted as time is counted in seconds.
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
      "use \((length == nil ? request : request.counting(1)).text(names))" + (length.map { " for \($0.words)" } ?? "")
        + (parallel > 1 ? ", \(parallel) at once" : "") + (takes.map { ", taking \($0.words)" } ?? "")
        + (work == .succeeds ? "" : ", the work \(work.rawValue)")
    }

    func perform(_ stage: ScenarioStage) async throws(ScenarioProblem) -> Outcome? {
      let access = try stage.app().as(stage.member)
      if let takes { _ = try stage.world.moment(after: takes) }
      let request = request.request(at: stage.device.time.now, in: access.monetizer.effectiveCatalog)
      let outcome = try await use(request, access, stage)
      if outcome.words.contains("denied"), case let decision = access.decision(for: request), !decision.isAllowed {
        stage.world.lastStep.reason = decision.reason.rawValue
      }
      return outcome
    }

    private func use(_ request: AccessRequest, _ access: MemberAccess, _ stage: ScenarioStage) async throws(ScenarioProblem) -> Outcome {
      let costsCoins = request.item != nil && access.monetizer.effectiveCatalog.feature(request.feature)?.shape is CoinsShape
      if costsCoins, takes != nil {
        throw ScenarioProblem(text: "What costs coins is bought at once, and takes no time. Leave \"takes\" out.")
      }
      if work == .crashes {
        do throws(AccessDenied) { _ = try await access.monetizer.reserve(request, by: access.member, key: key) } catch { return "denied" }
        await stage.world.work(takes)
        stage.session.quit()
        return "crashed"
      }
      if let takes { return await use(request, for: takes, access, stage) }
      if costsCoins, let item = request.item { return await buy(item, request, access, stage) }
      return await spend(request, access, stage)
    }

    /// Whoever uses something that costs coins pays them, and works on nothing.
    private func buy(_ item: ItemPath, _ request: AccessRequest, _ access: MemberAccess, _ stage: ScenarioStage) async -> Outcome {
      var outcomes: [String] = []
      for _ in 0..<parallel {
        let heard = stage.world.heard(request, access, stage.session)
        outcomes.append((try? await access.buy(item, of: request.feature)) == nil ? "denied" : "bought")
        stage.world.compare(heard, outcomes[outcomes.count - 1], request, stage.session)
        stage.world.askAtFrontDoors()
      }
      return Outcome(outcomes)
    }

    private func spend(_ request: AccessRequest, _ access: MemberAccess, _ stage: ScenarioStage) async -> Outcome {
      // A key that is known counts once: what is left says nothing about it.
      let heard = parallel == 1 && key == nil ? stage.world.heard(request, access, stage.session) : nil
      let (key, work) = (key, work)
      let outcomes = await stage.world.atOnce(parallel) { pause in
        do {
          try await access.withSpending(request.feature, item: request.item, count: request.count, key: key) {
            await pause()
            if work == .fails { throw WorkFailed() }
          }
          return "used"
        } catch is AccessDenied { return "denied" } catch { return "failed" }
      }
      if let outcome = outcomes.first { stage.world.compare(heard, outcome, request, stage.session) }
      // In an order that depends only on how often each came.
      return Outcome(outcomes.sorted().reversed())
    }

    /// Work that takes its time: all of it begins now, and ends when that has passed.
    private func use(_ request: AccessRequest, for length: Period, _ access: MemberAccess, _ stage: ScenarioStage) async -> Outcome {
      var outcomes: [String] = []
      var reservations: [Monetizer.Reservation] = []
      for _ in 0..<parallel {
        do throws(AccessDenied) {
          reservations.append(try await access.monetizer.reserve(request, by: access.member, key: key))
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

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeJSON

/// The app and its process.
extension ScenarioVerbs {
  struct Launch: ScenarioVerb {
    static let info = ScenarioVerbInfo("launch", .app, "The app starts.")
    let answers: Bool

    init(_ keys: StepKeys) { answers = keys.optional("answer", .flag, "Whether the store answers at once. Absent: yes.") ?? true }
    func title(_ names: CatalogWords) -> String { answers ? "launch" : "launch, no answer from the store yet" }
    func perform(_ stage: ScenarioStage) async throws(ScenarioProblem) -> Outcome? {
      guard stage.session.monetizer == nil else {
        throw ScenarioProblem(text: "The app runs already. Use \"relaunch\", or \"quit\" first.")
      }
      await stage.session.launch(zone: stage.world.zone, answers: answers)
      return nil
    }
  }

  struct Quit: ScenarioVerb {
    enum How: String, Sendable, Decodable, CaseIterable { case normal, crash }
    static let info = ScenarioVerbInfo("quit", .app, "The app ends.")
    let how: How

    init(_ keys: StepKeys) { how = keys.optional("how", .word, "How the process ends. Absent: normal.") ?? .normal }
    func title(_ names: CatalogWords) -> String { how == .crash ? "crash" : "quit" }
    func perform(_ stage: ScenarioStage) async throws(ScenarioProblem) -> Outcome? {
      if how == .normal { _ = try stage.app() }
      stage.world.quit(stage.session)
      return nil
    }
  }

  struct Relaunch: ScenarioVerb {
    static let info = ScenarioVerbInfo("relaunch", .app, "The app ends and starts.")
    init(_ keys: StepKeys) {}
    func title(_ names: CatalogWords) -> String { "relaunch" }
    func perform(_ stage: ScenarioStage) async throws(ScenarioProblem) -> Outcome? {
      stage.world.quit(stage.session)
      await stage.session.launch(zone: stage.world.zone, answers: true)
      return nil
    }
  }

  struct Reinstall: ScenarioVerb {
    enum Keeps: String, Sendable, Decodable, CaseIterable { case secure, nothing }
    static let info = ScenarioVerbInfo("reinstall", .app, "The app is deleted and installed again.")
    let keeps: Keeps

    init(_ keys: StepKeys) {
      keeps = keys.optional("keeps", .word, "What survives: what is stored securely (default), or nothing.") ?? .secure
    }
    func title(_ names: CatalogWords) -> String {
      keeps == .secure ? "delete and reinstall" : "delete and reinstall, nothing is kept"
    }
    func perform(_ stage: ScenarioStage) async throws(ScenarioProblem) -> Outcome? {
      stage.session.reinstall(keepingSecure: keeps == .secure)
      await stage.session.launch(zone: stage.world.zone, answers: true)
      return nil
    }
  }

  struct Background: ScenarioVerb {
    static let info = ScenarioVerbInfo("background", .app, "The app goes to the background.")
    init(_ keys: StepKeys) {}
    func title(_ names: CatalogWords) -> String { "to the background" }
    func perform(_ stage: ScenarioStage) async throws(ScenarioProblem) -> Outcome? {
      _ = try stage.app()
      return nil
    }
  }

  struct Foreground: ScenarioVerb {
    static let info = ScenarioVerbInfo("foreground", .app, "The app comes back.")
    init(_ keys: StepKeys) {}
    func title(_ names: CatalogWords) -> String { "to the foreground" }
    func perform(_ stage: ScenarioStage) async throws(ScenarioProblem) -> Outcome? {
      let monetizer = try stage.app()
      await monetizer.start()
      await monetizer.refresh()
      return nil
    }
  }

  struct Load: ScenarioVerb {
    static let info = ScenarioVerbInfo(
      "load", .app, "The app asks the store for its products.", outcomes: "`9 products`, `failed`")
    init(_ keys: StepKeys) {}
    func title(_ names: CatalogWords) -> String { "load the products" }
    func perform(_ stage: ScenarioStage) async throws(ScenarioProblem) -> Outcome? {
      let monetizer = try stage.app()
      return await stage.asking { () async throws(StoreError) in Outcome("\(try await monetizer.storeProducts().count) products") }
    }
  }

  struct AppTransaction: ScenarioVerb {
    static let info = ScenarioVerbInfo(
      "appTransaction", .app, "The app asks the store how the customer got it.", outcomes: "`answered`, `failed`")
    init(_ keys: StepKeys) {}
    func title(_ names: CatalogWords) -> String { "ask how the customer got the app" }
    func perform(_ stage: ScenarioStage) async throws(ScenarioProblem) -> Outcome? {
      let monetizer = try stage.app()
      return await stage.asking { () async throws(StoreError) in
        stage.world.lastStep.appTransaction = try await monetizer.appTransaction()
        return "answered"
      }
    }
  }

  struct Update: ScenarioVerb {
    static let info = ScenarioVerbInfo(
      "update", .app, "A new version of the app on one device, or remote configuration for all: one of them.",
      outcomes: "of remote configuration `applied`, `refused`")
    let catalogPatch: JSONValue?
    let overlay: String?

    init(_ keys: StepKeys) {
      catalogPatch = keys.json("set", "A merge patch on the catalog that a new version brings; it goes on from what that device has.")
      // Kept as text, because one that is refused is an outcome.
      let given = keys.json("overlay", "Remote configuration; null takes it away.")
      overlay = given.flatMap { $0.isNull ? nil : $0.text() }
      keys.exactlyOne(
        of: ["set", "overlay"],
        "\"update\" takes one of \"set\", a merge patch on the catalog that a new version brings, and \"overlay\", remote configuration or null."
      )
    }
    func title(_ names: CatalogWords) -> String {
      catalogPatch != nil ? "update the app" : overlay == nil ? "remote configuration is gone" : "remote configuration arrives"
    }
    func perform(_ stage: ScenarioStage) async throws(ScenarioProblem) -> Outcome? {
      guard let catalogPatch else {
        return stage.world.configure(overlay, stage.isOneDevice ? [stage.session] : stage.world.sessions)
      }
      try await stage.world.update(catalogPatch, stage.session)
      return nil
    }
  }
}

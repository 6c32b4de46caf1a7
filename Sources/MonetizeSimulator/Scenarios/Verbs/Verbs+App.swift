// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeJSON

/// The app and its process.
extension ScenarioVerbs {
  struct Launch: ScenarioVerb {
    static let info = ScenarioVerbInfo("launch", .app, "Starts the app.")
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
    static let info = ScenarioVerbInfo("quit", .app, "Ends the app.")
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
    static let info = ScenarioVerbInfo("relaunch", .app, "Ends and starts the app.")
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
    static let info = ScenarioVerbInfo("reinstall", .app, "Deletes and reinstalls the app.")
    let keeps: Keeps

    init(_ keys: StepKeys) {
      keeps = keys.optional("keeps", .word, "The data that survives: the secure storage, or nothing. Absent: secure.") ?? .secure
    }
    func title(_ names: CatalogWords) -> String {
      keeps == .secure ? "delete and reinstall" : "delete and reinstall, keep nothing"
    }
    func perform(_ stage: ScenarioStage) async throws(ScenarioProblem) -> Outcome? {
      stage.session.reinstall(keepingSecure: keeps == .secure)
      await stage.session.launch(zone: stage.world.zone, answers: true)
      return nil
    }
  }

  struct Background: ScenarioVerb {
    static let info = ScenarioVerbInfo("background", .app, "Moves the app to the background.")
    init(_ keys: StepKeys) {}
    func title(_ names: CatalogWords) -> String { "to the background" }
    func perform(_ stage: ScenarioStage) async throws(ScenarioProblem) -> Outcome? {
      _ = try stage.app()
      return nil
    }
  }

  struct Foreground: ScenarioVerb {
    static let info = ScenarioVerbInfo("foreground", .app, "Moves the app to the foreground.")
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
      "load", .app, "Requests the products from the store.", outcomes: "`9 products`, `failed`")
    init(_ keys: StepKeys) {}
    func title(_ names: CatalogWords) -> String { "load the products" }
    func perform(_ stage: ScenarioStage) async throws(ScenarioProblem) -> Outcome? {
      let monetizer = try stage.app()
      return await stage.asking { () async throws(StoreError) in
        Outcome(CatalogWords.counted(try await monetizer.storeProducts().count, "product"))
      }
    }
  }

  struct AppTransaction: ScenarioVerb {
    static let info = ScenarioVerbInfo(
      "appTransaction", .app, "Requests the app transaction from the store.", outcomes: "`answered`, `failed`")
    init(_ keys: StepKeys) {}
    func title(_ names: CatalogWords) -> String { "request the app transaction" }
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
      "update", .app, "Installs a new version of the app on one device, or sends remote configuration to all.",
      outcomes: "for remote configuration `applied`, `refused`")
    let catalogPatch: JSONValue?
    let overlay: String?

    init(_ keys: StepKeys) {
      catalogPatch = keys.json("set", "The new version's merge patch on the device's current catalog.")
      // Kept as text, because refused configuration is an outcome and not a mistake of the file.
      let given = keys.json("overlay", "Remote configuration: an overlay with \"id\", \"patch\" and perhaps \"percent\"; null removes it.")
      overlay = given.flatMap { $0.isNull ? nil : $0.text() }
      keys.exactlyOne(
        of: ["set", "overlay"],
        "\"update\" takes either \"set\", a new version's merge patch on the catalog, or \"overlay\", remote configuration or null."
      )
    }
    func title(_ names: CatalogWords) -> String {
      catalogPatch != nil ? "update the app" : overlay == nil ? "remote configuration is removed" : "remote configuration arrives"
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

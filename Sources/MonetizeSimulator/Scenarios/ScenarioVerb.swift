// SPDX-License-Identifier: Apache-2.0
import Foundation
public import Monetize
import MonetizeJSON

/// A verb of scenarios: one type with its keys, its words in the timeline, and its effect. Adding it to ``ScenarioVocabulary`` adds it to
/// the reader, the JSON Schema, the guide, and `monetize play`.
protocol ScenarioVerb: Sendable {
  /// Its name, group, description and outcomes.
  static var info: ScenarioVerbInfo { get }
  /// Reads its keys.
  init(_ keys: StepKeys)
  /// The action, in a few words.
  func title(_ names: CatalogWords) -> String
  /// Performs the action; returns its outcome, if there is one to report.
  func perform(_ stage: ScenarioStage) async throws(ScenarioProblem) -> Outcome?
  /// The number of calls that each repetition makes.
  var calls: Int { get }
  /// The merge patch that it applies to the app's catalog.
  var catalogPatch: JSONValue? { get }
}

extension ScenarioVerb {
  var calls: Int { 1 }
  var catalogPatch: JSONValue? { nil }
  var info: ScenarioVerbInfo { Self.info }
}

/// The description of a verb.
struct ScenarioVerbInfo: Sendable {
  let name: String
  let group: ScenarioVocabulary.Group
  let about: String
  /// The possible outcomes; empty for a verb without any.
  var outcomes = ""
  /// Whether a single member of a family can be the one who acts.
  var allowsMembers = false
  /// Whether it handles `times` itself and runs once.
  var countsTimes = false

  init(
    _ name: String, _ group: ScenarioVocabulary.Group, _ about: String, outcomes: String = "", allowsMembers: Bool = false,
    countsTimes: Bool = false
  ) {
    (self.name, self.group, self.about, self.outcomes) = (name, group, about, outcomes)
    (self.allowsMembers, self.countsTimes) = (allowsMembers, countsTimes)
  }
}

/// The setting of a step: the world, the device, and its user.
struct ScenarioStage {
  let world: ScenarioWorld
  let session: ScenarioSession
  var member: Member = .customer
  /// Whether the step names its device and so concerns that device only.
  var isOneDevice = false

  var store: SimulatedStore { world.store }
  var device: SimulatedDevice { session.device }
  var customer: CustomerID { session.device.customer }

  /// The app; throws when it does not run.
  func app() throws(ScenarioProblem) -> Monetizer { try world.app(session) }

  /// Performs an action of the store, which may refuse it.
  func atStore(_ verb: (SimulatedStore, CustomerID) async throws(SimulationError) -> Void) async throws(ScenarioProblem) -> Outcome? {
    do throws(SimulationError) { try await verb(store, customer) } catch { throw ScenarioProblem(error) }
    return nil
  }

  /// Performs a request of the app to the store, which may fail.
  func asking(_ body: () async throws(StoreError) -> Outcome?) async -> Outcome? {
    do throws(StoreError) { return try await body() } catch { return failed(error) }
  }

  func failed(_ error: StoreError) -> Outcome {
    world.lastStep.error = error.code.rawValue
    return "failed"
  }
}

/// The verbs that scenarios have.
enum ScenarioVerbs {
  static let all: [any ScenarioVerb.Type] = [
    Launch.self, Quit.self, Relaunch.self, Reinstall.self, Background.self, Foreground.self, Open.self, Dismiss.self, Load.self,
    AppTransaction.self, Purchase.self, Restore.self, Use.self, Record.self, Update.self, Account.self, Sync.self, Approve.self,
    Decline.self, Renewal.self, Manage.self, RequestRefund.self, Family.self, Refund.self, Renew.self, Expire.self, Extend.self,
    Deliver.self, Forget.self, SetWorld.self,
  ]
}

extension Member {
  /// Reads a member as scenarios write it: `child:max`, `parent`, `parent:mum`, `guest`, `demo`, `customer`. Returns `nil` for anything
  /// else.
  public init?(text: String) {
    let pieces = text.split(separator: ":", maxSplits: 1).map(String.init)
    switch (pieces.first, pieces.count) {
    case ("child", 2) where pieces[1] != "*": self = .child(pieces[1])
    case ("parent", 2), ("parent", 1): self = .parent(pieces.count == 2 ? pieces[1] : "")
    case ("guest", 1): self = .guest
    case ("demo", 1): self = .demo
    case ("customer", 1): self = .customer
    default: return nil
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
public import Monetize
import MonetizeJSON

/// Something that can happen: a verb of scenarios. A verb is one type: its keys, its words in the timeline, and what it does. Named in
/// ``ScenarioVocabulary``, it is in the reader, the JSON Schema, the guide, and `monetize play`.
protocol ScenarioVerb: Sendable {
  /// Its name, whose doing it is, what it does and how it ends.
  static var info: ScenarioVerbInfo { get }
  /// Reads its keys.
  init(_ keys: StepKeys)
  /// What happens, in a few words.
  func title(_ names: CatalogWords) -> String
  /// Does it, and says how it ended when that is worth saying.
  func perform(_ stage: ScenarioStage) async throws(ScenarioProblem) -> Outcome?
  /// How many calls it makes each time.
  var calls: Int { get }
  /// What it makes of the app's catalog, as a merge patch.
  var catalogPatch: JSONValue? { get }
}

extension ScenarioVerb {
  var calls: Int { 1 }
  var catalogPatch: JSONValue? { nil }
  var info: ScenarioVerbInfo { Self.info }
}

/// A verb as the vocabulary knows it.
struct ScenarioVerbRow: Sendable {
  let info: ScenarioVerbInfo
  /// The verb of a step that has these keys.
  let read: @Sendable (StepKeys) -> any ScenarioVerb

  init<Verb: ScenarioVerb>(_ type: Verb.Type) {
    info = Verb.info
    read = { Verb($0) }
  }
}

/// What is said of a verb.
struct ScenarioVerbInfo: Sendable {
  let name: String
  let group: ScenarioVocabulary.Group
  let about: String
  /// How it can end; empty for a verb that has nothing to say.
  var outcomes = ""
  /// Whether one member of a family does it, and not the customer for all.
  var knowsMembers = false
  /// Whether it counts `times` by itself, and happens once.
  var countsTimes = false

  init(
    _ name: String, _ group: ScenarioVocabulary.Group, _ about: String, outcomes: String = "", knowsMembers: Bool = false,
    countsTimes: Bool = false
  ) {
    (self.name, self.group, self.about, self.outcomes) = (name, group, about, outcomes)
    (self.knowsMembers, self.countsTimes) = (knowsMembers, countsTimes)
  }
}

/// Where a step happens: the world, and the device with the person at it.
struct ScenarioStage {
  let world: ScenarioWorld
  let session: ScenarioSession
  var member: Member = .customer
  /// Whether the step names the device, so that it is about that one alone.
  var isOneDevice = false

  var store: SimulatedStore { world.store }
  var device: SimulatedDevice { session.device }
  var customer: CustomerID { session.device.customer }

  /// The app, which must run.
  func app() throws(ScenarioProblem) -> Monetizer { try world.app(session) }

  /// Something of the store, which may refuse it.
  func atStore(_ verb: (SimulatedStore, CustomerID) async throws(SimulationError) -> Void) async throws(ScenarioProblem) -> Outcome? {
    do throws(SimulationError) { try await verb(store, customer) } catch { throw ScenarioProblem(error) }
    return nil
  }

  /// Something that the app asks of the store, which may fail.
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
  static let all: [ScenarioVerbRow] = [
    .init(Launch.self), .init(Quit.self), .init(Relaunch.self), .init(Reinstall.self), .init(Background.self), .init(Foreground.self),
    .init(Open.self), .init(Dismiss.self), .init(Load.self), .init(AppTransaction.self), .init(Purchase.self), .init(Restore.self),
    .init(Use.self), .init(Record.self), .init(Update.self), .init(Account.self), .init(Sync.self), .init(Approve.self),
    .init(Decline.self), .init(Renewal.self), .init(Manage.self), .init(RequestRefund.self), .init(Family.self), .init(Refund.self),
    .init(Renew.self), .init(Expire.self), .init(Extend.self), .init(Deliver.self), .init(Forget.self), .init(SetWorld.self),
  ]
}

extension Member {
  /// Reads a member as scenarios write it: `child:max`, `parent`, `parent:mum`, `guest`, `demo`, `customer`; `nil` for anything else.
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

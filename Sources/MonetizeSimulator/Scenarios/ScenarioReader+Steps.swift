// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeJSON

extension ActionFrame {
  /// Reads the keys of any step with a verb, beside the verb's own.
  init(_ keys: StepKeys) {
    device = keys.optional("on", .device, "The device. Absent: the first.")
    times = keys.optional("times", .whole(1...ScenarioReader.mostSteps), "The number of repetitions. Absent: 1.") ?? 1
    note = keys.optional("note", .text, "A note on the timeline.")
    member = keys.optional("as", .member, "The member who acts. Absent: the customer.") ?? .customer
  }
}

extension ScenarioReader {
  /// Common words for verbs, such as those of `monetize play`, each with the verb that it means.
  static let otherWords = [
    "buy": "purchase", "subscribe": "purchase", "upgrade": "purchase", "spend": "use", "consume": "use", "tap": "open",
    "start": "launch", "restart": "relaunch", "close": "quit", "crash": "quit", "kill": "quit", "cancel": "renewal",
    "unsubscribe": "renewal", "login": "account", "signin": "account", "sign": "account", "complete": "record", "earn": "record",
  ]

  /// The step to write in place of a verb that does not exist; `nil` if no step has a meaning like that of the word.
  private func step(insteadOf word: String) -> String? {
    switch word {
    case "wait", "sleep", "advance": "Time passes in a step of its own, such as { \"advance\": \"P3D\" }."
    case "expect", "assert", "check":
      "Expectations without an action are a step of their own, such as { \"expect\": { \"charged\": \"0.00\" } }."
    case "each", "repeat", "loop": "A loop is a step of its own, such as { \"each\": { \"n\": \"1...3\" }, \"steps\": [] }."
    case "offline", "online": "A setting is changed with \"set\", such as { \"do\": \"set\", \"network\": \"\(word)\" }."
    default: vocabulary.settings.first { $0.name.lowercased() == word }.map { "It is a setting: { \"do\": \"set\", \"\($0.name)\": … }." }
    }
  }

  func readVerb(_ fields: JSONFields, _ value: JSONValue, _ reading: ScenarioReading) -> (any ScenarioVerb, ActionFrame)? {
    guard let name = fields.required("do", as: String.self) else { return nil }
    var frame = ActionFrame(StepKeys(fields, reading))
    frame.expect = fields.value("expect").map { readExpectations($0, frame.device, reading) } ?? []
    guard let verb = vocabulary.verb(name) else {
      let known = vocabulary.verbs.map { $0.info.name }
      let mend =
        step(insteadOf: name.lowercased()).map { " \($0)" }
        ?? didYouMean(
          Self.otherWords[name.lowercased()] ?? closestMatch(to: name, in: known), or: "Verbs are \(known.joined(separator: ", ")).")
      reading.report("unknown-verb", fields.value("do") ?? value, "There is no verb \"\(name)\".\(mend)")
      reading.reader.markRead(value)
      return nil
    }
    let named = reading.names.count
    let keys = StepKeys(fields, reading, times: frame.times)
    let action = verb.init(keys)
    // A step that expects an error may name things that do not exist.
    if value["expect"].map(ScenarioName.expectsError) == true { reading.names.removeSubrange(named...) }
    if frame.member != .customer, !verb.info.allowsMembers || keys.isCustomers, let place = fields.value("as") {
      reading.report(
        "no-effect", place,
        "\"\(name)\" does not depend on the member. Remove \"as\": only \"use\", \"record\" and \"open\" with a \"feature\" do."
      )
      frame.member = .customer
    }
    if verb.info.countsTimes { frame.times = 1 }
    return (action, frame)
  }

  /// Reads the initial settings of the world.
  func readSettings(_ value: JSONValue, _ reading: ScenarioReading) -> [ScenarioSetting.Value] {
    guard let fields = reading.reader.object(value, "settings") else { return [] }
    let keys = StepKeys(fields, reading)
    return vocabulary.settings.compactMap { $0.read(keys) }
  }
}

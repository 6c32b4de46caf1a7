// SPDX-License-Identifier: Apache-2.0
import MonetizeSimulator

/// Random records of apps, their owners, and exchanges between devices.
extension StoryTeller {
  /// Facts from the app.
  mutating func record(_ device: String) -> Story.Step {
    var fields: [(String, String)]
    switch Int.random(in: 0..<4, using: &random) {
    case 0: fields = [("completion", "\"denny/\(Int.random(in: 1...4, using: &random))\"")]
    case 1:
      let (id, earned) = (pick(["p1", "p2"]), Int.random(in: 0...9, using: &random))
      fields = [("coins", "{ \"id\": \"\(id)\", \"earned\": \(earned), \"spent\": \(Int.random(in: 0...3, using: &random)) }")]
    case 2:
      let amount = chance(0.2) ? "null" : "\(Int.random(in: 0...6, using: &random))"
      fields = [("cap", "{ \"feature\": \(pick(["\"hint\"", "\"gem\""])), \"amount\": \(amount) }")]
    default:
      let end = pick(["", ", \"until\": \"2026-04-10T00:00:00Z\"", ", \"revoked\": true"])
      fields = [("grant", "{ \"id\": \"gift\", \"entitlements\": [\"helper\"]\(end) }")]
    }
    if chance(0.35) { fields.append(("as", "\"child:max\"")) }
    return act("record", fields, on: device)
  }

  /// A new version of the app, or remote configuration.
  mutating func update(_ device: String) -> Story.Step {
    let free =
      "\"freeTier\": { \"grants\": { \"hint\": \(Int.random(in: 0...5, using: &random)), \"gem\": \(Int.random(in: 1...4, using: &random)) } }"
    switch Int.random(in: 0..<7, using: &random) {
    case 6:
      return act(
        "update", [("set", "{ \"collections\": { \"denny\": { \"items\": \(Int.random(in: 4...6, using: &random)) } } }")], on: device)
    case 0...1: return act("update", [("set", "{ \(free) }")], on: device)
    case 2: return act("update", [("overlay", "{ \"id\": \"off\", \"patch\": { \"monetization\": \"off\" } }")], on: device)
    case 3: return act("update", [("overlay", pick(["null", "{ \"id\": \"bad\", \"patch\": { \"products\": [] } }"]))], on: device)
    default:
      return act("update", [("overlay", "{ \"id\": \"free\", \"percent\": \(pick([50, 100])), \"patch\": { \(free) } }")], on: device)
    }
  }

  /// A sign-in or sign-out, sometimes on all devices; sometimes a guest repeats what must count once.
  mutating func account(_ device: String) -> [Story.Step] {
    let to = pick(["\"ann\"", "\"ann\"", "\"zoe\"", "null", "null"])
    let policy = chance(0.25) ? nil : pick(["keep", "transfer", "share", "share"])
    func sign(_ to: String, _ policy: String?, on device: String) -> Story.Step {
      act("account", [("to", to)] + (policy.map { [("policy", "\"\($0)\"")] } ?? []), on: device)
    }
    var steps = running(device) + [sign(to, policy, on: device)]
    if policy == "transfer", chance(0.4) { steps += [sign("null", "keep", on: device), sign(to, "transfer", on: device)] }
    let other = device == "phone" ? "tablet" : "phone"
    if chance(0.3) { steps += running(other) + [sign(to, nil, on: other)] }
    return steps
  }

  /// An exchange with another device, which may be delayed, lost or duplicated.
  mutating func sync(_ device: String) -> [Story.Step] {
    let other = pick(
      Story.names.filter { $0 != device && (chance(0.1) || $0 != "kid" && device != "kid") } + (device == "phone" ? ["tablet"] : ["phone"]))
    var fields = [("with", "\"\(other)\"")]
    if chance(0.15) { fields.append(("lose", pick(["\"there\"", "\"back\"", "\"both\""]))) }
    if chance(0.2) { fields.append(("duplicate", "true")) }
    if chance(0.3) { fields.append(("delay", pick(["\"PT10S\"", "\"PT6H\"", "\"P1D\""]))) }
    return running(device) + running(other) + [act("sync", fields, on: device)]
  }
}

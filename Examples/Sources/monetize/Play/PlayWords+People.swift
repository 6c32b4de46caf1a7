// SPDX-License-Identifier: Apache-2.0
import Monetize
import MonetizeTools

extension PlayWords {
  /// Reads `in ann transfer`, `out`.
  mutating func sign(_ step: inout StepJSON) throws(ToolProblem) {
    step.verb("account")
    if try choice(["in", "out"]) == "in" {
      step.add("to", try word("the account, such as ann"))
    } else {
      step.add("to", raw: "null")
    }
    if !rest.isEmpty { step.add("policy", try choice(["keep", "transfer", "share"])) }
  }

  /// Reads `watch`, `phone watch lost twice after 1d`. With one device, the prompt's device is the other; with none, there must be exactly
  /// two.
  mutating func sync(_ step: inout StepJSON) throws(ToolProblem) {
    let devices = context.devices
    guard devices.count > 1 else { throw ToolProblem("There is only one device. Write: device watch") }
    let here = context.device ?? devices[0]
    var named: [String] = []
    while named.count < 2, let word = rest.first, !["lost", "twice", "after"].contains(word.lowercased()) {
      named.append(try Self.one(removeFirst(), of: devices, "device"))
    }
    if named.isEmpty, devices.count == 2 { named = devices.filter { $0 != here } }
    guard let other = named.last else {
      throw ToolProblem("Which device? There is \(devices.filter { $0 != here }.joined(separator: ", ")).")
    }
    if named.count == 2 { step.on(named[0]) }
    step.verb("sync")
    step.add("with", other)
    while let option = take(of: ["lost", "twice", "after"]) {
      switch option {
      case "lost":
        step.add("lose", take("there") ? "there" : take("back") ? "back" : "both")
        _ = take("both")
      case "twice": step.add("duplicate", raw: "true")
      default: step.add("delay", try period().description)
      }
    }
  }
}

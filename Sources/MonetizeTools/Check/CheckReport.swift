// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeSimulator

/// The result of `monetize check`: counterexamples and coverage.
public struct CheckReport: ToolReport {
  /// One shortest counterexample for each violated property.
  public let counterexamples: [CheckCounterexample]
  /// The number of states that were checked.
  public let states: Int
  /// The number of steps of the longest path.
  public let depth: Int
  /// The option that ended the search before all states were checked: `states` or `depth`; `nil` if none did.
  public let limit: String?
  /// The duration of the search.
  public let seconds: Double
  /// The number of questions in each state, without those that another one represents.
  public let questions: Int
  /// The number of questions that another one represents.
  public let alike: Int
  /// The number of products that differ from another in their name only.
  public let interchangeable: Int
  /// The codes of the checked properties.
  public let properties: [String]

  /// Whether all states within the limit of time were checked.
  public var isExhausted: Bool { limit == nil }

  /// `no` when a property is violated.
  public var status: ToolStatus { counterexamples.isEmpty ? .fine : .no }

  /// Each counterexample with its scenario, then the coverage.
  public var text: String {
    var text = ""
    for found in counterexamples {
      text += "✗ \(found.code): \(found.message)\n"
      if let mend = found.mend { text += "  \(mend)\n" }
      text += "  \(CatalogWords.counted(found.steps, "step"))\(found.isConfirmed == true ? "; fails in simulate as well" : "")\n"
      text += found.scenario.split(whereSeparator: \.isNewline).map { "  \($0)\n" }.joined() + "\n"
    }
    let whole = isExhausted ? "all of them" : "more remain"
    let rate = Int(Double(states) / max(seconds, 0.001))
    text +=
      "\(CatalogWords.counted(states, "state")) up to \(CatalogWords.counted(depth, "step")) (\(whole)), with "
      + "\(CatalogWords.counted(questions, "question")) in each"
    if alike > 0 { text += " (for \(alike) more with the same answers)" }
    if interchangeable > 0 { text += "; \(CatalogWords.counted(interchangeable, "product")) that differ in their name only" }
    if let limit { text += "\nThere are more states, in which a property may not hold. Raise --\(limit) to check them." }
    text += String(format: "\n%.1f s, \(CatalogWords.counted(rate, "state")) a second\n", seconds)
    text +=
      counterexamples.isEmpty
      ? "all \(properties.count) properties hold\n"
      : "\(counterexamples.count) of \(properties.count) properties \(counterexamples.count == 1 ? "does" : "do") not hold\n"
    return text
  }

  /// `{ "holds", "counterexamples": [{ "code", "message", "mend", "steps", "confirmed", "scenario" }], "states", "depth", "exhausted",
  /// "questions", "properties" }`. Without ``seconds``, because the same catalog gives the same JSON.
  public var json: String {
    let found = counterexamples.map { found -> ToolObject in
      [
        "code": found.code, "message": found.message, "mend": found.mend, "steps": found.steps, "confirmed": found.isConfirmed ?? false,
        "scenario": found.scenario,
      ]
    }
    return ToolJSON.object([
      "holds": counterexamples.isEmpty, "counterexamples": found, "states": states, "depth": depth, "exhausted": isExhausted,
      "questions": questions, "properties": properties,
    ])
  }
}

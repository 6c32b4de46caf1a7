// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What `monetize check` found, and what it covered.
public struct CheckReport: ToolReport {
  /// One for each property that does not hold, the shortest way to it.
  public let counterexamples: [CheckCounterexample]
  /// How many different states were looked at.
  public let states: Int
  /// How many steps the longest way has.
  public let depth: Int
  /// Whether there are no further states: what was found is all there is within the limits of time.
  public let isExhausted: Bool
  /// How long the search took.
  public let seconds: Double
  /// How many questions were asked in each state, and how many were left out because another stands for them.
  public let questions: Int
  /// How many questions another one stands for.
  public let alike: Int
  /// How many products are like another in all but their name.
  public let interchangeable: Int
  /// The codes of the properties that were looked at.
  public let properties: [String]

  /// `no` where a property does not hold.
  public var status: ToolStatus { counterexamples.isEmpty ? .fine : .no }

  /// Each counterexample with its scenario, then what was covered.
  public var text: String {
    var text = ""
    for found in counterexamples {
      text += "✗ \(found.code): \(found.message)\n"
      text += "  \(found.steps) \(found.steps == 1 ? "step" : "steps")\(found.isConfirmed == true ? "; fails in simulate as well" : "")\n"
      text += found.scenario.split(whereSeparator: \.isNewline).map { "  \($0)\n" }.joined() + "\n"
    }
    let whole = isExhausted ? "exhausted: there are no others" : "not exhausted"
    let rate = Int(Double(states) / max(seconds, 0.001))
    text += "\(states) states up to \(depth) steps, \(whole); \(questions) questions in each"
    if alike > 0 { text += " (they stand for \(alike) more)" }
    if interchangeable > 0 { text += "; \(interchangeable) products that differ in their name only" }
    text += String(format: "\n%.1f s, %d states a second\n", seconds, rate)
    text +=
      counterexamples.isEmpty
      ? "all \(properties.count) properties hold\n" : "\(counterexamples.count) of \(properties.count) properties do not hold\n"
    return text
  }

  /// `{ "holds", "counterexamples": [{ "code", "message", "steps", "confirmed", "scenario" }], "states", "depth", "exhausted", "seconds",
  /// "questions", "properties" }`.
  public var json: String {
    struct Found: Encodable {
      let code: String
      let message: String
      let steps: Int
      let confirmed: Bool
      let scenario: String
    }
    struct Document: Encodable {
      let holds: Bool
      let counterexamples: [Found]
      let states: Int
      let depth: Int
      let exhausted: Bool
      let seconds: Double
      let questions: Int
      let properties: [String]
    }
    return ToolJSON.text(
      Document(
        holds: counterexamples.isEmpty,
        counterexamples: counterexamples.map {
          Found(code: $0.code, message: $0.message, steps: $0.steps, confirmed: $0.isConfirmed ?? false, scenario: $0.scenario)
        }, states: states, depth: depth, exhausted: isExhausted, seconds: seconds, questions: questions, properties: properties))
  }
}

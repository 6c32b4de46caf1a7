// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// A fact that can be expected: one row with its name, the type of its value, its description, and the code that finds it.
struct ScenarioFact<Subject>: Sendable {
  let shape: ScenarioFactShape
  /// Finds the value; `asked` is the expected value.
  let find: @Sendable (Subject, _ asked: ScenarioValue) -> ScenarioValue

  init(
    _ name: String, _ kind: ScenarioFactKind, _ about: String, asked find: @escaping @Sendable (Subject, ScenarioValue) -> ScenarioValue
  ) {
    shape = ScenarioFactShape(name: name, kind: kind, about: about)
    self.find = find
  }

  init(_ name: String, _ kind: ScenarioFactKind, _ about: String, _ find: @escaping @Sendable (Subject) -> ScenarioValue) {
    self.init(name, kind, about) { subject, _ in find(subject) }
  }

  init<Value: ScenarioScalar>(_ name: String, _ kind: ScenarioFactKind, _ about: String, _ find: @escaping @Sendable (Subject) -> Value?) {
    self.init(name, kind, about) { subject, _ in ScenarioValue(find(subject)) }
  }
}

extension [ScenarioFactShape] {
  init(_ facts: [ScenarioFact<some Any>]) { self = facts.map(\.shape) }
}

extension ScenarioValue {
  /// The facts of something, by name.
  static func facts<Subject>(_ facts: [ScenarioFact<Subject>], of subject: Subject) -> [String: ScenarioValue] {
    Dictionary(facts.map { ($0.shape.name, $0.find(subject, .absent)) }) { first, _ in first }
  }

  static func facts(of decision: Decision, _ feature: Feature?, _ zone: TimeZone) -> [String: ScenarioValue] {
    facts(ScenarioSubjects.Question.facts, of: .init(decision: decision, feature: feature, zone: zone))
  }
}

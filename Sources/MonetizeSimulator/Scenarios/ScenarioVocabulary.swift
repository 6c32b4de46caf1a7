// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// The vocabulary of scenarios: the verbs, the settings, and the facts that can be expected. The reader, the JSON Schema, the guide's
/// tables and `monetize play` are derived from it. A new verb is a type; a new setting or fact is a row.
public struct ScenarioVocabulary: Sendable {
  /// The group of a verb: who or what acts.
  public enum Group: String, Sendable, Hashable, CaseIterable {
    /// The app, and the person who uses it.
    case app = "The app and its user"
    /// The customer at the store.
    case customer = "The customer at the store"
    /// The store.
    case store = "The store"
    /// The world around the app and the store.
    case world = "The world"

    var kind: ScenarioReport.Entry.Kind {
      switch self {
      case .app: .app
      case .customer, .store: .store
      case .world: .world
      }
    }
  }

  /// A name with its description.
  public struct Term: Sendable {
    /// The name.
    public let name: String
    /// The value in a few words; for a verb, its outcomes.
    public let words: String
    /// The description, one sentence.
    public let about: String
    /// Whether it is required.
    public internal(set) var isRequired = false
    /// The type of the value.
    var schema: JSONTree = [:]

    var described: (key: String, value: JSONTree) { (name, JSONTree.object([("description", .text(about))]).adding(schema)) }
  }

  var verbs: [any ScenarioVerb.Type] = []
  /// The settings beside ``quirks``.
  var otherSettings: [ScenarioSetting] = []
  var quirks: [StoreQuirk.Row] = []
  var question: [ScenarioFact<ScenarioSubjects.Question>] = []
  var items: [ScenarioFact<ScenarioSubjects.Items>] = []
  var product: [ScenarioFact<ScenarioSubjects.Product>] = []
  var paywall: [ScenarioFact<ScenarioSubjects.Offer>] = []
  var step: [ScenarioFact<ScenarioSubjects.Step>] = []

  /// The vocabulary of every scenario.
  public static let standard = ScenarioVocabulary(
    verbs: ScenarioVerbs.all, otherSettings: ScenarioSetting.all, quirks: StoreQuirk.rows, question: ScenarioSubjects.Question.facts,
    items: ScenarioSubjects.Items.facts, product: ScenarioSubjects.Product.facts, paywall: ScenarioSubjects.Offer.facts,
    step: ScenarioSubjects.Step.facts)

  /// All settings, with the quirks last.
  var settings: [ScenarioSetting] { otherSettings + [.quirks(quirks)] }

  func facts(of subject: ScenarioExpectation.Subject) -> [ScenarioFactShape] {
    switch subject {
    case .feature: .init(question)
    case .items: .init(items)
    case .product: .init(product)
    case .paywall: .init(paywall)
    case .same: []
    case .world: .init(step)
    }
  }

  /// The subjects of expectations in words, each with its facts.
  var subjects: [(name: String, facts: [ScenarioFactShape])] {
    [
      ("a question: `\"feature\"`", .init(question)), ("`\"feature\"` and `\"items\"`", .init(items)), ("`\"product\"`", .init(product)),
      ("`\"paywall\"`, with or without a question", .init(paywall)), ("nothing: the step, the device and the customer", .init(step)),
    ]
  }

  // MARK: For people

  /// The verbs of a group, or all verbs, in order.
  public func verbs(of group: Group? = nil) -> [Term] {
    verbs.map { $0.info }.filter { group == nil || $0.group == group }.map {
      Term(name: $0.name, words: $0.outcomes, about: $0.about)
    }
  }

  /// The keys of a verb, without those that every step has; empty for an unknown verb.
  public func keys(of verb: String) -> [Term] { self.verb(verb).map { StepKeys.listing(self, $0.init).keys } ?? [] }

  /// Whether a single member of a family can be the one who acts, so that a step may have `as`.
  public func allowsMembers(_ verb: String) -> Bool { self.verb(verb)?.info.allowsMembers ?? false }

  func verb(_ name: String) -> (any ScenarioVerb.Type)? { verbs.first { $0.info.name == name } }

  /// The settings of the world, in order.
  public var worldSettings: [Term] { StepKeys.listing(self) { keys in settings.map { $0.read(keys) } }.keys }
}

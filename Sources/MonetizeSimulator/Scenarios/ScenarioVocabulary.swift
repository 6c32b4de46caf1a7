// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// What scenarios can say: the verbs, the settings, and the facts that can be expected. The reader, the JSON Schema, the guide's tables and
/// `monetize play` are made from it. To add a verb is to add a type, and to add a setting or a fact is to add a row.
public struct ScenarioVocabulary: Sendable {
  /// Whose doing a verb is.
  public enum Group: String, Sendable, Hashable, CaseIterable {
    /// The app, and the person in it.
    case app = "The app and the person in it"
    /// The customer at the store.
    case customer = "The customer at the store"
    /// The store.
    case store = "The store"
    /// The world around them.
    case world = "The world"

    var kind: ScenarioReport.Entry.Kind {
      switch self {
      case .app: .app
      case .customer, .store: .store
      case .world: .world
      }
    }
  }

  /// A name with what it says.
  public struct Term: Sendable, Hashable {
    /// The name.
    public let name: String
    /// What its value is, in a few words; of a verb how it can end.
    public let words: String
    /// What it says, in a sentence.
    public let about: String
    /// Whether it must be there.
    public let isRequired: Bool
  }

  var verbs: [ScenarioVerbRow] = []
  /// The settings beside ``quirks``.
  var otherSettings: [ScenarioSetting] = []
  var quirks: [StoreQuirk.Row] = []
  var question: [ScenarioFact<ScenarioSubjects.Question>] = []
  var items: [ScenarioFact<ScenarioSubjects.Items>] = []
  var product: [ScenarioFact<ScenarioSubjects.Product>] = []
  var paywall: [ScenarioFact<ScenarioSubjects.Offer>] = []
  var step: [ScenarioFact<ScenarioSubjects.Step>] = []

  /// What every scenario can say.
  public static let standard = ScenarioVocabulary(
    verbs: ScenarioVerbs.all, otherSettings: ScenarioSetting.all, quirks: StoreQuirk.rows, question: ScenarioSubjects.Question.facts,
    items: ScenarioSubjects.Items.facts, product: ScenarioSubjects.Product.facts, paywall: ScenarioSubjects.Offer.facts,
    step: ScenarioSubjects.Step.facts)

  /// What the world can be made to be.
  var settings: [ScenarioSetting] { otherSettings + [.quirks(quirks)] }

  /// The facts that a subject has.
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

  /// The subjects of expectations, as a person names them, each with its facts.
  var subjects: [(name: String, facts: [ScenarioFactShape])] {
    [
      ("a question: `\"feature\"`", .init(question)), ("`\"feature\"` and `\"items\"`", .init(items)), ("`\"product\"`", .init(product)),
      ("`\"paywall\"`, with or without a question", .init(paywall)), ("nothing: the step, the device and the customer", .init(step)),
    ]
  }

  // MARK: For people

  /// The verbs of a group, or all, in order.
  public func verbs(of group: Group? = nil) -> [Term] {
    verbs.map(\.info).filter { group == nil || $0.group == group }.map {
      Term(name: $0.name, words: $0.outcomes, about: $0.about, isRequired: false)
    }
  }

  /// The keys of a verb, beside those that every step has; none for what is no verb.
  public func keys(of verb: String) -> [Term] {
    guard let row = verbs.first(where: { $0.info.name == verb }) else { return [] }
    return Self.terms(StepKeys.listing(self, row.read))
  }

  /// Whether one member of a family does it, so that a step may have `as`.
  public func knowsMembers(_ verb: String) -> Bool { verbs.contains { $0.info.name == verb && $0.info.knowsMembers } }

  /// The settings of the world, in order.
  public var worldSettings: [Term] { Self.terms(StepKeys.listing(self) { keys in settings.map { $0.read(keys) } }) }

  private static func terms(_ keys: StepKeys) -> [Term] {
    keys.keys.map { Term(name: $0.name, words: $0.words, about: $0.about, isRequired: $0.isRequired) }
  }
}

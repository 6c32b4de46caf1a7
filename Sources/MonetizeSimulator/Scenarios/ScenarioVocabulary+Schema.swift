// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

extension ScenarioVocabulary {
  /// The JSON Schema (2020-12) of scenarios, for editors and other validators. The reader and the schema agree on structure.
  public var schema: String {
    let header = StepKeys.listing(self, ScenarioHeader.init)
    let properties = header.schema.adding(["properties": .object(headerProperties(header))])
    let document: JSONTree = [
      "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Monetize scenario",
      "description": .text(
        "A scenario about a customer, an app and a store: steps and expectations. The schema and the reader agree on structure; "
          + "a run checks whether products, items and devices exist."),
      "type": "object", "additionalProperties": false,
    ]
    let required: JSONTree = [
      "required": ["catalog", "start", "steps"], "$defs": .object(values + expectedValues + subjectSchemas + steps),
    ]
    return document.adding(properties).adding(required).text() + "\n"
  }

  private func headerProperties(_ header: StepKeys) -> [Definition] {
    [("$comment", .remark)] + header.keys.map(\.described) + [
      ("store", ["description": "The initial settings.", "$ref": "#/$defs/settings"]),
      ("steps", ["description": "The steps, in order.", "type": "array", "items": .ref("step"), "minItems": 1]),
    ]
  }

  // MARK: Values

  private typealias Definition = (key: String, value: JSONTree)

  private static func named(_ name: String, _ about: String, _ schema: JSONTree) -> Definition {
    (name, JSONTree.object([("description", .text(about))]).adding(schema))
  }

  /// A text of a form. A filled-in name may replace any part of it.
  private static func text(_ pattern: String) -> JSONTree { ["type": "string", "pattern": .text(pattern)] }

  private var values: [Definition] {
    [
      Self.named("parameter", "A parameter or a loop's name, filled in before the value is read.", Self.text("\\$\\{")),
      Self.named(
        "filled", "A string that is only a parameter or a loop's name; the value replaces it, with its type.",
        Self.text("^\\$\\{[^}]+\\}$")),
      Self.named(
        "period", "A length of time in ISO 8601, such as P7D, P1M or PT20H.",
        Self.text(
          "^P(?=[0-9T])([0-9]{1,5}Y)?([0-9]{1,5}M)?([0-9]{1,5}W)?([0-9]{1,5}D)?"
            + "(T(?=[0-9])([0-9]{1,5}H)?([0-9]{1,5}M)?([0-9]{1,5}S)?)?$|\\$\\{")),
      Self.named(
        "instant", "An instant such as 2026-03-01T12:00:00Z; without the Z a local time.",
        Self.text(
          "^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]+)?)?(Z|[+-][0-9]{2}:?[0-9]{2})?)?$|\\$\\{")),
      Self.named("date", "An instant, or a length before now.", ["anyOf": [.ref("instant"), Self.text("^-P[0-9T]")]]),
      Self.named("member", "Who asks.", Self.text("^(child:([^*]|.{2,})|parent(:.*)?|guest|demo|customer)$|\\$\\{")),
    ]
  }

  /// Values for comparison with facts.
  private var expectedValues: [Definition] {
    [
      Self.named("yesNo", "true or false; null for absent.", ["anyOf": [["type": ["boolean", "null"]], .ref("filled")]]),
      Self.named(
        "number", "A number, bounds of it, or null for absent.",
        ["anyOf": [["type": ["number", "null"]], bounds(.orFilled(["type": "number"])), .ref("filled")]]),
      Self.named(
        "amount", "A number, bounds of it, unlimited, or null for absent.", ["anyOf": [["const": "unlimited"], .ref("number")]]),
      Self.named(
        "moment", "An instant, bounds of it, or null for absent.",
        ["anyOf": [["type": "null"], .ref("instant"), bounds(.ref("instant"))]]),
      Self.named(
        "money", "A decimal string such as 9.99 or 9.99 USD, bounds of it, or null for absent.",
        ["anyOf": [["type": ["string", "null"]], bounds(["anyOf": [["type": "number"], ScenarioSort<Decimal>.amount.schema()]])]]),
    ]
  }

  private func bounds(_ sort: JSONTree) -> JSONTree {
    [
      "type": "object", "minProperties": 1, "additionalProperties": false,
      "properties": .object([Self.named("atLeast", "The minimum.", sort), Self.named("atMost", "The maximum.", sort)]),
    ]
  }

  // MARK: Expectations

  private var subjectSchemas: [Definition] {
    let customers: JSONTree = ["then": StepKeys.customersOnly, "if": [:]]
    let unasked: JSONTree = ["if": ["not": .required(["feature"])], "then": StepKeys.customersOnly]
    return [
      subject("items", "Several items of a feature, counted.", StepKeys.items, .init(items)),
      subject("paywall", "A paywall; with a question, the paywall of its denial.", StepKeys.paywall, .init(paywall), unasked),
      subject("feature", "A question about a feature.", { $0.question() }, .init(question)),
      subject("product", "The customer's status of a product.", StepKeys.product, .init(product), customers),
      subject("same", "Devices whose snapshots are equal.", StepKeys.same, [], customers),
      subject("world", "The step, the events, the device, the customer.", { _ in }, .init(step), customers), expectation,
      Self.named(
        "expectations", "One expectation, or a list of them.",
        ["anyOf": [.ref("expectation"), ["type": "array", "items": .ref("expectations"), "minItems": 1]]]),
    ]
  }

  private func subject(
    _ name: String, _ about: String, _ keys: (StepKeys) -> some Any, _ facts: [ScenarioFactShape], _ more: JSONTree = [:]
  ) -> Definition {
    let keys = StepKeys.listing(self, keys)
    let names = Set(facts.map(\.name))
    let properties = keys.keys.filter { !names.contains($0.name) }.map(\.described) + facts.map(\.described)
    var schema: JSONTree = ["properties": .object(properties)]
    if !keys.rules.isEmpty { schema = schema.adding(["allOf": .list(keys.rules)]) }
    if !facts.isEmpty { schema = schema.adding(["anyOf": .list(facts.map { .required([$0.name]) })]) }
    return Self.named(name, about, schema.adding(more))
  }

  private var expectation: Definition {
    let common = StepKeys.listing(self, StepKeys.asker)
    // The first subject whose keys are present is the subject.
    let order: [(keys: [String], name: String)] = [
      (["feature", "items"], "items"), (["paywall"], "paywall"), (["feature"], "feature"), (["product"], "product"), (["same"], "same"),
    ]
    return Self.named(
      "expectation", "One subject and at least one fact about it. A value must be equal; null means absent; atLeast and atMost are bounds.",
      Self.object(common.keys.map(\.described), choosing: order, else: "world"))
  }

  /// An object with some keys of its own; the first choice whose keys are present has the others.
  private static func object(
    _ properties: [Definition], choosing order: [(keys: [String], name: String)], else last: String
  ) -> JSONTree {
    let chosen = order.reversed().reduce(JSONTree.ref(last)) { rest, one in
      ["if": .required(one.keys), "then": .ref(one.name), "else": rest]
    }
    let object: JSONTree = ["type": "object", "properties": .object([("$comment", .remark)] + properties)]
    return object.adding(chosen).adding(["unevaluatedProperties": false])
  }

  // MARK: Steps

  private var steps: [Definition] {
    let advance = StepKeys.listing(self, ScenarioReader.advance)
    let expect = StepKeys.listing(self, ScenarioReader.expect)
    let settings = StepKeys.listing(self) { keys in self.settings.map { $0.read(keys) } }
    return [Self.named("settings", "Settings of the world; absent keys stay unchanged.", settings.objectSchema)] + verbs.map(verb)
      + [
        doing, Self.named("advance", "Time passes.", advance.schema),
        Self.named(
          "expect", "Expectations at this point.",
          ["required": ["expect"], "properties": .object([expectations("at this point")] + expect.keys.map(\.described))]),
        loop,
        Self.named(
          "step", "Exactly one of do, advance, expect and each; do may have an expect of its own.",
          Self.object([], choosing: ["do", "advance", "each"].map { ([$0], $0) }, else: "expect")),
      ]
  }

  private func expectations(_ place: String) -> Definition {
    Self.named("expect", "Expectations \(place).", .ref("expectations"))
  }

  private func verb(_ type: any ScenarioVerb.Type) -> Definition {
    let (info, schema) = (type.info, StepKeys.listing(self, type.init).schema)
    let customers: JSONTree = info.allowsMembers ? [:] : ["then": StepKeys.customersOnly, "if": [:]]
    return Self.named("do-\(info.name)", info.about, schema.adding(customers))
  }

  private var doing: Definition {
    let common = StepKeys.listing(self, ActionFrame.init)
    let name = Self.named("do", "What happens.", ["enum": .list(verbs.map { .text($0.info.name) })])
    return Self.named(
      "do", "Something happens.",
      [
        "properties": .object([name] + common.keys.map(\.described) + [expectations("after this step")]),
        "allOf": .list(
          verbs.map { $0.info.name }.map { ["if": ["properties": ["do": ["const": .text($0)]]], "then": .ref("do-\($0)")] }),
      ])
  }

  private var loop: Definition {
    let values: JSONTree = [
      "anyOf": [
        ["type": "array", "minItems": 1, "items": ["type": ["string", "number", "boolean", "null"]]],
        Self.text("^-?[0-9]+\\.\\.\\.-?[0-9]+$|\\$\\{"),
      ]
    ]
    let each = Self.named(
      "each", "One name with its values, a list or a range such as 1...20, filled in as ${name}.",
      ["type": "object", "minProperties": 1, "maxProperties": 1, "additionalProperties": values])
    let steps = Self.named("steps", "The steps.", ["type": "array", "items": .ref("step")])
    return Self.named("each", "A loop over steps.", ["required": ["steps"], "properties": .object([each, steps])])
  }
}

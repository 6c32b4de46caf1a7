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
      "required": ["catalog", "start", "steps"], "$defs": .object(values + personsAndDates + expectedValues + subjectSchemas + steps),
    ]
    return document.adding(properties).adding(required).text() + "\n"
  }

  private func headerProperties(_ header: StepKeys) -> [(key: String, value: JSONTree)] {
    [("$comment", .remark)] + header.keys.map(\.described) + [
      ("store", ["description": "The initial settings.", "$ref": "#/$defs/settings"]),
      ("steps", ["description": "The steps, in order.", "type": "array", "items": .ref("step"), "minItems": 1]),
    ]
  }

  // MARK: Values

  private var values: [(key: String, value: JSONTree)] {
    [
      (
        "parameter",
        ["description": "A parameter or a loop's name, filled in before the value is read.", "type": "string", "pattern": "\\$\\{"]
      ),
      (
        "filled",
        [
          "description": "A string that is only a parameter or a loop's name; the value replaces it, with its type.",
          "type": "string", "pattern": "^\\$\\{[^}]+\\}$",
        ]
      ),
      (
        "period",
        [
          "description": "A length of time in ISO 8601, such as P7D, P1M or PT20H.", "type": "string",
          "pattern": .text(
            "^P(?=[0-9T])([0-9]{1,5}Y)?([0-9]{1,5}M)?([0-9]{1,5}W)?([0-9]{1,5}D)?"
              + "(T(?=[0-9])([0-9]{1,5}H)?([0-9]{1,5}M)?([0-9]{1,5}S)?)?$|\\$\\{"),
        ]
      ),
      (
        "instant",
        [
          "description": "An instant such as 2026-03-01T12:00:00Z; without the Z a local time.", "type": "string",
          "pattern": .text(
            "^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]+)?)?(Z|[+-][0-9]{2}:?[0-9]{2})?)?$|\\$\\{"),
        ]
      ),
    ]
  }

  private var personsAndDates: [(key: String, value: JSONTree)] {
    [
      (
        "date",
        [
          "description": "An instant, or a length before now.",
          "anyOf": [.ref("instant"), ["type": "string", "pattern": "^-P[0-9T]"]],
        ]
      ),
      (
        "member",
        [
          "description": "Who asks.", "type": "string",
          "pattern": "^(child:([^*]|.{2,})|parent(:.*)?|guest|demo|customer)$|\\$\\{",
        ]
      ),
    ]
  }

  /// Values for comparison with facts.
  private var expectedValues: [(key: String, value: JSONTree)] {
    [
      ("yesNo", ["description": "true or false; null for absent.", "anyOf": [["type": ["boolean", "null"]], .ref("filled")]]),
      (
        "number",
        [
          "description": "A number, bounds of it, or null for absent.",
          "anyOf": [["type": ["number", "null"]], bounds(.orFilled(["type": "number"])), .ref("filled")],
        ]
      ),
      (
        "amount",
        ["description": "A number, bounds of it, unlimited, or null for absent.", "anyOf": [["const": "unlimited"], .ref("number")]]
      ),
      (
        "moment",
        [
          "description": "An instant, bounds of it, or null for absent.",
          "anyOf": [["type": "null"], .ref("instant"), bounds(.ref("instant"))],
        ]
      ),
      (
        "money",
        [
          "description": "A decimal string such as 9.99, bounds of it, or null for absent.",
          "anyOf": [
            ["type": ["string", "null"]], bounds(["anyOf": [["type": "number"], ScenarioSort<Decimal>.amount.schema()]]),
          ],
        ]
      ),
    ]
  }

  private func bounds(_ sort: JSONTree) -> JSONTree {
    [
      "type": "object", "minProperties": 1, "additionalProperties": false,
      "properties": .object(
        [("atLeast", "The minimum."), ("atMost", "The maximum.")].map {
          ($0.0, JSONTree.object([("description", .text($0.1))]).adding(sort))
        }),
    ]
  }

  // MARK: Expectations

  private var subjectSchemas: [(key: String, value: JSONTree)] {
    [
      ("items", subject("Several items of a feature, counted.", StepKeys.items, .init(items))),
      (
        "paywall",
        subject("A paywall; with a question, the paywall of its denial.", StepKeys.paywall, .init(paywall)).adding([
          "if": ["not": .required(["feature"])], "then": StepKeys.customersOnly,
        ])
      ),
      ("feature", subject("A question about a feature.", { $0.question() }, .init(question))),
      ("product", subject("The customer's status of a product.", StepKeys.product, .init(product)).adding(customersOnly)),
      ("same", subject("Devices whose snapshots are equal.", StepKeys.same, []).adding(customersOnly)),
      ("world", subject("The step, the events, the device, the customer.", { _ in }, .init(step)).adding(customersOnly)),
      ("expectation", expectation),
      (
        "expectations",
        [
          "description": "One expectation, or a list of them.",
          "anyOf": [.ref("expectation"), ["type": "array", "items": .ref("expectations"), "minItems": 1]],
        ]
      ),
    ]
  }

  private var customersOnly: JSONTree { ["then": StepKeys.customersOnly, "if": [:]] }

  private func subject(_ about: String, _ keys: (StepKeys) -> some Any, _ facts: [ScenarioFactShape]) -> JSONTree {
    let keys = StepKeys.listing(self, keys)
    let names = Set(facts.map(\.name))
    let properties = keys.keys.filter { !names.contains($0.name) }.map(\.described) + facts.map(\.described)
    var schema = JSONTree.object([("description", .text(about)), ("properties", .object(properties))])
    if !keys.rules.isEmpty { schema = schema.adding(["allOf": .list(keys.rules)]) }
    return facts.isEmpty ? schema : schema.adding(["anyOf": .list(facts.map { .required([$0.name]) })])
  }

  private var expectation: JSONTree {
    let common = StepKeys.listing(self) { keys in
      (
        keys.optional("on", .device, "The device to ask. Absent: the step's, or the first."),
        keys.optional("as", .member, "The member who asks.")
      )
    }
    // The first subject whose keys are present is the subject.
    let order: [(keys: [String], name: String)] = [
      (["feature", "items"], "items"), (["paywall"], "paywall"), (["feature"], "feature"), (["product"], "product"), (["same"], "same"),
    ]
    let chosen = order.reversed().reduce(JSONTree.ref("world")) { rest, one in
      ["if": .required(one.keys), "then": .ref(one.name), "else": rest]
    }
    return JSONTree.object([
      (
        "description",
        "One subject and at least one fact about it. A value must be equal; null means absent; atLeast and atMost are bounds."
      ),
      ("type", "object"), ("properties", .object([("$comment", .remark)] + common.keys.map(\.described))),
    ]).adding(chosen).adding(["unevaluatedProperties": false])
  }

  // MARK: Steps

  private var steps: [(key: String, value: JSONTree)] {
    let advance = StepKeys.listing(self, ScenarioReader.advance)
    let expect = StepKeys.listing(self, ScenarioReader.expect)
    let expectations: (key: String, value: JSONTree) = (
      "expect", ["description": "Expectations at this point.", "$ref": "#/$defs/expectations"]
    )
    return [("settings", settingsSchema)] + verbs.map { ("do-\($0.info.name)", verb($0)) } + [
      ("do", doing), ("advance", JSONTree.object([("description", "Time passes.")]).adding(advance.schema)),
      (
        "expect",
        [
          "description": "Expectations at this point.", "required": ["expect"],
          "properties": .object([expectations] + expect.keys.map(\.described)),
        ]
      ),
      ("each", loop), ("step", step(anyOf: ["do", "advance", "each"], else: "expect")),
    ]
  }

  private var settingsSchema: JSONTree {
    let keys = StepKeys.listing(self) { keys in settings.map { $0.read(keys) } }
    return JSONTree.object([("description", "Settings of the world; absent keys stay unchanged.")]).adding(keys.objectSchema)
  }

  private func verb(_ row: ScenarioVerbRow) -> JSONTree {
    let keys = StepKeys.listing(self, row.read)
    let schema = JSONTree.object([("description", .text(row.info.about))]).adding(keys.schema)
    return row.info.allowsMembers ? schema : schema.adding(customersOnly)
  }

  private var doing: JSONTree {
    let common = StepKeys.listing(self, ScenarioReader.commonKeys)
    let properties: [(key: String, value: JSONTree)] =
      [("do", ["description": "What happens.", "enum": .list(verbs.map { .text($0.info.name) })])] + common.keys.map(\.described)
      + [("expect", ["description": "Expectations after this step.", "$ref": "#/$defs/expectations"])]
    return [
      "description": "Something happens.", "properties": .object(properties),
      "allOf": .list(
        verbs.map(\.info.name).map { ["if": ["properties": ["do": ["const": .text($0)]]], "then": .ref("do-\($0)")] }),
    ]
  }

  private var loop: JSONTree {
    [
      "description": "A loop over steps.", "required": ["steps"],
      "properties": [
        "each": [
          "description": "One name with its values, a list or a range such as 1...20, filled in as ${name}.",
          "type": "object", "minProperties": 1, "maxProperties": 1,
          "additionalProperties": [
            "anyOf": [
              ["type": "array", "minItems": 1, "items": ["type": ["string", "number", "boolean", "null"]]],
              ["type": "string", "pattern": "^-?[0-9]+\\.\\.\\.-?[0-9]+$|\\$\\{"],
            ]
          ],
        ],
        "steps": ["description": "The steps.", "type": "array", "items": .ref("step")],
      ],
    ]
  }

  private func step(anyOf names: [String], else last: String) -> JSONTree {
    let chosen = names.reversed().reduce(JSONTree.ref(last)) { rest, name in
      ["if": .required([name]), "then": .ref(name), "else": rest]
    }
    return JSONTree.object([
      ("description", "Exactly one of do, advance, expect and each; do may have an expect of its own."), ("type", "object"),
      ("properties", .object([("$comment", .remark)])),
    ]).adding(chosen).adding(["unevaluatedProperties": false])
  }
}

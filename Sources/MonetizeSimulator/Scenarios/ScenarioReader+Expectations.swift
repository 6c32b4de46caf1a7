// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeJSON

extension ScenarioReader {
  func readExpectations(_ value: JSONValue, _ device: String?, _ reading: ScenarioReading) -> [ScenarioExpectation] {
    if value.kind == .array {
      if value.elements.isEmpty {
        reading.report("empty-expectation", value, "This list is empty. Add an expectation.")
      }
      return value.elements.flatMap { readExpectations($0, device, reading) }
    }
    guard let fields = reading.reader.object(value, "an expectation") else { return [] }
    let keys = StepKeys(fields, reading)
    let (onDevice, member) = StepKeys.asker(keys)
    let named = reading.names.count
    guard let subject = readSubject(value, keys, reading) else { return [] }
    // An expected error may name something that does not exist, except a product or a placement.
    if ScenarioName.expectsError(value) {
      reading.names.replaceSubrange(named..., with: reading.names[named...].filter { !$0.isOfQuestion })
    }
    let facts = readFacts(subject, value, fields, reading)
    if member != .customer, !subject.allowsMembers, let place = fields.value("as") {
      reading.report(
        "no-effect", place, "This does not depend on the member. Remove \"as\": it has an effect only with \"feature\".")
    }
    return [ScenarioExpectation(subject: subject, facts: facts, device: onDevice ?? device, member: member, line: value.position.line)]
  }

  /// The subject; `nil` when its key is misspelt, which is reported instead of each fact beside it.
  private func readSubject(_ value: JSONValue, _ keys: StepKeys, _ reading: ScenarioReading) -> ScenarioExpectation.Subject? {
    if keys.has("feature"), keys.has("items") {
      let (feature, pattern) = StepKeys.items(keys)
      return .items(feature, pattern: pattern)
    }
    if keys.has("paywall") {
      let (placement, request) = StepKeys.paywall(keys)
      return .paywall(placement, request)
    }
    if keys.has("feature") {
      var asked = keys.question() ?? ScenarioRequest(feature: "")
      // Beside another fact, "level" is the requested level; alone, it is the granted level.
      if !["allowed", "reason", "error"].contains(where: keys.has) { asked.level = nil }
      return .feature(asked)
    }
    if keys.has("product") { return .product(StepKeys.product(keys)) }
    if keys.has("same") { return .same(StepKeys.same(keys)) }
    let known = Set(vocabulary.facts(of: .world).map(\.name) + StepKeys.subjects + ["on", "as"])
    let hasUnknown = value.members.contains { !known.contains($0.key) && closestMatch(to: $0.key, in: Self.mainSubjects) != nil }
    if hasUnknown, Self.mainSubjects.contains(where: { reading.reader.reportMisspelt($0, in: value) }) { return nil }
    return .world
  }

  private static let mainSubjects = ["feature", "product", "paywall", "same"]

  /// Reads the facts of an expectation, without the keys of the question.
  private func readFacts(
    _ subject: ScenarioExpectation.Subject, _ value: JSONValue, _ fields: JSONFields, _ reading: ScenarioReading
  ) -> [(name: String, value: ScenarioValue)] {
    let known = vocabulary.facts(of: subject)
    var facts: [(name: String, value: ScenarioValue)] = []
    for member in value.members {
      if case .feature(let request) = subject, member.key == "level", request.level != nil { continue }
      guard let kind = known.first(where: { $0.name == member.key })?.kind, let fact = fields.value(member.key) else { continue }
      reading.reader.markRead(fact)
      facts.append((member.key, kind.read(fact, reading.reader, zone)))
    }
    reportFactsOfOthers(subject, value, fields, reading)
    for fact in known { _ = fields.value(fact.name) }
    let subjects = ["on", "as", "$comment"] + StepKeys.subjects
    if facts.isEmpty, !known.isEmpty, value.members.allSatisfy({ subjects.contains($0.key) }) {
      // An unknown key has its own message, with the closest known key.
      reading.report("empty-expectation", value, "This expectation has no fact. Add one of: \(known.map(\.name).joined(separator: ", ")).")
    }
    return facts
  }
}

extension ScenarioReader {
  /// Reports facts that only expectations about other subjects have.
  private func reportFactsOfOthers(
    _ subject: ScenarioExpectation.Subject, _ value: JSONValue, _ fields: JSONFields, _ reading: ScenarioReading
  ) {
    func names(_ subject: ScenarioExpectation.Subject) -> Set<String> { Set(vocabulary.facts(of: subject).map(\.name)) }
    let known = names(subject).union(StepKeys.subjects)
    let unknown = value.members.filter { !known.contains($0.key) }
    if unknown.isEmpty { return }
    let others = [
      ("\"feature\"", names(.feature(ScenarioRequest(feature: "")))), ("\"feature\" and \"items\"", names(.items("", pattern: ""))),
      ("\"product\"", names(.product(""))), ("\"paywall\"", names(.paywall("", nil))),
    ]
    for member in unknown {
      let about = others.filter { $0.1.contains(member.key) }.map(\.0)
      let isOfStep = names(.world).contains(member.key)
      guard isOfStep || !about.isEmpty else { continue }
      let mend =
        isOfStep
        ? "the step as a whole. Move it to an expectation without another subject."
        : "\(about.joined(separator: ", or about ")). Write it in an expectation with that."
      reading.report("unknown-key", member, "\"\(member.key)\" is a fact about \(mend)")
      _ = fields.value(member.key).map(reading.reader.markRead)
    }
  }
}

extension ScenarioExpectation.Subject {
  /// Whether the answer depends on the member.
  var allowsMembers: Bool {
    switch self {
    case .feature, .items, .paywall(_, .some): true
    case .product, .paywall, .same, .world: false
    }
  }
}

/// The subjects of expectations.
extension StepKeys {
  /// The keys that name a subject.
  static let subjects = ["feature", "items", "item", "position", "level", "date", "held", "count", "product", "paywall", "same"]

  static let asker: @Sendable (StepKeys) -> (device: String?, Member) = { keys in
    (
      keys.optional("on", .device, "The device to ask. Absent: the step's, or the first."),
      keys.optional("as", .member, "The member who asks.") ?? .customer
    )
  }
  static let items: @Sendable (StepKeys) -> (FeatureID, String) = { keys in
    (
      keys.required("feature", .feature, "The feature in question."),
      keys.required("items", .key(.item, "a pattern"), "The items that match a pattern: winter/*, winter/4/*, winter/*/*.")
    )
  }
  static let paywall: @Sendable (StepKeys) -> (PlacementID, ScenarioRequest?) = { keys in
    (keys.required("paywall", .placement, "The placement."), keys.question(isRequired: false))
  }
  static let product: @Sendable (StepKeys) -> ProductID = { keys in keys.required("product", .product, "A product's id.") }
  static let same: @Sendable (StepKeys) -> [String] = { keys in keys.required("same", .devices, "The devices.") }
}

extension ScenarioSort where Value == [String] {
  /// At least two devices, without duplicates.
  fileprivate static let devices: ScenarioSort = {
    let two: JSONTree = ["minItems": 2, "uniqueItems": true]
    let sort = list(of: ScenarioSort<String>.device)
    return ScenarioSort("two devices or more", sort.schema().adding(two), or: [], sort.read).checked { devices, value, reading in
      guard Set(devices).count < Swift.max(2, devices.count) else { return }
      reading.report("bad-value", value, "\"same\" compares devices. Name at least two different ones.")
    }
  }()
}

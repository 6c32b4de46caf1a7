// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeJSON

extension ScenarioReader {
  func readExpectations(_ value: JSONValue?, _ device: String?, _ reader: JSONReader) -> [ScenarioExpectation] {
    guard let value else { return [] }
    if value.kind == .array {
      if value.elements.isEmpty { reader.report("empty-expectation", at: value, "This list expects nothing. Put an expectation in it.") }
      return value.elements.flatMap { readExpectations($0, device, reader) }
    }
    guard let fields = reader.object(value, "an expectation") else { return [] }
    var used: Set<String> = ["on", "as", "$comment"]
    let onDevice = self.device(fields, reader) ?? device
    let whom = fields.optional("as", as: String.self).map { member($0, fields.value("as") ?? value, reader) } ?? .customer
    let subject: ScenarioExpectation.Subject
    if value["feature"] != nil, let pattern = fields.optional("items", as: String.self) {
      used.formUnion(["feature", "items"])
      guard let feature = fields.required("feature", as: FeatureID.self) else { return [] }
      subject = .items(feature, pattern: pattern)
    } else if value["paywall"] != nil {
      used.formUnion(["paywall", "feature", "item", "position", "level", "date", "held", "count"])
      guard let placement = fields.required("paywall", as: PlacementID.self) else { return [] }
      subject = .paywall(placement, value["feature"] == nil ? nil : request(fields, reader))
    } else if value["feature"] != nil {
      used.formUnion(["feature", "item", "position", "date", "held", "count"])
      guard var asked = request(fields, reader) else { return [] }
      // "level" asks for a level when there is something else to hold, and is the granted level when it stands alone.
      if value.members.contains(where: { ["allowed", "reason", "error"].contains($0.key) }) {
        used.insert("level")
      } else {
        asked.level = nil
      }
      subject = .feature(asked)
    } else if value["product"] != nil {
      used.insert("product")
      guard let product = fields.required("product", as: ProductID.self) else { return [] }
      subject = .product(product)
    } else if let devices = fields.optional("same", as: [String].self) {
      used.insert("same")
      subject = .same(devices)
    } else {
      subject = .world
    }
    var facts: [(name: String, value: ScenarioValue)] = []
    for member in value.members where !used.contains(member.key) {
      guard let kind = subject.kind(of: member.key), let fact = fields.value(member.key) else { continue }
      reader.markRead(fact)
      facts.append((member.key, kind.read(fact, reader, zone)))
    }
    for key in subject.facts { _ = fields.value(key) }
    if case .same(let devices) = subject {
      if let list = value["same"] { for element in list.elements { checkDevice(element.string, element, reader) } }
      if Set(devices).count < max(2, devices.count) {
        reader.report("bad-value", at: value["same"] ?? value, "\"same\" compares devices. Name two or more, each once.")
      }
    } else if facts.isEmpty, value.members.allSatisfy({ used.contains($0.key) }) {
      // A key that is not known is told by itself, with what was probably meant.
      reader.report("empty-expectation", at: value, "This expects nothing. Name a fact: \(subject.facts.joined(separator: ", ")).")
    }
    if whom != .customer, let place = fields.value("as") {
      switch subject {
      case .feature, .items, .paywall(_, .some): break
      case .product, .paywall, .same, .world:
        reader.report(
          "no-effect", at: place, "This is the same for everybody. Leave \"as\" out: only what a \"feature\" allows is one member's.")
      }
    }
    return [ScenarioExpectation(subject: subject, facts: facts, device: onDevice, member: whom, line: value.position.line)]
  }
}

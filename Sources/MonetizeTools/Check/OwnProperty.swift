// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize
import MonetizeJSON

/// A property of an app, as a small JSON expression that must hold in every state.
///
/// ```json
/// { "properties": [
///   { "id": "offline-is-paid", "rule": "Only subscribers read offline.",
///     "always": { "if": { "allowed": "offlineReading" }, "then": { "entitled": "premium" } } } ] }
/// ```
public struct OwnProperty: Sendable {
  /// The name in reports and for `--skip`.
  public let id: String
  /// The rule in one sentence; without one, the id.
  public let rule: String
  let always: CheckExpression

  /// Reads `{ "properties": [ … ] }`.
  /// - Throws: `CatalogError` with every mistake, including names that the catalog does not have.
  public static func read(_ data: Data, for catalog: Catalog) throws(CatalogError) -> [OwnProperty] {
    let document = try JSONDocument(catalog: data)
    let reader = JSONReader(document)
    var properties: [OwnProperty] = []
    var ids = Set(CheckProperty.all.map(\.code))
    if let root = reader.object(document.root, "an object with \"properties\"") {
      for element in elements(root, reader) {
        guard let fields = reader.object(element, "a property") else { continue }
        // Reads each key before it looks at one, so that a mistake in one makes no other unknown.
        let name = fields.required("id", as: String.self)
        let (words, value) = (fields.optional("rule", as: String.self), fields.value("always"))
        if value == nil {
          reader.report("missing-key", at: element, "A property needs an expression that always holds. Add \"always\".")
        }
        let always = value.flatMap { CheckExpression($0, reader, catalog) }
        guard let id = name else { continue }
        let rule = words ?? id
        if id.isEmpty || rule.isEmpty {
          reader.report("bad-value", at: element, "A property needs a name and a rule in words. Write them.")
        }
        if !ids.insert(id).inserted {
          reader.report("repeated-id", at: element.at("id"), "There is already a property \"\(id)\". Choose another name.")
        }
        if let always { properties.append(OwnProperty(id: id, rule: rule, always: always)) }
      }
    }
    let found = reader.finish()
    if found.contains(where: { $0.severity == .error }) { throw CatalogError(diagnostics: found) }
    return properties
  }

  private static func elements(_ root: JSONFields, _ reader: JSONReader) -> [JSONValue] {
    guard let list = root.value("properties", or: "This file needs a list of properties. Add \"properties\".") else { return [] }
    if list.kind != .array { _ = reader.decode([String].self, from: list) }
    return list.elements
  }

  func finding(_ snapshot: Snapshot) -> CheckFinding? {
    guard let claim = always.unmet(snapshot, wanted: true) else { return nil }
    return CheckFinding(code: id, message: rule, expect: claim)
  }
}

/// An expression over the answers in one state.
indirect enum CheckExpression: Sendable {
  case allowed(AccessRequest)
  case owned(ProductID)
  case entitled(EntitlementID)
  /// The remaining amount of a feature; no limit exceeds any number.
  case remaining(FeatureID, ClosedRange<Int>)
  case not(CheckExpression)
  case all([CheckExpression])
  case any([CheckExpression])
  case when(CheckExpression, then: CheckExpression)

  static let words = ["allowed", "owned", "entitled", "remaining", "not", "all", "any", "if"]

  init?(_ value: JSONValue, _ reader: JSONReader, _ catalog: Catalog) {
    guard let fields = reader.object(value, "an expression") else { return nil }
    guard let word = Self.words.first(where: { value[$0] != nil }), let operand = fields.value(word) else {
      if Self.words.contains(where: { reader.reportMisspelt($0, in: value) }) { return nil }
      reader.markRead(value)
      reader.report("bad-value", at: value, "An expression needs one of \(Self.words.joined(separator: ", ")). Add one of them.")
      return nil
    }
    let reading = ExpressionReading(value: value, operand: operand, fields: fields, reader: reader, catalog: catalog)
    guard let found = reading.expression(word) else { return nil }
    self = found
  }

  func holds(_ snapshot: Snapshot) -> Bool {
    switch self {
    case .allowed(let request): snapshot.decision(for: request).isAllowed
    case .owned(let product): snapshot.status(of: product)?.isOwned ?? false
    case .entitled(let entitlement): snapshot.isEntitled(to: entitlement)
    case .remaining(let feature, let range): range.contains(snapshot.decision(for: feature).remaining ?? .max)
    case .not(let inner): !inner.holds(snapshot)
    case .all(let inner): inner.allSatisfy { $0.holds(snapshot) }
    case .any(let inner): inner.contains { $0.holds(snapshot) }
    case .when(let condition, let then): !condition.holds(snapshot) || then.holds(snapshot)
    }
  }

  /// A scenario's expectation that fails here and explains why this is not `wanted`; `nil` when it already is.
  func unmet(_ snapshot: Snapshot, wanted: Bool) -> String? {
    guard holds(snapshot) != wanted else { return nil }
    func quoted(_ text: String) -> String { JSONWriter.quoted(text) }
    switch self {
    case .allowed(let request):
      return CheckModel.expect(request, isAllowed: wanted)
    case .owned(let product): return "{ \"product\": \(quoted(product.rawValue)), \"owned\": \(wanted) }"
    case .entitled(let entitlement):
      // An owned product shows that the customer is entitled.
      let givers = snapshot.catalog.products.filter { $0.entitlements.contains(entitlement) }
      let product = wanted ? givers.first : givers.first { snapshot.status(of: $0.id)?.isOwned ?? false }
      return "{ \"product\": \(quoted(product?.id.rawValue ?? entitlement.rawValue)), \"owned\": \(wanted) }"
    case .remaining(let feature, let range):
      // Inside a range that is not wanted, the bound beyond it.
      let isBelow = (snapshot.decision(for: feature).remaining ?? .max) < range.lowerBound
      let isLeast = wanted ? isBelow : range.upperBound < .max
      let bound =
        isLeast
        ? "atLeast\": \(wanted ? range.lowerBound : range.upperBound + 1)" : "atMost\": \(wanted ? range.upperBound : range.lowerBound - 1)"
      return "{ \"feature\": \(quoted(feature.rawValue)), \"remaining\": { \"\(bound) } }"
    case .not(let inner): return inner.unmet(snapshot, wanted: !wanted)
    case .all(let inner), .any(let inner): return inner.lazy.compactMap { $0.unmet(snapshot, wanted: wanted) }.first
    case .when(let condition, let then):
      return wanted ? then.unmet(snapshot, wanted: true) : condition.unmet(snapshot, wanted: true) ?? then.unmet(snapshot, wanted: false)
    }
  }
}

/// An expression while it is read. Each mistake is reported at its place.
private struct ExpressionReading {
  let value: JSONValue
  /// The value of the expression's word.
  let operand: JSONValue
  let fields: JSONFields
  let reader: JSONReader
  let catalog: Catalog

  func expression(_ word: String) -> CheckExpression? {
    switch word {
    case "allowed": allowed
    case "owned": known("product", catalog.products.map(\.id.rawValue)).map { .owned(ProductID($0)) }
    case "entitled": entitled
    case "remaining": remaining
    case "not": CheckExpression(operand, reader, catalog).map { .not($0) }
    case "all": .all(list)
    case "any": .any(list)
    default: condition
    }
  }

  private var list: [CheckExpression] {
    if operand.kind != .array {
      _ = reader.decode([String].self, from: operand)
    } else if operand.elements.isEmpty {
      reader.report("bad-value", at: operand, "Nothing in a list decides nothing. Write at least one expression.")
    }
    return operand.elements.compactMap { CheckExpression($0, reader, catalog) }
  }

  private var allowed: CheckExpression? {
    guard let feature, isLevelKnown(of: feature), isItemKnown(of: feature) else { return nil }
    var request = AccessRequest(feature.id, level: fields.optional("level"), held: fields.optional("held"))
    request.item = fields.optional("item", as: String.self).flatMap(ItemPath.init)
    return .allowed(request)
  }

  private var entitled: CheckExpression? {
    guard let id = known("entitlement", catalog.entitlements.map(\.id.rawValue)).map({ EntitlementID($0) }) else { return nil }
    if catalog.products.contains(where: { $0.entitlements.contains(id) }) { return .entitled(id) }
    reader.markRead(value)
    reader.report("bad-value", at: operand, "No product gives \(JSONWriter.quoted(id.rawValue)). Name one that a product gives.")
    return nil
  }

  private var remaining: CheckExpression? {
    guard let feature else { return nil }
    let shape = type(of: feature.shape)
    let isCounted = feature.part == nil && (shape.isMetered || shape.needsHeld)
    if !isCounted || value["atLeast"] == nil && value["atMost"] == nil {
      let mistake = isCounted ? "needs a number. Add \"atLeast\" or \"atMost\"." : "is no number. Write \"allowed\" instead."
      reader.markRead(value)
      reader.report("bad-value", at: value, "What remains of \"\(feature.id)\" \(mistake)")
      return nil
    }
    let (least, most) = (fields.optional("atLeast", as: Int.self) ?? 0, fields.optional("atMost", as: Int.self) ?? .max)
    guard least <= most, least > 0 || most >= 0 && most < .max else {
      let mistake = least > most ? "\"atLeast\" is more than \"atMost\". Swap them." : "This always holds. Write \"atLeast\": 1 or more."
      reader.report("bad-value", at: value, mistake)
      return nil
    }
    return .remaining(feature.id, least...most)
  }

  private var condition: CheckExpression? {
    let then = fields.value("then").flatMap { CheckExpression($0, reader, catalog) }
    guard let condition = CheckExpression(operand, reader, catalog), let then else {
      if value["then"] == nil { reader.report("missing-key", at: value, "\"if\" needs a \"then\". Add it.") }
      return nil
    }
    return .when(condition, then: then)
  }

  // MARK: Names

  /// The feature that the operand names.
  private var feature: Feature? { known("feature", catalog.features.map(\.id.rawValue)).flatMap { catalog.feature(FeatureID($0)) } }

  private func known(_ what: String, _ names: [String]) -> String? {
    guard let name = reader.decode(String.self, from: operand) else { return nil }
    if names.contains(name) { return name }
    let mend = didYouMean(
      closestMatch(to: name, in: names), or: names.isEmpty ? "It has none." : "It has \(names.joined(separator: ", ")).")
    reader.report(.init(rawValue: "unknown-\(what)"), at: operand, "The catalog has no \(what) \(JSONWriter.quoted(name)).\(mend)")
    return nil
  }

  private func isLevelKnown(of feature: Feature) -> Bool {
    guard let value = fields.value("level"), let level = value.string else { return true }
    let levels = feature.part == nil ? feature.shape.levels : []
    guard !levels.isEmpty else {
      reader.report("bad-value", at: value, "\"\(feature.id)\" has no levels. Remove \"level\".")
      return false
    }
    if levels.contains(level) { return true }
    let mend = didYouMean(closestMatch(to: level, in: levels), or: "It has \(levels.joined(separator: ", ")).")
    reader.report("unknown-level", at: value, "The feature has no level \(JSONWriter.quoted(level)).\(mend)")
    return false
  }

  /// Whether a path names an item that the feature may open. Parts of items are not checked here.
  private func isItemKnown(of feature: Feature) -> Bool {
    guard let value = fields.value("item"), let text = value.string else { return true }
    guard type(of: feature.shape).isAboutItems else {
      reader.report("bad-value", at: value, "\"\(feature.id)\" opens no items. Remove \"item\".")
      return false
    }
    let collections = catalog.collections(of: feature)
    let path = ItemPath(text)
    let collection = path.flatMap { path in collections.first { $0.id == path.collection } }
    if let path, let collection, collection.items.contains(where: { $0.id == path.item }),
      path.part.map(collection.parts.contains) ?? true
    {
      return true
    }
    let known = (collection.map { [$0] } ?? collections).flatMap { $0.paths.prefix(2) }.map(\.description)
    reader.report(
      "unknown-item", at: value, "\"\(feature.id)\" has no item \(JSONWriter.quoted(text)). Write one such as \(enumeration(known, "or")).")
    return false
  }
}

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
    let document: JSONDocument
    do throws(JSONSyntaxError) { document = try JSONDocument(parsing: [UInt8](data)) } catch {
      throw CatalogError(diagnostics: [error.diagnostic])
    }
    let reader = JSONReader(document)
    var properties: [OwnProperty] = []
    if let root = reader.object(document.root, "an object with \"properties\""), let list = root.value("properties") {
      for element in list.elements {
        guard let fields = reader.object(element, "a property"), let id = fields.required("id", as: String.self) else { continue }
        let rule = fields.optional("rule", as: String.self) ?? id
        guard let value = fields.value("always") else {
          reader.report("missing-key", at: element, "A property needs an expression that always holds. Add \"always\".")
          continue
        }
        if let always = CheckExpression(value, reader, catalog) { properties.append(OwnProperty(id: id, rule: rule, always: always)) }
      }
    }
    let found = reader.finish()
    if found.contains(where: { $0.severity == .error }) { throw CatalogError(diagnostics: found) }
    return properties
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
      reader.report("bad-value", at: value, "An expression needs one of \(Self.words.joined(separator: ", ")). Add one of them.")
      return nil
    }
    func list() -> [CheckExpression] { operand.elements.compactMap { CheckExpression($0, reader, catalog) } }
    switch word {
    case "allowed":
      guard let id = Self.known(operand, "feature", catalog.features.map(\.id.rawValue), reader) else { return nil }
      var request = AccessRequest(FeatureID(id), level: fields.optional("level"), held: fields.optional("held"))
      request.item = fields.optional("item", as: String.self).flatMap(ItemPath.init)
      self = .allowed(request)
    case "owned":
      guard let id = Self.known(operand, "product", catalog.products.map(\.id.rawValue), reader) else { return nil }
      self = .owned(ProductID(id))
    case "entitled":
      guard let id = Self.known(operand, "entitlement", catalog.entitlements.map(\.id.rawValue), reader) else { return nil }
      self = .entitled(EntitlementID(id))
    case "remaining":
      guard let id = Self.known(operand, "feature", catalog.features.map(\.id.rawValue), reader) else { return nil }
      let (least, most) = (fields.optional("atLeast", as: Int.self) ?? 0, fields.optional("atMost", as: Int.self) ?? .max)
      guard least <= most else {
        reader.report("bad-value", at: value, "\"atLeast\" is more than \"atMost\". Swap them.")
        return nil
      }
      self = .remaining(FeatureID(id), least...most)
    case "not":
      guard let inner = CheckExpression(operand, reader, catalog) else { return nil }
      self = .not(inner)
    case "all": self = .all(list())
    case "any": self = .any(list())
    default:
      let then = fields.value("then").flatMap { CheckExpression($0, reader, catalog) }
      guard let condition = CheckExpression(operand, reader, catalog), let then else {
        if value["then"] == nil { reader.report("missing-key", at: value, "\"if\" needs a \"then\". Add it.") }
        return nil
      }
      self = .when(condition, then: then)
    }
  }

  private static func known(_ value: JSONValue, _ what: String, _ names: [String], _ reader: JSONReader) -> String? {
    guard let name = reader.decode(String.self, from: value) else { return nil }
    if names.contains(name) { return name }
    let mend = didYouMean(
      closestMatch(to: name, in: names), or: names.isEmpty ? "It has none." : "It has \(names.joined(separator: ", ")).")
    reader.report(.init(rawValue: "unknown-\(what)"), at: value, "The catalog has no \(what) \(JSONWriter.quoted(name)).\(mend)")
    return nil
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
      var parts = ["\"feature\": \(quoted(request.feature.rawValue))"]
      if let item = request.item { parts.append("\"item\": \(quoted(item.description))") }
      if let level = request.level { parts.append("\"level\": \(quoted(level))") }
      if let held = request.held { parts.append("\"held\": \(held)") }
      return "{ \(parts.joined(separator: ", ")), \"allowed\": \(wanted) }"
    case .owned(let product): return "{ \"product\": \(quoted(product.rawValue)), \"owned\": \(wanted) }"
    case .entitled(let entitlement):
      let product = snapshot.catalog.products.first { $0.entitlements.contains(entitlement) }
      return "{ \"product\": \(quoted(product?.id.rawValue ?? entitlement.rawValue)), \"owned\": \(wanted) }"
    case .remaining(let feature, let range):
      let bound =
        (snapshot.decision(for: feature).remaining ?? .max) < range.lowerBound
        ? "atLeast\": \(range.lowerBound)" : "atMost\": \(range.upperBound)"
      return "{ \"feature\": \(quoted(feature.rawValue)), \"remaining\": { \"\(bound) } }"
    case .not(let inner): return inner.unmet(snapshot, wanted: !wanted)
    case .all(let inner), .any(let inner): return inner.lazy.compactMap { $0.unmet(snapshot, wanted: wanted) }.first
    case .when(let condition, let then):
      return wanted ? then.unmet(snapshot, wanted: true) : condition.unmet(snapshot, wanted: true) ?? then.unmet(snapshot, wanted: false)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeJSON

/// A name in a scenario that the catalog must know, with its place.
struct ScenarioName: Sendable {
  enum Kind: String, Sendable { case product, feature }
  let kind: Kind
  let text: String
  /// The value, or the value of the key that it is.
  let value: JSONValue
  let position: SourcePosition

  private init(_ kind: Kind, _ value: JSONValue) {
    (self.kind, text, self.value, position) = (kind, value.wording ?? "", value, value.position)
  }

  private init(_ kind: Kind, key member: JSONMember) {
    (self.kind, text, value, position) = (kind, member.key, member.value, member.keyPosition)
  }

  /// The names in a step, its expectations included. Who expects an error, or the word for one, may ask for what does not exist.
  static func all(inStep step: JSONValue) -> [ScenarioName] {
    let expectations = step["expect"].map(flat) ?? []
    var names = expectations.flatMap(all(inExpectation:))
    if step["do"]?.string == "set" { names += all(inSettings: step) }
    guard !expectations.contains(where: expectsError) else { return names }
    if let product = step["product"], product.wording != nil { names.append(ScenarioName(.product, product)) }
    if let feature = step["feature"], feature.wording != nil { names.append(ScenarioName(.feature, feature)) }
    return names
  }

  /// The names in an object of settings.
  static func all(inSettings settings: JSONValue) -> [ScenarioName] {
    let keyed = [settings["onSale"], settings["commitment"], settings["codes"]].flatMap { $0?.members ?? [] }
    let names = keyed.filter { $0.key != "$comment" }.map { ScenarioName(.product, key: $0) }
    return names + [settings["price"]?["product"]].compactMap { $0 }.map { ScenarioName(.product, $0) }
  }

  private static func all(inExpectation expectation: JSONValue) -> [ScenarioName] {
    var names: [ScenarioName] = []
    if let product = expectation["product"] { names.append(ScenarioName(.product, product)) }
    if let feature = expectation["feature"], !expectsError(expectation) { names.append(ScenarioName(.feature, feature)) }
    return names
  }

  private static func expectsError(_ expectation: JSONValue) -> Bool {
    expectation["error"] != nil || expectation["reason"] != nil || expectation["outcome"]?.wording?.hasPrefix("denied: unknown") == true
  }

  private static func flat(_ value: JSONValue) -> [JSONValue] { value.kind == .array ? value.elements.flatMap(flat) : [value] }
}

extension ScenarioRunner {
  /// Finds the products and features that a scenario names and no catalog of it has: neither the first nor one that an update brings.
  /// - Throws: ``ScenarioError`` with each of them and its place. A scenario that names them can be run all the same; it says little.
  public func checkNames() throws(ScenarioError) {
    var catalogs = [catalog]
    for case .act(.update(let patch), _) in scenario.steps.map(\.content) {
      // One that cannot be used is told when the step is played.
      guard let text = try? Self.patched(catalogText, with: patch) else { continue }
      if let catalog = try? Catalog(json: Data(text.utf8), kinds: kinds, shapes: shapes) { catalogs.append(catalog) }
    }
    var seen: Set<String> = []
    let mistakes = scenario.names.compactMap { name -> Diagnostic? in
      let isKnown = catalogs.contains { catalog in
        switch name.kind {
        case .product: catalog.product(ProductID(name.text)) != nil
        case .feature: catalog.feature(FeatureID(name.text)) != nil
        }
      }
      guard !isKnown, seen.insert("\(name.position) \(name.text)").inserted else { return nil }
      let known = catalogs.flatMap { catalog in
        switch name.kind {
        case .product: catalog.products.map(\.id.rawValue)
        case .feature: catalog.features.map(\.id.rawValue)
        }
      }
      let guess = closestMatch(to: name.text, in: known).map { "Did you mean \"\($0)\"?" }
      return Diagnostic(
        .error, "unknown-name", path: name.value.path, position: name.position,
        message: "The catalog has no \(name.kind.rawValue) \"\(name.text)\". "
          + (guess ?? "Correct the name\(name.kind == .product ? "" : ", or expect the \"error\" that comes of it")."))
    }
    guard mistakes.isEmpty else { throw ScenarioError(diagnostics: mistakes) }
  }
}

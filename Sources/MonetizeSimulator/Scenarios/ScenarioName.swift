// SPDX-License-Identifier: Apache-2.0
import Foundation
public import Monetize
import MonetizeJSON

/// A name in a scenario that must be in the catalog, with its place.
struct ScenarioName: Sendable {
  enum Kind: Sendable, Hashable {
    case product, feature, placement, item, entitlement
    /// A level of a feature.
    case level(of: FeatureID)
    /// An offer or a code of a product.
    case offer(of: ProductID)
  }
  let kind: Kind
  let text: String
  /// The value, or the value of the key with this name.
  let value: JSONValue
  let position: SourcePosition

  /// Returns `nil` for a value that is not text: another check reports it.
  init?(_ kind: Kind, _ value: JSONValue) {
    guard let text = value.wording else { return nil }
    (self.kind, self.text, self.value, position) = (kind, text, value, value.position)
  }

  init(_ kind: Kind, key member: JSONMember) {
    (self.kind, text, value, position) = (kind, member.key, member.value, member.keyPosition)
  }

  /// Whether the name belongs to the question rather than to the subject of the expectation.
  var isOfQuestion: Bool {
    switch kind {
    case .feature, .level: true
    case .item: !text.contains("*")
    case .product, .placement, .entitlement, .offer: false
    }
  }

  /// Whether an expectation, or one of a list, is about an error.
  static func expectsError(_ expectation: JSONValue) -> Bool {
    if expectation.kind == .array { return expectation.elements.contains(where: expectsError) }
    return expectation["error"] != nil || expectation["reason"] != nil
      || expectation["outcome"]?.wording?.hasPrefix("denied: unknown") == true
  }
}

extension ScenarioName {
  fileprivate func isKnown(in catalog: Catalog) -> Bool {
    switch kind {
    case .product: catalog.product(ProductID(text)) != nil
    case .feature: catalog.feature(FeatureID(text)) != nil
    case .placement: catalog.allPlacements.contains(text)
    // With a "position", the item names only the collection.
    case .item: !catalog.items(matching: text).isEmpty || catalog.collection(CollectionID(text)) != nil
    case .entitlement: catalog.entitlements.contains { $0.id.rawValue == text }
    // An unknown feature is reported at the feature.
    case .level(let feature): catalog.feature(feature).map { $0.has(level: text) } ?? true
    case .offer(let product): catalog.product(product) == nil || known(in: catalog).contains(text)
    }
  }

  fileprivate func known(in catalog: Catalog) -> [String] {
    switch kind {
    case .product: catalog.products.map(\.id.rawValue)
    case .feature: catalog.features.map(\.id.rawValue)
    case .placement: catalog.allPlacements
    case .item: catalog.collections.flatMap { collection in collection.paths.prefix(1000).map(\.description) + ["\(collection.id)/*"] }
    case .entitlement: catalog.entitlements.map(\.id.rawValue)
    case .level(let feature): catalog.feature(feature)?.shape.levels ?? []
    case .offer(let product): catalog.product(product)?.subscription?.offers.compactMap(\.id) ?? []
    }
  }

  private var what: String {
    switch kind {
    case .product, .feature, .placement, .item, .entitlement: "The catalog has no \(kind)"
    case .level(let feature): "The feature \"\(feature)\" has no level"
    case .offer(let product): "The product \"\(product)\" has no offer"
    }
  }

  /// The mistake of a name that is not among the known ones. O(known names), because the message has the closest one.
  fileprivate func mistake(among known: [String]) -> Diagnostic {
    let mend =
      known.isEmpty ? "It has none." : kind == .product ? "Correct the name." : "Correct the name, or expect the resulting \"error\"."
    return Diagnostic(
      .error, "unknown-name", path: value.path, position: position,
      message: "\(what) \"\(text)\".\(didYouMean(closestMatch(to: text, in: known), or: mend))")
  }
}

extension Feature {
  /// Whether the feature's shape has a level of that name.
  package func has(level: String) -> Bool { shape.unlimited(AccessRequest(id, level: level)).level != nil }
}

extension Catalog {
  /// All placements, sorted: those of paywalls, those of features, and those of every catalog. O(paywalls and features).
  public var allPlacements: [String] {
    let usual: [PlacementID] = [.default, .usageLimitReached, .featureRestricted, .settings]
    return Set(paywalls.keys.map(\.rawValue) + features.compactMap(\.placement?.rawValue) + usual.map(\.rawValue)).sorted()
  }
}

extension ScenarioRunner {
  /// Finds names that no catalog of the scenario has, neither the first catalog nor one of an update, and updates whose catalog is invalid.
  /// - Throws: ``ScenarioError`` with each of them and its place. Such a scenario can still run, but shows little.
  public func checkNames() throws(ScenarioError) {
    var catalogs = [catalog]
    var mistakes: [Diagnostic] = []
    var versions: [String: AppVersion] = [:]
    for case .act(let verb, let frame) in scenario.steps.map(\.content) {
      guard let patch = verb.catalogPatch else { continue }
      let device = frame.device ?? scenario.devices.first?.name ?? ""
      do throws(CatalogError) {
        let version = try version(versions[device] ?? firstVersion, updatedBy: patch)
        versions[device] = version
        catalogs.append(version.catalog)
      } catch {
        mistakes += Scenario.located(error, in: patch)
      }
    }
    var seen: Set<String> = []
    let codes = scenario.codes
    var known: [ScenarioName.Kind: [String]] = [:]
    for name in scenario.names where !catalogs.contains(where: name.isKnown) {
      if case .offer(let product) = name.kind, codes[product.rawValue, default: []].contains(name.text) { continue }
      guard seen.insert("\(name.position) \(name.text)").inserted else { continue }
      let names = known[name.kind] ?? Set(catalogs.flatMap(name.known)).sorted()
      known[name.kind] = names
      // A person mends the first ones; a guess for each of thousands would take a comparison with each of thousands.
      mistakes.append(name.mistake(among: seen.count <= 100 ? names : Array(names.prefix(100))))
    }
    guard mistakes.isEmpty else { throw ScenarioError(diagnostics: mistakes) }
  }
}

extension Scenario {
  /// The codes that settings add to products.
  fileprivate var codes: [String: Set<String>] {
    let changes = steps.compactMap { if case .act(let verb, _) = $0.content { (verb as? ScenarioVerbs.SetWorld)?.settings } else { nil } }
    let added = ((settings?.values ?? []) + changes.joined()).compactMap { $0.value as? [String: [String: Decimal]] }
    return added.reduce(into: [:]) { codes, products in for (product, new) in products { codes[product, default: []].formUnion(new.keys) } }
  }

  /// The errors of a catalog with this scenario's `set` applied, each at its place in the scenario, because the patched text is in no file.
  public func located(_ error: CatalogError) -> [Diagnostic] {
    catalogPatch.map { Self.located(error, in: $0) } ?? error.diagnostics
  }

  fileprivate static func located(_ error: CatalogError, in patch: JSONValue) -> [Diagnostic] {
    // One mistake in a patch may break several rules in the same words, one for each entitlement or product.
    var seen: Set<Diagnostic> = []
    return error.diagnostics.filter { $0.severity == .error }.map { mistake in
      let (value, key) = patch.innermost(at: mistake.path)
      return Diagnostic(
        .error, mistake.code, path: value.path, position: mistake.code == "unknown-key" ? key ?? value.position : value.position,
        message: "With this \"set\": \(mistake.message)")
    }.filter { seen.insert($0).inserted }
  }
}

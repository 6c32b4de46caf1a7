// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// A catalog while it is read: values with their sources in the text, for the rules to point at.
final class CatalogDraft {
  /// A class, because a dozen rules walk over all products, and each would copy every one with all its texts.
  final class Placed<Value> {
    let value: Value
    let source: JSONValue

    init(value: Value, source: JSONValue) {
      self.value = value
      self.source = source
    }
  }

  var app: AppInfo?
  var features: [Placed<Feature>] = []
  var collections: [Placed<CatalogCollection>] = []
  /// The parts that every item of every collection has.
  var parts: [String]?
  var freeTier: [FeatureID: Granted] = [:]
  var freeTierTitle = "Free"
  var freeTierKind: any ProductKind = FreeTier()
  var entitlements: [Placed<Entitlement>] = []
  var products: [Placed<CatalogProduct>] = []
  var paywalls: [PlacementID: PaywallDefinition] = [:]
  var parentalGate: ParentalGatePolicy?
  var legal: LegalInfo?
  var billing: BillingPolicy?
  var sync: SyncPolicy?
  var events: EventVocabulary?
  var forecasts: [(name: String, assumptions: ForecastAssumptions)] = []
  var experiments: [Placed<Experiment>] = []
  var releases: [String] = []
  var modules: [CatalogModule] = []
  var isMonetized = true
  var claims: [String] = []
  var retired: [String] = []
  /// What the file is read with, to read it again with a patch.
  var text: CatalogSource?
  let root: JSONValue
  let reader: JSONReader

  init(_ root: JSONValue, _ reader: JSONReader) { (self.root, self.reader) = (root, reader) }

  /// All that is granted anywhere, with the object that it is written in.
  var grants: [(grants: [FeatureID: Granted], source: JSONValue?)] {
    [(freeTier, root["freeTier"]?["grants"])] + entitlements.map { ($0.value.grants, $0.source["grants"]) }
      + products.map { ($0.value.grants, $0.source["grants"]) }
  }

  /// The amounts of some grants, each with its feature and the member that says so, under the feature's name or an alias. What an entitlement
  /// grants is said there, and not by the products that give it.
  func written(where isMeant: (Granted) -> Bool) -> [(granted: Granted, feature: Placed<Feature>, member: JSONMember)] {
    let features = Dictionary(features.map { ($0.value.id, $0) }) { first, _ in first }
    return grants.flatMap { grants, source in
      grants.compactMap { id, granted in
        guard isMeant(granted), let source, let feature = features[id] else { return nil }
        return ([id] + feature.value.aliases).lazy.compactMap { source.member($0.rawValue) }.first.map { (granted, feature, $0) }
      }
    }
  }

  /// A name that code or the store knows something by.
  struct Name {
    /// What is named, with its article.
    let what: String
    let text: String
    let source: JSONValue
    var key: String?
    var index: Int?
    func place() -> JSONValue { key.map { key in index.map { source.at(key, $0) } ?? source.at(key) } ?? source }
  }

  /// All names in the file.
  private(set) lazy var names: [Name] = {
    var names = [Name(what: "the app", text: app?.id ?? "-", source: root.at("app"), key: "id")]
    for product in products {
      names.append(Name(what: "a product", text: product.value.id.rawValue, source: product.source, key: "id"))
      if let terms = product.value.subscription {
        names.append(Name(what: "a subscription group", text: terms.group, source: product.source, key: "group"))
      }
    }
    for feature in features {
      names.append(Name(what: "a feature", text: feature.value.id.rawValue, source: feature.source))
      names += feature.value.aliases.enumerated().map {
        Name(what: "an alias", text: $1.rawValue, source: feature.source, key: "aliases", index: $0)
      }
    }
    for collection in collections {
      names.append(Name(what: "a collection", text: collection.value.id.rawValue, source: collection.source))
      names += collection.value.parts.enumerated().map {
        Name(what: "a part", text: $1, source: collection.source, key: "parts", index: $0)
      }
      names += collection.value.items.map { Name(what: "an item", text: $0.id, source: collection.source, key: "items") }
    }
    names += entitlements.map { Name(what: "an entitlement", text: $0.value.id.rawValue, source: $0.source) }
    names += modules.enumerated().map { Name(what: "a module", text: $1.id, source: root.at("modules", $0), key: "id") }
    return names + paywalls.keys.map { Name(what: "a placement", text: $0.rawValue, source: root.at("paywalls", $0.rawValue)) }
  }()

  /// What can be referred to, by the word for it; nothing where not all names of a section are known.
  private lazy var declared: [String: Set<String>] = [
    "product": root.declared("products"), "collection": root.declared("collections"),
    "feature": root.declared("features")?.union(features.flatMap { $0.value.aliases.map(\.rawValue) }),
    "placement": root.declared("paywalls")?.union([PlacementID.default, .usageLimitReached, .featureRestricted].map(\.rawValue)),
  ].compactMapValues { $0 }

  // MARK: What a rule says

  /// Whether reading a value, or anything in it, found a mistake. What follows from such a mistake is not reported as well.
  func isBroken(_ value: JSONValue) -> Bool { reader.hasErrors(in: value) }

  /// Reports a mistake where a requirement is not met.
  func require(_ isMet: Bool, _ code: Diagnostic.Code, at place: @autoclosure () -> JSONValue, _ message: @autoclosure () -> String) {
    if !isMet { reader.report(code, at: place(), message()) }
  }

  /// Whether there is what a name refers to, as far as that is known; reports a name that nothing declares.
  @discardableResult
  func isDeclared(_ name: String, _ what: String, at place: @autoclosure () -> JSONValue) -> Bool {
    guard let known = declared[what], !known.contains(name) else { return true }
    reader.reportUnknown(what, name, among: known.sorted(), at: place(), or: what == "placement" ? "Declare it under \"paywalls\"." : nil)
    return false
  }
}

extension JSONReader {
  /// Reports a name that nothing declares, and how to mend it: the name that was probably meant, else what to do.
  func reportUnknown(_ what: String, _ name: String, among known: [String], at place: any JSONSite, or fix: String? = nil) {
    let mend = didYouMean(closestMatch(to: name, in: known), or: fix ?? "Declare it under \"\(what)s\".")
    report(.init(rawValue: "unknown-\(what)"), at: place, "There is no \(what) \"\(name)\".\(mend)")
  }
}

extension JSONValue {
  func member(_ key: String) -> JSONMember? { members.first { $0.key == key } }

  /// The names that a section of a catalog declares, those of broken values included: the keys of an object, the ids of a list. `nil` where
  /// they are not all known, because the section is of another type, its key is misspelt, or an id cannot be read.
  func declared(_ section: String) -> Set<String>? {
    guard let value = self[section] else {
      return members.contains { closestMatch(to: $0.key, in: [section]) != nil } ? nil : []
    }
    if section != "products" { return value.kind == .object ? Set(value.members.map(\.key)).subtracting(["$comment"]) : nil }
    let ids = value.elements.compactMap { $0["id"]?.string }
    return value.kind == .array && ids.count == value.count ? Set(ids) : nil
  }
}

/// One thing that has to be true of a catalog beyond its structure. One rule a file; all of them run, so that a person sees all mistakes at once.
protocol CatalogRule {
  /// Reports everything that breaks the rule.
  static func check(_ draft: CatalogDraft)
}

// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// A catalog while it is being read: values with their sources in the text, so that rules can point at them.
final class CatalogDraft {
  /// A class, because a dozen rules iterate over all products and would copy every string of each.
  final class Placed<Value> {
    let value: Value
    let source: JSONValue

    init(value: Value, source: JSONValue) { (self.value, self.source) = (value, source) }
  }

  /// The sections whose places no rule needs.
  var catalog: Catalog
  var app: AppInfo?
  var features: [Placed<Feature>] = []
  var collections: [Placed<CatalogCollection>] = []
  /// The parts that every item of every collection must have.
  var parts: [String]?
  var entitlements: [Placed<Entitlement>] = []
  var products: [Placed<CatalogProduct>] = []
  var paywalls: [PlacementID: Placed<PaywallDefinition>] = [:]
  var onboarding: [Placed<OnboardingStep>] = []
  var milestones: [Placed<Milestone>] = []
  var experiments: [Placed<Experiment>] = []
  var retired: [String] = []
  let root: JSONValue
  let reader: JSONReader

  init(_ root: JSONValue, _ reader: JSONReader, _ source: CatalogSource) {
    (self.root, self.reader, catalog) = (root, reader, Catalog(from: source))
  }

  /// The catalog without what has placeholders, which only rules may read.
  func finish() -> Catalog {
    func readable<Value>(_ all: [Placed<Value>]) -> [Value] { all.filter { !reader.isRepaired($0.source) }.map(\.value) }
    var catalog = catalog
    // An unreadable `app` is a mistake. Lint still reads the rest of the file.
    if let app, root["app"].map(reader.isRepaired) != true { catalog.app = app }
    if root["legal"].map(reader.isRepaired) == true { catalog.legal = nil }
    catalog.features = readable(features)
    catalog.collections = readable(collections)
    catalog.entitlements = readable(entitlements)
    catalog.products = readable(products)
    catalog.paywalls = paywalls.filter { !reader.isRepaired($0.value.source) }.mapValues(\.value)
    catalog.onboarding = readable(onboarding)
    catalog.milestones = readable(milestones)
    catalog.experiments = readable(experiments)
    catalog.index = CatalogIndex(catalog)
    return catalog
  }

  /// The own name of a feature, which events carry. `feature` is that name or an alias. O(features).
  func ownName(of feature: FeatureID) -> FeatureID {
    features.first { $0.value.id == feature }?.value.id ?? features.first { $0.value.aliases.contains(feature) }?.value.id ?? feature
  }

  /// All grants in the file, each with the JSON object that has them under "grants".
  var grants: [(grants: [FeatureID: Granted], owner: JSONValue?)] {
    [(catalog.freeTier, root["freeTier"])] + entitlements.map { ($0.value.grants, $0.source) }
      + products.map { ($0.value.grants, $0.source) }
  }

  /// The matching amounts, each with its feature and the member that declares it, under the feature's name or an alias. An entitlement's
  /// grants appear once, not for each product that includes it.
  /// - Parameter sources: The grants to look at; all when absent.
  func declaredAmounts(
    where isMeant: (Granted) -> Bool, in sources: [(grants: [FeatureID: Granted], owner: JSONValue?)]? = nil
  ) -> [(granted: Granted, feature: Placed<Feature>, member: JSONMember)] {
    let features = Dictionary(features.map { ($0.value.id, $0) }) { first, _ in first }
    return (sources ?? grants).flatMap { grants, owner -> [(granted: Granted, feature: Placed<Feature>, member: JSONMember)] in
      guard grants.values.contains(where: isMeant), let source = owner?["grants"] else { return [] }
      let members = Dictionary(source.members.map { ($0.key, $0) }) { first, _ in first }
      return grants.compactMap { id, granted in
        guard isMeant(granted), let feature = features[id] else { return nil }
        return feature.value.names.lazy.compactMap { members[$0.rawValue] }.first.map { (granted, feature, $0) }
      }
    }
  }

  /// A name that code or the store refers to.
  struct Name {
    /// The kind of thing named, with its article.
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
      names += collection.value.items.enumerated().map {
        Name(what: "an item", text: $1.id, source: collection.source, key: "items", index: $0)
      }
    }
    names += entitlements.map { Name(what: "an entitlement", text: $0.value.id.rawValue, source: $0.source) }
    names += zip(catalog.modules, root.at("modules").elements).map { Name(what: "a module", text: $0.id, source: $1, key: "id") }
    return names + paywalls.map { Name(what: "a placement", text: $0.rawValue, source: $1.source) }
  }()

  /// The kinds of things that sections declare. The raw value is the word for one of them.
  enum Declared: String { case product, collection, feature, entitlement, placement }

  /// The declared names. Omits a section whose names are not all known.
  private(set) lazy var declared: [Declared: Set<String>] = [
    .product: root.declared("products"), .collection: root.declared("collections"), .entitlement: root.declared("entitlements"),
    .feature: root.declared("features")?.union(features.flatMap { $0.value.aliases.map(\.rawValue) }),
    .placement: root.declared("paywalls")?.union(PlacementID.builtIn.map(\.rawValue)),
  ].compactMapValues { $0 }
}

extension JSONReader {
  /// Reports an undeclared name, with the likely intended name or else a fix.
  package func reportUnknown(
    _ what: String, _ name: String, among known: @autoclosure () -> [String], at place: any JSONSite, or fix: String? = nil
  ) {
    let mend = didYouMean(suggestion(for: name, among: known()), or: fix ?? "Declare it under \"\(what)s\".")
    report(.init(rawValue: "unknown-\(what)"), at: place, "There is no \(what) \"\(name)\".\(mend)")
  }
}

extension JSONValue {
  func member(_ key: String) -> JSONMember? { members.first { $0.key == key } }

  /// The values of an object by key, the first of a repeated key. For many look-ups, because each by itself is a linear search.
  var membersByKey: [String: JSONValue] { Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first } }

  /// The names that a section declares: the keys of an object or the ids of a list, including broken values. `nil` when some are unknown,
  /// because the section has another type or may stand under an unknown key, or an id cannot be read.
  package func declared(_ section: String) -> Set<String>? {
    guard let value = self[section] else { return members.contains { !CatalogReader.keys.contains($0.key) } ? nil : [] }
    if section != "products" { return value.kind == .object ? Set(value.members.map(\.key)).subtracting(["$comment"]) : nil }
    let ids = value.elements.compactMap { $0["id"]?.string }.filter { !$0.allSatisfy(\.isWhitespace) }
    return value.kind == .array && ids.count == value.count ? Set(ids) : nil
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeJSON

/// Reads a catalog's structure from JSON. Leaves and plug-ins decode themselves. References are checked as soon as both sides are known.
struct CatalogReader {
  /// The keys of a catalog. Any other key may be a misspelt section that declares names.
  static let keys: Set<String> = [
    "$comment", "$schema", "schemaVersion", "app", "parts", "collections", "modules", "releases", "retired", "claims", "features",
    "freeTier", "entitlements", "products", "paywalls", "parentalGate", "legal", "billing", "lint", "sync", "targets", "events",
    "onboarding", "milestones", "forecast", "experiments", "monetization", "privacy", "server", "extensions",
  ]
  /// Sections that change no decision, with the commands that read them. `monetize validate` reports mistakes in those without one.
  private static let otherSections: [(name: String, readers: String?)] = [
    ("forecast", nil), ("targets", nil), ("lint", nil),
    ("privacy", "\"monetize lint\" and \"monetize show --as privacy\" read it."), ("server", "\"monetize lint\" reads it."),
    ("extensions", "An app can read it."),
  ]

  let reader: JSONReader
  let source: CatalogSource

  /// The draft; `nil` when the file is not a catalog of this schema version.
  func read(_ root: JSONValue) -> CatalogDraft? {
    guard let fields = reader.object(root, "a catalog") else { return nil }
    guard let version = fields.required("schemaVersion", as: Int.self) else {
      reader.markRead(root)
      return nil
    }
    guard version == Catalog.schemaVersion else {
      // The rules of this version do not apply to a file of another version.
      let place = fields.value("schemaVersion") ?? root
      reader.report(
        "schema-version", at: place,
        "This catalog has schema version \(version), but this version of Monetize reads \(Catalog.schemaVersion). "
          + (version > Catalog.schemaVersion ? "Update Monetize." : "Run `monetize migrate` on it."))
      reader.markRead(root)
      return nil
    }
    let draft = CatalogDraft(root, reader, source)
    draft.app = fields.value("app").map { reader.repair(at: $0, AppInfo.init) } ?? fields.required("app")
    draft.parts = fields.optional("parts")
    draft.collections = readCollections(fields.value("collections"), parts: draft.parts ?? [])
    draft.catalog.modules = fields.optional("modules") ?? []
    draft.catalog.releases = fields.optional("releases") ?? []
    draft.retired = fields.optional("retired") ?? []
    draft.catalog.claims = fields.optional("claims") ?? []
    let unreadable = readFeatures(fields.value("features"), draft)
    let grants = GrantReader(reader: reader, features: draft.features, unreadable: unreadable, section: root.declared("features"))
    readFreeTier(fields.value("freeTier"), draft, grants)
    draft.entitlements = readEntitlements(fields.value("entitlements"), grants)
    draft.products = readProducts(fields.value("products"), draft, grants)
    readSections(fields, draft)
    return draft
  }

  private func readSections(_ fields: JSONFields, _ draft: CatalogDraft) {
    for member in reader.members(fields.value("paywalls"), "an object from placements to paywalls") {
      let paywall = reader.repair(at: member.value, PaywallDefinition.init)
      draft.paywalls[PlacementID(member.key)] = paywall.map { .init(value: $0, source: member.value) }
    }
    draft.catalog.parentalGate = fields.optional("parentalGate")
    draft.catalog.legal = fields.value("legal").flatMap { $0.isNull ? nil : reader.repair(at: $0, LegalInfo.init) }
    draft.catalog.billing = fields.optional("billing")
    draft.catalog.sync = readSync(fields.value("sync"))
    draft.catalog.events = readEvents(fields.value("events"), draft)
    draft.onboarding = readOnboarding(fields.value("onboarding"), draft)
    draft.milestones = readMilestones(fields.value("milestones"), draft)
    draft.experiments = readExperiments(fields.value("experiments"))
    if let monetization = fields.optional("monetization", as: Monetization.self) { draft.catalog.isMonetized = monetization == .on }
    if let schema = fields.value("$schema") { _ = reader.decode(String.self, from: schema) }
    for (section, readers) in Self.otherSections {
      guard let value = fields.value(section) else { continue }
      reader.markRead(value)
      guard let readers else { continue }
      guard value.kind == .object || value.kind == .array else {
        _ = reader.object(value, "an object")
        continue
      }
      reader.report(.note, "not-yet-read", at: value, "The section \"\(section)\" changes no decision. \(readers)")
    }
  }

  private func readSync(_ value: JSONValue?) -> SyncPolicy? {
    guard let value, let fields = reader.object(value, "the rules for merging values") else { return nil }
    let rules: [(String, MergeRule)] = reader.values(fields.value("merge"), "an object from fields to rules")
    return SyncPolicy(merge: Dictionary(rules) { first, _ in first })
  }

  private enum Monetization: String, Decodable, CaseIterable { case on, off }

  // MARK: Collections

  private func readCollections(_ value: JSONValue?, parts: [String]) -> [CatalogDraft.Placed<CatalogCollection>] {
    reader.objects(value, "an object from ids to collections", "a collection").map { id, fields in
      let collection = CatalogCollection(
        id: CollectionID(id), title: fields.required("title") ?? id, cover: fields.optional("cover"), theme: fields.optional("theme"),
        items: readItems(fields), parts: fields.optional("parts") ?? parts)
      return .init(value: collection, source: fields.value)
    }
  }

  private struct ItemObject: Decodable {
    let id: String
    let coins: Int?
  }

  private func readItems(_ collection: JSONFields) -> [CatalogCollection.Item] {
    guard let value = collection.value("items", or: "This collection has no \"items\". Write their number, or list them.") else {
      return []
    }
    let isList = value.kind == .array
    guard let count = isList ? value.count : reader.decode(Int.self, from: value) else { return [] }
    guard (1...100_000).contains(count) else {
      reader.report("bad-value", at: value, "A collection has 1 to 100000 items, not \(count).")
      return []
    }
    if !isList { return (1...count).map { .init(id: String($0), coins: nil) } }
    // An unreadable item keeps its position, under a name that no item can have.
    return value.elements.enumerated().map { readItem($1) ?? .init(id: "/\($0)", coins: 0) }
  }

  private func readItem(_ element: JSONValue) -> CatalogCollection.Item? {
    let object = element.kind == .object ? reader.decode(ItemObject.self, from: element) : nil
    guard let id = element.kind == .object ? object?.id : reader.decode(from: element) else { return nil }
    if id.isEmpty || id.contains("/") {
      reader.report("bad-value", at: element, "An item needs an id without a slash: paths are written collection/item/part.")
    }
    if let coins = object?.coins, coins < 0 { reader.report("bad-value", at: element, "A price in coins cannot be negative.") }
    return .init(id: id, coins: object?.coins)
  }
}

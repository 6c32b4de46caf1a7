// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Reads a catalog's structure from JSON. Leaves and plug-ins decode themselves; what references what is checked as soon as both are known.
struct CatalogReader {
  static let schemaVersion = 1
  /// Sections that have a meaning but no reader yet.
  private static let notYetRead = [
    "milestones", "experiments", "onboarding", "privacy", "server", "sync", "forecast", "lint", "extensions",
  ]

  let reader: JSONReader
  let kinds: ProductKinds
  let shapes: AllowanceShapes

  /// The draft; `nil` when the file is no catalog of this version at all.
  func read(_ root: JSONValue) -> CatalogDraft? {
    guard let fields = reader.object(root, "a catalog") else { return nil }
    guard let version = fields.required("schemaVersion", as: Int.self) else {
      reader.markRead(root)
      return nil
    }
    guard version == Self.schemaVersion else {
      // A file of another version is not judged by this version's rules.
      let place = fields.value("schemaVersion") ?? root
      reader.report(
        .error, "schema-version", at: place,
        "This catalog has schema version \(version), and this version of Monetize reads \(Self.schemaVersion). "
          + (version > Self.schemaVersion ? "Update Monetize." : "Run `monetize migrate` on it."))
      reader.markRead(root)
      return nil
    }
    let app = fields.required("app", as: AppInfo.self)
    var draft = CatalogDraft(app: app ?? AppInfo.none, root: root)
    draft.collections = readCollections(fields.value("collections"))
    draft.modules = fields.optional("modules") ?? []
    draft.releases = fields.optional("releases") ?? []
    draft.features = readFeatures(fields.value("features"))
    var grants = GrantReader(reader: reader, features: draft.features.map(\.value))
    readFreeTier(fields.value("freeTier"), &draft, &grants)
    draft.entitlements = readEntitlements(fields.value("entitlements"), &grants)
    draft.products = readProducts(
      fields.value("products"), entitlements: draft.entitlements.map(\.value), features: draft.features.map(\.value), &grants)
    for member in readObject(fields.value("paywalls"), "an object from placements to paywalls") {
      draft.paywalls[PlacementID(member.key)] = reader.decode(PaywallDefinition.self, from: member.value)
    }
    draft.parentalGate = fields.optional("parentalGate")
    draft.legal = fields.optional("legal")
    draft.billing = fields.optional("billing")
    draft.claims = fields.optional("claims") ?? []
    draft.retired = fields.optional("retired") ?? []
    if let monetization = fields.optional("monetization", as: Monetization.self) { draft.isMonetized = monetization == .on }
    for section in Self.notYetRead {
      guard let value = fields.value(section) else { continue }
      reader.markRead(value)
      reader.report(.note, "not-yet-read", at: value, "The section \"\(section)\" is not yet read by this version; it changes nothing.")
    }
    return draft
  }

  private enum Monetization: String, Decodable { case on, off }

  private func readObject(_ value: JSONValue?, _ what: String) -> [JSONMember] {
    guard let value, let fields = reader.object(value, what) else { return [] }
    let members = value.members.filter { $0.key != "$comment" }
    for member in members { _ = fields.value(member.key) }
    return members
  }

  // MARK: Collections

  private func readCollections(_ value: JSONValue?) -> [CatalogDraft.Placed<CatalogCollection>] {
    readObject(value, "an object from ids to collections").compactMap { member in
      guard let fields = reader.object(member.value, "a collection") else { return nil }
      let title = fields.required("title", as: String.self) ?? member.key
      let parts = fields.optional("parts", as: [String].self) ?? []
      let collection = CatalogCollection(
        id: CollectionID(member.key), title: title, cover: fields.optional("cover"), theme: fields.optional("theme"),
        items: readItems(fields.value("items"), in: member.value), parts: parts)
      return .init(value: collection, source: member.value)
    }
  }

  private struct ItemObject: Decodable {
    let id: String
    let coins: Int?
  }

  private func readItems(_ value: JSONValue?, in collection: JSONValue) -> [CatalogCollection.Item] {
    guard let value else {
      reader.report(.error, "missing-key", at: collection, "This collection has no \"items\". Say how many there are, or list them.")
      return []
    }
    if value.kind != .array {
      guard let count = reader.decode(Int.self, from: value) else { return [] }
      guard (1...100_000).contains(count) else {
        reader.report(.error, "bad-value", at: value, "A collection has 1 to 100000 items, not \(count).")
        return []
      }
      return (1...count).map { .init(id: String($0), coins: nil) }
    }
    return value.elements.compactMap { element in
      let item: CatalogCollection.Item
      if element.kind == .object {
        guard let object = reader.decode(ItemObject.self, from: element) else { return nil }
        item = .init(id: object.id, coins: object.coins)
      } else {
        guard let id = reader.decode(String.self, from: element) else { return nil }
        item = .init(id: id, coins: nil)
      }
      if item.id.isEmpty || item.id.contains("/") {
        reader.report(
          .error, "bad-value", at: element, "An item's id is not empty and has no slash: paths are written collection/item/part.")
      }
      if let coins = item.coins, coins < 0 {
        reader.report(.error, "bad-value", at: element, "A price in coins cannot be negative.")
      }
      return item
    }
  }

  // MARK: Products

  private func readFreeTier(_ value: JSONValue?, _ draft: inout CatalogDraft, _ grants: inout GrantReader) {
    guard let value, let fields = reader.object(value, "the free tier") else { return }
    draft.freeTierTitle = fields.optional("title") ?? "Free"
    draft.freeTier = grants.read(fields.value("grants"))
    // The free tier is a product kind like any other; an app may register its own under this name.
    if let type = kinds[FreeTier.name], let kind = reader.collect(at: value, { try type.init(from: $0) }) { draft.freeTierKind = kind }
  }

  private func readEntitlements(_ value: JSONValue?, _ grants: inout GrantReader) -> [CatalogDraft.Placed<Entitlement>] {
    readObject(value, "an object from ids to entitlements").compactMap { member in
      guard let fields = reader.object(member.value, "an entitlement") else { return nil }
      let entitlement = Entitlement(
        id: EntitlementID(member.key), title: fields.optional("title") ?? member.key, grants: grants.read(fields.value("grants")))
      return .init(value: entitlement, source: member.value)
    }
  }

  private func readProducts(
    _ value: JSONValue?, entitlements: [Entitlement], features: [Feature], _ grants: inout GrantReader
  ) -> [CatalogDraft.Placed<CatalogProduct>] {
    guard let value else { return [] }
    guard value.kind == .array else {
      _ = reader.decode([String].self, from: value)
      return []
    }
    let known = Dictionary(entitlements.map { ($0.id, $0) }) { first, _ in first }
    return value.elements.compactMap { element in
      guard let fields = reader.object(element, "a product") else { return nil }
      let kindName = fields.required("kind", as: String.self)
      let id = fields.required("id", as: ProductID.self)
      let name = fields.required("name", as: String.self)
      var granted = grants.read(fields.value("grants"))
      let names = fields.optional("entitlements", as: [EntitlementID].self) ?? []
      for (place, name) in names.enumerated() {
        guard let entitlement = known[name] else {
          let at = fields.value("entitlements")?.elements.dropFirst(place).first ?? element
          let guess = closestMatch(to: name.rawValue, in: known.keys.map(\.rawValue).sorted())
          reader.report(
            .error, "unknown-entitlement", at: at,
            "There is no entitlement \"\(name)\"." + didYouMean(guess, or: "Declare it under \"entitlements\"."))
          continue
        }
        granted.merge(entitlement.grants) { $0.joined(with: $1) }
      }
      let price = fields.optional("price", as: Money.self)
      let description = fields.optional("description", as: String.self)
      let referenceName = fields.optional("referenceName", as: String.self)
      let isOnSale = fields.optional("onSale", as: Bool.self) ?? true
      let isFamilyShareable = fields.optional("familyShareable", as: Bool.self) ?? false
      guard let kindName else { return nil }
      guard let type = kinds[kindName], type.storeType != .none else {
        reportUnknownKind(kindName, at: fields.value("kind") ?? element)
        reader.markRead(element)
        return nil
      }
      let credits = type.storeType == .consumable ? readCredits(fields, element, features: features) : [:]
      guard let kind = reader.collect(at: element, { try type.init(from: $0) }), let id, let name else { return nil }
      let product = CatalogProduct(
        id: id, kindName: kindName, kind: kind, name: name, description: description, referenceName: referenceName, price: price,
        entitlements: names, grants: granted, credits: credits, isOnSale: isOnSale, isFamilyShareable: isFamilyShareable)
      return .init(value: product, source: element)
    }
  }

  private func reportUnknownKind(_ name: String, at value: JSONValue) {
    let known = kinds.names.filter { kinds[$0]?.storeType != StoreProductType.none }
    let fix =
      name == FreeTier.name
      ? " The free tier is not a product: nobody buys it. Write it under \"freeTier\"."
      : didYouMean(
        closestMatch(to: name, in: known),
        or: "Known are \(known.joined(separator: ", ")). Register your own with `kinds: .standard.adding(…)`.")
    reader.report(.error, "unknown-kind", at: value, "There is no product kind \"\(name)\"." + fix)
  }
}

/// The end of a message: a guess when there is a good one, else what to do.
func didYouMean(_ guess: String?, or fix: String) -> String { guess.map { " Did you mean \"\($0)\"?" } ?? " \(fix)" }

extension AppInfo {
  /// Stands in while the rest of a broken file is read.
  static let none = AppInfo(id: "", name: "", audience: nil, domain: nil, minimumOS: nil, devices: nil, orientations: nil)
}

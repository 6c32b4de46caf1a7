// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

extension CatalogReader {
  func readFreeTier(_ value: JSONValue?, _ draft: CatalogDraft, _ grants: GrantReader) {
    guard let value, let fields = reader.object(value, "the free tier") else { return }
    draft.catalog.freeTierTitle = fields.optional("title") ?? "Free"
    draft.catalog.freeTier = grants.read(fields.value("grants"))
    // The free tier is a product kind like any other. An app may register its own under this name.
    guard let type = source.kinds[FreeTier.name] else { return }
    draft.catalog.freeTierKind = reader.collect(at: value) { try type.init(from: $0) } ?? draft.catalog.freeTierKind
  }

  func readEntitlements(_ value: JSONValue?, _ grants: GrantReader) -> [CatalogDraft.Placed<Entitlement>] {
    reader.members(value, "an object from ids to entitlements").compactMap { member in
      guard let fields = reader.object(member.value, "an entitlement") else { return nil }
      let entitlement = Entitlement(
        id: EntitlementID(member.key), title: fields.optional("title") ?? member.key, grants: grants.read(fields.value("grants")))
      return .init(value: entitlement, source: member.value)
    }
  }

  func readProducts(_ value: JSONValue?, _ draft: CatalogDraft, _ grants: GrantReader) -> [CatalogDraft.Placed<CatalogProduct>] {
    guard let value else { return [] }
    let entitlements = Dictionary(draft.entitlements.map { ($0.value.id, $0.value) }) { first, _ in first }
    let declared = draft.root.declared("entitlements")
    return reader.elements(value).compactMap { element in
      guard let fields = reader.object(element, "a product") else { return nil }
      let names = fields.optional("entitlements", as: [EntitlementID].self) ?? []
      for (index, name) in names.enumerated() where declared?.contains(name.rawValue) == false {
        let known = entitlements.keys.map(\.rawValue).sorted()
        reader.reportUnknown("entitlement", name.rawValue, among: known, at: element.at("entitlements", index))
      }
      let granted = names.reduce(into: grants.read(fields.value("grants"))) { granted, name in
        granted.merge(entitlements[name]?.grants ?? [:]) { $0.joined(with: $1) }
      }
      return readProduct(fields, element, names, granted, grants).map { .init(value: $0, source: element) }
    }
  }

  /// Reads the keys that all kinds share, then those of its own kind.
  private func readProduct(
    _ fields: JSONFields, _ source: JSONValue, _ entitlements: [EntitlementID], _ granted: [FeatureID: Granted], _ grants: GrantReader
  ) -> CatalogProduct? {
    // The kind decides about the other keys.
    if reader.reportMisspelt("kind", in: source) { return nil }
    let kindName = fields.required("kind", as: String.self)
    let id = fields.required("id", as: ProductID.self)
    let name = fields.required("name", as: String.self)
    let price = fields.optional("price", as: Money.self)
    let description = fields.optional("description", as: String.self)
    let referenceName = fields.optional("referenceName", as: String.self)
    let isOnSale = fields.optional("onSale", as: Bool.self) ?? true
    let variantOf = fields.optional("variantOf", as: ProductID.self)
    let isFamilyShareable = fields.optional("familyShareable", as: Bool.self) ?? false
    guard let kindName else {
      reader.markRead(source)
      return nil
    }
    guard let type = self.source.kinds[kindName], type.storeType != .none else {
      reportUnknownKind(kindName, at: source.at("kind"))
      reader.markRead(source)
      return nil
    }
    let credits = type.sellsCredits ? readCredits(fields, grants) : [:]
    if id == nil || name == nil { reader.markRepaired(source) }
    guard let kind = reader.repair(at: source, { try type.init(from: $0) as any ProductKind }) else { return nil }
    return CatalogProduct(
      id: id ?? "", kindName: kindName, kind: kind, name: name ?? "", description: description, referenceName: referenceName, price: price,
      entitlements: entitlements, grants: granted, credits: credits, isOnSale: isOnSale, variantOf: variantOf,
      isOffered: isOnSale && variantOf == nil, isFamilyShareable: isFamilyShareable)
  }

  private func reportUnknownKind(_ name: String, at value: JSONValue) {
    let known = self.source.kinds.names.filter { self.source.kinds[$0]?.storeType != StoreProductType.none }
    let fix =
      name == FreeTier.name
      ? " The free tier is not a product. Write it under \"freeTier\"."
      : didYouMean(
        closestMatch(to: name, in: known),
        or: "Known names: \(known.joined(separator: ", ")). Register your own with `kinds: .standard.adding(…)`.")
    reader.report("unknown-kind", at: value, "There is no product kind \"\(name)\"." + fix)
  }
}

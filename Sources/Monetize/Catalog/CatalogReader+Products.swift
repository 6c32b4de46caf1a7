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
    reader.objects(value, "an object from ids to entitlements", "an entitlement").map { id, fields in
      let entitlement = Entitlement(
        id: EntitlementID(id), title: fields.optional("title") ?? id, grants: grants.read(fields.value("grants")))
      return .init(value: entitlement, source: fields.value)
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
      return readProduct(fields, names, granted, grants).map { .init(value: $0, source: element) }
    }
  }

  /// Reads the keys that all kinds share, then those of its own kind.
  private func readProduct(
    _ fields: JSONFields, _ entitlements: [EntitlementID], _ granted: [FeatureID: Granted], _ grants: GrantReader
  ) -> CatalogProduct? {
    let source = fields.value
    // The kind decides about the other keys.
    if reader.reportMisspelt("kind", in: source) { return nil }
    let kindName = fields.required("kind", as: String.self, oneOf: kindNames)
    var product = CatalogProduct(
      id: fields.required("id", or: ""), kindName: kindName ?? "", kind: NonConsumable(), name: fields.required("name", or: ""))
    product.price = fields.optional("price")
    product.description = fields.optional("description")
    product.referenceName = fields.optional("referenceName")
    product.entitlements = entitlements
    product.grants = granted
    product.isOnSale = fields.optional("onSale") ?? true
    product.variantOf = fields.optional("variantOf")
    product.isOffered = product.isOnSale && product.variantOf == nil
    product.isFamilyShareable = fields.optional("familyShareable") ?? false
    guard let type = kindName.flatMap({ kind(named: $0, at: source.at("kind")) }) else {
      reader.markRead(source)
      return nil
    }
    if type.sellsCredits { product.credits = readCredits(fields, grants) }
    guard let kind = reader.repair(at: source, { try type.init(from: $0) as any ProductKind }) else { return nil }
    product.kind = kind
    return product
  }

  /// The names of the kinds that a product can have.
  private var kindNames: [String] { source.kinds.names.filter { source.kinds[$0]?.storeType != StoreProductType.none } }

  /// The kind of a product with this name. Reports an unknown one.
  private func kind(named name: String, at value: JSONValue) -> (any ProductKind.Type)? {
    if let type = source.kinds[name], type.storeType != .none { return type }
    let known = kindNames
    let fix =
      name == FreeTier.name
      ? " The free tier is not a product. Write it under \"freeTier\"."
      : didYouMean(
        closestMatch(to: name, in: known),
        or: "Known names: \(known.joined(separator: ", ")). Register your own with `kinds: .standard.adding(…)`.")
    reader.report("unknown-kind", at: value, "There is no product kind \"\(name)\"." + fix)
    return nil
  }
}

// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// The claim `noPeriods`: time never changes what is open. A grant and a kind of product say themselves whether time changes them, so that
/// those of an app are held to it as well; a feature says it with `per`. What any of them is called says nothing.
enum KeptNoPeriods: CatalogRule {
  static func findings(in draft: CatalogDraft) -> [CatalogFinding] {
    guard draft.claims.contains("noPeriods") else { return [] }
    let products = draft.products.filter(\.value.kind.changesWithTime).map { product in
      finding(at: product.source.member("period"), or: product.source.member("kind"), "time begins or ends \"\(product.value.id)\"")
    }
    let counted = draft.features.compactMap { $0.source.member("per") }.filter { $0.value.string != "lifetime" }
    let features = Dictionary(draft.features.map { ($0.value.id, $0) }) { first, _ in first }
    let grants = draft.grants.flatMap { grants, source in
      grants.filter(\.value.changesWithTime).compactMap { id, _ -> CatalogFinding? in
        // What an entitlement grants is reported there; what a feature's own period changes, at the feature.
        guard let source, let feature = features[id],
          let member = ([id] + feature.value.aliases).lazy.compactMap({ source.member($0.rawValue) }).first
        else { return nil }
        let own = member.value.member("per")
        if own == nil, let period = feature.source.member("per"), counted.contains(period) { return nil }
        return finding(at: own, or: member, "time changes what this grants")
      }
    }
    return (products + counted.map { finding(at: $0, or: nil, "") } + grants).compactMap { $0 }
  }

  private static func finding(at period: JSONMember?, or member: JSONMember?, _ why: String) -> CatalogFinding? {
    guard let place = period ?? member else { return nil }
    return CatalogFinding(
      "claim.noPeriods", atKey: place,
      "The file claims that time never changes what is open, and \(period == nil ? why : "this is a period"). Remove it, or the claim.")
  }
}

extension JSONValue {
  fileprivate func member(_ key: String) -> JSONMember? { members.first { $0.key == key } }
}

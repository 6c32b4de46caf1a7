// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeJSON

extension CatalogDraft {
  /// Every placeholder must be a known one, and the file must provide a value for it. Otherwise people would see the braces.
  func checkPlaceholders() {
    lazy var values = PlaceholderValues(self)
    lazy var given = values.given(by: features.map(\.value)).union(products.isEmpty ? [] : [.price])
    for site in CatalogTexts(in: root, sections: ["paywalls", "legal"]).sites {
      // The price and the period of a legal text are those of the product beside it.
      if site.path[0] == "legal" { check(site.value, [.price, .period]) } else { check(site.value, given) }
    }
    for feature in features {
      for text in [feature.source["description"], feature.source["unlockMessage"]].compactMap({ $0 }) {
        check(text, values.given(by: [feature.value]).subtracting([.unlockMessage]))
      }
    }
  }

  private func check(_ source: JSONValue, _ given: @autoclosure () -> Set<Placeholder>) {
    for name in Placeholder.names(in: source.string ?? "") {
      guard let placeholder = Placeholder(rawValue: name) else {
        let known = Placeholder.allCases.map(\.rawValue)
        reader.reportUnknown("placeholder", name, among: known, at: source, or: "Known names: \(known.joined(separator: ", ")).")
        continue
      }
      // Sections with mistakes may lack values, so nothing is reported.
      let isKnown = isKnown(root, "features", "freeTier", "entitlements", "products")
      require(
        given().contains(placeholder) || placeholder == .collection && !self.isKnown(root, "collections") || !isKnown,
        "empty-placeholder", at: source, "\"{\(name)}\" never has a value here. Remove it, or declare what it names.")
    }
  }
}

/// The placeholders that questions about features can fill.
private struct PlaceholderValues {
  private let hasCollections: Bool
  private let grants: [FeatureID: [Granted]]

  /// O(features + grants).
  init(_ draft: CatalogDraft) {
    // A feature about items names collections, and an unknown one is reported where it is named.
    hasCollections = !draft.collections.isEmpty || draft.features.contains { type(of: $0.value.shape).isAboutItems }
    grants = Dictionary(grouping: draft.grants.flatMap(\.grants), by: \.key).mapValues { $0.map(\.value) }
  }

  /// Judges each grant of the features to find out whether it has a limit.
  func given(by features: [Feature]) -> Set<Placeholder> {
    var given: Set<Placeholder> = hasCollections ? [.collection] : []
    let context = AllowanceContext(now: Date(timeIntervalSince1970: 0), zone: Calendar.storeCalendar.timeZone, usage: UsageTotals())
    for feature in features {
      let whole = feature.part?.whole ?? feature.id
      if feature.unit != nil { given.insert(.unit) }
      if feature.unlockMessage != nil { given.insert(.unlockMessage) }
      for granted in grants[whole] ?? [] {
        if given.isSuperset(of: [.limit, .period]) { break }
        let verdict = granted.allowance?.judge(AccessRequest(whole), in: context)
        let isCounted = granted.isUnlimited && type(of: feature.shape).hasAmounts
        if isCounted || verdict?.limit != nil || verdict?.window != nil { given.insert(.limit) }
        if verdict?.measure.map({ $0 != .lifetime }) == true { given.insert(.period) }
      }
    }
    return given
  }
}

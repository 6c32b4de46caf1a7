// SPDX-License-Identifier: Apache-2.0

/// A paywall offers products that exist, and its benefits are about features that exist.
enum PaywallReferences: CatalogRule {
  static func check(_ draft: CatalogDraft, _ reader: JSONReader) {
    let products = Set(draft.products.map(\.value.id))
    let features = Set(draft.features.flatMap { [$0.value.id] + $0.value.aliases })
    for (placement, paywall) in draft.paywalls {
      guard let source = draft.root["paywalls"]?[placement.rawValue] else { continue }
      for (place, id) in (paywall.products ?? []).enumerated() where !products.contains(id) {
        report(id.rawValue, "product", products.map(\.rawValue), source["products"]?.elements.dropFirst(place).first, reader)
      }
      if let id = paywall.preselected, !products.contains(id) {
        report(id.rawValue, "product", products.map(\.rawValue), source["preselected"], reader)
      }
      for (place, benefit) in (paywall.benefits ?? []).enumerated() {
        for (inner, id) in (benefit.features ?? []).enumerated() where !features.contains(id) {
          let names = source["benefits"]?.elements.dropFirst(place).first?["features"]?.elements
          report(id.rawValue, "feature", features.map(\.rawValue), names?.dropFirst(inner).first, reader)
        }
      }
    }
  }

  private static func report(_ id: String, _ what: String, _ known: [String], _ value: JSONValue?, _ reader: JSONReader) {
    guard let value else { return }
    let fix = didYouMean(closestMatch(to: id, in: known.sorted()), or: "Declare it under \"\(what)s\".")
    reader.report(.error, .init(rawValue: "unknown-\(what)"), at: value, "There is no \(what) \"\(id)\"." + fix)
  }
}

// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

extension CatalogDraft {
  func checkPaywalls() {
    for paywall in paywalls.values {
      checkReferences(of: paywall)
      checkPrompt(of: paywall)
    }
    // An app without paywalls in its file builds its own for each placement.
    for feature in features where !paywalls.isEmpty {
      isDeclared(feature.value.placement, .placement, at: feature.source.at("placement"))
    }
    checkPlaceholders()
  }

  /// A paywall must offer existing products, preselect one of them, and describe existing features.
  private func checkReferences(of placed: Placed<PaywallDefinition>) {
    let (paywall, source) = (placed.value, placed.source)
    areDeclared(paywall.products, .product) { source.at("products", $0) }
    for id in (paywall.badges ?? [:]).keys { isDeclared(ProductID(id), .product, at: source.at("badges", id)) }
    for (index, benefit) in (paywall.benefits ?? []).enumerated() {
      areDeclared(benefit.features, .feature) { source.at("benefits", index, "features", $0) }
    }
    // The offered products are unknown when their list, or the key of the list, cannot be read.
    let usualList = root["paywalls"]?[PlacementID.default.rawValue]?["products"]
    let list = source["products"] ?? (isBroken(source) ? source : usualList)
    guard list.map(isBroken) != true, let id = paywall.preselected, isDeclared(id, .product, at: source.at("preselected")) else { return }
    let offered = paywall.products ?? paywalls[.default]?.value.products
    require(
      offered?.contains(id) ?? true, "preselected-not-offered", at: source.at("preselected"),
      "This paywall selects \"\(id)\" but does not offer it. Add it to \"products\", or select another one.")
  }

  /// A prompt must be one that can appear: soft or hard, more than once only after some time, and at least once.
  private func checkPrompt(of placed: Placed<PaywallDefinition>) {
    let (paywall, source) = (placed.value, placed.source)
    require(
      paywall.prompt.map { ["soft", "hard"].contains($0) } ?? true, "bad-value", at: source.at("prompt"),
      "A prompt is \"soft\", which the customer can close, or \"hard\", not \"\(paywall.prompt ?? "")\". Write one of both.")
    require(
      paywall.frequency?.every?.isZero != true, "bad-value", at: source.at("frequency", "every"),
      "The time between two prompts needs a length. Write one such as P3D, or remove it.")
    require(
      paywall.frequency?.atMost.map { $0 >= 1 } ?? true, "bad-value", at: source.at("frequency", "atMost"),
      "A prompt appears at least once. Write 1 or more, or remove \"prompt\".")
  }
}

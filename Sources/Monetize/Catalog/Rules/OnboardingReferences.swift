// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// Steps of the onboarding have their own ids, refer to declared features, entitlements and placements, and lead only to later steps.
enum OnboardingReferences: CatalogRule {
  static func check(_ draft: CatalogDraft) {
    var later = Set(draft.onboarding.map(\.value.id))
    let known = draft.onboarding.map(\.value.id)
    // A reference may mean a step whose id cannot be read.
    let areKnown = known.count == draft.root["onboarding"]?.count && draft.onboarding.allSatisfy { draft.isKnown($0.source, "id") }
    draft.unique(
      known, { "There is a step \"\($0)\" already. Remove one, or rename it." }, at: { draft.onboarding[$0].source.at("id") })
    for placed in draft.onboarding {
      let (step, source) = (placed.value, placed.source)
      later.remove(step.id)
      draft.unique(
        step.pages.map(\.id), { "This step has a page \"\($0)\" already. Rename one of them." }, at: { source.at("pages", $0, "id") })
      draft.unique(
        step.actions.map(\.id), { "This step has an action \"\($0)\" already. Rename one of them." }, at: { source.at("actions", $0, "id") }
      )
      check(step, source, draft)
      guard let next = step.next, areKnown || known.contains(next) else { continue }
      if !known.contains(next) {
        draft.reader.reportUnknown("step", next, among: known, at: source.at("next"), or: "Name a later step of the list.")
      } else if !later.contains(next) {
        draft.reader.report(
          "step-order", at: source.at("next"),
          "The step \"\(next)\" is not after \"\(step.id)\", so that the onboarding might never end. Name a later step, or change the order."
        )
      }
    }
  }

  private static func check(_ step: OnboardingStep, _ source: JSONValue, _ draft: CatalogDraft) {
    if let feature = step.spends { draft.isDeclared(feature.rawValue, .feature, at: source.at("spends")) }
    for (index, teaser) in step.teasers.enumerated() {
      draft.isDeclared(teaser.feature.rawValue, .feature, at: source.at("teasers", index, "feature"))
    }
    for (index, action) in step.actions.enumerated() {
      isShown(action.placement, at: source.at("actions", index, "placement"), draft)
    }
    isShown(step.placement, at: source.at("placement"), draft)
    if let entitlement = step.unlessEntitled { draft.isDeclared(entitlement.rawValue, .entitlement, at: source.at("unlessEntitled")) }
  }

  /// An app without paywalls in its file builds its own for each placement.
  private static func isShown(_ placement: PlacementID?, at place: @autoclosure () -> JSONValue, _ draft: CatalogDraft) {
    if let placement, !draft.paywalls.isEmpty { draft.isDeclared(placement.rawValue, .placement, at: place()) }
  }
}

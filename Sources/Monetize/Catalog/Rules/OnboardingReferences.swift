// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// Steps of the onboarding have their own ids, refer to declared features, entitlements and placements, and lead only to later steps.
enum OnboardingReferences: CatalogRule {
  static func check(_ draft: CatalogDraft) {
    var later = Set(draft.onboarding.map(\.value.id))
    let known = draft.onboarding.map(\.value.id)
    // A step without an id may be the one that is meant.
    let areKnown = known.count == draft.root["onboarding"]?.count && draft.onboarding.allSatisfy { draft.isKnown($0.source, "id") }
    for (index, id) in draft.repeated(known) {
      draft.reader.report(
        "repeated-id", at: draft.onboarding[index].source.at("id"), "There is a step \"\(id)\" already. Remove one, or rename it.")
    }
    for placed in draft.onboarding {
      let (step, source) = (placed.value, placed.source)
      later.remove(step.id)
      unique(step.pages.map(\.id), "page", at: source.at("pages"), draft)
      unique(step.actions.map(\.id), "action", at: source.at("actions"), draft)
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

  private static func unique(_ ids: [String], _ what: String, at source: JSONValue, _ draft: CatalogDraft) {
    for (index, id) in draft.repeated(ids) {
      draft.reader.report(
        "repeated-id", at: source.at(index, "id"),
        "This step has \(what == "action" ? "an" : "a") \(what) \"\(id)\" already. Rename one of them.")
    }
  }
}

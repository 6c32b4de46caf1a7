// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

extension CatalogDraft {
  /// Steps of the onboarding have their own ids, refer to declared features, entitlements and placements, and lead only to later steps.
  func checkOnboarding() {
    let known = onboarding.map(\.value.id)
    unique(known, { "There is a step \"\($0)\" already. Remove one, or rename it." }, at: { onboarding[$0].source.at("id") })
    // A reference may mean a step whose id cannot be read.
    let areKnown = known.count == root["onboarding"]?.count && onboarding.allSatisfy { isKnown($0.source, "id") }
    var later = Set(known)
    for placed in onboarding {
      let (step, source) = (placed.value, placed.source)
      later.remove(step.id)
      checkStep(step, source)
      guard let next = step.next, areKnown || known.contains(next) else { continue }
      if !known.contains(next) {
        reader.reportUnknown("step", next, among: known, at: source.at("next"), or: "Name a later step of the list.")
      } else if !later.contains(next) {
        reader.report(
          "step-order", at: source.at("next"),
          "The step \"\(next)\" is not after \"\(step.id)\", so that the onboarding might never end. Name a later step, or change the order."
        )
      }
    }
    checkMilestones()
  }

  private func checkStep(_ step: OnboardingStep, _ source: JSONValue) {
    unique(step.pages.map(\.id), { "This step has a page \"\($0)\" already. Rename one of them." }, at: { source.at("pages", $0, "id") })
    unique(
      step.actions.map(\.id), { "This step has an action \"\($0)\" already. Rename one of them." }, at: { source.at("actions", $0, "id") })
    isDeclared(step.spends, .feature, at: source.at("spends"))
    areDeclared(step.teasers.map(\.feature), .feature) { source.at("teasers", $0, "feature") }
    isDeclared(step.unlessEntitled, .entitlement, at: source.at("unlessEntitled"))
    // An app without paywalls in its file builds its own for each placement.
    if paywalls.isEmpty { return }
    for (index, action) in step.actions.enumerated() {
      isDeclared(action.placement, .placement, at: source.at("actions", index, "placement"))
    }
    isDeclared(step.placement, .placement, at: source.at("placement"))
  }

  /// A milestone must count the uses of a declared feature, or it is never reached.
  private func checkMilestones() {
    for milestone in milestones { isDeclared(milestone.value.feature, .feature, at: milestone.source.at("feature")) }
  }
}

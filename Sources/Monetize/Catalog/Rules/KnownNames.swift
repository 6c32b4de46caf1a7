// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// Roles, paywall actions, domains, devices and orientations are open sets: an app may define its own. A name one typo away from a known
/// one (a letter missing, added or replaced, two swapped, or different case) is reported as misspelt. A choice of the onboarding that is
/// one typo away from a part of the collections is reported as well.
enum KnownNames: CatalogRule {
  private static let roles = [Member.Role.customer, .parent, .child, .guest, .demo].map(\.rawValue)
  private static let actions = [PaywallAction.purchase, .upgrade, .restore, .manage, .dismiss].map(\.rawValue)
  private static let devices = ["iphone", "ipad", "ipod", "mac", "watch", "applewatch", "appletv", "vision", "applevision"]
  private static let orientations = ["portrait", "landscape"]

  static func check(_ draft: CatalogDraft) {
    func check(_ name: String, _ what: String, _ known: [String], at source: @autoclosure () -> JSONValue) {
      guard !known.contains(name), let meant = closestMatch(to: name, in: known, within: 1) else { return }
      draft.reader.report(
        .init(rawValue: "unknown-\(what)"), at: source(), "There is no \(what) \"\(name)\". Did you mean \"\(meant)\"?")
    }
    let app = draft.root.at("app")
    if let domain = draft.app?.domain { check(domain, "domain", ["health"], at: app.at("domain")) }
    // These two are compared without case and spaces, as in "Apple Watch".
    for (key, what, known) in [("devices", "device", devices), ("orientations", "orientation", orientations)] {
      let names = key == "devices" ? draft.app?.devices : draft.app?.orientations
      for (index, name) in (names ?? []).enumerated() { check(name.lowercased().filter(\.isLetter), what, known, at: app.at(key, index)) }
    }
    let parts = draft.parts ?? Set(draft.collections.flatMap(\.value.parts)).sorted()
    for step in draft.onboarding {
      for (index, choice) in step.value.choices.enumerated() { check(choice, "part", parts, at: step.source.at("choices", index)) }
    }
    for feature in draft.features where feature.source["roles"] != nil {
      for (index, role) in (feature.value.roles ?? []).enumerated() {
        check(role.rawValue, "role", roles, at: feature.source.at("roles", index))
      }
    }
    for placed in draft.paywalls.values {
      let (paywall, source) = (placed.value, placed.source)
      for (index, action) in (paywall.actions ?? []).enumerated() {
        check(action.rawValue, "action", actions, at: source.at("actions", index))
      }
      for action in (paywall.labels ?? [:]).keys { check(action, "action", actions, at: source.at("labels", action)) }
    }
  }
}

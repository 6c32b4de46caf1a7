// SPDX-License-Identifier: Apache-2.0
import Monetize

/// Things that must be present in an app that sells something.
extension LintRule {
  static let presence = [restoreMissing, termsMissing, privacyMissing, addressNotHTTPS, renewalMissing, cancellationMissing, legalUnneeded]

  private static let restoreMissing = LintRule(
    "restore-missing", source: "App Review guideline 3.1.1", sections: []
  ) { subject in
    // A consumable cannot be restored.
    guard subject.products.contains(where: { $0.product.storeType != .consumable }) else { return [] }
    var seen: Set<Int> = []
    // A placement inherits from "default", so nothing is known of any while one of both has a mistake.
    let isReadable = { (placement: PlacementID) in subject.catalog.paywalls[placement] != nil }
    let isDefaultReadable = !subject.paywalls.contains { $0.placement == .default } || isReadable(.default)
    let surfaces = subject.paywalls.filter { paywall in
      guard isDefaultReadable, isReadable(paywall.placement) else { return false }
      let actions = subject.catalog.paywall(paywall.placement)?.actions ?? []
      let isSurface = paywall.placement == .default || paywall.placement == .settings || actions.contains(.purchase)
      return isSurface && !actions.contains(.restore)
    }
    // A mistake that a placement inherits is reported where it is written.
    let inherited = subject.root["paywalls"]?["default"]?["actions"]
    let places = surfaces.map { $0.place["actions"] ?? ($0.placement == .default ? $0.place : inherited ?? $0.place) }
    let message = "Customers cannot restore purchases here. Add \"restore\" to \"actions\"."
    if subject.paywalls.isEmpty {
      return [LintMistake(at: subject.root, "No paywall of this file restores purchases. Add \"paywalls\" with the action \"restore\".")]
    }
    return places.filter { seen.insert($0.value.offset).inserted }.map { LintMistake(at: $0, message) }
  }

  private static let termsMissing = LintRule(
    "terms-missing", source: "App Review guideline 3.1.2(c), Schedule 2 of the Developer Program License Agreement",
    sections: []
  ) { subject in
    subject.products.isEmpty ? [] : subject.missing("terms", "An app with purchases needs a link to its terms of use.")
  }

  private static let privacyMissing = LintRule(
    "privacy-missing", source: "App Review guideline 5.1.1(i)", sections: []
  ) { $0.missing("privacy", "Every app needs a link to its privacy policy.") }

  private static let addressNotHTTPS = LintRule("address-not-https", source: "App Transport Security", sections: []) { subject in
    ["terms", "privacy"].compactMap { key in
      guard let place = subject.root["legal"]?[key], let text = place.string, !text.isEmpty, !text.lowercased().hasPrefix("https://") else {
        return nil
      }
      return LintMistake(
        at: place, "\"\(text)\" is not a secure web address. Write one that begins with https://.")
    }
  }

  private static let renewalMissing = LintRule(
    "renewal-missing", source: "App Review guideline 3.1.2(c), Schedule 2", sections: []
  ) { subject in
    subject.sellsSubscriptions
      ? subject.missing("renewal", "An app with subscriptions needs a text about renewal.") : []
  }

  private static let cancellationMissing = LintRule(
    "cancellation-missing", source: "App Review guideline 3.1.2(c), Schedule 2", sections: []
  ) { subject in
    subject.sellsSubscriptions
      ? subject.missing("cancellation", "An app with subscriptions needs a text about cancellation.") : []
  }

  private static let legalUnneeded = LintRule("legal-without-subscription", source: "App Review guideline 2.3.1", sections: ["products"]) {
    subject in
    guard !subject.sellsSubscriptions, let legal = subject.root["legal"] else { return [] }
    return ["renewal", "cancellation"].compactMap { key in
      legal[key].map {
        LintMistake(at: $0, "Nothing in this app renews, so \"\(key)\" would only worry customers. Remove it.")
      }
    }
  }
}

extension LintSubject {
  /// Reports a missing or blank text or address under `legal`.
  fileprivate func missing(_ key: String, _ what: String) -> [LintMistake] {
    guard let text = root["legal"]?[key]?.string, !text.allSatisfy(\.isWhitespace) else {
      return [LintMistake(at: root.at("legal", key), "\(what) Add \"\(key)\" under \"legal\".")]
    }
    return []
  }
}

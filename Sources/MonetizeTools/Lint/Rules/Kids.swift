// SPDX-License-Identifier: Apache-2.0
import Monetize

/// Rules of the store for children's apps, which are marked by `app.audience`.
extension LintRule {
  static let kids = [gateMissing, gateOpen, social, consent] + kidsData
  /// About what is shown to children, and sent about them.
  static let kidsData = [ads, thirdParty, tracking, personalData]

  private static let gateMissing = LintRule(
    "kids-gate-missing", source: "App Review guideline 1.3", sections: ["app", "parentalGate", "products"]
  ) { subject in
    guard subject.isForKids, !subject.products.isEmpty, subject.catalog.parentalGate == nil else { return [] }
    return [
      LintMistake(
        at: subject.root.at("app", "audience"),
        "An app for children needs a parental gate before purchases. Add \"parentalGate\": { \"covers\": [\"purchase\", \"restore\", "
          + "\"links\"] }.")
    ]
  }

  private static let gateOpen = LintRule("kids-gate-open", source: "App Review guideline 1.3", sections: ["app", "products"]) {
    subject in
    guard subject.isForKids, !subject.products.isEmpty, let gate = subject.catalog.parentalGate else { return [] }
    let open = ParentalGatePolicy.Action.allCases.filter { !gate.covers($0) }.map { "\"\($0.rawValue)\"" }
    if open.isEmpty { return [] }
    return [
      LintMistake(
        at: subject.root.at("parentalGate", "covers"),
        "The parental gate of an app for children leaves \(enumeration(open)) open. Add \(open.count == 1 ? "it" : "them") to "
          + "\"covers\".")
    ]
  }

  private static let ads = LintRule("kids-ads", source: "App Review guideline 1.3", sections: ["app"]) { subject in
    guard subject.isForKids, let place = subject.root["privacy"]?["ads"], !["none", "contextual"].contains(place.string) else { return [] }
    return [LintMistake(at: place, "An app for children must not show advertising that tracks people. Write \"none\" or \"contextual\".")]
  }

  private static let social = LintRule("kids-social", source: "App Review guideline 1.3", sections: ["app"]) { subject in
    guard subject.isForKids, let place = subject.root["privacy"]?["social"], place.bool != false else { return [] }
    return [LintMistake(at: place, "An app for children must not have social features. Write false, and remove them from the app.")]
  }

  private static let consent = LintRule("kids-consent", source: "COPPA; App Review guideline 5.1.4", sections: ["app"]) {
    subject in
    guard subject.isForKids, let accounts = subject.root["privacy"]?["accounts"], accounts["consent"]?.string != "parental" else {
      return []
    }
    return [
      LintMistake(at: accounts.at("consent"), "A child's account needs the consent of a parent. Write \"consent\": \"parental\".")
    ]
  }

  private static let thirdParty = LintRule("kids-third-party", source: "App Review guideline 1.3", sections: ["app"]) {
    subject in
    guard subject.isForKids else { return [] }
    return (subject.root["events"]?["sinks"]?.elements ?? []).filter { $0.string == "thirdParty" }.map {
      LintMistake(at: $0, "An app for children must not send data to third-party analytics. Remove \"thirdParty\", or write \"local\".")
    }
  }

  private static let tracking = LintRule("kids-tracking", source: "App Review guideline 1.3, 5.1.4", sections: ["app"]) { subject in
    guard subject.isForKids, let place = subject.root["privacy"]?["tracking"], place.bool != false else { return [] }
    return [LintMistake(at: place, "An app for children must not track people. Write false, and remove the tracking from the app.")]
  }

  private static let personalData = LintRule("kids-personal-data", source: "COPPA; App Review guideline 1.3", sections: ["app"]) {
    subject in
    guard subject.isForKids else { return [] }
    let labels = (subject.root["privacy"]?["collected"]?.elements ?? []).filter { !PrivacyLabel.harmless.contains($0.string ?? "") }
    let properties = subject.eventProperties.filter { $0.place.string == "text" || !RecordedName($0.key).isHarmless(besides: personal) }
    let names = subject.recordedNames.filter { RecordedName($0.name).has(personal) }
    return labels.map {
      LintMistake(
        at: $0,
        "\"\($0.string ?? "")\" is personal data of a child. Do not collect it, or accept this with the parent's consent as the reason.")
    }
      + properties.map {
        LintMistake(
          at: $0.place,
          "The property \"\($0.key)\" of an event can hold personal data of a child. Remove it, or send a number, a boolean or a choice that "
            + "is named for what it counts, such as \"length\" or \"levelIndex\".")
      }
      + names.map { LintMistake(at: $0.place, "\($0.what) \"\($0.name)\" is named like personal data of a child. Remove or rename it.") }
  }

  private static let personal: Set<String> = [
    "child", "name", "nickname", "username", "surname", "email", "mail", "phone", "address", "birthday", "birthdate", "birth", "dob", "age",
    "location", "latitude", "longitude", "gps", "zip", "postcode", "contact", "photo", "voice", "idfa", "idfv", "device", "ip", "gender",
    "sex", "school", "grade", "text", "note", "comment", "message",
  ]
}

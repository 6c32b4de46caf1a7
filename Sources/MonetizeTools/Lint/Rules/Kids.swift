// SPDX-License-Identifier: Apache-2.0
import Monetize

/// Rules of the store for children's apps, which are marked by `app.audience`.
extension LintRule {
  static let kids = [gateMissing, gateOpen, ads, social, consent, thirdParty, personalProperty]

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

  private static let gateOpen = LintRule("kids-gate-open", source: "App Review guideline 1.3; defect H12", sections: ["app", "products"]) {
    subject in
    guard subject.isForKids, !subject.products.isEmpty, let gate = subject.catalog.parentalGate else { return [] }
    let open = ParentalGatePolicy.Action.allCases.filter { !gate.covers($0) }.map { "\"\($0.rawValue)\"" }
    if open.isEmpty { return [] }
    return [
      LintMistake(
        at: subject.root.at("parentalGate", "covers"),
        "The parental gate of an app for children leaves \(open.joined(separator: " and ")) open. Add \(open.count == 1 ? "it" : "them") to "
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

  /// A free text can name a person. A number, a Boolean and a choice of fixed words cannot, unless the property's name suggests it.
  private static let personalProperty = LintRule(
    "kids-personal-data", source: "COPPA; App Review guideline 1.3", sections: ["app"]
  ) {
    subject in
    guard subject.isForKids else { return [] }
    return subject.eventProperties.filter { $0.place.string == "text" || isPersonal($0.key) }.map {
      LintMistake(
        at: $0.place,
        "The property \"\($0.key)\" of an event can hold personal data of a child. Remove it, or send a number or a boolean without personal "
          + "data.")
    }
  }

  private static let personal: Set<String> = [
    "child", "name", "nickname", "email", "phone", "address", "birthday", "birthdate", "age", "location", "latitude", "longitude",
    "contact",
    "photo", "idfa", "text",
  ]

  private static func isPersonal(_ key: String) -> Bool { key.camelWords.contains(where: personal.contains) }
}

extension LintSubject {
  /// The properties of an app's own events, with the place of their types.
  var eventProperties: [(key: String, place: LintPlace)] {
    root["events"]?["custom"]?.members.flatMap { $0.place["properties"]?.members ?? [] } ?? []
  }
}

extension String {
  /// The words of a name in camel case: `childName` is `child` and `name`.
  var camelWords: [String] {
    var words: [String] = []
    for character in self {
      if !character.isLetter {
        words.append("")
      } else if character.isUppercase || words.isEmpty {
        words.append(character.lowercased())
      } else {
        words[words.count - 1].append(character)
      }
    }
    return words
  }
}

// SPDX-License-Identifier: Apache-2.0
import Monetize

/// The privacy labels must match the collected data.
extension LintRule {
  static let privacy = [undeclared, healthData]

  /// The labels of the App Store's privacy questions, by their names in `privacy.collected`, with what in a catalog implies them.
  static func impliedLabels(_ subject: LintSubject) -> [(label: String, why: String)] {
    let provides = subject.root["server"]?["provides"]?.strings ?? []
    let sinks = subject.root["events"]?["sinks"]?.strings ?? []
    let sends = sinks.first { $0 != "local" }
    return [
      ("purchaseHistory", provides.contains("verification") ? "a server verifies purchases" : nil),
      (
        "userID",
        subject.root["privacy"]?["accounts"] != nil
          ? "there are accounts" : provides.contains("status") ? "a server knows each customer's status" : nil
      ),
      ("appUsage", provides.contains("usage") ? "a server counts uses" : sends.map { "events are sent to the sink \"\($0)\"" }),
    ].compactMap { label, why in why.map { (label, $0) } }
  }

  private static let undeclared = LintRule(
    "privacy-label-missing", source: "App privacy details in App Store Connect", sections: ["privacy"]
  ) { subject in
    let declared = subject.root["privacy"]?["collected"]?.strings ?? []
    return impliedLabels(subject).filter { !declared.contains($0.label) }.map {
      LintMistake(
        at: subject.root.at("privacy", "collected"),
        "\"\($0.label)\" is collected, because \($0.why), but the privacy labels do not include it. Add it to \"collected\" under \"privacy\"."
      )
    }
  }

  private static let health: Set<String> = [
    "heart", "heartrate", "pulse", "bpm", "weight", "glucose", "pressure", "oxygen", "calories", "temperature", "ecg", "sleep", "bmi",
  ]

  /// A count of uses or a property of an event leaves the app; a health value must not.
  private static let healthData = LintRule("health-data", source: "App Review guideline 5.1.3", sections: ["app"]) { subject in
    guard subject.catalog.app.domain == "health" else { return [] }
    let properties = subject.eventProperties.map { ("The property of an event", $0.key, $0.place) }
    let meters = subject.features.filter { type(of: $0.feature.shape).isMetered }.map {
      ("The counted feature", $0.feature.id.rawValue, $0.place)
    }
    return (properties + meters).filter { $0.1.camelWords.contains(where: health.contains) }.map { what, name, place in
      LintMistake(
        at: place, "\(what) \"\(name)\" is named like a health value, which monetization must not store or send. Remove or rename it.")
    }
  }
}

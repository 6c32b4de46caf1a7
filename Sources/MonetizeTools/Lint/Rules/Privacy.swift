// SPDX-License-Identifier: Apache-2.0
import Monetize
import MonetizeJSON

/// The privacy labels must match the collected data.
extension LintRule {
  static let privacy = [undeclared, healthData, unknownKeys]

  /// The labels of the App Store's privacy questions, by their names in `privacy.collected`, with what in a catalog implies them.
  static func impliedLabels(_ subject: LintSubject) -> [(label: String, why: String, cause: LintPlace)] {
    let root = subject.root
    func provides(_ service: String) -> LintPlace? { root["server"]?["provides"]?.texts.first { $0.string == service } }
    let (verifies, knows, counts) = (provides("verification"), provides("status"), provides("usage"))
    let sends = root["events"]?["sinks"]?.texts.first { $0.string != "local" }
    let accounts = root["privacy"]?["accounts"]
    let causes: [(label: String, why: String, cause: LintPlace?)] = [
      ("purchaseHistory", "a server verifies purchases", verifies),
      ("userID", accounts != nil ? "there are accounts" : "a server knows each customer's status", accounts ?? knows),
      ("appUsage", counts != nil ? "a server counts uses" : "events are sent to the sink \"\(sends?.string ?? "")\"", counts ?? sends),
    ]
    return causes.compactMap { label, why, cause in cause.map { (label, why, $0) } }
  }

  private static let undeclared = LintRule(
    "privacy-label-missing", source: "App privacy details in App Store Connect", sections: ["privacy", "events", "server"]
  ) { subject in
    let declared = subject.root["privacy"]?["collected"]?.strings ?? []
    return impliedLabels(subject).filter { !declared.contains($0.label) }.map {
      LintMistake(
        at: subject.root["privacy"]?.at("collected") ?? $0.cause,
        "\"\($0.label)\" is collected, because \($0.why), but the privacy labels do not include it. Add it to \"collected\" under \"privacy\"."
      )
    }
  }

  private static let health: Set<String> = [
    "heart", "heartrate", "hr", "hrv", "pulse", "bpm", "weight", "body", "mass", "bmi", "glucose", "sugar", "pressure", "oxygen",
    "systolic",
    "diastolic", "calorie", "kcal", "energy", "temperature", "ecg", "sleep", "step", "distance", "pace", "respiratory", "breath", "mood",
    "stress", "pain", "symptom", "menstruation", "cycle", "medication", "diagnosis", "fitness",
  ]

  /// Whatever monetization counts, sends or synchronizes can leave the device; a health value must not.
  static let healthData = LintRule("health-data", source: "App Review guideline 5.1.3", sections: ["app"]) { subject in
    guard subject.catalog.app.domain == "health" else { return [] }
    let meters = subject.features.filter { type(of: $0.feature.shape).isMetered }.map {
      (what: "The counted feature", name: $0.feature.id.rawValue, place: $0.place)
    }
    // In an app for children, another rule reports what is not known to be harmless.
    let properties = subject.eventProperties.filter { property in
      subject.isForKids ? RecordedName(property.key).has(health) : !RecordedName(property.key).isHarmless(besides: health)
    }
    return properties.map {
      LintMistake(
        at: $0.place,
        "The property \"\($0.key)\" of an event can hold a health value, which monetization must not store or send. Remove it, or name it for "
          + "what it counts, such as \"length\" or \"levelIndex\".")
    }
      + (meters + subject.recordedNames).filter { RecordedName($0.name).has(health) }.map {
        LintMistake(
          at: $0.place,
          "\($0.what) \"\($0.name)\" is named like a health value, which monetization must not store or send. Remove or rename it.")
      }
  }

  /// `validate` does not read these sections, so that a misspelt key would turn other rules off.
  private static let unknownKeys = LintRule("unknown-key", .warning, source: "Docs/Guides/Catalog.md, privacy and server", sections: []) {
    subject in
    func unknown(_ words: [(word: String, place: LintPlace)], _ what: String, _ known: [String]) -> [LintMistake] {
      words.filter { !known.contains($0.word) }.map {
        let mend = didYouMean(closestMatch(to: $0.word, in: known), or: "It is one of \(known.joined(separator: ", ")).")
        return LintMistake(at: $0.place, "There is no \(what) \"\($0.word)\".\(mend)")
      }
    }
    func strings(_ list: LintPlace?) -> [(word: String, place: LintPlace)] {
      (list?.elements ?? []).compactMap { element in element.string.map { ($0, element) } }
    }
    func keys(_ object: LintPlace?) -> [(word: String, place: LintPlace)] { (object?.members ?? []).map { ($0.key, $0.place) } }
    let (privacy, server) = (subject.root["privacy"], subject.root["server"])
    return unknown(keys(privacy), "key", ["collected", "tracking", "ads", "social", "accounts"])
      + unknown(strings(privacy?["collected"]), "privacy label", PrivacyLabel.all.keys.sorted())
      + unknown(keys(privacy?["accounts"]), "key", ["consent"]) + unknown(keys(server), "key", ["url", "provides"])
      + unknown(strings(server?["provides"]), "service", ["verification", "status", "usage"])
  }
}

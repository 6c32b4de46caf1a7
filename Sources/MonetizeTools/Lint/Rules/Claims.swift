// SPDX-License-Identifier: Apache-2.0
import Monetize

/// A claim, in a text or under `claims`, must be true of the rest of the file.
extension LintRule {
  static let claims = promises.map { $0.rule }

  /// One claim: its name under `claims`, its words, and what contradicts it.
  private struct Promise: Sendable {
    let name: String
    let source: String
    /// The claim is made by denying one of these: "no ads", "ad-free".
    let denied: [String]
    /// Whether `validate` already checks the claim of that name.
    var isValidated = false
    /// The contradiction, as the end of a sentence; `nil` if there is none.
    let breach: @Sendable (LintSubject) -> String?

    var rule: LintRule {
      LintRule(.init(rawValue: "claim.\(name)"), source: source, sections: []) { subject in
        guard let breach = breach(subject) else { return [] }
        let texts = subject.englishTexts.filter { Wording($0.text).denies(denied) }
        let declared = (subject.root["claims"]?.elements ?? []).filter { !isValidated && $0.string == name }
        return declared.map { LintMistake(at: $0, "The file claims \"\(name)\", but \(breach). Remove the claim or the contradiction.") }
          + texts.map { LintMistake(at: $0.place, "\"\($0.text)\" is not true: \(breach). Reword it, or remove the contradiction.") }
      }
    }
  }

  private static let promises = [
    Promise(
      name: "noSubscriptions", source: "App Review guideline 2.3.1", denied: ["subscription*"], isValidated: true, breach: renews),
    Promise(
      name: "noRecurringCharges", source: "App Review guideline 2.3.1", denied: ["recurring", "hidden charges"],
      isValidated: true,
      breach: renews),
    Promise(
      name: "noAds", source: "App Review guideline 2.3.1", denied: ["ads", "ad", "advert*"],
      breach: { subject in
        guard let ads = subject.root["privacy"]?["ads"]?.string, ads != "none" else { return nil }
        return "\"privacy\" declares ads (\"\(ads)\")"
      }),
    Promise(
      name: "noDataShared", source: "App Review guideline 2.3.1",
      denied: ["data", "nothing"].flatMap { what in ["shar*", "collect*", "leav*", "sent"].map { "\(what) … \($0)" } }
        + ["shar* … data", "collect* … data", "send* … data"],
      breach: { subject in
        let collected = subject.root["privacy"]?["collected"]?.strings ?? []
        return collected.isEmpty ? nil : "\"privacy\" declares collected data (\(collected.joined(separator: ", ")))"
      }),
    Promise(
      name: "noTracking", source: "App Review guideline 5.1.2(i)", denied: ["tracking", "tracked"],
      breach: { subject in
        if subject.root["privacy"]?["tracking"]?.bool == true { return "\"privacy\" declares tracking" }
        let sinks = subject.root["events"]?["sinks"]?.strings ?? []
        return sinks.contains("thirdParty") ? "events are sent to a third party" : nil
      }),
  ]

  private static let renews: @Sendable (LintSubject) -> String? = { subject in
    subject.products.first { type(of: $0.product.kind).renews }.map { "\"\($0.product.id)\" renews by itself" }
  }
}

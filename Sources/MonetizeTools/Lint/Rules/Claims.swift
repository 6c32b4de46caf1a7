// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// A claim in a text must be true of the rest of the file. `validate` checks those under `claims`.
extension LintRule {
  static let claims = promises.map { $0.rule }

  /// One claim: its name, its words, and what contradicts it.
  private struct Promise: Sendable {
    let name: String
    let source: String
    /// The claim is made by denying one of these: "no ads", "ad-free".
    var denied: [Wording.Phrase] = []
    /// The claim is made by asserting one of these.
    var asserted: [Wording.Phrase] = []
    /// The contradiction, as the end of a sentence; `nil` if there is none.
    let breach: @Sendable (LintSubject) -> String?

    var rule: LintRule {
      LintRule(.init(rawValue: "claim.\(name)"), source: source, sections: []) { subject in
        guard let breach = breach(subject) else { return [] }
        let texts = subject.englishTexts.filter { text in
          let wording = Wording(text.text)
          return wording.denies(denied) || wording.asserts(asserted) != nil
        }
        return texts.map { LintMistake(at: $0.place, "\"\($0.text)\" is not true: \(breach). Reword it, or remove the contradiction.") }
      }
    }
  }

  private static let promises = [
    Promise(name: "noSubscriptions", source: "App Review guideline 2.3.1", denied: ["subscription*"], breach: renews),
    Promise(
      name: "noRecurringCharges", source: "App Review guideline 2.3.1", denied: ["recurring", "hidden charges"], breach: renews),
    Promise(
      name: "noAds", source: "App Review guideline 2.3.1", denied: ["ads", "ad", "advert*"],
      breach: { subject in
        guard let ads = subject.root["privacy"]?["ads"]?.string, ads != "none" else { return nil }
        return "\"privacy\" declares ads (\"\(ads)\")"
      }),
    Promise(
      name: "noDataShared", source: "App Review guideline 2.3.1",
      denied: ["data", "nothing"].flatMap { what in ["shar*", "collect*", "leav*", "sent"].map { .init(stringLiteral: "\(what) … \($0)") } }
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
    Promise(
      name: "freeTrial", source: "App Review guideline 2.3.1",
      asserted: [
        "free trial*", "trial period", "days free", "day* … trial", "week* … trial", "first week free", "first month free",
        "free for … day*", "free for … week*", "first week on us", "first month on us",
      ],
      breach: { subject in
        // Without subscriptions, `copy.recurring-in-one-time` finds these words.
        guard subject.sellsSubscriptions else { return nil }
        let isTried = subject.onSale.contains { product, _ in
          product.price?.amount == 0 || product.subscription?.offers.contains { $0.mode == .freeTrial && $0.isEnabled } ?? false
        }
        return isTried ? nil : "nothing on sale has a free trial"
      }),
  ]

  private static let renews: @Sendable (LintSubject) -> String? = { subject in
    subject.products.first { type(of: $0.product.kind).renews }.map { "\"\($0.product.id)\" renews by itself" }
  }
}

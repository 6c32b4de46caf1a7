// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// A prompt must be one that can appear: soft or hard, more than once only after some time, and at least once.
enum PossiblePrompts: CatalogRule {
  static func check(_ draft: CatalogDraft) {
    for placed in draft.paywalls.values {
      let (paywall, source) = (placed.value, placed.source)
      draft.require(
        paywall.prompt.map { ["soft", "hard"].contains($0) } ?? true, "bad-value", at: source.at("prompt"),
        "A prompt is \"soft\", which the customer can close, or \"hard\", not \"\(paywall.prompt ?? "")\". Write one of both.")
      draft.require(
        paywall.frequency?.every?.isZero != true, "bad-value", at: source.at("frequency", "every"),
        "The time between two prompts needs a length. Write one such as P3D, or remove it.")
      draft.require(
        paywall.frequency?.atMost.map { $0 >= 1 } ?? true, "bad-value", at: source.at("frequency", "atMost"),
        "A prompt appears at least once. Write 1 or more, or remove \"prompt\".")
    }
  }
}
